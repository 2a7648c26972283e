"""The cells of a run as text and as CSV."""
import csv
import math
from collections import namedtuple

from planners import Plan

# simulated, errors: None where it did not run; priced: what AFTER predicts for the plan, the same judge for both sides.
Side = namedtuple("Side", Plan._fields + ("priced", "simulated", "errors"))
Cell = namedtuple("Cell", "platform family sites ranks operation root size before after forced forced_by below")


def size_text(size):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"


def where(cell):
    side = cell.after
    return (f"{cell.platform} {cell.operation} {size_text(cell.size)} root {cell.root} ({cell.sites} sites, {cell.ranks}"
            f" ranks; {side.inter}, {side.lanes} lanes, {side.trees} trees, segments of {side.segment} B)")


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


class Ratio:
    """One kind of ratio over all cells that have it."""

    def __init__(self, name, of):
        self.name = name
        self.of = of

    def found(self, cells):
        return [(ratio, cell) for cell in cells if (ratio := self.of(cell))]

    def line(self, cells):
        ratios = [ratio for ratio, _ in self.found(cells)]
        return [f"{mean(ratios):.4f}", f"{min(ratios):.4f}", f"{max(ratios):.4f}", str(len(ratios))] if ratios else None


def over(above, below):
    return lambda cell: above(cell) and below(cell) and above(cell) / below(cell)


def field(side, name):
    return lambda cell: getattr(cell, side) and getattr(getattr(cell, side), name)


RATIOS = [
    Ratio("after / before, predicted by after", over(field("after", "priced"), field("before", "priced"))),
    Ratio("after / before, simulated", over(field("after", "simulated"), field("before", "simulated"))),
    Ratio("before, predicted by after / bound", over(field("before", "priced"), field("after", "bound"))),
    Ratio("after, predicted / bound", over(field("after", "predicted"), field("after", "bound"))),
    Ratio("before, simulated / predicted", over(field("before", "simulated"), field("before", "predicted"))),
    Ratio("after, simulated / predicted", over(field("after", "simulated"), field("after", "predicted"))),
    Ratio("best forced / after, predicted", over(lambda cell: cell.forced, field("after", "predicted"))),
]


def groups(cells):
    """(heading, cells)"""
    yield "all", cells
    for heading, key in (("", lambda c: c.family), ("", lambda c: c.size),
                         ("lanes ", lambda c: c.after.lanes), ("trees ", lambda c: c.after.trees)):
        for value in sorted({key(cell) for cell in cells}):
            some = [cell for cell in cells if key(cell) == value]
            yield heading + (size_text(value) if not heading and isinstance(value, int) else str(value)), some


def table(heading, rows):
    rows = [heading] + rows
    width = [max(len(row[i]) for row in rows) for i in range(len(heading))]
    return ["  ".join(word.ljust(w) if i == 0 else word.rjust(w) for i, (word, w) in enumerate(zip(row, width)))
            for row in rows]


def text_of(ratio, cells, worst):
    rows = [[name, *line] for name, some in groups(cells) if (line := ratio.line(some))]
    if not rows:
        return []
    found = sorted(ratio.found(cells), key=lambda item: item[0])
    text = ["", ratio.name, *table(["", "geometric mean", "least", "most", "cells"], rows)]
    text += [f"  {value:.4f}  {where(cell)}{told(ratio, cell)}" for value, cell in found[:worst] if value < 0.999]
    return text + [f"  {value:.4f}  {where(cell)}" for value, cell in found[-worst:] if value > 1.001]


def told(ratio, cell):
    return f" by {cell.forced_by}" if "forced" in ratio.name else ""


def time_text(cells):
    rows = []
    for side in ("before", "after"):
        some = [(getattr(cell, side).cpu, cell) for cell in cells if getattr(cell, side)]
        if some:
            most, cell = max(some, key=lambda item: item[0])
            rows.append([side, f"{sum(cpu for cpu, _ in some):.2f} s", f"{most:.3f} s", where(cell)])
    return ["", "planning, processor time", *table(["", "sum", "worst", "where"], rows)]


def text(cells, worst=5):
    lines = []
    for ratio in RATIOS:
        lines += text_of(ratio, cells, worst)
    forced = [cell for cell in cells if cell.forced and cell.forced < 0.99 * cell.after.predicted]
    if any(cell.forced for cell in cells):
        lines += ["", f"a forced plan is predicted better by more than 1 % in {len(forced)} of {len(cells)} cells"]
    below = [cell for cell in cells if cell.below]
    if below:
        lines += ["", f"a forced plan is predicted below the lower bound in {len(below)} of {len(cells)} cells"]
        lines += [f"  {cell.below}  {where(cell)}" for cell in below[:worst]]
    return "\n".join(lines + time_text(cells)) + "\n"


def save(cells, path):
    common = [name for name in Cell._fields if name not in ("before", "after")]
    sides = [(side, name) for side in ("before", "after") for name in Side._fields]
    with open(path, "w", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(common + [f"{side}_{name}" for side, name in sides])
        for cell in cells:
            rows.writerow([getattr(cell, name) for name in common]
                          + [getattr(getattr(cell, side), name) if getattr(cell, side) else "" for side, name in sides])
