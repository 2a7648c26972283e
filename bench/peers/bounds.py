"""Lower bounds: what no schedule can beat on the simulated platforms, from latencies and max-flows alone.

    broadcast  os + or + max over hosts h  (L(root, h) + m / flow(root, h))
    scatter    os + or + max over sets S   (min L(root, h in S) + |S| m / flow(root, S))

L is the latency [s] of the shortest way over hosts, m the message or block [B], flow the most that all cables
together can carry [B/s]; S is each site, all sites but the root's, all hosts, or what lies behind a cable
between switches. A single send takes os + L + m / rate + or there, to 0.1 %, so the bounds are sharp."""
from collections import defaultdict, deque
from functools import lru_cache

import platforms


def max_flow(capacity, source, sink):
    """Shortest augmenting paths. capacity: {node: {node: rate}}; left alone."""
    left = {u: dict(to) for u, to in capacity.items()}
    total = 0
    while True:
        before = {source: None}
        queue = deque([source])
        while queue and sink not in before:
            u = queue.popleft()
            for v, rate in left[u].items():
                if rate > 1e-3 and v not in before:
                    before[v] = u
                    queue.append(v)
        if sink not in before:
            return total
        path = []
        v = sink
        while before[v] is not None:
            path.append((before[v], v))
            v = before[v]
        least = min(left[u][v] for u, v in path)
        for u, v in path:
            left[u][v] -= least
            left[v][u] = left[v].get(u, 0) + least
        total += least


class Bounds:
    """Of one platform and root host, for any operation and size."""

    def __init__(self, platform, root):
        self.platform = platform
        self.root = platforms.host(*root)
        self.site = root[0]
        self.count = platforms.groups(platform)
        self.capacity = defaultdict(dict)
        self.latency = defaultdict(dict)
        for a, b, latency, rate in platforms.cables(platform):
            self.capacity[a][b] = self.capacity[b][a] = rate
            self.latency[a][b] = self.latency[b][a] = latency
        self.away = self.latencies()
        # a host of each site that has one beside the root
        hosts = [platforms.host(g, 1 if root == (g, 0) else 0) for g, n in enumerate(self.count)
                 if n > (g == self.site)]
        self.single = [(self.away[h], max_flow(self.capacity, self.root, h)) for h in hosts]
        self.sets = [(len(s), min(self.away[h] for h in s), self.flow_to(s)) for s in self.targets()]

    def direct(self, source):
        """Latencies of the routes with the fewest cables."""
        found = {source: 0.0}
        queue = deque([source])
        while queue:
            u = queue.popleft()
            for v, latency in self.latency[u].items():
                if v not in found:
                    found[v] = found[u] + latency
                    queue.append(v)
        return found

    def latencies(self):
        """From the root to each host; a host may relay when that is quicker. Hosts of a site are alike, so
        one more of each site stands for those that relay."""
        relays = {self.root} | {platforms.host(g, 0) for g in range(len(self.count))}
        route = {h: self.direct(h) for h in relays}
        best = dict(route[self.root])
        for _ in relays:
            for relay in relays:
                for h, latency in route[relay].items():
                    best[h] = min(best[h], best[relay] + latency)
        return best

    def targets(self):
        """The sets of hosts that a scatter is bounded by."""
        site = [[platforms.host(g, i) for i in range(n)] for g, n in enumerate(self.count)]
        found = [s for g, s in enumerate(site) if g != self.site]
        found.append([h for s in found for h in s])
        found.append([h for s in site for h in s if h != self.root])
        for a, b in getattr(self.platform, "cables", []):
            behind = self.behind(f"r{a}", f"r{b}")
            found.append([h for s in site for h in s if h in behind])
        return [s for s in found if s]

    def behind(self, a, b):
        """What is cut off from the root with the cable a - b of a tree."""
        found = {self.root}
        queue = deque(found)
        while queue:
            u = queue.popleft()
            for v in self.capacity[u]:
                if v not in found and {u, v} != {a, b}:
                    found.add(v)
                    queue.append(v)
        return set(self.capacity) - found

    def flow_to(self, hosts):
        graph = {u: dict(to) for u, to in self.capacity.items()}
        graph["all"] = {}
        for h in hosts:
            graph[h]["all"] = float("inf")
        return max_flow(graph, self.root, "all")

    def seconds(self, operation, size):
        if operation == "bcast":
            worst = max(latency + size / flow for latency, flow in self.single)
        else:
            worst = max(latency + n * size / flow for n, latency, flow in self.sets)
        return 2 * platforms.OVERHEAD + worst


@lru_cache(None)
def of(name, root):
    return Bounds(platforms.PLATFORMS[name], root)
