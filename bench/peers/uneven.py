"""What no alltoallv can beat, with the blocks of bench/calls.h: from rank i to rank j, (i + j) mod 3 halves of the size.

What a set of hosts sends to all others is there no sooner than

    os + or + the least latency to another host + bytes / rate of the cables that lead out

and no block sooner than over the shortest way, at the rate of a host's own cable. The sets are each host, each site and
what lies behind a cable between switches; the same from all others to them."""
import heapq
from collections import defaultdict

import platforms


def block(size, i, j):
    return (i + j) % 3 * size // 2


def shortest(latency, start):
    """{node: latency of the shortest way}"""
    found, waiting = {}, [(0.0, start)]
    while waiting:
        away, u = heapq.heappop(waiting)
        if u not in found:
            found[u] = away
            for v, more in latency[u].items():
                heapq.heappush(waiting, (away + more, v))
    return found


def behind(latency, a, b):
    """The nodes on b's side of the cable a - b of a tree."""
    found, waiting = {b}, [b]
    for u in waiting:
        new = [v for v in latency[u] if v not in found and {u, v} != {a, b}]
        found.update(new)
        waiting += new
    return found


def sets_of(platform, latency):
    """Sets of nodes, each with routers of its own."""
    for g, n in enumerate(platforms.groups(platform)):
        hosts = [platforms.host(g, i) for i in range(n)]
        yield from ({h} for h in hosts)
        yield {f"r{g}", *hosts}
    yield from (behind(latency, f"r{a}", f"r{b}") for a, b in getattr(platform, "cables", []))


def bound(platform, place, size):
    """[s]"""
    latency, rate = defaultdict(dict), defaultdict(dict)
    for a, b, seconds, bytes_a_second in platforms.cables(platform):
        latency[a][b] = latency[b][a] = seconds
        rate[a][b] = rate[b][a] = bytes_a_second
    host = [platforms.host(*h) for h in platforms.ranks(platform, place)]
    away = {h: shortest(latency, h) for h in host}
    pairs = [(i, j) for i in range(len(host)) for j in range(len(host)) if i != j and block(size, i, j)]
    worst = max((away[host[i]][host[j]] + block(size, i, j) / max(rate[host[j]].values()) for i, j in pairs), default=0)
    for nodes in sets_of(platform, latency):
        inside = [h in nodes for h in host]
        out = [(i, j) for i, j in pairs if inside[i] and not inside[j]]
        back = [(i, j) for i, j in pairs if inside[j] and not inside[i]]
        width = sum(r for u in nodes for v, r in rate[u].items() if v not in nodes)
        for crossing in (out, back):
            if crossing:
                least = min(away[host[i]][host[j]] for i, j in crossing)
                worst = max(worst, least + sum(block(size, i, j) for i, j in crossing) / width)
    return 2 * platforms.OVERHEAD + worst
