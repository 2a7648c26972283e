"""What the tests of the emulated grid share: a grid of their own, and what is left of it. Arguments: TOOLS BENCH STEADY WEATHER PROBE MPIEXEC

Exit status 77: this system permits no network namespaces."""
import glob
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

TOOLS, BENCH, STEADY, WEATHER, PROBE, MPIEXEC = WORDS = sys.argv[1:7]
del sys.argv[1:7]
HERE = os.path.dirname(os.path.abspath(__file__))
NAME = f"t{os.getpid()}"
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith(("GBCAST_", "GRID_", "UCX_"))}
ENVIRONMENT.update(GRID_TOOLS=TOOLS, GRID_NAME=NAME, MPIEXEC=MPIEXEC)
PEER = [sys.executable, HERE + "/peer.py"]

SITES = """cluster ottawa bandwidth=20Mbit/s
o[0-2].ottawa
cluster carleton bandwidth=20Mbit/s
c[0-1].carleton
cluster lyon bandwidth=20Mbit/s
l[0-2].lyon
link ottawa carleton latency=5ms  bandwidth=20Mbit/s
link ottawa lyon     latency=20ms bandwidth=10Mbit/s
link carleton lyon   latency=40ms bandwidth=10Mbit/s
"""


def command(name, *words, **options):
    return subprocess.run([f"{HERE}/{name}", *words], env=ENVIRONMENT, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=100, **options)


def processes():
    """Those that know the grid's name."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                if NAME.encode() in file.read().replace(b"/", b"-").split(b"-"):
                    found.append(path)
        except OSError:
            pass  # has ended
    return found


def leftovers():
    """What there should be none of once a grid is down."""
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        return (glob.glob(f"/run/netns/{NAME}-*") + glob.glob(f"/run/gbcast-grid/{NAME}*") + processes() +
                [line for line in mounts if f"/{NAME}-" in line])


def devices():
    with open("/proc/net/dev", encoding="ascii") as file:
        return sorted(line.split(":")[0].strip() for line in file if ":" in line)


class GridCase(unittest.TestCase):
    def hosts(self, text):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gbcast-grid."))
        with open(folder + "/hosts.txt", "w", encoding="ascii") as file:
            file.write(text)
        return file.name

    def up(self, text, *options):
        self.addCleanup(lambda: self.assertEqual(leftovers(), []))
        self.addCleanup(self.run_fine, "grid-down")
        return self.run_fine("grid-up", *options, self.hosts(text))

    def run_fine(self, name, *words):
        done = command(name, *words)
        self.assertEqual(done.returncode, 0, f"{name} {words}: {done.stdout}{done.stderr}")
        return done.stdout

    def start(self, host, *words):
        """A peer on a host, from its first line on."""
        peer, line = self.start_program(host, *PEER, *words)
        self.assertEqual(line, "ready\n")
        return peer

    def start_program(self, host, *words):
        program = subprocess.Popen([HERE + "/grid-ssh", host, "exec", *map(str, words)], env=ENVIRONMENT, text=True,
                                   stdout=subprocess.PIPE)
        self.addCleanup(program.wait)
        self.addCleanup(program.stdout.close)
        self.addCleanup(program.kill)
        return program, program.stdout.readline()

    def answers(self, source, target, count=3):
        """How many came, of so many questions."""
        return int(self.run_fine("grid-ssh", source, *PEER, "ask", target, str(count)).split()[0])

    def ways(self):
        """What carries each link has been told: latency in ms, bit/s, and what is lost in millionths."""
        folder = f"/run/gbcast-grid/{NAME}/"
        with open(folder + "sites", encoding="ascii") as file:
            sites = [line.split() for line in file]
        with open(folder + "carrier", encoding="ascii") as file:
            carrier = file.read().strip()
        name = {outer: site for _, outer, _, site in sites}
        if carrier == "netem":
            return {(site, sites[int(device[1:])][3]): self.netem(outer, device) for _, outer, _, site in sites
                    for device in self.run_tool("ip", "-n", outer, "-br", "link").split() if re.match(r"w\d+", device)}
        with open(folder + "ways", encoding="ascii") as file:
            lines = [line.split() for line in file]
        return {(name[w[0]], name[w[2]]): (int(w[4]) / 1e6, int(w[5]), int(w[7])) for w in lines}

    def netem(self, space, device):
        device = device.split("@")[0]
        q = json.loads(self.run_tool("tc", "-n", space, "-j", "qdisc", "show", "dev", device))[0]["options"]
        return (round(1e3 * q["delay"]["delay"], 3), 8 * q["rate"]["rate"],
                round(1e6 * q.get("loss-random", {"loss": 0})["loss"]))

    def run_tool(self, *words):
        return subprocess.run(words, text=True, capture_output=True, check=True, timeout=100).stdout

    def counts(self):
        sent, received, links = {}, {}, {}
        for line in self.run_fine("grid-count").splitlines():
            kind, a, b, n = line.split()
            if kind == "host":
                sent[a], received[a] = int(b), int(n)
            else:
                links[a, b] = int(n)
        return sent, received, links


def main():
    with tempfile.NamedTemporaryFile("w", prefix="gbcast-grid.") as probe:
        probe.write("a\n")
        probe.flush()
        tried = command("grid-up", probe.name)
    if tried.returncode == 77:
        print(f"skipped: {tried.stderr}", end="")
        sys.exit(77)
    command("grid-down")
    unittest.main()


def main_at_once(case):
    """Each test in a process and on a grid of its own: they wait most of the time."""
    tests = sys.argv[1:] or [f"{case.__name__}.{name}" for name in unittest.defaultTestLoader.getTestCaseNames(case)]
    if len(tests) == 1:
        main()
    running = [subprocess.Popen([sys.executable, sys.argv[0], *WORDS, test], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT) for test in tests]
    for test, job in zip(tests, running):
        print(f"{test}: {job.communicate()[0]}", flush=True)
    statuses = {job.returncode for job in running}
    sys.exit(statuses.pop() if statuses in ({0}, {77}) else 1)
