"""Runs the benchmark program in SimGrid's simulator, and gbcast-plan for its prediction."""
import glob
import json
import os
import signal
import subprocess

import platforms

SIMULATOR = next(iter(glob.glob("/usr/lib/*/simgrid/smpimain")), "smpimain")  # what smpirun calls
# What a message costs: path latency + size / bandwidth + 3 us and 0.1 ns a byte at each end; no factors that were
# fitted on some LAN (SimGrid's own multiply latency by up to 11.6 at 64 KiB); eager below 64 KiB.
SETTINGS = """smpi/privatization:1 smpi/simulate-computation:no smpi/host-speed:1Gf network/model:SMPI
 surf/precision:1e-9 smpi/bw-factor:0:1 smpi/lat-factor:0:1 smpi/os:0:3e-6:1e-10 smpi/ois:0:3e-6:1e-10
 smpi/or:0:3e-6:1e-10 smpi/async-small-thresh:65536 smpi/send-is-detached-thresh:65536 smpi/test:1e-6
 smpi/iprobe:1e-6 contexts/stack-size:256 smpi/allgather:bruck""".split()

# A look for a message costs its rank 1 us. SimGrid otherwise adds 1 us to all ranks' looks for each that is in vain, so
# that a time would depend on the calls before it.
STEADY_LOOKS = ["smpi/grow-injected-times:no"]

# Up to this size [B] a call that is not timed comes first: some peers make communicators for their leaders in it.
# Larger messages are timed at their first call, gbcast's agreement on a plan included. So were the recorded peers.
WARM = 262144

SELECTORS = ["mpich", "ompi", "mvapich2", "impi"]
# What SimGrid 3.32 has of MPICH, Open MPI, MVAPICH2, Intel MPI and STAR-MPI, but for SMP_linear, which ends in an
# error, and pair_rma, which leaves wrong data.
PEERS = {
    "bcast": SELECTORS + """default arrival_pattern_aware arrival_pattern_aware_wait arrival_scatter binomial_tree
 flattree flattree_pipeline NTSB NTSL NTSL_Isend scatter_LR_allgather scatter_rdb_allgather SMP_binary SMP_binomial
 ompi_split_bintree ompi_pipeline mvapich2_inter_node mvapich2_intra_node
 mvapich2_knomial_intra_node""".split(),
    "scatter": SELECTORS + """default ompi_basic_linear ompi_binomial ompi_linear_nb mvapich2_two_level_binomial
 mvapich2_two_level_direct""".split(),
    "alltoall": SELECTORS + """default 2dmesh 3dmesh basic_linear bruck mvapich2_scatter_dest pair pair_light_barrier
 pair_mpi_barrier pair_one_barrier rdb ring ring_light_barrier ring_mpi_barrier ring_one_barrier""".split(),
}


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

    def hosts(self, name):
        return self.file(name + ".hosts", platforms.hosts_file(platforms.PLATFORMS[name], name))


def write_all(folder, name, place):
    """The platform's files: (xml, hostfile, hosts file of gbcast, number of ranks)."""
    platform = platforms.PLATFORMS[name]
    order = [platforms.host(*h) for h in platforms.ranks(platform, place)]
    return (folder.file(name + ".xml", platforms.xml(platform)),
            folder.file(f"{name}.{place}.hostfile", "\n".join(order) + "\n"), folder.hosts(name), len(order))


def simulate(program, folder, name, place, operation, algorithm, roots, sizes, seconds=None, warm=WARM,
             sync=None, more=()):
    """{(root, size): (time, errors)} of one algorithm ("gbcast", or one of PEERS); stops after `seconds` of processor
    time with what there is by then. sync: how gbcast keeps an all-to-all's phases apart. more: settings of the simulator.
    The second value says what went wrong, or is empty."""
    xml, hostfile, hosts, ranks = write_all(folder, name, place)
    own = algorithm == "gbcast"
    settings = SETTINGS + [f"smpi/np:{ranks}", f"smpi/hostfile:{hostfile}", f"smpi/tmpdir:{folder.path}"]
    settings += more
    if not own:
        settings.append(f"smpi/{operation}:{algorithm}")
    limit = ["prlimit", f"--cpu={seconds}"] if seconds else []
    command = limit + [SIMULATOR, program] + ["--cfg=" + s for s in settings] + ["--log=root.thresh:error", xml]
    command += ["gbcast" if own else "mpi", operation, ",".join(map(str, roots)), ",".join(map(str, sizes)), str(warm)]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GBCAST_")}
    if own:
        environment["GBCAST_HOSTS"] = hosts
    if sync:
        environment["GBCAST_SYNC"] = sync
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
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


def plan(planner, folder, name, operation, size, *options):
    """gbcast-plan's plan."""
    out = subprocess.run([planner, "--format=json", f"--operation={operation}", f"--size={size}", *options,
                          folder.hosts(name)], capture_output=True, text=True, check=True).stdout
    return json.loads(out)


def predict(planner, folder, name, operation, root, size):
    """What gbcast-plan predicts for a root (a host's name) and size: (seconds, hash of the plan)."""
    made = plan(planner, folder, name, operation, size, f"--root={root}")
    return made["predicted_seconds"], made["hash"]
