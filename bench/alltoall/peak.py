"""What no all-to-all on switches can beat.

With |Mu| and |Mv| machines on its two sides, a cable carries |Mu||Mv| blocks each way. The busiest gives the peak
of the paper, |M| (|M| - 1) B / (|Mu||Mv|), B the rate of a link."""
from collections import Counter, defaultdict

import platforms


def ways(tree):
    """{(switch, switch): cables from the one to the other}, for each pair of switches."""
    beside = defaultdict(list)
    for a, b in tree.cables:
        beside[a].append((b, (a, b)))
        beside[b].append((a, (a, b)))
    found = {}
    for start in range(len(tree.hosts)):
        found[start, start] = []
        waiting = [start]
        for u in waiting:
            for v, cable in beside[u]:
                if (start, v) not in found:
                    found[start, v] = found[start, u] + [cable]
                    waiting.append(v)
    return found


def busiest(tree):
    """(blocks each way over the busiest cable, whether it is between switches)"""
    blocks = Counter()
    for (a, b), way in ways(tree).items():
        for cable in way:
            blocks[cable] += tree.hosts[a] * tree.hosts[b]
    most = max(blocks.values(), default=0) // 2  # counted from either end
    own = sum(tree.hosts) - 1
    return max(most, own), most > own


def rate(tree):
    """Of a cable [B/s]."""
    return tree.mbit * 1e6 / 8


def throughput(tree, size, seconds):
    """Aggregate [B/s], as the paper counts it: nothing for the block to oneself."""
    n = sum(tree.hosts)
    return n * (n - 1) * size / seconds


def seconds(tree, size):
    """At the peak."""
    return busiest(tree)[0] * size / rate(tree)


def bound(tree, size):
    """The peak, or the farthest pair's block alone; no block is there sooner than over the least latency [s]."""
    hops = [len(way) + 2 for (a, b), way in ways(tree).items() if tree.hosts[a] and tree.hosts[b]]
    farthest = max(hops) * tree.latency + size / rate(tree)
    return 2 * platforms.OVERHEAD + max(farthest, min(hops) * tree.latency + seconds(tree, size))
