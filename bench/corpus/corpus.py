"""Fresh random platforms, in the form of bench/peers/platforms.py: the same for the same seed. Nothing is tuned to them."""
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "peers"))
from platforms import Mesh, Site, Star, random_tree  # noqa: E402

RATES = (50, 100, 200, 622, 1000, 5000)  # Mbit/s between sites


def some_hosts(draw, most):
    return round(2 ** draw.uniform(0, most))


def sites(draw, least, most, hosts=4.5, **more):
    count = draw.randint(least, most)
    return [Site(some_hosts(draw, hosts), host_latency=draw.choice((15e-6, 25e-6, 50e-6)),
                 host_mbit=draw.choice((1000, 1000, 10000)), **more) for _ in range(count)]


def star(draw):
    """Sites of unlike sizes behind uplinks of their own."""
    return Star([s._replace(latency=draw.uniform(1e-3, 30e-3), mbit=draw.choice(RATES)) for s in sites(draw, 3, 12)])


def mesh(draw):
    """All pairs of sites have a link of their own, or some."""
    place = sites(draw, 3, 12)
    part = draw.choice((0.3, 0.6, 1))
    return Mesh(place, {(a, b): (draw.uniform(1e-3, 80e-3), draw.choice(RATES))
                        for b in range(len(place)) for a in range(b) if a + 1 == b or draw.random() < part})


def hierarchy(draw):
    """Groups of near sites; the first site of each group has a link to those of the others."""
    groups, size = draw.randint(2, 4), draw.randint(2, 4)
    place = sites(draw, groups * size, groups * size, hosts=3.5)
    far, near = draw.choice((50, 100, 200)), draw.choice((622, 1000))
    link = {}
    for b in range(len(place)):
        for a in range(b):
            if a // size == b // size:
                link[a, b] = (draw.uniform(0.5e-3, 3e-3), near)
            elif a % size == 0 and b % size == 0:
                link[a, b] = (draw.uniform(15e-3, 60e-3), far)
    return Mesh(place, link)


def switches(draw):
    """One cluster on several switches."""
    return random_tree(draw.randrange(1 << 30))


FAMILIES = {"star": star, "mesh": mesh, "hierarchy": hierarchy, "switches": switches}


def make(families, seed, count):
    """{name: platform}"""
    made = {}
    for number in range(count):
        family = families[number % len(families)]
        made[f"{family}{seed}-{number}"] = FAMILIES[family](random.Random(f"{family} {seed} {number}"))
    return made
