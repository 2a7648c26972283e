#!/usr/bin/env python3
"""The emulated grid itself. What is looked at are bytes on each cable and what the kernel was told, no times:
bench/grid/emulated measures those. Usage: test_grid.py TOOLS BENCH STEADY WEATHER PROBE MPIEXEC [Grid.TEST]"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from grid_case import *  # noqa: E402,F403

# Switches in a tree, a site behind another whose cable to the outside is shared, and a way that differs from the way back.
TREE = """cluster a bandwidth=50Mbit/s wan-bandwidth=20Mbit/s
switch top
switch left uplink=top bandwidth=20Mbit/s
a0
switch right uplink=top bandwidth=20Mbit/s
a1
cluster b-b bandwidth=50Mbit/s
b0
cluster c bandwidth=50Mbit/s
c0
link a -> b-b latency=3ms bandwidth=40Mbit/s stream-bandwidth=8Mbit/s
link b-b -> a latency=9ms bandwidth=40Mbit/s
link a c      latency=20ms bandwidth=40Mbit/s
"""

# Two hosts far apart.
FAR = """cluster a bandwidth=20Mbit/s
n0.a
cluster b bandwidth=20Mbit/s
n1.b
link a b latency=40ms bandwidth=10Mbit/s
"""

POURED = 200000  # bytes


class Grid(GridCase):
    def test_mpi(self):
        """Ranks are where they are said to be, and what they send crosses the cables."""
        self.up(SITES)
        for order, first in (("block", "o0 o1 o2 c0"), ("round-robin", "o0 c0 l0 o1")):
            out = self.run_fine("grid-run", f"--order={order}", "sh", "-c", "echo ${PMI_RANK-$OMPI_COMM_WORLD_RANK} $(hostname)")
            ranks = [line.split()[1].split(".")[0] for line in sorted(out.splitlines())]
            self.assertEqual(" ".join(ranks[:4]), first)
            self.assertEqual(sorted(ranks), sorted("o0 o1 o2 c0 c1 l0 l1 l2".split()))
        before = self.counts()
        out = self.run_fine("grid-run", "-n", "8", BENCH, "real", "-o", "bcast", "--min=64", "--max=65536", "--factor=1024",
                            "--rounds=3", "--seconds=1")
        rows = [line.split() for line in out.splitlines() if line.startswith("bcast")]
        self.assertEqual([(row[1], row[-1]) for row in rows], [("64", "0"), ("65536", "0")], out)
        least = sum(int(row[1]) * (int(row[2]) + 2) * 2 for row in rows)  # 2 warm up, both sides
        after = self.counts()
        for host in after[1]:
            if host != "o0.ottawa":
                self.assertGreaterEqual(after[1][host] - before[1][host], least, host)
        for site in ("carleton", "lyon"):
            self.assertGreaterEqual(sum(n for (_, to), n in after[2].items() if to == site), least, site)

    def test_probe(self):
        """gbcast-probe finds both directions of a long way, and the window that TCP begins with."""
        self.up(FAR)
        out = self.run_fine("grid-run", PROBE, "--sizes=256,1k,4k", "--budget=60", "--quiet")
        found = {}
        for line in out.splitlines():
            words = line.split("#")[0].split()
            if words[:1] == ["link"]:
                found[words[1], words[3]] = dict(word.split("=") for word in words[4:])
        for way in (("a", "b"), ("b", "a")):
            self.assertIn("latency", found[way], out)
            self.assertIn("bandwidth", found[way], out)
            self.assertEqual(found[way]["initial-window"], "14480", out)
            self.assertGreater(self.counts()[2][way], 256 + 1024 + 4096)

    def test_cables(self):
        """Two flows to one host share its cable; delays and losses are those asked for, also changed ones."""
        self.up(SITES, "--loss=carleton-lyon:100%")
        self.assertEqual(self.shaped(f"{NAME}-h0", "eth0"), 20)
        before = self.counts()
        sinks = [self.start("o0.ottawa", "sink", port) for port in (5001, 5002)]
        for source, port in (("o1.ottawa", 5001), ("o2.ottawa", 5002)):
            self.start(source, "pour", "o0.ottawa", port, POURED)
        self.assertEqual([int(sink.stdout.read().split()[0]) for sink in sinks], [POURED, POURED])
        after = self.counts()
        self.assertGreaterEqual(after[1]["o0.ottawa"] - before[1]["o0.ottawa"], 2 * POURED)
        self.assertEqual(after[2], before[2])  # the links are for other sites

        for host in ("o1.ottawa", "l0.lyon", "c0.carleton"):
            self.start(host, "answer")
        usual = {"ottawa carleton": (5, 20000000, 0), "ottawa lyon": (20, 10000000, 0), "carleton lyon": (40, 10000000, 10 ** 6)}
        self.assertEqual(self.ways(), self.both_ways(usual))
        self.check_way("o0.ottawa", "c0.carleton", [("ottawa", "carleton"), ("carleton", "ottawa")])
        self.check_way("o0.ottawa", "l0.lyon", [("ottawa", "lyon"), ("lyon", "ottawa")])
        self.check_way("o0.ottawa", "o1.ottawa", [])
        self.assertEqual(self.answers("c1.carleton", "l0.lyon", 2), 0)
        self.run_fine("grid-change", "--loss=ottawa->carleton:100%", self.hosts(SITES.replace("20ms", "7ms")))
        usual.update({"ottawa lyon": (7, 10000000, 0), "carleton lyon": (40, 10000000, 0)})
        self.assertEqual(self.ways(), {**self.both_ways(usual), ("ottawa", "carleton"): (5, 20000000, 10 ** 6)})
        self.check_way("o0.ottawa", "l0.lyon", [("ottawa", "lyon"), ("lyon", "ottawa")])
        self.check_way("c1.carleton", "l0.lyon", [("carleton", "lyon"), ("lyon", "carleton")])
        self.assertEqual(self.answers("o0.ottawa", "c0.carleton", 2), 0)
        refused = command("grid-change", self.hosts(SITES.replace("l[0-2]", "l[0-3]")))
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))

    def both_ways(self, links):
        return {way: values for link, values in links.items() for way in (tuple(link.split()), tuple(link.split()[::-1]))}

    def shaped(self, space, device):
        """The rate of a cable, in Mbit/s."""
        rate, unit = re.search(r"rate (\d+)([MK]?)bit", self.run_tool("tc", "-n", space, "qdisc", "show", "dev", device)).groups()
        return int(rate) * {"M": 1, "K": 1e-3, "": 1e-6}[unit]

    def check_way(self, source, target, links):
        """Questions and answers cross these links, and no others."""
        before = self.counts()[2]
        self.assertEqual(self.answers(source, target), 3)
        after = self.counts()[2]
        self.assertEqual({way for way in after if after[way] > before[way]}, set(links), f"{source} to {target} and back")

    def test_tree(self):
        """Everybody reaches everybody, through what the file says."""
        told = self.up(TREE)
        self.assertRegex(told, r"one TCP stream from a to b-b: a window of 64 KiB, .*; asked for 8000\n")
        self.assertEqual(self.ways(), {("a", "b-b"): (3, 40000000, 0), ("b-b", "a"): (9, 40000000, 0),
                                       ("a", "c"): (20, 40000000, 0), ("c", "a"): (20, 40000000, 0)})
        for space, device, rate in (("h0", "eth0", 50), ("s0", "u1", 20), ("s0", "d1", 20), ("s0", "out", 20), ("g0", "in", 20)):
            self.assertEqual(self.shaped(f"{NAME}-{space}", device), rate, device)
        for host in ("a0", "a1", "b0", "c0"):
            self.start(host, "answer")
        a_b, a_c = [("a", "b-b"), ("b-b", "a")], [("a", "c"), ("c", "a")]
        for source, target, links in (("a0", "a1", []), ("a1", "b0", a_b), ("b0", "a0", a_b), ("a0", "c0", a_c),
                                      ("b0", "c0", a_b + a_c), ("c0", "b0", a_b + a_c)):
            self.check_way(source, target, links)
        self.check_flow("b0", "a1", ("b-b", "a"))  # enters the site
        self.check_flow("b0", "c0", ("b-b", "a"), ("a", "c"))  # crosses it
        self.check_flow("c0", "b0", ("c", "a"), ("a", "b-b"))

    def check_flow(self, source, target, *links):
        before = self.counts()
        sink = self.start(target, "sink", 5001)
        self.start(source, "pour", target, 5001, POURED)
        self.assertEqual(int(sink.stdout.read().split()[0]), POURED)
        after = self.counts()
        self.assertGreaterEqual(after[0][source] - before[0][source], POURED)
        self.assertGreaterEqual(after[1][target] - before[1][target], POURED)
        for link in links:
            self.assertGreaterEqual(after[2][link] - before[2][link], POURED, link)

    def test_one_site(self):
        """There are no links then."""
        self.up("switch s\na0\nswitch t uplink=s\na1\n")
        self.start("a0", "answer")
        self.check_way("a1", "a0", [])
        self.run_fine("grid-change", self.hosts("switch s\na0\nswitch t uplink=s\na1\n"))

    def test_nothing_left(self):
        """After a set-up that fails half way, or that is interrupted anywhere, and after processes that go on."""
        own = devices()
        for options, status in ((["--congestion=none"], 1), (["--loss=ottawa-oslo:1%"], 2)):
            done = command("grid-up", *options, self.hosts(SITES))
            self.assertEqual((done.returncode, leftovers()), (status, []), done.stderr)
        names = [f"/run/netns/{NAME}-{end}" for end in ("ctl", "s0", "h7")] + [f"/run/gbcast-grid/{NAME}/{end}"
                                                                             for end in ("layout", "hosts", "ways")]
        for number, name in zip([signal.SIGINT, signal.SIGTERM, signal.SIGHUP] * 2, names):
            setup = subprocess.Popen([HERE + "/grid-up", self.hosts(SITES)], env=ENVIRONMENT, stdout=subprocess.DEVNULL)
            while setup.poll() is None and not os.path.exists(name):
                time.sleep(0.001)
            setup.send_signal(number)
            status = setup.wait(60)
            self.assertIn(status, (0, 128 + number))
            if status == 0:  # was up before the signal came
                self.run_fine("grid-down")
            self.assertEqual(leftovers(), [], name)
        self.run_fine("grid-up", self.hosts(SITES))
        self.start("l0.lyon", "answer")
        again = command("grid-up", self.hosts(SITES))
        self.assertEqual(again.returncode, 1)
        self.assertIn("there already", again.stderr)
        self.run_fine("grid-run", "-n", "1", "true")
        self.run_fine("grid-down")
        self.assertEqual((leftovers(), devices()), ([], own))
        self.assertEqual(command("grid-run", "true").returncode, 1)

    def test_interrupted_while_links_start(self):
        """What carries them may not be in its namespace yet."""
        with tempfile.TemporaryDirectory() as folder:
            slow = os.path.join(folder, "ip")
            with open(slow, "w", encoding="utf-8") as file:
                file.write(f'''#!/bin/sh
if [ "$2 $4" = "exec setsid" ]; then # has the namespace, and is not in it yet
  exec 9<"/run/netns/$3"
  shift 3
  sleep 0.5
  exec nsenter --net=/proc/self/fd/9 "$@"
fi
[ "$1" != -force ] || sleep 1 # before the namespaces are removed
exec {shutil.which("ip")} "$@"
''')
            os.chmod(slow, 0o755)
            setup = subprocess.Popen([HERE + "/grid-up", "--wan=tun", self.hosts(SITES)], stdout=subprocess.DEVNULL,
                                     env=dict(ENVIRONMENT, PATH=f"{folder}:{os.environ['PATH']}"))
            while setup.poll() is None and not os.path.exists(f"/run/gbcast-grid/{NAME}/ways"):
                time.sleep(0.001)
            setup.send_signal(signal.SIGTERM)
            self.assertEqual(setup.wait(60), 128 + signal.SIGTERM)
            self.assertEqual(leftovers(), [])

    def test_wrong_usage(self):
        hosts = self.hosts(SITES)
        for name, *words in (["grid-up"], ["grid-up", hosts, hosts], ["grid-up", "--wan=x", hosts], ["grid-run"],
                             ["grid-up", "--loss=a-b", hosts], ["grid-up", "--name=a/b", hosts], ["grid-run", "-n", "0", "true"],
                             ["grid-change"], ["grid-ssh", "host"], ["grid-count", "x"], ["grid-down", "x"]):
            done = command(name, *words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), (name, words))
        for name in ("grid-up", "grid-run", "grid-down", "grid-ssh", "grid-count", "grid-change"):
            self.assertIn(f"  {name} [", self.run_fine(name, "--help"))
        bad = command("grid-up", self.hosts("cluster a\n"))
        self.assertEqual(bad.returncode, 1)
        self.assertIn("hosts.txt:1:9", bad.stderr)
        self.assertEqual(leftovers(), [])


if __name__ == "__main__":
    main()
