#!/usr/bin/env python3
"""The emulated grid itself. Usage: test_grid.py TOOLS REAL STEADY WEATHER PROBE MPIEXEC [Grid.TEST]"""
import os
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
        out = self.run_fine("grid-run", "-n", "8", REAL, "-o", "bcast", "--min=64", "--max=65536", "--factor=1024",
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
        """What gbcast-probe says of a long way is the way's, not slow start's: four cold messages of 4 KiB take a round
        trip more, which is 20 ms a message; they take 3.4."""
        self.up(FAR)
        out = self.run_fine("grid-run", PROBE, "--sizes=256,1k,4k,16k", "--budget=5", "--quiet")
        found = {}
        for line in out.splitlines():
            words = line.split("#")[0].split()
            if words[:1] == ["link"]:
                found[words[1], words[3]] = dict(word.split("=") for word in words[4:])
            if words[:1] == ["plogp"] and "->" in words:
                found[words[1], words[3], words[4]] = dict(word.split("=") for word in words[5:])
        for way in (("a", "b"), ("b", "a")):
            self.assertRegex(found[way]["latency"], r"^(39|4[0-4])([.]\d+)?ms$", out)
            self.assertRegex(found[way]["bandwidth"], r"^([89]|10)([.]\d+)?Mbit/s$", out)
            self.assertEqual(found[way]["initial-window"], "14480", out)
            self.assertRegex(found[(*way, "size=4k")]["gap"], r"^[3-6]([.]\d+)?ms$", out)

    def test_cables(self):
        """Two flows to one host share its cable; delays and losses are those asked for, also changed ones."""
        self.up(SITES, "--loss=carleton-lyon:100%")
        sinks = [self.start("o0.ottawa", "sink", port) for port in (5001, 5002)]
        for source, port in (("o1.ottawa", 5001), ("o2.ottawa", 5002)):
            self.start(source, "pour", "o0.ottawa", port, 3)
        got = [[float(word) for word in sink.stdout.read().split()] for sink in sinks]
        print("two flows: " + ", ".join(f"{n:.0f} bytes in {t:.3f} s" for n, t in got))
        self.assertLess(max(got)[0] / min(got)[0], 3)
        self.assertLessEqual(sum(n for n, _ in got), max(t for _, t in got) * 20e6 / 8 * 1.05)
        self.assertGreaterEqual(self.counts()[1]["o0.ottawa"], sum(n for n, _ in got))

        for host in ("o1.ottawa", "l0.lyon", "c0.carleton"):
            self.start(host, "answer")
        self.check_round_trip("o0.ottawa", "c0.carleton", 10)
        self.check_round_trip("o0.ottawa", "l0.lyon", 40)
        self.check_round_trip("o0.ottawa", "o1.ottawa", 0)
        self.assertIsNone(self.round_trip("c1.carleton", "l0.lyon", 2))
        self.run_fine("grid-change", "--loss=ottawa->carleton:100%", self.hosts(SITES.replace("20ms", "7ms")))
        self.check_round_trip("o0.ottawa", "l0.lyon", 14)
        self.check_round_trip("c1.carleton", "l0.lyon", 80)
        self.assertIsNone(self.round_trip("o0.ottawa", "c0.carleton", 2))
        refused = command("grid-change", self.hosts(SITES.replace("l[0-2]", "l[0-3]")))
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))

    def check_round_trip(self, source, target, asked):
        took = self.round_trip(source, target)
        print(f"{source} to {target} and back: {took:.3f} ms, asked for {asked}")
        self.assertGreaterEqual(took, asked)
        self.assertLess(took, 1.5 * asked + 15)  # nothing but a limit against a delay that is there twice

    def test_tree(self):
        """Everybody reaches everybody, through what the file says."""
        self.up(TREE)
        for host in ("a0", "a1", "b0", "c0"):
            self.start(host, "answer")
        for source, target, asked in (("a0", "a1", 0), ("a1", "b0", 12), ("b0", "a0", 12), ("a0", "c0", 40),
                                      ("b0", "c0", 52), ("c0", "b0", 52)):
            self.check_round_trip(source, target, asked)
        self.check_flow("b0", "a1", 21e6)  # enters the site
        self.check_flow("b0", "c0", 21e6)  # crosses it
        self.check_flow("c0", "b0", 13e6)  # one stream: 64 KiB each 52 ms are 10.1

    def check_flow(self, source, target, most):
        sink = self.start(target, "sink", 5001)
        self.start(source, "pour", target, 5001, 2)
        count, seconds = map(float, sink.stdout.read().split())
        print(f"{source} to {target}: {8 * count / seconds / 1e6:.2f} Mbit/s")
        self.assertLess(8 * count / seconds, most)
        self.assertGreater(count, 100000)

    def test_one_site(self):
        """There are no links then."""
        self.up("switch s\na0\nswitch t uplink=s\na1\n")
        self.start("a0", "answer")
        self.check_round_trip("a1", "a0", 0)
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
