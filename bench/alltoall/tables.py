"""All-to-alls as text: tables that are Markdown and read well in a terminal, and the CSV."""
import csv
from collections import namedtuple

import goals
import peak
import platforms
import report
from simulate import SELECTORS

# kind: gbcast (algorithm is what keeps its phases apart, or auto), peer, or plan (what gbcast-plan says that auto is,
# and the seconds that it predicts). errors: ranks with wrong data.
Time = namedtuple("Time", "platform place size kind algorithm seconds errors")

LARGE = 64 << 10
OF_PEAK = 0.90   # from LARGE on, where a cable between switches is the busiest
TO_PEER = 1.02   # time, to that of the best peer at that size


def save(times, path):
    with open(path, "w", newline="") as out:
        lines = csv.writer(out, lineterminator="\n")
        lines.writerow(Time._fields)
        lines.writerows(times)


def load(path):
    with open(path, newline="") as lines:
        return [Time(row["platform"], row["place"], int(row["size"]), row["kind"], row["algorithm"],
                     float(row["seconds"]), int(row["errors"])) for row in csv.DictReader(lines)]


def cells(times):
    """{(platform, place, size): {(kind, algorithm): Time}}"""
    found = {}
    for t in times:
        found.setdefault((t.platform, t.place, t.size), {})[t.kind, t.algorithm] = t
    return found


def fastest(cell, kind):
    """With right data; None when there is none. auto is not a variant."""
    right = [t for (k, name), t in cell.items() if k == kind and name != "auto" and not t.errors]
    return min(right, key=lambda t: t.seconds, default=None)


def results(times):
    """What auto makes of each size, as bench/peers reports it."""
    found = []
    for (name, place, size), cell in cells(times).items():
        auto = cell.get(("gbcast", "auto"))
        if not auto:
            continue
        plan = next((t for (kind, _), t in cell.items() if kind == "plan"), None)
        best = fastest(cell, "peer")
        of_library = [cell.get(("peer", s)) for s in SELECTORS]
        found.append(report.Result(
            "alltoall", name, place, None, size, peak.bound(platforms.PLATFORMS[name], size), auto.seconds, auto.errors,
            plan and plan.seconds, plan and plan.algorithm, best and best.algorithm, best and best.seconds,
            *[t and t.seconds for t in of_library]))
    return found


def by_variant(times):
    """The same with the fastest variant in the place of auto."""
    each = cells(times)
    found = []
    for r in results(times):
        if best := fastest(each[r.platform, r.place, r.size], "gbcast"):
            found.append(r._replace(gbcast=best.seconds, plan=best.algorithm))
    return found


def to_peak(result):
    """The time, to that at the peak."""
    return result.gbcast / peak.seconds(platforms.PLATFORMS[result.platform], result.size)


def outcomes(times):
    """The goals, of auto and of what it could be."""
    found = []
    for aside in (False, True):
        for who, all_sizes in (("auto", results(times)), ("fastest variant", by_variant(times))):
            those = [r for r in all_sizes if (r.platform in platforms.ASIDE) == aside]
            large = [r for r in those if r.size >= LARGE and peak.busiest(platforms.PLATFORMS[r.platform])[1]]
            end = ", kept aside" if aside else ""
            found += goals.worst_of(f"{who}, from {goals.size_text(LARGE)}: to the peak's time{end}", 1 / OF_PEAK,
                                    [(to_peak(r), r) for r in large])
            found += goals.worst_of(f"{who}: to the best peer{end}", TO_PEER,
                                    [(r.gbcast / r.best_seconds, r) for r in those if r.best_seconds])
    return found


def percent(result):
    return f"{100 / to_peak(result):.1f} %"


def worst(pairs):
    """The largest of [(ratio, result)], and at which size."""
    ratio, result = max(pairs, key=lambda p: p[0], default=(None, None))
    return f"{ratio:.3f} ({goals.size_text(result.size)})" if result else "-"


def brief(times):
    """A line for each platform."""
    each = {name: [] for name in dict.fromkeys(r.platform for r in results(times))}
    for who in (results(times), by_variant(times)):
        for name, mine in each.items():
            mine.append([r for r in who if r.platform == name])
    rows = []
    for name, who in each.items():
        tree = platforms.PLATFORMS[name]
        row = [name + (", kept aside" if name in platforms.ASIDE else ""), megabits(tree, 1, peak.seconds(tree, 1))]
        for mine in who:
            large = [r for r in mine if r.size >= LARGE]
            row.append(percent(max(large, key=to_peak)) if large else "-")
            row.append(worst([(r.gbcast / r.best_seconds, r) for r in mine if r.best_seconds]))
        rows.append(row + [worst([(abs(r.predicted / r.gbcast - 1), r) for r in who[0] if r.predicted])])
    large = goals.size_text(LARGE)
    return report.table(["platform", "peak, Mbit/s", f"auto from {large}, least of peak", "auto / best peer, worst",
                         f"fastest variant from {large}", "fastest variant / best peer", "prediction off, worst"], rows)


def megabits(tree, size, seconds):
    """Aggregate throughput in Mbit/s, with three digits or more."""
    value = peak.throughput(tree, size, seconds) * 8 / 1e6
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


def size_table(those, variants):
    """A platform's results by size; variants: the same of the fastest variant."""
    best = {r.size: r for r in variants}
    rows = []
    for r in those:
        tree = platforms.PLATFORMS[r.platform]
        v = best.get(r.size)
        wrong = f" ({r.errors} wrong)" if r.errors else ""
        rows.append([goals.size_text(r.size), report.time_text(peak.seconds(tree, r.size)), report.time_text(r.bound),
                     report.time_text(r.gbcast) + wrong, percent(r), r.plan or "-", report.ratio_text(r.predicted, r.gbcast),
                     v.plan if v else "-", report.time_text(v.gbcast) if v else "-",
                     r.best_peer or "-", report.time_text(r.best_seconds) if r.best_seconds else "-",
                     report.ratio_text(r.gbcast, r.best_seconds), report.ratio_text(v and v.gbcast, r.best_seconds)])
    return report.table(["size", "peak", "bound", "auto", "of peak", "auto is", "predicted / auto", "fastest variant",
                         "time", "best peer", "time", "auto / peer", "variant / peer"], rows)


def throughput_table(name, place, times):
    """Every variant and peer, in Mbit/s."""
    tree = platforms.PLATFORMS[name]
    here = [t for t in times if (t.platform, t.place) == (name, place) and t.kind != "plan"]
    sizes = sorted({t.size for t in here})
    rows = [["*peak*"] + [megabits(tree, s, peak.seconds(tree, s)) for s in sizes]]
    for kind, algorithm in dict.fromkeys((t.kind, t.algorithm) for t in here):
        at = {t.size: t for t in here if (t.kind, t.algorithm) == (kind, algorithm)}
        text = [megabits(tree, s, at[s].seconds) if s in at and not at[s].errors else "wrong" if s in at else "-"
                for s in sizes]
        rows.append([f"gbcast {algorithm}" if kind == "gbcast" else algorithm] + text)
    return report.table(["Mbit/s"] + [goals.size_text(s) for s in sizes], rows)


def description(tree):
    """The hosts of each switch, and the cables."""
    busiest, between = peak.busiest(tree)
    hosts = "; ".join(f"r{i}: {n}" for i, n in enumerate(tree.hosts))
    cables = ", ".join(f"r{a} - r{b}" for a, b in tree.cables)
    return (f"{sum(tree.hosts)} hosts ({hosts}){', cables ' + cables if cables else ''}; {tree.mbit} Mbit/s. The "
            f"busiest links, {'between switches' if between else 'of every host'}, carry {busiest} blocks each way.")


def text(times, drawings=None):
    """The whole report. drawings: {(operation, platform): path of an SVG file to show}."""
    found = outcomes(times)
    part = ["## In brief", brief(times), "## Goals", "Of each the worst cell counts.", report.goal_table(found),
            f"{sum(o.met for o in found)} of {len(found)} met."]
    auto, variants = results(times), by_variant(times)
    for name, place in dict.fromkeys((r.platform, r.place) for r in auto):
        part += [f"## {name}, {report.PLACES[place]}", description(platforms.PLATFORMS[name])]
        if drawings and ("alltoall", name) in drawings:
            part.append(f"![Time to lower bound by size]({drawings['alltoall', name]})")
        part.append(size_table(*[[r for r in who if (r.platform, r.place) == (name, place)]
                                 for who in (auto, variants)]))
        part.append("Aggregate throughput:\n\n" + throughput_table(name, place, times))
    return "\n\n".join(part) + "\n"
