"""Lower bounds: what no schedule can beat on the simulated platforms, from latencies and max-flows alone.

    broadcast  os + or + max over hosts h  (L(root, h) + m / flow(root, h))
    reduction  the same, from h to the root; an allreduce both, so no less than the larger one
    gather     that of a scatter, as all links are alike both ways
    allgather  that of a gather to a host of each site: the largest one
    barrier    that of a broadcast of nothing from a host of each site: the largest one
    scatter    the largest of
               os + or + max over sets S   (min L(root, h in S) + |S| m / flow(root, S))
               os + or + max over sites S  T  with  sum over links c to S of rate(c) max(0, T - L(c)) = |S| m
               max over distances x        when all hosts at least so far away can have heard

L is the latency [s] of the shortest way over hosts, m the message or block [B], flow the most that all cables
together can carry [B/s]; S is each site, all sites but the root's, all hosts, or what lies behind a cable
between switches. A single send takes os + L + m / rate + or there, to 0.1 %, so the bounds are sharp.

The second of a scatter: what enters a site over a link comes no sooner than L(c), the shortest way that ends with
that link, and no faster than the link's rate. The third: a host starts a message no sooner than 3 us after the one
before it, and one that has heard may send as well. All that have heard are taken to send to each group of hosts
as fast as that, at the least latency between the groups."""
import heapq
from collections import Counter, defaultdict, deque
from functools import cached_property, lru_cache

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
        self.links = self.links_to_sites()
        self.heard = self.all_have_heard()
        self.sets = [(len(s), min(self.away[h] for h in s), self.flow_to(s)) for s in self.targets()]

    def links_to_sites(self):
        """[(hosts, [(latency, rate)])] for each other site of a mesh and its links: of a star's one uplink the
        first bound says the same."""
        found = []
        for s, n in enumerate(self.count):
            if not isinstance(self.platform, platforms.Mesh) or s == self.site:
                continue
            ways = []
            for (a, b), (latency, mbit) in self.platform.links.items():
                if s in (a, b):
                    other = a if b == s else b
                    before = self.away[f"r{other}"] if other == self.site else self.away[platforms.host(other, 0)]
                    ways.append((before + latency + self.platform.sites[s].host_latency, mbit * 1e6 / 8))
            found.append((n, ways))
        return found

    def all_have_heard(self):
        """The hosts at least x away are one group, the others are grouped as they are; all hosts of a group that
        have heard send to each group. Events: (time, group that hears, group that sends)."""
        hosts = [(platforms.host(g, i), g) for g, n in enumerate(self.count) for i in range(n)]
        worst = 0
        for x in {self.away[h] for h, _ in hosts} - {self.away[self.root]}:
            group = {h: -1 if self.away[h] >= x else g for h, g in hosts}
            waiting = Counter(group[h] for h, _ in hosts if h != self.root)
            between = defaultdict(lambda: float("inf"))
            for sender, found in self.direct_to.items():
                for h, to in group.items():
                    if h != sender:
                        pair = group.get(sender), to
                        between[pair] = min(between[pair], found[h])
            events = [(min(found for h, found in self.direct_to[self.root].items() if group.get(h) == to
                           and h != self.root) + 2 * platforms.OVERHEAD, to) for to in waiting]
            heapq.heapify(events)
            time = 0
            while waiting[-1]:
                time, to = heapq.heappop(events)
                if not waiting[to]:
                    continue
                waiting[to] -= 1
                heapq.heappush(events, (time + platforms.OVERHEAD, to))
                for other in waiting:
                    heapq.heappush(events, (time + 2 * platforms.OVERHEAD + between[to, other], other))
            worst = max(worst, time)
        return worst

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
        route = self.direct_to = {h: self.direct(h) for h in relays}
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

    @staticmethod
    def drained(size, ways):
        """When links that start at (latency, rate) have brought so much."""
        flow = begun = time = 0
        for latency, rate in sorted(ways):
            if flow and (size + begun) / flow <= latency:
                break
            flow += rate
            begun += latency * rate
        return (size + begun) / flow

    @cached_property
    def of_all_sites(self):
        return [Bounds(self.platform, (g, 0)) for g in range(len(self.count))]

    def seconds(self, operation, size):
        if operation in ("allgather", "reduce-scatter"):  # links are the same in both directions
            return max(b.seconds("gather", size) for b in self.of_all_sites)
        if operation == "barrier":
            return max(b.seconds("bcast", 0) for b in self.of_all_sites)
        if operation in ("bcast", "reduce", "allreduce"):
            worst = max(latency + size / flow for latency, flow in self.single)
        else:
            worst = max(latency + n * size / flow for n, latency, flow in self.sets)
            worst = max([worst, self.heard - 2 * platforms.OVERHEAD]
                        + [self.drained(n * size, ways) for n, ways in self.links])
        return 2 * platforms.OVERHEAD + worst


@lru_cache(None)
def of(name, root):
    return Bounds(platforms.PLATFORMS[name], root)
