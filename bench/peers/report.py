"""Results as text: tables that are Markdown and read well in a terminal, and the CSV."""
import csv
import re
import statistics
from collections import namedtuple

import goals
import platforms
from simulate import SELECTORS

# One size of one run; times in seconds, None where there is none.
Result = namedtuple("Result", ["operation", "platform", "place", "root", "size", "bound", "gbcast", "errors",
                               "predicted", "plan", "best_peer", "best_seconds"] + SELECTORS)
PLACES = {"c": "contiguous ranks", "s": "shuffled ranks"}


def time_text(seconds):
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= unit:
            break
    digits = 4 - len(f"{seconds / unit:.0f}")
    return f"{seconds / unit:.{max(digits, 0)}f} {name}"


def ratio_text(a, b):
    if not a or not b:
        return "-"
    return f"{a / b:.3f}" if a / b < 10 else f"{a / b:.1f}"


def table(head, rows):
    """Left of the first column, right of the others, all padded."""
    width = [max(len(row[i]) for row in [head] + rows) for i in range(len(head))]

    def line(cells):
        padded = [cells[0].ljust(width[0])] + [c.rjust(w) for c, w in zip(cells[1:], width[1:])]
        return "| " + " | ".join(padded) + " |"
    rule = "|" + "|".join(["-" * (width[0] + 2)] + ["-" * (w + 1) + ":" for w in width[1:]]) + "|"
    return "\n".join([line(head), rule] + [line(r) for r in rows])


def runs(results):
    """{(operation, platform, place, root): results by size}, in the order in which they first appear."""
    found = {}
    for r in results:
        found.setdefault((r.operation, r.platform, r.place, r.root), []).append(r)
    return found


def heading(operation, platform):
    title = {"bcast": "Broadcast", "alltoall": "All-to-all", "reduce": "Reduction"}.get(operation, operation.capitalize())
    return f"{title} on {platform}"


def run_name(run):
    """Placement and root; an all-to-all has none."""
    _, platform, place, root = run
    if root is None:
        return PLACES[place]
    group, index = platforms.ranks(platforms.PLATFORMS[platform], place)[root]
    return f"{PLACES[place]}, root {root} ({platforms.host(group, index)})"


def run_table(results):
    head = ["size", "bound", "gbcast", "/ bound", "predicted", "/ gbcast", "best peer", "time", "gbcast / peer"]
    rows = []
    for r in results:
        wrong = f" ({r.errors} wrong)" if r.errors else ""
        rows.append([goals.size_text(r.size), time_text(r.bound), time_text(r.gbcast) + wrong,
                     ratio_text(r.gbcast, r.bound), time_text(r.predicted) if r.predicted else "-",
                     ratio_text(r.predicted, r.gbcast), r.best_peer or "-",
                     time_text(r.best_seconds) if r.best_seconds else "-", ratio_text(r.gbcast, r.best_seconds)]
                    + [ratio_text(getattr(r, s), r.bound) for s in SELECTORS])
    return table(head + [f"{s} / bound" for s in SELECTORS], rows)


def summary_line(name, cells):
    """The worst of what the tables show. Sizes of 64 KiB and more by themselves: pipelines, not latencies."""
    def worst(ratios):
        return f"{max(ratios):.3f}" if ratios else "-"
    large = [r for r in cells if r.size >= 64 << 10]
    off = [abs(r.predicted / r.gbcast - 1) for r in cells if r.predicted]
    return [name, worst([r.gbcast / r.bound for r in cells]), worst([r.gbcast / r.bound for r in large]),
            worst([r.gbcast / r.best_seconds for r in cells if r.best_seconds]),
            worst([r.gbcast / r.best_seconds for r in large if r.best_seconds]),
            f"{100 * statistics.median(off):.1f} %" if off else "-", f"{100 * max(off):.1f} %" if off else "-",
            str(sum(r.errors for r in cells))]


SUMMARY = ["worst / bound", "from 64 KiB", "worst / best peer", "from 64 KiB", "prediction off, median", "worst",
           "ranks with wrong data"]


def class_table(results):
    """A line for each operation and kind of platform."""
    rows = []
    for operation in dict.fromkeys(r.operation for r in results):
        for kinds, aside in ((goals.KINDS, ""), (goals.ASIDE_KINDS, ", kept aside")):
            for kind, names in kinds.items():
                cells = [r for r in results if r.operation == operation and r.platform in names]
                if cells:
                    rows.append(summary_line(f"{operation}, {kind}{aside} ({', '.join(names)})", cells))
    return table(["class"] + SUMMARY, rows)


def summary_table(results):
    """A line for each run."""
    return table(["run"] + SUMMARY, [summary_line(f"{operation} {platform}.{place} root {root}", cells)
                                     for (operation, platform, place, root), cells in runs(results).items()])


def goal_table(found):
    rows = [[o.what, o.limit, f"{o.worst:.3f}", str(o.cells), o.where, "met" if o.met else "missed"] for o in found]
    return table(["goal", "at most", "worst", "cells", "where", ""], rows)


JOBS = {"grid3": "three sites, one of them far away", "grid8": "eight sites",
        "mesh4": "four sites with a link for each pair", "fast4": "four sites, uplinks faster than a host's link",
        "eth1": "one switch, 100 Mbit/s", "eth5": "four switches in a line, 100 Mbit/s, ranks in turn",
        "eth5g": "the same with 1 Gbit/s"}
GAIN_SIZES = [1 << 10, 64 << 10, 1 << 20, 4 << 20]
REDUCED = {"grid3": JOBS["grid3"], "star5": "five sites", "mesh5": "five sites with a link for each pair",
           "duo": "two sites", "eth4": "four switches in a line, 100 Mbit/s"}


def gain_tables(results):
    """Of all operations that there are results of."""
    return "\n\n".join(gain_table(results, *of) for of in (("bcast", "broadcast", JOBS), ("reduce", "reduction", REDUCED),
                                                           ("allreduce", "allreduce", REDUCED))
                       if any(r.operation == of[0] for r in results))


def gain_table(results, operation, noun, jobs):
    """How many times as fast as the fastest of the libraries' own choices; of several roots the worst."""
    rows = []
    sizes = [s for s in GAIN_SIZES if any(r.operation == operation and r.size == s for r in results)]
    for platform, place in ((platform, place) for platform in jobs for place in PLACES):
        cells = [r for r in results if (r.operation, r.platform, r.place) == (operation, platform, place)]
        if not cells:
            continue
        count = sum(platforms.groups(platforms.PLATFORMS[platform]))
        row = [f"{jobs[platform]}; {count} hosts" + (", ranks in any order" if place == "s" else "")]
        for size in sizes:
            gains = [min(own) / r.gbcast for r in cells if r.size == size
                     for own in [[t for t in (getattr(r, s) for s in SELECTORS) if t]] if own]
            row.append(f"{min(gains):.2f}" if gains else "-")
        rows.append(row)
    return table([noun] + [goals.size_text(s) for s in sizes], rows)


def text(results, drawings=None):
    """The whole report. drawings: {(operation, platform): path of an SVG file to show}."""
    part = []
    if any(r.operation == "bcast" and r.platform in JOBS for r in results):
        part += ["## Times as fast as MPI libraries",
                 f"As the fastest of what {', '.join(SELECTORS[:-1])} and {SELECTORS[-1]} choose by themselves, from the "
                 "root for which that is least.", gain_tables(results)]
    part += ["## In brief", class_table(results), "## Goals", "Of each class the worst cell counts."]
    if found := goals.outcomes(results):
        part += [goal_table(found), f"{sum(o.met for o in found)} of {len(found)} goals met."]
    if found := goals.outcomes(results, aside=True):
        part += ["## The same on platforms kept aside", goal_table(found),
                 f"{sum(o.met for o in found)} of {len(found)} met."]
    part += ["## Each run", summary_table(results)]
    last = None
    for run, cells in runs(results).items():
        if run[:2] != last:
            last = run[:2]
            part.append(f"## {heading(*last)}")
            if drawings and last in drawings:
                part.append(f"![Time to lower bound by size]({drawings[last]})")
        part.append(f"{run_name(run)[0].upper()}{run_name(run)[1:]}:\n\n{run_table(cells)}")
    return "\n\n".join(part) + "\n"


def save(results, path):
    with open(path, "w", newline="") as out:
        lines = csv.writer(out, lineterminator="\n")
        lines.writerow(Result._fields)
        lines.writerows(results)  # None becomes empty


def load(path):
    kind = {"operation": str, "platform": str, "place": str, "plan": str, "best_peer": str, "root": int, "size": int,
            "errors": int}
    with open(path, newline="") as lines:
        return [Result(**{k: kind.get(k, float)(v) if v else None for k, v in row.items()})
                for row in csv.DictReader(lines)]


def into(path, generated, part=""):
    """Puts the generated text between the two marks of a Markdown file, or of a part of it that has a name."""
    part = part and " " + part
    with open(path) as old:
        page = old.read()
    new, count = re.subn(rf"(<!-- begin generated{part} -->\n).*?(<!-- end generated{part} -->)",
                         lambda m: m[1] + generated + m[2], page, flags=re.S)
    if count != 1:
        raise SystemExit(f"{path}: no lines <!-- begin generated{part} --> and <!-- end generated{part} --> once each")
    with open(path, "w") as out:
        out.write(new)
