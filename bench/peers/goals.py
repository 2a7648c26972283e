"""What the project wants to reach, as data, and which of it a set of results reaches."""
import statistics
from collections import namedtuple

import platforms

K, M = 1 << 10, 1 << 20
ALL = 1 << 62
KINDS = {"star": ["grid3", "grid8"], "fast": ["fast4"], "mesh": ["mesh4"], "tree": ["eth1", "eth4", "eth5", "eth5g"]}
ASIDE_KINDS = {"star": ["star5", "duo"], "mesh": ["mesh5"], "tree": ["tree3"]}

# Of an operation on a kind of platform (or on one): sizes from .. to; at most `bound` times the lower bound and
# `peers` times the best peer (None: nothing asked). slow: the root is in the slowest site, is not, or either (None).
Goal = namedtuple("Goal", "operation on low high bound peers slow place", defaults=(None, None))
GOALS = [
    Goal("bcast", "star", 1, 8 * K, 1.03, 1.00),
    Goal("bcast", "star", 16 * K, 32 * K, 1.05, None),
    Goal("bcast", "star", 64 * K, M - 1, 1.07, None),
    Goal("bcast", "star", M, M, 1.07, 0.75, False),
    Goal("bcast", "star", 4 * M, ALL, 1.05, 0.70, False),
    Goal("bcast", "star", M, ALL, 1.15, 0.55, True),
    Goal("bcast", "fast", 1, 32 * K, 1.3, 1.00),
    Goal("bcast", "fast", 64 * K, ALL, 1.4, None),
    Goal("bcast", "fast", M, ALL, None, 0.38, None, "c"),
    Goal("bcast", "fast", M, ALL, None, 0.10, None, "s"),
    Goal("bcast", "mesh", 1, 64 * K - 1, 1.05, 1.00),
    Goal("bcast", "mesh", 64 * K, M - 1, 1.3, None),
    Goal("bcast", "mesh", M, M, 1.5, 0.55),
    Goal("bcast", "mesh", 4 * M, ALL, 1.5, 0.40),
    Goal("bcast", "tree", 64 * K, 64 * K, None, 0.80),
    Goal("bcast", "tree", M, M, 1.25, None),
    Goal("bcast", "eth1", M, M, None, 0.65),
    Goal("bcast", "eth4", M, M, None, 0.45),
    Goal("bcast", "eth5", M, M, None, 0.31),
    Goal("bcast", "tree", 4 * M, ALL, 1.10, None),
    Goal("bcast", "eth5", 4 * M, ALL, None, 0.29),
    Goal("bcast", "eth1", 4 * M, 4 * M, None, 0.60),
    Goal("bcast", "eth4", 4 * M, 4 * M, None, 0.60),
    Goal("bcast", "eth1", 16 * M, 16 * M, None, 0.95),
    Goal("bcast", "eth4", 16 * M, 16 * M, None, 0.95),
    Goal("scatter", "any", 1, ALL, 1.05, 1.00),
    Goal("gather", "star", 64 * K, ALL, 1.10, None),
    Goal("gather", "mesh", 64 * K, ALL, 1.10, None),
    Goal("allgather", "star", 64 * K, ALL, 1.20, None),
    Goal("allgather", "mesh", 64 * K, ALL, 1.20, None),
    Goal("reduce", "star", 64 * K, ALL, 1.10, None),
    Goal("reduce", "mesh", 64 * K, ALL, 1.10, None),
    Goal("allreduce", "star", 64 * K, ALL, 1.20, None),
    Goal("allreduce", "mesh", 64 * K, ALL, 1.20, None),
    Goal("reduce-scatter", "star", 64 * K, ALL, 1.20, None),
    Goal("reduce-scatter", "mesh", 64 * K, ALL, 1.20, None),
    Goal("any", "any", 1, ALL, None, 1.02),
]
PLACEMENT = 1.02                    # time of shuffled ranks, to that of contiguous ones, with the same root host
PREDICTED = {"median": 0.05, "worst": 0.15}  # |predicted / simulated - 1|

# What came out: worst is a ratio (three decimals of it count), where the result that it comes from.
Outcome = namedtuple("Outcome", "what limit cells worst where met")


def size_text(n):
    for unit, name in ((M, "MiB"), (K, "KiB")):
        if n >= unit:
            return f"{n // unit} {name}"
    return f"{n} B"


def sizes_text(goal):
    if goal.high == ALL:
        return "all sizes" if goal.low == 1 else f"from {size_text(goal.low)}"
    if goal.low == goal.high:
        return size_text(goal.low)
    end = goal.high + 1 if goal.high % 2 else goal.high
    word = "below" if goal.high % 2 else "to"
    return f"{word} {size_text(end)}" if goal.low == 1 else f"{size_text(goal.low)} {word} {size_text(end)}"


def name(goal):
    words = [goal.operation if goal.operation != "any" else "", goal.on if goal.on != "any" else "everything",
             sizes_text(goal)]
    words.append({None: "", True: "root in the slowest site", False: "root elsewhere"}[goal.slow])
    words.append({None: "", "c": "contiguous", "s": "shuffled"}[goal.place])
    return ", ".join(w for w in words if w)


def is_slow(result):
    """Whether the root is in the site whose root is the second that is measured."""
    platform = platforms.PLATFORMS[result.platform]
    roots = platforms.ROOTS.get(result.platform, [0])
    site = platforms.ranks(platform, "c")[roots[-1]][0]
    return len(roots) > 1 and platforms.ranks(platform, result.place)[result.root][0] == site


def applies(goal, result, kinds):
    names = [n for group in kinds.values() for n in group] if goal.on == "any" else kinds.get(goal.on, [goal.on])
    return (result.platform in names and any(result.platform in group for group in kinds.values())
            and goal.operation in ("any", result.operation) and goal.low <= result.size <= goal.high
            and goal.place in (None, result.place) and goal.slow in (None, is_slow(result)))


def where(result):
    root = "" if result.root is None else f" root {result.root}"
    return f"{result.operation} {result.platform}.{result.place}{root}, {size_text(result.size)}"


def worst_of(what, limit, pairs):
    """pairs: (ratio, result)."""
    pairs = list(pairs)
    if not pairs:
        return []
    ratio, result = max(pairs, key=lambda p: p[0])
    return [Outcome(what, f"{limit:.2f}", len(pairs), ratio, where(result), round(ratio, 3) <= limit)]


def placements(results, names):
    """(shuffled to contiguous, the shuffled result) for the same root host."""
    there = {(r.operation, r.platform, r.size, root_host(r)): r for r in results if r.place == "c"}
    for r in results:
        other = there.get((r.operation, r.platform, r.size, root_host(r)))
        if r.place == "s" and r.platform in names and other:
            yield r.gbcast / other.gbcast, r


def root_host(result):
    return platforms.ranks(platforms.PLATFORMS[result.platform], result.place)[result.root]


def outcomes(results, aside=False):
    """Each goal held against results; aside: on the platforms that nothing was tuned to."""
    kinds = ASIDE_KINDS if aside else KINDS
    names = [n for group in kinds.values() for n in group]
    found = []
    for goal in GOALS:
        cells = [r for r in results if applies(goal, r, kinds)]
        if goal.bound is not None:
            found += worst_of(name(goal) + ": to the bound", goal.bound, ((r.gbcast / r.bound, r) for r in cells))
        if goal.peers is not None:
            found += worst_of(name(goal) + ": to the best peer", goal.peers,
                              ((r.gbcast / r.best_seconds, r) for r in cells if r.best_seconds))
    found += worst_of("shuffled to contiguous ranks", PLACEMENT, placements(results, names))
    off = [(abs(r.predicted / r.gbcast - 1), r) for r in results if r.platform in names and r.predicted]
    if off:
        median = statistics.median(x for x, _ in off)
        found.append(Outcome("prediction off by, median", f"{PREDICTED['median']:.2f}", len(off), median, "",
                             median <= PREDICTED["median"]))
        found += worst_of("prediction off by, at most", PREDICTED["worst"], off)
    return found
