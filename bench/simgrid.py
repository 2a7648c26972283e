"""Runs the benchmark program bench/peers/peers.c in SimGrid's simulator."""
import glob
import os
import signal
import subprocess

SIMULATOR = next(iter(glob.glob("/usr/lib/*/simgrid/smpimain")), "smpimain")  # what smpirun calls
OVERHEAD = 3e-6  # s that a message costs the processor at each end
# What a message costs: path latency + size / bandwidth + 3 us and 0.1 ns a byte at each end; no factors that were
# fitted on some LAN (SimGrid's own multiply latency by up to 11.6 at 64 KiB); eager below 64 KiB.
SETTINGS = """smpi/privatization:1 smpi/simulate-computation:no smpi/host-speed:1Gf network/model:SMPI
 surf/precision:1e-9 smpi/bw-factor:0:1 smpi/lat-factor:0:1 smpi/os:0:3e-6:1e-10 smpi/ois:0:3e-6:1e-10
 smpi/or:0:3e-6:1e-10 smpi/async-small-thresh:65536 smpi/send-is-detached-thresh:65536 smpi/test:1e-6
 smpi/iprobe:1e-6 contexts/stack-size:256 smpi/allgather:bruck""".split()

# A look for a message costs its rank 1 us. SimGrid otherwise adds 1 us to all ranks' looks for each that is in vain, so
# that a time would depend on the calls before it.
STEADY_LOOKS = ["smpi/grow-injected-times:no"]


class Folder:
    """Where the generated files are, each written when it is first asked for."""

    def __init__(self, path):
        self.path = path
        self.written = set()
        os.makedirs(path, exist_ok=True)

    def file(self, name, text):
        path = os.path.join(self.path, name)
        if path not in self.written:
            self.written.add(path)
            with open(path, "w") as out:
                out.write(text)
        return path


def run(program, folder, platform, way, operation, roots, sizes, warm, settings=(), environment=None, seconds=None):
    """{(root, size): (time, errors)} of one run of the benchmark program; stops after `seconds` of processor time with
    what there is by then. The second value says what went wrong, or is empty. platform: (its xml, the hostfile, number
    of ranks); way: gbcast or mpi; warm: up to this size a call that is not timed comes first."""
    xml, hostfile, ranks = platform
    settings = [*SETTINGS, f"smpi/np:{ranks}", f"smpi/hostfile:{hostfile}", f"smpi/tmpdir:{folder.path}", *settings]
    limit = ["prlimit", f"--cpu={seconds}"] if seconds else []
    command = limit + [SIMULATOR, program] + ["--cfg=" + s for s in settings] + ["--log=root.thresh:error", xml]
    command += [way, operation, ",".join(map(str, roots)), ",".join(map(str, sizes)), str(warm)]
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GBCAST_")}
    done = subprocess.run(command, capture_output=True, text=True, env={**kept, **(environment or {})})
    problem = ""
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        problem = f"stopped after {seconds} s"
    elif done.returncode:
        problem = f"exit status {done.returncode}: {done.stderr.strip()[:200]}"
    found = {}
    for line in done.stdout.splitlines():
        word = line.split()
        if len(word) == 5 and word[0] == "=":
            found[int(word[1]), int(word[2])] = (float(word[3]), int(word[4]))
    if not problem and len(found) < len(roots) * len(sizes):  # the status of a deadlock is 0
        problem = f"ended early: {done.stderr.strip()[:200]}"
    return found, problem
