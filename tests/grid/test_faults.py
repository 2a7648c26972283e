#!/usr/bin/env python3
"""Broadcasts while something fails under them: every byte is right, all ranks have one plan, and no job hangs. Usage:
test_faults.py TOOLS BENCH STEADY WEATHER PROBE MPIEXEC [Faults.TEST...]"""
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
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
        """The next one: the seconds that are predicted now."""
        return self.check(job.stdout.readline(), job)

    def check(self, line, job):
        words = line.split()
        self.assertEqual(words[4:6], ["same", "right"], f"{words}: {'' if words else job.stderr.read()}")
        return float(words[7]) * {"us": 1e-6, "ms": 1e-3, "s": 1}[words[8]]

    def finish(self, job):
        """How many broadcasts were left."""
        done = 0
        while line := job.stdout.readline():
            self.check(line, job)
            done += 1
        self.assertEqual(job.wait(PATIENCE), 0, job.stderr.read())
        return done

    def begin_with_ranks(self, size, count):
        """As begin(), and where the process of each host is told."""
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gbcast-grid."))
        job = self.begin(size, count, 0, ("sh", "-c", f'echo $$ >{folder}/$(hostname); exec "$@"', "sh"))

        def ranks():
            found = {}
            for name in os.listdir(folder):
                with open(f"{folder}/{name}", encoding="ascii") as file:
                    found[name] = int(file.read())
            self.assertEqual(len(found), 8)
            return found
        return job, ranks

    def test_link_down(self):
        """For a while there is no way to a site: the broadcast in progress waits, and then goes on."""
        self.up(SITES)
        job, ranks = self.begin_with_ranks(1000000, 9)
        lines = queue.Queue()
        self.broadcast(job)
        os.kill(ranks()["o0.ottawa"], signal.SIGSTOP)  # so that none ends before the link is cut
        reader = threading.Thread(target=lambda: [lines.put(line) for line in job.stdout], daemon=True)
        reader.start()
        hosts = self.hosts(SITES)
        self.run_fine("grid-change", *CUT, hosts)
        before = lines.qsize()
        os.kill(ranks()["o0.ottawa"], signal.SIGCONT)
        time.sleep(3)  # is how long the link is down; nothing is expected to have happened by then
        during = lines.qsize()
        self.run_fine("grid-change", hosts)
        self.assertEqual(job.wait(PATIENCE), 0)
        reader.join(PATIENCE)
        self.assertLessEqual(during, before + 2)  # one whose bytes were through, and one that was done but not told
        self.assertEqual(lines.qsize(), 8)
        while not lines.empty():
            self.check(lines.get(), job)

    def test_loss(self):
        lossy = [f"--loss={a}-{b}:1%" for a, b in (("ottawa", "carleton"), ("ottawa", "lyon"), ("carleton", "lyon"))]
        self.up(SITES, *lossy)
        self.assertEqual(self.finish(self.begin(300000, 8, 0)), 8)

    def test_rank_killed(self):
        """The job ends with an error, and nothing of it goes on."""
        self.up(SITES)
        job, told = self.begin_with_ranks(1000000, 1000)
        self.broadcast(job)
        ranks = told()
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
        self.assertEqual(self.finish(job), 15)

    def test_weather_changes(self):
        """A site's links get ten times slower: the sensors tell, and all ranks go over to another plan at once."""
        self.up(SITES)
        self.serve()
        sensors = ["o0.ottawa", "c0.carleton", "l0.lyon"]
        for host in sensors:
            self.start_program(host, WEATHER, "sense", "--nameserver=o0.ottawa", "--period=1", "--clique=wan", *sensors)
        job = self.begin(300000, 400, 0.3, GBCAST_LIVE="nws://o0.ottawa", GBCAST_REFRESH="2")
        before = [self.broadcast(job) for _ in range(10)]
        self.run_fine("grid-change", self.hosts(SITES.replace("bandwidth=10M", "bandwidth=1M")))
        # The prediction grows so much only when sensors have told of both links.
        for broadcasts in range(1, 390):
            if self.broadcast(job) >= 5 * max(before):
                break
        else:
            self.fail(f"no other plan after {broadcasts} broadcasts; {max(before):.3f} s were predicted before")
        print(f"the new plan is there after {broadcasts} broadcasts")


if __name__ == "__main__":
    main_at_once(Faults)
