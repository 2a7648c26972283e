"""The simulated platforms: one entry each, all that is derived from it (SimGrid's XML, the order of the ranks,
the hosts file that gbcast reads) below. To add a platform, add an entry.

A platform is a tree or graph of cables between hosts and routers; a route takes the fewest cables. Latencies are
one way, in seconds, bandwidths in Mbit/s each way."""
import random
from collections import namedtuple

from simgrid import OVERHEAD

# Switches that hosts hang on; cables (upper, lower) between them, all as fast as the hosts' own links.
Tree = namedtuple("Tree", "hosts cables mbit latency round_robin", defaults=(50e-6, False))
# Sites, each behind an uplink of its own into a backbone without limits.
Star = namedtuple("Star", "sites")
# Sites, and a link of its own for each pair: {(a, b): (latency, mbit)}.
Mesh = namedtuple("Mesh", "sites links")
# A site: hosts on one switch, their links, and (in a star) its uplink.
Site = namedtuple("Site", "hosts latency mbit host_latency host_mbit", defaults=(0, 0, 20e-6, 1000))

ROW = [(0, 1), (1, 2), (2, 3)]


def random_tree(seed):
    """24 to 32 hosts, unevenly on 3 to 7 switches, of which some may have none."""
    draw = random.Random(seed)
    switches = draw.randint(3, 7)
    cables = [(draw.randrange(i), i) for i in range(1, switches)]
    weight = [draw.random() for _ in range(switches)]
    hosts = [0] * switches
    for _ in range(draw.randint(24, 32)):
        hosts[draw.choices(range(switches), weight)[0]] += 1
    return Tree(hosts, cables, draw.choice((100, 1000)))


PLATFORMS = {
    # The Ethernet clusters of Patarasuk, Yuan and Faraj: topologies (1), (4) and (5).
    "eth1": Tree([16], [], 100),
    "eth4": Tree([8] * 4, ROW, 100),
    "eth5": Tree([8] * 4, ROW, 100, round_robin=True),
    "eth5g": Tree([8] * 4, ROW, 1000, round_robin=True),
    "grid3": Star([Site(16, 2e-3, 1000), Site(16, 5e-3, 200), Site(16, 30e-3, 100)]),
    "grid8": Star([Site(16, 1e-3, 1000), Site(16, 3e-3, 1000), Site(16, 4e-3, 622), Site(16, 5e-3, 1000),
                   Site(16, 6e-3, 200), Site(16, 8e-3, 1000), Site(16, 30e-3, 100), Site(16, 60e-3, 50)]),
    "mesh4": Mesh([Site(16)] * 4, {(0, 1): (7e-3, 1000), (0, 2): (40e-3, 100), (0, 3): (12e-3, 200),
                                   (1, 2): (35e-3, 200), (1, 3): (20e-3, 622), (2, 3): (50e-3, 50)}),
    # Sites whose uplink is faster than one host's link: one leader cannot fill it.
    "fast4": Star([Site(32, 1.5e-3, 10000), Site(32, 2.5e-3, 10000), Site(32, 4e-3, 10000), Site(32, 5e-3, 1000)]),
    # Kept aside: of the same kinds with other numbers, so that nothing is tuned to those above.
    "tree3": Tree([12, 5, 9], [(0, 1), (0, 2)], 1000, latency=30e-6),
    "star5": Star([Site(12, 4e-3, 622), Site(7, 9e-3, 1000), Site(16, 2e-3, 155), Site(5, 45e-3, 100),
                   Site(10, 17e-3, 45)]),
    "mesh5": Mesh([Site(9)] * 5, {(0, 1): (5e-3, 622), (0, 2): (11e-3, 155), (0, 3): (30e-3, 100),
                                  (0, 4): (48e-3, 45), (1, 2): (9e-3, 1000), (1, 3): (24e-3, 200),
                                  (1, 4): (52e-3, 155), (2, 3): (17e-3, 100), (2, 4): (38e-3, 200),
                                  (3, 4): (21e-3, 622)}),
    "duo": Star([Site(20, 3e-3, 1000), Site(12, 12e-3, 34)]),
    # For all-to-alls only (bench/alltoall). In the text of Faraj, Yuan and Patarasuk topologies (1) and (2) are clusters
    # of 24 machines, (3) and (4) of 32, all on 100 Mbit/s switches; the drawing, Figure 6, is missing. Assumed:
    #
    #     (1)  10 - 8     (2)  4 - 10         (3)  8 - 8     (4)  8 - 8 - 8 - 8
    #            \              \                  | \
    #             6               3 - 7            8  8
    "aapc1": Tree([10, 8, 6], [(0, 1), (0, 2)], 100),
    "aapc2": Tree([4, 10, 3, 7], [(0, 1), (0, 2), (2, 3)], 100),
    "aapc3": Tree([8] * 4, [(0, 1), (0, 2), (0, 3)], 100),
    "aapc4": Tree([8] * 4, ROW, 100),
    "one24": Tree([24], [], 100),  # no links between switches
    **{f"random{seed}": random_tree(seed) for seed in range(1, 6)},
}
ALLTOALL = ("aapc1", "aapc2", "aapc3", "aapc4", "one24") + tuple(f"random{seed}" for seed in range(1, 6))
# Roots that are measured: rank 0 and one of the slowest site (as ranks of the contiguous placement).
ROOTS = {"grid3": [0, 40], "grid8": [0, 120], "fast4": [0, 100], "mesh4": [0, 40],
         "star5": [0, 45], "mesh5": [0, 40], "duo": [0, 25]}
ASIDE = ("tree3", "star5", "mesh5", "duo", "random4", "random5")


def groups(platform):
    """How many hosts each switch or site has."""
    return platform.hosts if isinstance(platform, Tree) else [s.hosts for s in platform.sites]


def host(group, index):
    return f"g{group}-{index}"


def ranks(platform, place):
    """The host of each rank. Contiguous (c): in the order of the description, or round robin where it says so.
    Shuffled (s): rank 0 stays, the others change places."""
    count = groups(platform)
    order = [(g, i) for g, n in enumerate(count) for i in range(n)]
    if isinstance(platform, Tree) and platform.round_robin:
        order.sort(key=lambda gi: gi[1])
    if place == "s":
        rest = order[1:]
        random.Random(42).shuffle(rest)
        order[1:] = rest
    return order


def cables(platform):
    """All cables as (end, end, latency, bytes a second). Routers are r0, r1 ..; a star's backbone is r."""
    byte = 1e6 / 8
    for g, n in enumerate(groups(platform)):
        tree = isinstance(platform, Tree)
        latency = platform.latency if tree else platform.sites[g].host_latency
        mbit = platform.mbit if tree else platform.sites[g].host_mbit
        for i in range(n):
            yield host(g, i), f"r{g}", latency, mbit * byte
    if isinstance(platform, Tree):
        for a, b in platform.cables:
            yield f"r{a}", f"r{b}", platform.latency, platform.mbit * byte
    elif isinstance(platform, Star):
        for g, s in enumerate(platform.sites):
            yield f"r{g}", "r", s.latency, s.mbit * byte
    else:
        for (a, b), (latency, mbit) in platform.links.items():
            yield f"r{a}", f"r{b}", latency, mbit * byte


def xml(platform):
    """For SimGrid: a link for each direction of a cable."""
    wires = list(cables(platform))
    hosts = [a for a, _, _, _ in wires if a.startswith("g")]
    routers = sorted({b for _, b, _, _ in wires})
    text = ["<?xml version='1.0'?>", '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
            '<platform version="4.1">', ' <zone id="world" routing="Floyd">']
    text += [f'  <host id="{h}" speed="1Gf"/>' for h in hosts]
    text += [f'  <router id="{r}"/>' for r in routers]
    for a, b, latency, rate in wires:
        text.append(f'  <link id="{a}_{b}" bandwidth="{rate:.0f}Bps" latency="{latency:.9f}s"'
                    ' sharing_policy="SPLITDUPLEX"/>')
    for a, b, _, _ in wires:
        for src, dst, way in ((a, b, "UP"), (b, a, "DOWN")):
            text.append(f'  <route src="{src}" dst="{dst}" symmetrical="NO">'
                        f'<link_ctn id="{a}_{b}" direction="{way}"/></route>')
    return "\n".join(text + [" </zone>", "</platform>"]) + "\n"


def microseconds(seconds):
    return f"{seconds * 1e6:.10g}us"


def hosts_file(platform, name):
    """The same for gbcast, from the same numbers: nothing in it is tuned."""
    text = [f"# {name}: made from its description in platforms.py"]
    overhead = f"overhead={microseconds(OVERHEAD)}"
    if isinstance(platform, Tree):
        uplink = {b: a for a, b in platform.cables}
        text.append(f"cluster local latency={microseconds(2 * platform.latency)} bandwidth={platform.mbit}Mbit/s"
                    f" {overhead} contention=0")  # messages share a link there like a fluid, and nothing is lost
        for g, n in enumerate(platform.hosts):
            cable = f" bandwidth={platform.mbit}Mbit/s latency={microseconds(platform.latency)}"
            text.append(f"switch r{g}" + (f" uplink=r{uplink[g]}{cable}" if g in uplink else ""))
            text += [f"g{g}-[0-{n - 1}]"] if n else []
        return "\n".join(text) + "\n"
    for g, s in enumerate(platform.sites):
        cap = f" wan-bandwidth={s.mbit}Mbit/s" if isinstance(platform, Star) else ""
        text.append(f"cluster site{g} latency={microseconds(2 * s.host_latency)} bandwidth={s.host_mbit}Mbit/s{cap}"
                    f" {overhead}")
        text.append(f"g{g}-[0-{s.hosts - 1}]")
    for (a, b), (latency, mbit) in sorted(links(platform).items()):
        latency += platform.sites[a].host_latency + platform.sites[b].host_latency
        text.append(f"link site{a} site{b} latency={microseconds(latency)} bandwidth={mbit}Mbit/s {overhead}")
    return "\n".join(text) + "\n"


def links(platform):
    """{(a, b): (latency, mbit)} between the routers of each pair of sites that has a link."""
    if isinstance(platform, Mesh):
        return platform.links
    pair = {}
    for a, x in enumerate(platform.sites):
        for b, y in enumerate(platform.sites[:a]):
            pair[b, a] = (x.latency + y.latency, min(x.mbit, y.mbit))
    return pair
