"""SVG drawings of time / bound against size: a file for each operation and platform, a panel for each placement and
root, both axes logarithmic."""
import math
import os

import goals
import report

WIDTH, HEIGHT, ALONE = 440, 300, 680         # of a panel, all in; the width of one that is alone
LEFT, RIGHT, ABOVE, BELOW = 54, 24, 34, 46   # what the axes leave
HEAD = 62                                    # title and legend of the drawing
# Series: title, colour, width, dashes, radius of its marks. The last is drawn on top.
SERIES = {"impi": ("Intel MPI", "#56b4e9", 1.6, "", 0), "mvapich2": ("MVAPICH2", "#cc79a7", 1.6, "7 4", 0),
          "ompi": ("Open MPI", "#009e73", 1.6, "", 0), "mpich": ("MPICH", "#0072b2", 1.6, "2 3", 0),
          "best": ("best of all peers", "#222222", 2, "", 2.2), "gbcast": ("gbcast", "#d1242f", 2.6, "", 3.2)}
FONT = 'font-family="Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"'


def ratio(result, series):
    seconds = result.best_seconds if series == "best" else getattr(result, series)
    return seconds / result.bound if seconds else None


def write(x, y, words, size=11, anchor="middle", colour="#444444", more=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" {more}>'
            f'{words}</text>')


def ticks(top):
    """1, 2, 5, 10 .. up to the decade's step that has room for `top`; labels get sparse when there are many."""
    steps = [m * 10 ** e for e in range(7) for m in (1, 2, 5)]
    high = next((s for s in steps if s >= top), steps[-1])
    shown = [s for s in steps if s <= max(high, 2)]
    return shown if len(shown) <= 9 else [s for s in shown if str(s)[0] == "1" or s == shown[-1]]


def panel(results, x0, y0, width, top):
    """One run's axes and lines, its upper left corner at x0, y0."""
    wide, high = width - LEFT - RIGHT, HEIGHT - ABOVE - BELOW
    sizes = [r.size for r in results]
    low, span = math.log2(sizes[0]), max(math.log2(sizes[-1] / sizes[0]), 1)
    steps = ticks(top)

    def x(size):
        return x0 + LEFT + wide * (math.log2(size) - low) / span

    def y(value):
        return y0 + ABOVE + high * (1 - math.log(max(value, 1)) / math.log(steps[-1]))
    left, right, bottom = x0 + LEFT, x0 + LEFT + wide, y0 + ABOVE + high
    first = results[0]
    name = report.run_name((first.operation, first.platform, first.place, first.root))
    part = [write(left, y0 + ABOVE - 12, name, 12, "start", "#222222")]
    for s in steps:
        part.append(f'<line x1="{left}" y1="{y(s):.1f}" x2="{right}" y2="{y(s):.1f}" stroke="#e3e3e3"/>')
        part.append(write(left - 7, y(s) + 4, s, anchor="end"))
    for size in sizes:
        part.append(f'<line x1="{x(size):.1f}" y1="{y0 + ABOVE}" x2="{x(size):.1f}" y2="{bottom}" stroke="#f2f2f2"/>')
        label = goals.size_text(size).replace("iB", "").rstrip("B").replace(" ", "")
        part.append(write(x(size), bottom + 16, label, 10))
    part.append(f'<path d="M{left} {y0 + ABOVE}V{bottom}H{right}" fill="none" stroke="#888888"/>')
    part.append(write((left + right) / 2, bottom + 35, "bytes" if first.operation in ("bcast", "reduce", "allreduce") else "bytes a rank"))
    middle = f"translate({x0 + 14:.1f} {(y0 + ABOVE + bottom) / 2:.1f})"
    part.append(write(0, 0, "time / lower bound", more=f'transform="{middle} rotate(-90)"'))
    for name, (_, colour, stroke, dashes, radius) in SERIES.items():
        points = [(x(r.size), y(ratio(r, name))) for r in results if ratio(r, name)]
        if points:
            line = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
            part.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="{stroke}" '
                        f'stroke-dasharray="{dashes}" stroke-linejoin="round"/>')
        if radius:
            part += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{radius}" fill="{colour}"/>' for a, b in points]
    return part


def legend(names, x, y):
    part = []
    for name in names:
        title, colour, stroke, dashes, radius = SERIES[name]
        part.append(f'<line x1="{x}" y1="{y}" x2="{x + 26}" y2="{y}" stroke="{colour}" stroke-width="{stroke}" '
                    f'stroke-dasharray="{dashes}"/>')
        if radius:
            part.append(f'<circle cx="{x + 13}" cy="{y}" r="{radius}" fill="{colour}"/>')
        part.append(write(x + 32, y + 4, title, anchor="start", colour="#222222"))
        x += 54 + 5.8 * len(title)
    return part


def draw(runs):
    """runs: lists of results, a panel each."""
    columns = min(len(runs), 2)
    width = WIDTH if columns > 1 else ALONE
    wide = width * columns
    high = HEAD + HEIGHT * math.ceil(len(runs) / columns)
    names = [n for n in reversed(SERIES) if any(ratio(r, n) for run in runs for r in run)]
    top = max(ratio(r, n) for run in runs for r in run for n in names if ratio(r, n))
    part = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
            f'{FONT}>',
            f'<rect width="{wide}" height="{high}" fill="#ffffff"/>',
            write(LEFT, 25, report.heading(runs[0][0].operation, runs[0][0].platform), 16, "start", "#222222",
                  'font-weight="bold"')]
    part += legend(names, LEFT, 47)
    for i, run in enumerate(runs):
        part += panel(run, width * (i % columns), HEAD + HEIGHT * (i // columns), width, top)
    return "\n".join(part + ["</svg>"]) + "\n"


def draw_all(results, folder):
    """Writes the drawings: {(operation, platform): path}. A run of one size makes no line."""
    os.makedirs(folder, exist_ok=True)
    found = {}
    for (operation, platform, _, _), cells in report.runs(results).items():
        if len(cells) > 1:
            found.setdefault((operation, platform), []).append(sorted(cells, key=lambda r: r.size))
    paths = {}
    for (operation, platform), runs in found.items():
        paths[operation, platform] = os.path.join(folder, f"{operation}-{platform}.svg")
        with open(paths[operation, platform], "w") as out:
            out.write(draw(runs))
    return paths
