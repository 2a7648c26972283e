#!/usr/bin/env python3
"""bench/corpus: its platforms, its table, and a run. Usage: test_corpus.py PLANNER, which is gbcast-plan."""
import csv
import os
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(TOP, "bench", "corpus"), os.path.join(TOP, "bench")]
import cloud       # noqa: E402
import planners    # noqa: E402
import platforms   # noqa: E402
import report      # noqa: E402

PLANNER = sys.argv.pop()
SOME = range(6)


def some(family, most_ranks=150):
    return [platforms.make(1, family, number, most_ranks) for number in SOME]


def sites_of(family):
    return [site for platform in some(family) for site in platform.sites]


def links_of(family):
    return [link for platform in some(family) for link in platform.links.values()]


class Platforms(unittest.TestCase):
    def test_same_for_a_seed(self):
        for family in platforms.FAMILIES:
            first, again, other = (platforms.make(seed, family, 3, 150) for seed in (1, 1, 2))
            self.assertEqual(platforms.hosts_file(first), platforms.hosts_file(again))
            self.assertEqual(platforms.xml(first), platforms.xml(again))
            self.assertNotEqual(first[2:], other[2:])

    def test_sizes(self):
        for most_ranks in (32, 600):
            for family in platforms.FAMILIES:
                for platform in some(family, most_ranks):
                    self.assertLessEqual(len(platforms.ranks(platform)), most_ranks, platform.name)
                    self.assertIn(len(platform.sites), range(2, platforms.MOST_SITES + 1))
                    self.assertTrue(all(1 <= len(site.hosts) <= platforms.MOST_HOSTS for site in platform.sites))

    def test_every_site_is_reached(self):
        for family in platforms.FAMILIES:
            for platform in some(family):
                count = len(platform.sites)
                self.assertEqual([len(platforms.paths(platform, s)) for s in range(count)], [count - 1] * count)

    def test_latency_left_for_the_wires(self):
        """SimGrid's links between sites have what the hosts' own cables leave."""
        for family in platforms.FAMILIES:
            for platform in some(family):
                xml.dom.minidom.parseString(platforms.xml(platform))
                for (a, b), link in platform.links.items():
                    own = (platform.sites[a].latency + platform.sites[b].latency) / 2
                    self.assertGreater(link.latency, own, platform.name)

    def test_planner_takes_them(self):
        with tempfile.TemporaryDirectory() as folder:
            for family in platforms.FAMILIES:
                for platform in some(family)[:2]:
                    path = os.path.join(folder, platform.name)
                    with open(path, "w") as out:
                        out.write(platforms.hosts_file(platform))
                    last = len(platforms.ranks(platform)) - 1
                    made, problem = planners.plan(PLANNER, path, "bcast", last, 65536)
                    self.assertEqual(problem, "", platform.name)
                    self.assertGreaterEqual(made.predicted, made.bound * (1 - 1e-9))


class Families(unittest.TestCase):
    def test_star(self):
        """Uplinks that say how fast and how far each pair is."""
        for platform in some("star"):
            for (a, b), link in platform.links.items():
                self.assertEqual(link.mbit, min(platform.sites[a].wan, platform.sites[b].wan))

    def test_mesh(self):
        full = {len(p.links) == len(p.sites) * (len(p.sites) - 1) for p in some("mesh")}
        self.assertEqual(full, {True, False})

    def test_hierarchy(self):
        """Near links are faster: none between sites of one group is as slow as the slowest between groups."""
        for platform in some("hierarchy"):
            near = [link for link in platform.links.values() if link.latency < 3e-3]
            far = [link for link in platform.links.values() if link.latency > 15e-3]
            self.assertTrue(not near or not far or min(x.mbit for x in near) > max(x.mbit for x in far), platform.name)

    def test_switches(self):
        trees = [site for site in sites_of("switches") if site.switches]
        self.assertTrue(trees)
        for site in trees:
            self.assertEqual(sum(switch.hosts for switch in site.switches), len(site.hosts))

    def test_oneway(self):
        self.assertTrue(any(p.links[a, b].mbit != p.links[b, a].mbit for p in some("oneway") for a, b in p.links))

    def test_others(self):
        self.assertTrue(all(slots > 1 for site in sites_of("many") for slots in site.hosts))
        self.assertTrue(all(link.window == platforms.KERNEL_WINDOW for link in links_of("slowstart")))
        self.assertTrue(any(link.stream for link in links_of("slowstart")))
        self.assertGreater(len({site.overhead for site in sites_of("overheads")}), 1)

    def test_cloud(self):
        """London to Sydney, 17,000 km: 85 ms at 2/3 of the speed of light, on cables half as long again."""
        region = {r.name: r for r in cloud.REGIONS}
        london, sydney = region["aws:eu-west-2"], region["aws:ap-southeast-2"]
        self.assertAlmostEqual(cloud.latency(london, sydney), 0.128, places=3)
        self.assertEqual(cloud.latency(london, london), cloud.NEAR)
        self.assertEqual(cloud.mbit(region["aws:af-south-1"], region["aws:ap-east-1"]), 4433)


class Run(unittest.TestCase):
    def run_it(self, folder, *options):
        path = os.path.join(folder, "cells.csv")
        done = subprocess.run([os.path.join(TOP, "bench", "corpus", "run"), "--count=3", "--ranks=40",
                               "--families=star,switches,many", "--sizes=1024,65536", f"--after={PLANNER}", "--csv", path,
                               *options], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(path, newline="") as lines:
            return done.stdout, list(csv.DictReader(lines))

    def test_the_same_planner_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            said, cells = self.run_it(folder, f"--before={PLANNER}", "--root=-1", "--write", folder)
            self.assertIn("many-1-0.hosts", os.listdir(folder))
        self.assertRegex(said, r"(?m)^all +1\.0000  1\.0000  1\.0000 +6$")
        self.assertEqual(len(cells), 6)
        self.assertTrue(all(cell["before_hash"] == cell["after_hash"] for cell in cells))

    def test_price_of_another_plan(self):
        """A chain is a plan like any other, and costs what the planner says when it is forced to make one."""
        with tempfile.TemporaryDirectory() as folder:
            self.run_it(folder, "--write", folder)
            hosts, saved = os.path.join(folder, "switches-1-0.hosts"), os.path.join(folder, "chain.json")
            chain, problem = planners.plan(PLANNER, hosts, "bcast", 0, 65536, ["--inter=chain", "--intra=flat"], saved)
            self.assertEqual(problem, "")
            self.assertAlmostEqual(planners.price(PLANNER, hosts, saved) / chain.predicted, 1, places=3)

    def test_forced(self):
        names = planners.algorithms(PLANNER, "bcast")
        self.assertIn("chain", names["--inter"])
        self.assertIn("two-tree", names["--intra"])
        self.assertNotIn("auto", names["--inter"] + names["--intra"])
        self.assertIn(["--inter=chain", "--lanes=4"], planners.forced_options(PLANNER, "bcast"))

    def test_ratios(self):
        side = report.Side(2.0, 1.0, "h", "flat", 1, 1, 1024, 0.1, 2.0, 3.0, 0)
        cell = report.Cell("p", "mesh", 2, 4, "bcast", 0, 1024, side._replace(priced=4.0), side, 1.5, "--lanes=2",
                           "0.9 of the bound by --lanes=4")
        values = {ratio.name: ratio.of(cell) for ratio in report.RATIOS}
        self.assertEqual(values["after / before, predicted by after"], 0.5)
        self.assertEqual(values["after, simulated / predicted"], 1.5)
        self.assertEqual(values["best forced / after, predicted"], 0.75)
        self.assertIn("better by more than 1 % in 1 of 1 cells", report.text([cell]))
        self.assertIn("below the lower bound in 1 of 1 cells", report.text([cell]))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
