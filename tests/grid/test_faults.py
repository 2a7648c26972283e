#!/usr/bin/env python3
"""Broadcasts while something fails under them: every byte is right, all ranks have one plan, and no job hangs. Usage:
test_faults.py TOOLS REAL STEADY WEATHER PROBE MPIEXEC [Faults.TEST...]"""
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from grid_case import *  # noqa: E402,F403

PATIENCE = 90  # s, for what should end long before
CUT = ("--loss=ottawa-lyon:100%", "--loss=carleton-lyon:100%")


class Faults(GridCase):
    def begin(self, size, count, period, wrapper=(), **environment):
        """A job of regular broadcasts (bench/steady.c)."""
        job = subprocess.Popen([HERE + "/grid-run", *wrapper, STEADY, *map(str, (size, count, period))], text=True,
                               env={**ENVIRONMENT, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(job.stderr.close)
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.wait)
        self.addCleanup(job.kill)
        return job

    def broadcast(self, job):
        """The next one: its seconds, and those predicted now."""
        words = job.stdout.readline().split()
        self.assertEqual(words[4:6], ["same", "right"], f"{words}: {'' if words else job.stderr.read()}")
        unit = {"us": 1e-6, "ms": 1e-3, "s": 1}[words[8]]
        return float(words[1]) / 1e3, float(words[7]) * unit

    def finish(self, job):
        """When the rest of its broadcasts were done, in seconds since 1970."""
        done = []
        while line := job.stdout.readline():
            words = line.split()
            self.assertEqual(words[4:6], ["same", "right"], line)
            done.append(float(words[0]) + float(words[1]) / 1e3)
        self.assertEqual(job.wait(PATIENCE), 0, job.stderr.read())
        return done

    def test_link_down(self):
        """For five seconds there is no way to a site: the broadcast in progress waits, and then goes on."""
        self.up(SITES)
        job = self.begin(1000000, 9, 0)  # one after the other: some is in progress, whenever the cut comes
        usual, _ = self.broadcast(job)
        first = time.time()
        hosts = self.hosts(SITES)
        self.run_fine("grid-change", *CUT, hosts)
        time.sleep(5)
        self.run_fine("grid-change", hosts)
        done = [first, *self.finish(job)]
        longest = max(later - earlier for earlier, later in zip(done, done[1:]))
        print(f"while a link is down: {longest:.2f} s; otherwise {usual:.2f} s")
        self.assertEqual(len(done), 9)
        self.assertGreater(longest, 5)

    def test_loss(self):
        lossy = [f"--loss={a}-{b}:1%" for a, b in (("ottawa", "carleton"), ("ottawa", "lyon"), ("carleton", "lyon"))]
        self.up(SITES, *lossy)
        self.assertEqual(len(self.finish(self.begin(300000, 8, 0))), 8)

    def test_rank_killed(self):
        """The job ends with an error, and nothing of it goes on."""
        self.up(SITES)
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gbcast-grid."))
        job = self.begin(1000000, 1000, 0, ("sh", "-c", f'echo $$ >{folder}/$(hostname); exec "$@"', "sh"))
        self.broadcast(job)
        ranks = {}
        for name in os.listdir(folder):
            with open(f"{folder}/{name}", encoding="ascii") as file:
                ranks[name] = int(file.read())
        self.assertEqual(len(ranks), 8)
        os.kill(ranks["l1.lyon"], signal.SIGKILL)
        job.stdout.read()
        self.assertNotEqual(job.wait(PATIENCE), 0)
        end = time.monotonic() + PATIENCE
        while any(os.path.exists(f"/proc/{rank}") for rank in ranks.values()) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertEqual([name for name, rank in ranks.items() if os.path.exists(f"/proc/{rank}")], [])

    def serve(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gbcast-grid."))
        return self.start_program("o0.ottawa", WEATHER, "serve", "--listen=0.0.0.0", "--allow=0.0.0.0/0",
                                  f"--dir={folder}/data")[0]

    def test_weather_gone(self):
        """The service ends in mid-run; then something takes its place that never answers."""
        self.up(SITES)
        server = self.serve()
        job = self.begin(100000, 30, 0.2, GBCAST_LIVE="nws://o0.ottawa", GBCAST_REFRESH="1")
        for _ in range(5):
            self.broadcast(job)
        server.terminate()
        server.wait()
        for _ in range(10):
            self.broadcast(job)
        self.start("o0.ottawa", "sink", 8090)
        self.assertEqual(len(self.finish(job)), 15)

    def test_weather_changes(self):
        """A site's links get ten times slower: the sensors tell, and all ranks go over to another plan at once."""
        self.up(SITES)
        self.serve()
        sensors = ["o0.ottawa", "c0.carleton", "l0.lyon"]
        for host in sensors:
            self.start_program(host, WEATHER, "sense", "--nameserver=o0.ottawa", "--period=1", "--clique=wan", *sensors)
        job = self.begin(300000, 400, 0.3, GBCAST_LIVE="nws://o0.ottawa", GBCAST_REFRESH="2")
        before = [self.broadcast(job)[1] for _ in range(10)]
        self.run_fine("grid-change", self.hosts(SITES.replace("bandwidth=10M", "bandwidth=1M")))
        start, now = time.monotonic(), before[-1]
        while now < 5 * max(before) and time.monotonic() - start < PATIENCE:
            now = self.broadcast(job)[1]
        print(f"the new plan is there after {time.monotonic() - start:.1f} s: {now:.3f} s predicted, {max(before):.3f} before")
        self.assertGreaterEqual(now, 5 * max(before))  # not before it is known of both links


if __name__ == "__main__":
    main_at_once(Faults)
