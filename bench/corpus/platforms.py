"""Random platforms, each made from a seed, a family and a number: the hosts file that gbcast reads and SimGrid's XML
come from one description, the hosts file by rule; nothing in it is tuned.

A platform has sites. The hosts of a site hang on a switch, or on a tree of switches. A link joins two sites in one
direction and is a cable of its own; where a site has a WAN bandwidth, all that leaves it (and all that enters it)
shares another one. Latencies are one way, in seconds, bandwidths in Mbit/s each way."""
import heapq
import itertools
import math
import random
from collections import namedtuple

import cloud
from simgrid import OVERHEAD

Platform = namedtuple("Platform", "name family sites links")  # links: {(site, site): Link}
# hosts: for each its number of ranks; latency: between two hosts on a switch; mbit: of a host's link; wan: of the
# site's uplink, or None; switches: [Switch], or [] for one that has all hosts.
Site = namedtuple("Site", "hosts latency mbit wan overhead switches")
Switch = namedtuple("Switch", "up hosts mbit latency")  # up: the switch above, or None; hosts: how many; its cable up
Link = namedtuple("Link", "latency mbit overhead window stream", defaults=(OVERHEAD, None, None))

MOST_SITES, MOST_HOSTS = 64, 64  # hosts: of a site
RANKS_A_SITE = 4  # no more sites than have so many ranks each
# Of hosts' links and of links between sites; a platform has some neighbours in the list, perhaps only one.
HOST_MBIT = (100, 1000, 10000, 25000)
LINK_MBIT = (10, 34, 45, 100, 155, 200, 622, 1000, 2500, 10000)
KERNEL_WINDOW = 14480  # bytes: ten packets


class Draw(random.Random):
    """What to draw from, and how many ranks a platform may have."""

    def __init__(self, seed, most_ranks):
        super().__init__(seed)
        self.most_ranks = most_ranks

    def log_uniform(self, low, high):
        return math.exp(self.uniform(math.log(low), math.log(high)))

    def log_integer(self, low, high):
        return min(high, int(self.log_uniform(low, high + 1)))

    def site_count(self):
        return self.log_integer(2, max(2, min(MOST_SITES, self.most_ranks // RANKS_A_SITE)))


def round_to(value, digits=3):
    return float(f"{value:.{digits}g}")


def some_rates(draw, rates):
    low, high = sorted((draw.randrange(len(rates)), draw.randrange(len(rates))))
    return rates[low:high + 1]


def draw_hosts(draw, sites, slots=lambda: 1):
    """For each site the ranks of each of its hosts; sites shrink until all ranks are few enough."""
    each = [[slots()] * draw.log_integer(1, MOST_HOSTS) for _ in range(sites)]
    while (ranks := sum(map(sum, each))) > draw.most_ranks:
        each = [hosts[:max(1, int(len(hosts) * draw.most_ranks / ranks))] for hosts in each]
        if all(len(hosts) == 1 for hosts in each):
            each = [[min(hosts[0], draw.most_ranks // sites)] for hosts in each]
    return each


def draw_site(draw, hosts, rates, wan=None):
    mbit = draw.choice(rates)
    if wan is None and draw.random() < 0.3:
        wan = mbit * draw.choice((0.1, 0.2, 0.5, 1, 2, 4))
    return Site(hosts, round_to(draw.log_uniform(10e-6, 200e-6)), mbit, wan, OVERHEAD, [])


def draw_sites(draw):
    rates = some_rates(draw, HOST_MBIT)
    return [draw_site(draw, hosts, rates) for hosts in draw_hosts(draw, draw.site_count())]


def draw_latencies(draw, count):
    """{(a, b): latency} for a < b: by distance on a plane, or in half of the cases of no order."""
    pairs = list(itertools.combinations(range(count), 2))
    if draw.random() < 0.5:
        return {pair: round_to(draw.log_uniform(0.5e-3, 80e-3)) for pair in pairs}
    place = [(draw.random(), draw.random()) for _ in range(count)]
    scale = draw.log_uniform(5e-3, 80e-3)
    return {(a, b): round_to(0.5e-3 + scale * math.dist(place[a], place[b]) * draw.uniform(1, 1.5)) for a, b in pairs}


def both_ways(links):
    return {**links, **{(b, a): link for (a, b), link in links.items()}}


def some_of(draw, pairs, count):
    """A tree that spans all sites, and some more pairs."""
    order = draw.sample(range(count), count)
    tree = {tuple(sorted((order[i], draw.choice(order[:i])))) for i in range(1, count)}
    density = draw.uniform(0, 0.6)
    return [pair for pair in pairs if pair in tree or draw.random() < density]


def star(draw):
    """Each site behind an uplink of its own into a backbone without limits."""
    sites, uplinks = [], []
    rates, uplink_rates = some_rates(draw, HOST_MBIT), some_rates(draw, LINK_MBIT)
    for hosts in draw_hosts(draw, draw.site_count()):
        sites.append(draw_site(draw, hosts, rates, draw.choice(uplink_rates)))
        uplinks.append(draw.log_uniform(0.3e-3, 50e-3))
    links = {(a, b): Link(round_to(uplinks[a] + uplinks[b]), min(sites[a].wan, sites[b].wan))
             for a, b in itertools.combinations(range(len(sites)), 2)}
    return sites, both_ways(links)


def mesh(draw):
    sites, rates = draw_sites(draw), some_rates(draw, LINK_MBIT)
    latency = draw_latencies(draw, len(sites))
    pairs = list(latency) if draw.random() < 0.5 else some_of(draw, latency, len(sites))
    return sites, both_ways({pair: Link(latency[pair], draw.choice(rates)) for pair in pairs})


def hierarchy(draw):
    """Sites in groups, and in half of the cases those in larger groups: the farther, the slower, all alike between two
    groups but for a tenth. The order of the sites says nothing of their groups."""
    sites = draw_sites(draw)
    levels = draw.choice((2, 3))
    groups = max(2, round(len(sites) ** (1 / levels)))
    path = [tuple(draw.randrange(groups) for _ in range(levels - 1)) for _ in sites]
    latencies = ((0.5e-3, 2e-3), (20e-3, 80e-3)) if levels == 2 else ((0.5e-3, 1e-3), (4e-3, 10e-3), (30e-3, 100e-3))
    rates = ((1000, 2500, 10000), (50, 100, 200, 622)) if levels == 2 else (
        (2500, 10000), (622, 1000, 2500), (50, 100, 200))
    of_groups, links = {}, {}
    for a, b in itertools.combinations(range(len(sites)), 2):
        alike = next((i for i, (x, y) in enumerate(zip(path[a], path[b])) if x != y), levels - 1)
        away = levels - 1 - alike
        key = tuple(sorted((path[a][:alike + 1], path[b][:alike + 1])))
        if key not in of_groups:
            of_groups[key] = draw.log_uniform(*latencies[away]), draw.choice(rates[away])
        latency, mbit = of_groups[key]
        links[a, b] = Link(round_to(latency * draw.uniform(0.9, 1.1)), round_to(mbit * draw.uniform(0.9, 1.1)))
    return sites, both_ways(links)


def switches(draw):
    """As mesh or star, with switch trees in all sites of four hosts or more."""
    sites, links = draw.choice((mesh, star))(draw)
    return [with_switches(draw, site) if len(site.hosts) >= 4 else site for site in sites], links


def with_switches(draw, site):
    count = draw.randint(2, min(8, len(site.hosts)))
    hosts = [0] * count
    weight = [draw.random() for _ in range(count)]
    for index in draw.choices(range(count), weight, k=len(site.hosts)):
        hosts[index] += 1
    tree = [Switch(draw.randrange(i) if i else None, n, site.mbit * draw.choice((1, 1, 2, 10)),
                   round_to(site.latency / 2)) for i, n in enumerate(hosts)]
    return site._replace(switches=tree)


def oneway(draw):
    """As mesh; each direction of a link has its own rate."""
    sites, links = mesh(draw)
    rates = some_rates(draw, LINK_MBIT)
    return sites, {pair: link._replace(mbit=draw.choice(rates)) for pair, link in links.items()}


def slowstart(draw):
    """As mesh; streams begin with ten packets, and on a third of the links one stream gets a part of the rate only."""
    sites, links = mesh(draw)

    def one(link):
        part = link.mbit * draw.choice((0.1, 0.25, 0.5)) if draw.random() < 1 / 3 else None
        return link._replace(window=KERNEL_WINDOW, stream=part)
    return sites, both_ways({(a, b): one(link) for (a, b), link in links.items() if a < b})


def many(draw):
    """As mesh; several ranks on each host, as many all over a site."""
    sites, links = mesh(draw)
    hosts = draw_hosts(draw, len(sites), lambda: draw.log_integer(2, 16))
    return [site._replace(hosts=h) for site, h in zip(sites, hosts)], links


def overheads(draw):
    """As mesh; what a message costs the processor is another for each cluster and link."""
    sites, links = mesh(draw)
    some = lambda: round_to(draw.log_uniform(1e-6, 50e-6))  # noqa: E731
    return ([site._replace(overhead=some()) for site in sites],
            both_ways({(a, b): link._replace(overhead=some()) for (a, b), link in links.items() if a < b}))


def of_cloud(draw):
    """Regions of three providers. A link has the rate that was measured between two machines; in half of the cases as
    often as the smaller of the two sites has machines, and each machine then has what its provider lets out of it."""
    count = draw.site_count()
    regions = draw.sample(cloud.REGIONS, count)
    scaled = draw.random() < 0.5
    sites = []
    for region, hosts in zip(regions, draw_hosts(draw, count)):
        mbit = (cloud.EGRESS_MBIT if scaled else cloud.INGRESS_MBIT)[region.provider]
        sites.append(Site(hosts, round_to(draw.log_uniform(30e-6, 100e-6)), mbit, None, OVERHEAD, []))
    links = {}
    for a, b in itertools.permutations(range(count), 2):
        machines = min(len(sites[a].hosts), len(sites[b].hosts)) if scaled else 1
        links[a, b] = Link(round_to(cloud.latency(regions[a], regions[b]), 4),
                           cloud.mbit(regions[a], regions[b]) * machines)
    return sites, links


FAMILIES = {"star": star, "mesh": mesh, "hierarchy": hierarchy, "switches": switches, "oneway": oneway,
            "slowstart": slowstart, "many": many, "cloud": of_cloud, "overheads": overheads}
# SimGrid has no slow start, and one overhead for all messages.
SIMULATED = [family for family in FAMILIES if family not in ("slowstart", "overheads")]


def make(seed, family, number, most_ranks):
    sites, links = FAMILIES[family](Draw(f"{seed} {family} {number}", most_ranks))
    return Platform(f"{family}-{seed}-{number}", family, sites, links)


def corpus(seed, count, families, most_ranks):
    """So many platforms, of the families in turn."""
    return [make(seed, families[i % len(families)], i // len(families), most_ranks) for i in range(count)]


def host(site, index):
    return f"s{site}-{index}"


def ranks(platform):
    """The host of each rank, in the order of the hosts file."""
    return [host(s, i) for s, site in enumerate(platform.sites) for i, slots in enumerate(site.hosts)
            for _ in range(slots)]


def microseconds(seconds):
    return f"{seconds * 1e6:.10g}us"


def rate(mbit):
    return f"{mbit:.10g}Mbit/s"


def host_lines(s, hosts, first=0):
    """Alike hosts on a line."""
    for slots, alike in itertools.groupby(range(len(hosts)), lambda i: hosts[i]):
        index = [first + i for i in alike]
        yield f"s{s}-[{index[0]}-{index[-1]}]" + (f":{slots}" if slots > 1 else "")


def site_lines(s, site):
    wan = f" wan-bandwidth={rate(site.wan)}" if site.wan else ""
    yield (f"cluster c{s} latency={microseconds(site.latency)} bandwidth={rate(site.mbit)}{wan}"
           f" overhead={microseconds(site.overhead)}")
    first = 0
    for i, switch in enumerate(site.switches):
        yield f"switch c{s}w{i}" + ("" if switch.up is None else
                                    f" uplink=c{s}w{switch.up} bandwidth={rate(switch.mbit)}"
                                    f" latency={microseconds(switch.latency)}")
        yield from host_lines(s, site.hosts[first:first + switch.hosts], first)
        first += switch.hosts
    yield from host_lines(s, site.hosts[first:], first)


def link_line(a, b, arrow, link):
    more = f" initial-window={link.window}" if link.window else ""
    more += f" stream-bandwidth={rate(link.stream)}" if link.stream else ""
    return (f"link c{a} {arrow}c{b} latency={microseconds(link.latency)} bandwidth={rate(link.mbit)}"
            f" overhead={microseconds(link.overhead)}{more}")


def hosts_file(platform):
    """For gbcast."""
    text = [f"# {platform.name}: made by bench/corpus/platforms.py"]
    for s, site in enumerate(platform.sites):
        text += site_lines(s, site)
    for (a, b), link in sorted(platform.links.items()):
        alike = platform.links.get((b, a)) == link
        if a < b or not alike:
            text.append(link_line(a, b, "" if alike else "-> ", link))
    return "\n".join(text) + "\n"


def paths(platform, start):
    """{site: the sites on the way from start to it}: the direct link, else the least latency, as gbcast's routes."""
    out = {}
    for (a, b), link in platform.links.items():
        out.setdefault(a, []).append((b, link.latency))
    best, waiting = {}, [(0, 0, [start])]
    while waiting:
        latency, hops, way = heapq.heappop(waiting)
        if way[-1] not in best:
            best[way[-1]] = way
            for b, more in out.get(way[-1], []):
                if b not in best:
                    heapq.heappush(waiting, (latency + more, hops + 1, way + [b]))
    return {b: [start, b] if (start, b) in platform.links else way for b, way in best.items() if b != start}


def wire(name, mbit, latency, policy="SHARED"):
    return f'<link id="{name}" bandwidth="{mbit * 125000:.0f}Bps" latency="{latency:.9f}s" sharing_policy="{policy}"/>'


def site_xml(s, site):
    """A zone with its hosts and switches; router s0w0 is where links to other sites begin and end."""
    switch = [i for i, w in enumerate(site.switches) for _ in range(w.hosts)] or [0] * len(site.hosts)
    cables = [(host(s, i), f"s{s}w{w}", site.mbit, site.latency / 2) for i, w in enumerate(switch)]
    cables += [(f"s{s}w{i}", f"s{s}w{w.up}", w.mbit, w.latency) for i, w in enumerate(site.switches) if i]
    yield f' <zone id="z{s}" routing="Floyd">'
    yield from (f'  <host id="{host(s, i)}" speed="1Gf"/>' for i in range(len(site.hosts)))
    yield from (f'  <router id="s{s}w{i}"/>' for i in range(max(1, len(site.switches))))
    yield from ("  " + wire(f"{a}_{b}", mbit, latency, "SPLITDUPLEX") for a, b, mbit, latency in cables)
    for a, b, _, _ in cables:
        for src, dst, way in ((a, b, "UP"), (b, a, "DOWN")):
            yield (f'  <route src="{src}" dst="{dst}" symmetrical="NO"><link_ctn id="{a}_{b}" direction="{way}"/>'
                   '</route>')
    yield " </zone>"


def wires(platform, way):
    """The links between the sites of a way."""
    for a, b in zip(way, way[1:]):
        if a != way[0]:
            yield f"via{a}"
        yield from [f"out{a}"] if platform.sites[a].wan else []
        yield f"w{a}_{b}"
        yield from [f"in{b}"] if platform.sites[b].wan else []


def xml(platform):
    """For SimGrid. A link's latency is that between hosts, so those of the hosts' cables are taken off; via: gives them
    back to a way over another site, whose hosts it does not reach."""
    text = ["<?xml version='1.0'?>", '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
            '<platform version="4.1">', '<zone id="world" routing="Full">']
    for s, site in enumerate(platform.sites):
        text += site_xml(s, site)
    for s, site in enumerate(platform.sites):
        text += [" " + wire(f"{way}{s}", site.wan, 0) for way in ("in", "out") if site.wan]
        text.append(" " + wire(f"via{s}", 1e9, site.latency, "FATPIPE"))
    for (a, b), link in platform.links.items():
        latency = link.latency - platform.sites[a].latency / 2 - platform.sites[b].latency / 2
        text.append(" " + wire(f"w{a}_{b}", link.mbit, latency))
    for a in range(len(platform.sites)):
        for b, way in sorted(paths(platform, a).items()):
            links = "".join(f'<link_ctn id="{name}"/>' for name in wires(platform, way))
            text.append(f' <zoneRoute src="z{a}" dst="z{b}" gw_src="s{a}w0" gw_dst="s{b}w0" symmetrical="NO">{links}'
                        '</zoneRoute>')
    return "\n".join(text + ["</zone>", "</platform>"]) + "\n"
