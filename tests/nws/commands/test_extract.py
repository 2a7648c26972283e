#!/usr/bin/env python3
"""gbcast-nws extract with a name server and memory of gbcast-nws serve. Usage: test_extract.py GBCAST-NWS"""
import csv
import os
import signal
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from serving import *  # noqa: E402,F403

PROGRAM = sys.argv.pop()
START = 1795228000
TITLES = "Time Measure MAE_Fore MAE_Err MSE_Fore MSE_Err Source Destination Resource".split()


def vectors():
    """One series of the description's forecasts."""
    with open(os.path.join(TOP, "data", "nws", "forecasts.csv"), encoding="ascii") as file:
        return [row for row in csv.DictReader(file) if row["series"] == "walk_spikes"]


class Extract(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gbcast-nws."))
        self.server = self.enterContext(Server(PROGRAM, self.folder))
        self.memory = self.enterContext(self.server.ask_memory())
        self.names = self.enterContext(self.server.ask_name_server())
        self.environment = {"HOME": self.folder, "NAME_SERVER": f"127.0.0.1:{self.server.name_server}"}

    def series(self, source, destination, values, resource="latencyTcp", memory=None, label="ms"):
        """Registers and stores it; its name."""
        target = f"target:{destination}\t" if destination else ""
        name = f"{source}.{resource}" + (f".{destination}" if destination else "")
        text = (f"name:{name}\tobjectclass:nwsSeries\thost:{source}\tmemory:127.0.0.1:{memory or self.server.memory}\t"
                f"label:{label}\tresource:{resource}\t{target}\t")
        self.assertEqual(self.names.ask(register(text))[0], REGISTERED)
        for i, value in enumerate(values):
            self.assertEqual(self.memory.ask(store(name, START + 5 * i, value))[0], STORED)
        return name

    def extract(self, *options, status=0, **environment):
        done = subprocess.run([PROGRAM, "extract", *options], env={**self.environment, **environment},
                              capture_output=True, timeout=PATIENCE, check=False, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        self.errors = done.stderr
        return done.stdout.splitlines()

    def test_as_the_vectors(self):
        rows = vectors()
        self.series("a.x:8060", "b.x:8061", [float(row["measurement"]) for row in rows])
        lines = self.extract("-n", "200", "-h", "50", "LAT", "a.x", "b")
        self.assertEqual(self.errors, "")
        self.assertEqual(len(lines), 204)
        self.assertEqual([line.split() for line in lines[::51]], [TITLES] * 4)
        del lines[::51]
        for i, (row, line) in enumerate(zip(rows[100:], lines)):
            cells = line.split()
            self.assertEqual(int(cells[0]), START + 5 * (100 + i))
            self.assertEqual(float(cells[1]), float(row["measurement"]))
            wanted = [row[key][:11] for key in ("mae_forecast", "mae_error", "mse_forecast", "mse_error")]
            self.assertEqual(cells[2:6], wanted)
            self.assertEqual(cells[6:], ["a.x", "b.x", "latencyTcp"] if i % 50 == 0 else [])

    def test_pairs(self):
        self.series("a:8060", "b:8060", [1])
        self.series("b:8060", "a:8060", [2])
        self.series("a:8060", "c:8060", [3])
        self.series("a:8060", "d:8060", [])
        fields = ("-f", "meas,source,dest", "-h0", "latencyTcp")

        def words(*arguments):
            return [line.split() for line in self.extract(*arguments)]

        self.assertEqual(words(*fields, "a", "b", "c"), [["1", "a", "b"], ["3", "c"]])
        self.assertEqual(words("-a", *fields, "a", "b"), [["1", "a", "b"], ["2", "b", "a"]])
        self.assertEqual(words(*fields, "(target=c:*)", "a"), [["3", "a", "c"]])
        self.assertEqual(self.errors, "")
        self.assertEqual(words(*fields, "a", "e", "c", "d"), [["3", "a", "c"]])
        self.assertEqual(self.errors.splitlines(), [f"Warning: no latencyTcp series available from a to {host}; ignored"
                                                    for host in "ed"])
        self.extract(*fields, "z")
        self.assertEqual(self.errors, "Warning: no latencyTcp series available from z; ignored\n")

    def test_registered_twice(self):
        self.series("a:8060", "b:8060", [1, 2])
        self.series("a:8060", "b:8060", [], label="Milliseconds")
        self.assertEqual(self.extract("-f", "meas", "-h0", "lat", "a", "b"), ["1", "2"])

    def test_one_host(self):
        self.series("a:8060", None, [0.5], "availableCpu")
        self.assertEqual([line.split() for line in self.extract("avail", "a")],
                         [TITLES[:7] + ["Resource"], f"{START} 0.5 0.5 0.5 0.5 0 a availableCpu".split()])

    def test_settings(self):
        self.series("a:8060", "b:8060", [1, 2])
        self.assertEqual(self.extract("-h0", "lat", "a", "b", EXTRACT_FIELDS="meas"), ["1", "2"])
        with open(os.path.join(self.folder, ".nwsrc"), "w", encoding="ascii") as file:
            file.write(f"EXTRACT_FIELDS = meas,time\nNAME_SERVER = {self.environment.pop('NAME_SERVER')}\n")
        self.assertEqual(self.extract("-h0", "-n1", "lat", "a", "b"), [f"2           {START + 5}"])
        self.assertEqual(self.extract("-f", "dest", "-n1", "lat", "a", "b"), ["Destination", "b"])

    def test_memory_alone(self):
        self.series("a:8060", "b:8060", [1, 2])
        memory = f"127.0.0.1:{self.server.memory}"
        self.assertEqual(self.extract("-M", memory, "-f", "meas", "-h0", "lat", "A", "b:8060", NAME_SERVER=""), ["1", "2"])

    def test_stored_lately(self):
        self.series("a:8060", "b:8060", [1, 2])
        self.assertEqual(self.extract("-t", "1e9", "-f", "meas", "-h0", "lat", "a", "b"), ["1", "2"])
        self.series("c:8060", "b:8060", [])
        old = state(STORE, "c:8060.latencyTcp.b:8060", [b"%11.0f %20.5f" % (1000, 4)], sequence=1000.0)
        self.assertEqual(self.memory.ask(old)[0], STORED)
        self.assertEqual(self.extract("-t", "600", "lat", "c", "b"), [])
        self.assertIn("no latencyTcp series", self.errors)

    def test_nobody_there(self):
        self.series("a:8060", "b:8060", [1])
        self.series("a:8060", "c:8060", [], memory=1)
        self.assertEqual(self.extract("-f", "meas", "-h0", "lat", "a", "b", "c", status=1), ["1"])
        self.assertIn("127.0.0.1:1: ", self.errors)
        self.assertEqual(self.server.end(), 0)
        self.assertEqual(self.extract("lat", "a", "b", status=1), [])
        self.assertIn(self.environment["NAME_SERVER"], self.errors)
        self.assertEqual(len(self.errors.splitlines()), 1)
        self.assertEqual(self.extract("lat", "a", "b", status=1, NAME_SERVER="no name"), [])

    def test_goes_on(self):
        name = self.series("a:8060", "b:8060", [1])
        with subprocess.Popen([PROGRAM, "extract", "-w", "-h0", "-f", "meas", "lat", "a", "b"], env=self.environment,
                              stdout=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "1\n")
            for value in 2, 3:
                self.assertEqual(self.memory.ask(store(name, START + 5 * value, value))[0], STORED)
                self.assertEqual(process.stdout.readline(), f"{value}\n")
            process.send_signal(signal.SIGTERM)


if __name__ == "__main__":
    unittest.main()
