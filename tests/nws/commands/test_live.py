#!/usr/bin/env python3
"""gbcast-plan and libgbcast with live values of a weather service. Usage: test_live.py GBCAST-NWS GBCAST-PLAN DEMO MPIEXEC"""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
from serving import *  # noqa: E402,F403

PROGRAM, PLAN, DEMO, MPIEXEC = sys.argv[1:]
del sys.argv[1:]
HOSTS = """cluster ottawa bandwidth=1Gbit/s
n0.ottawa
n1.ottawa
cluster lyon bandwidth=1Gbit/s
l0.lyon
cluster oslo bandwidth=1Gbit/s
o0.oslo
link ottawa lyon latency=10ms bandwidth=100Mbit/s
link ottawa oslo latency=20ms bandwidth=100Mbit/s
link lyon oslo latency=80ms bandwidth=100Mbit/s
"""


class Live(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gbcast-nws."))
        self.hosts = self.folder + "/hosts"
        with open(self.hosts, "w", encoding="ascii") as file:
            file.write(HOSTS)
        self.environment = {k: v for k, v in os.environ.items()
                            if not k.startswith("GBCAST_") and k not in ("NAME_SERVER_PORT", "MEMORY_PORT")}
        self.environment.update(HOME=self.folder, GBCAST_HOSTS=self.hosts, GBCAST_MAP="order", GBCAST_VERBOSE="1")

    def measure(self, server, source, target, resource, values, options=""):
        """A value every 10 s, the last of them 10 s ago."""
        now = int(time.time())
        name = f"{source}.{resource}.{target}"
        with server.ask_memory() as memory, server.ask_name_server() as ns:
            for i, value in enumerate(values):
                memory.ask(store(name, now - 10 * (len(values) - i), value))
            ns.ask(register(f"name:{name}\tobjectclass:nwsSeries\thost:{source}:8060\tmemory:127.0.0.1:{server.memory}\t"
                            f"resource:{resource}\ttarget:{target}:8060\t{options}\t"))

    def serve(self):
        """The way from ottawa to lyon has grown long; oslo is as it was."""
        server = self.enterContext(Server(PROGRAM, self.folder))
        self.measure(server, "n0.ottawa", "l0.lyon", "latencyTcp", [400] * 60)
        self.measure(server, "l0.lyon", "n0.ottawa", "latencyTcp", [400] * 60)
        self.measure(server, "n1.ottawa", "o0.oslo", "bandwidthTcp", [50] * 60, "size:1024\t")
        self.measure(server, "nobody", "l0.lyon", "latencyTcp", [1] * 60)
        return server

    def plan(self, source, *options):
        return subprocess.run([PLAN, "--live=" + source, *options, self.hosts], capture_output=True, encoding="utf-8",
                              timeout=PATIENCE, env=self.environment, check=False)

    def test_plan(self):
        server = self.serve()
        done = self.plan(f"nws://127.0.0.1:{server.name_server}", "--format=json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        live = [s for s in json.loads(done.stdout)["sources"] if s["from"].startswith("nws://") and s["what"].startswith("link ")]
        self.assertEqual(sorted({re.sub(" (latency|bandwidth).*", "", s["what"]) for s in live}),
                         ["link lyon -> ottawa", "link ottawa -> lyon", "link ottawa -> oslo"])
        for s in live:
            self.assertTrue(9 <= s["age_seconds"] <= PATIENCE, s)
        with open(self.folder + "/live", "w", encoding="ascii") as file:
            file.write("ottawa lyon 200\nlyon ottawa 200\nottawa oslo 20 50\n")
        same = self.plan(f"file:{self.folder}/live", "--format=json")
        self.assertEqual(json.loads(done.stdout)["hash"], json.loads(same.stdout)["hash"])

    def test_plan_without_service(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        done = self.plan(f"nws://127.0.0.1:{port}")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, f"--live=nws://127.0.0.1:{port}: 127.0.0.1:{port}: Connection refused\n")
        done = self.plan("nws://:80")
        self.assertEqual((done.returncode, done.stderr), (2, "gbcast-plan: --live=nws://:80: found 'nws://:80', "
                                                              "expected nws://HOST[:PORT]\n"))
        with Server(PROGRAM, self.folder) as server:
            done = self.plan(f"nws://127.0.0.1:{server.name_server}")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("no measurements of links are registered there", done.stderr)

    def run_demo(self, source):
        self.environment["GBCAST_LIVE"] = source
        done = subprocess.run([MPIEXEC, "-n", "4", DEMO, "100000"], capture_output=True, encoding="utf-8", timeout=300,
                              env=self.environment, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout + done.stderr

    def test_library(self):
        server = self.serve()
        text = self.run_demo(f"nws://127.0.0.1:{server.name_server}")
        plan = self.plan(f"nws://127.0.0.1:{server.name_server}", "--size=100000", "--format=json")
        self.assertIn(json.loads(plan.stdout)["hash"], text)
        self.assertNotIn("are used", text)

    def test_library_says_what_it_does_not_believe(self):
        server = self.enterContext(Server(PROGRAM, self.folder))
        self.measure(server, "n0.ottawa", "l0.lyon", "latencyTcp", [1e12] * 3)
        text = self.run_demo(f"nws://127.0.0.1:{server.name_server}")
        self.assertIn("gbcast: n0.ottawa.latencyTcp.l0.lyon in 127.0.0.1:%d: 3 of 3 measurements are left out; the last is "
                      "1e+12 ms, expected 0 to 60000; the values of the hosts file are used\n" % server.memory, text)

    def test_library_without_service(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            text = self.run_demo("nws://127.0.0.1:%d" % silent.getsockname()[1])
            self.assertIn("not everything has come in time; the values of the hosts file are used", text)


if __name__ == "__main__":
    unittest.main()
