#!/usr/bin/env python3
"""bench/peers: its bounds, its tables, and a run on a small platform. Usage: test_peers.py PROGRAM, the benchmark
that bench/peers/run simulates."""
import os
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(TOP, "bench", "peers"), os.path.join(TOP, "bench")]
import bounds      # noqa: E402
import goals       # noqa: E402
import platforms   # noqa: E402
import plot        # noqa: E402
import recorded    # noqa: E402
import report      # noqa: E402
import simulate    # noqa: E402
import uneven      # noqa: E402

PROGRAM = sys.argv.pop()
FULL = "GB_TEST_FULL" in os.environ  # by scripts/test --full
only_in_full = unittest.skipUnless(FULL, "only with scripts/test --full")


def result(**changes):
    usual = report.Result("bcast", "grid3", "c", 0, 1 << 20, 0.10, 0.12, 0, 0.11, "p", "ompi", 0.24, None, 0.24, 0.3,
                          None)
    return usual._replace(**changes)


class Bounds(unittest.TestCase):
    def test_bcast_on_a_star(self):
        """From site 0 of grid3 the third site is worst: 2 + 30 ms of uplinks, 2 x 20 us of host links, 100 Mbit/s."""
        for size in (1, 4096, 16 << 20):
            want = 6e-6 + 32.04e-3 + size / 12.5e6
            self.assertAlmostEqual(bounds.of("grid3", (0, 0)).seconds("bcast", size), want, places=12)

    def test_bcast_over_relays(self):
        """From site 2 of mesh4, 100 + 200 + 50 Mbit/s lead away: more than the direct link of any other site."""
        seconds = [bounds.of("mesh4", (2, 0)).seconds("bcast", size) for size in (100 << 20, 200 << 20)]
        self.assertAlmostEqual((seconds[1] - seconds[0]) * 350e6 / 8, 100 << 20, delta=1)

    def test_latency_over_relays(self):
        """Site 0 to 3 of mesh5 is 30 ms; over a host of site 2, 11 + 17 ms and the links of three hosts."""
        away = bounds.of("mesh5", (0, 0)).away[platforms.host(3, 0)]
        self.assertAlmostEqual(away, 28e-3 + 4 * 20e-6, places=12)

    def test_scatter_on_switches(self):
        """eth5: 24 blocks leave the first switch by one cable, 31 leave the root."""
        want = 6e-6 + 2 * 50e-6 + 31 * 4096 / 12.5e6
        self.assertAlmostEqual(bounds.of("eth5", (0, 0)).seconds("scatter", 4096), want, places=12)

    def test_barrier(self):
        """The farthest hosts of duo are 3 + 12 ms of uplinks and two host links apart."""
        self.assertAlmostEqual(bounds.of("duo", (0, 0)).seconds("barrier", 1), 6e-6 + 15.04e-3, places=12)

    def test_alltoallv_on_one_switch(self):
        """eth1: ranks 2, 5 .. send and receive most, 16 halves of the size."""
        want = 6e-6 + 2 * 50e-6 + 8 * 4096 / 12.5e6
        self.assertAlmostEqual(uneven.bound(platforms.PLATFORMS["eth1"], "c", 4096), want, places=12)

    def test_no_peer_beats_them(self):
        cells = 0
        for (operation, name, place, root), sizes in recorded.load().items():
            host = platforms.ranks(platforms.PLATFORMS[name], place)[root]
            for size, by_peer in sizes.items():
                bound = bounds.of(name, host).seconds(operation, size)
                for peer, seconds in by_peer.items():
                    self.assertGreater(seconds, bound * (1 - 1e-6), f"{operation} {name}.{place} {root} {size} {peer}")
                    cells += 1
        self.assertGreater(cells, 5000)


class Platforms(unittest.TestCase):
    def test_placements_are_permutations(self):
        for platform in platforms.PLATFORMS.values():
            both = [platforms.ranks(platform, place) for place in "cs"]
            self.assertEqual(*map(sorted, both))
            self.assertEqual(both[0][0], both[1][0])

    def test_hosts_file(self):
        lines = platforms.hosts_file(platforms.PLATFORMS["duo"], "duo").splitlines()
        self.assertEqual(lines[1:], [
            "cluster site0 latency=40us bandwidth=1000Mbit/s wan-bandwidth=1000Mbit/s overhead=3us", "g0-[0-19]",
            "cluster site1 latency=40us bandwidth=1000Mbit/s wan-bandwidth=34Mbit/s overhead=3us", "g1-[0-11]",
            "link site0 site1 latency=15040us bandwidth=34Mbit/s overhead=3us"])


class Reports(unittest.TestCase):
    def outcome(self, results, what):
        return next(o for o in goals.outcomes(results) if o.what == what)

    def test_worst_counts(self):
        cells = [result(), result(gbcast=0.107, root=17), result(platform="grid8"), result(gbcast=0.5, root=40)]
        found = self.outcome(cells, "bcast, star, 1 MiB, root elsewhere: to the bound")
        self.assertEqual((found.cells, found.met), (3, False))
        self.assertAlmostEqual(found.worst, 1.2)
        self.assertTrue(self.outcome([result(gbcast=0.107)], found.what).met)

    def test_root_in_the_slowest_site(self):
        self.assertTrue(goals.is_slow(result(root=40)))
        self.assertFalse(goals.is_slow(result(root=0)))
        self.assertFalse(goals.is_slow(result(platform="eth1")))

    def test_placement_and_prediction(self):
        cells = [result(), result(place="s", gbcast=0.126)]
        self.assertAlmostEqual(self.outcome(cells, "shuffled to contiguous ranks").worst, 1.05)
        off = self.outcome(cells, "prediction off by, at most")
        self.assertAlmostEqual(off.worst, 1 - 0.11 / 0.126)
        self.assertTrue(off.met)

    def test_wrong_data_show(self):
        text = report.text([result(), result(size=4 << 20, errors=3)])
        self.assertIn("(3 wrong)", text)

    def test_csv(self):
        cells = [result(), result(best_peer=None, best_seconds=None, predicted=None, plan=None)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "results.csv")
            report.save(cells, path)
            self.assertEqual(report.load(path), cells)

    def test_drawing(self):
        cells = [result(size=1 << i, gbcast=0.1 + 0.1 * i) for i in range(0, 24, 2)]
        xml.dom.minidom.parseString(plot.draw([cells, cells, cells]))

    def test_into_marks(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.md")
            with open(path, "w") as out:
                out.write("a\n<!-- begin generated -->\nold\n<!-- end generated -->\nz\n")
            report.into(path, "new\n")
            with open(path) as page:
                self.assertEqual(page.read(), "a\n<!-- begin generated -->\nnew\n<!-- end generated -->\nz\n")


class Run(unittest.TestCase):
    def test_small_platform(self):
        """Data right, nothing beats the bound, the same twice."""
        roots, sizes = ("0,25", "1,4096,65536") if FULL else ("25", "1,65536")
        text = []
        with tempfile.TemporaryDirectory() as folder:
            for name in ("one.csv", "two.csv"):
                path = os.path.join(folder, name)
                command = [os.path.join(TOP, "bench", "peers", "run"), "--program", PROGRAM, "--planner=none",
                           "--platform=duo", f"--root={roots}", "--place=s", f"--sizes={sizes}", "--folder", folder,
                           "--csv", path, "--svg", folder]
                done = subprocess.run(command, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(path) as lines:
                    text.append(lines.read())
            results = report.load(path)
            self.assertTrue(os.path.exists(os.path.join(folder, "bcast-duo.svg")))
        self.assertEqual(*text)
        self.assertEqual(len(results), 2 * 2 * 3 if FULL else 2 * 2)
        for r in results:
            self.assertEqual(r.errors, 0, goals.where(r))
            self.assertGreaterEqual(r.gbcast, r.bound, goals.where(r))

    def time(self, name, sizes, folder, root=0, operation="bcast", **more):
        """Of the last size."""
        found, problem = simulate.simulate(PROGRAM, folder, name, "c", operation, "gbcast", [root], sizes, **more)
        self.assertEqual((problem, found[root, sizes[-1]][1]), ("", 0))
        return found[root, sizes[-1]][0]

    def test_barrier_and_alltoallv(self):
        """Right, the same again, and no faster than the bound, by gbcast and by a peer."""
        bound = {"barrier": bounds.of("duo", (0, 0)).seconds("barrier", 1),
                 "alltoallv": uneven.bound(platforms.PLATFORMS["duo"], "s", 1024)}
        with tempfile.TemporaryDirectory() as path:
            folder = simulate.Folder(path)
            for operation, algorithm in ((o, a) for o in bound for a in ("gbcast", "mpich")):
                found = [simulate.simulate(PROGRAM, folder, "duo", "s", operation, algorithm, [0], [1024])
                         for _ in range(2)]
                self.assertEqual(*found)
                self.assertEqual(found[0][1], "")
                seconds, errors = found[0][0][0, 1024]
                self.assertEqual(errors, 0)
                self.assertGreaterEqual(seconds, bound[operation])

    def test_paced_to_the_end(self):
        """Streams between sites keep their pace: 1.015 of the bound; after two windows without it 1.061."""
        bound = bounds.of("grid3", (0, 0)).seconds("bcast", 4 << 20)
        with tempfile.TemporaryDirectory() as folder:
            self.assertLess(self.time("grid3", [1, 4 << 20], simulate.Folder(folder)), 1.03 * bound)

    @only_in_full
    def test_room_between_trees(self):
        """Streams of several trees leave each other room: 1.46 of the bound; at the links' full pace 1.61."""
        bound = bounds.of("mesh4", (0, 0)).seconds("bcast", 4 << 20)
        with tempfile.TemporaryDirectory() as folder:
            self.assertLess(self.time("mesh4", [1, 4 << 20], simulate.Folder(folder)), 1.5 * bound)

    @only_in_full
    def test_no_room_where_none_meet(self):
        """Both trees inside the second site get their half over the one link to it: 1.03 of the bound; with room between
        them 1.10."""
        bound = bounds.of("duo", (0, 0)).seconds("bcast", 1 << 20)
        with tempfile.TemporaryDirectory() as folder:
            self.assertLess(self.time("duo", [1, 1 << 20], simulate.Folder(folder), warm=1 << 20), 1.05 * bound)

    @only_in_full
    def test_one_pace_for_a_receiver(self):
        """Streams of two trees to one receiver take turns: 1.07 of the bound; each at the link's rate 1.19."""
        bound = bounds.of("grid8", (7, 8)).seconds("bcast", 1 << 20)
        with tempfile.TemporaryDirectory() as folder:
            self.assertLess(self.time("grid8", [1, 1 << 20], simulate.Folder(folder), 120), 1.12 * bound)

    def scatter(self, name, size):
        """Over the bound, once the plan is agreed upon."""
        with tempfile.TemporaryDirectory() as folder:
            seconds = self.time(name, [size], simulate.Folder(folder), operation="scatter", warm=size)
        return seconds / bounds.of(name, (0, 0)).seconds("scatter", size)

    def test_far_first(self):
        """Blocks for the root's own site do not take its link from those for others: 1.014 of the bound; 1.046 if they
        do not wait, 1.050 in whole blocks."""
        self.assertLess(self.scatter("grid3", 512 << 10), 1.02)

    @only_in_full
    def test_one_pace_for_a_site(self):
        """Streams to several hosts of a site share the link to it: 1.18 of the bound; each at its rate 1.22."""
        self.assertLess(self.scatter("mesh4", 512 << 10), 1.2)

    def test_no_bursts_in_a_cluster(self):
        """Segments that gather at a host leave it one by one: 1.49 of the bound; all at once they take 1.75."""
        bound = bounds.of("eth4", (0, 0)).seconds("bcast", 65536)
        with tempfile.TemporaryDirectory() as folder:
            self.assertLess(self.time("eth4", [1, 65536], simulate.Folder(folder)), 1.6 * bound)

    def test_short_message(self):
        """A flat tree's fifteen sends, and next to nothing for having agreed on the plan in the call before."""
        bound = bounds.of("eth1", (0, 0)).seconds("bcast", 1)
        with tempfile.TemporaryDirectory() as folder:
            self.assertLess(self.time("eth1", [1], simulate.Folder(folder)), 1.45 * bound)

    def test_whole_messages_one_by_one(self):
        """Each child has a short message before the next one is sent it, and sends it on: 2.49 of the bound, which is for one
        host; all at once 3.42."""
        bound = bounds.of("eth1", (0, 0)).seconds("bcast", 256)
        with tempfile.TemporaryDirectory() as folder:
            self.assertLess(self.time("eth1", [256], simulate.Folder(folder)), 2.6 * bound)

    @only_in_full
    def test_room_on_switches(self):
        """Streams over several switches have enough in flight to keep their part of links that others want, too: 1.11 of the
        bound with four messages in hand and 0.92 of each link, 1.15 with one, 1.14 with 0.9."""
        size = 4 << 20
        bound = bounds.of("eth4", (0, 0)).seconds("bcast", size)
        with tempfile.TemporaryDirectory() as folder:
            self.assertLess(self.time("eth4", [1, size], simulate.Folder(folder)), 1.125 * bound)

    def test_links_faster_than_said(self):
        """A cluster of ten times the bandwidth that its hosts file says is not held to what the file says."""
        class Slow(simulate.Folder):
            def hosts(self, name):
                text = platforms.hosts_file(platforms.PLATFORMS[name], name)
                return self.file(name + ".hosts", text.replace("bandwidth=100Mbit/s", "bandwidth=10Mbit/s"))
        size = 1 << 20
        with tempfile.TemporaryDirectory() as folder:
            self.assertLess(self.time("eth1", [1, size], Slow(folder)), 0.5 * size / (10e6 / 8))

    def test_recorded_peer(self):
        """A peer that runs afresh takes the time that was recorded; what ran before it leaves a trace of 0.01 %."""
        was = recorded.load()["bcast", "grid3", "s", 40]
        with tempfile.TemporaryDirectory() as folder:
            found, problem = simulate.simulate(PROGRAM, simulate.Folder(folder), "grid3", "s", "bcast", "ompi", [40],
                                               [16, 4096, 65536])
        self.assertEqual((problem, len(found)), ("", 3))
        for (_, size), (seconds, errors) in found.items():
            self.assertEqual(errors, 0)
            self.assertAlmostEqual(seconds / was[size]["ompi"], 1, delta=1e-3)


unittest.main(verbosity=2)
