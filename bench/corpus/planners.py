"""gbcast-plan, and what it says about a plan."""
import json
import os
import subprocess
from collections import namedtuple

# cpu: s of the whole program, which also prices the candidates that it lists.
Plan = namedtuple("Plan", "predicted bound hash inter lanes trees segment cpu")

# What --forced tries: names of the planner's options.
INTER = ["flat", "chain", "binomial", "dijkstra", "extended-dijkstra", "exact", "packing", "disjoint", "in-turn"]
INTRA = ["flat", "binary", "binomial", "earliest", "linear-contention-free", "binary-contention-free",
         "kary-contention-free", "binary-shared-links", "two-tree", "scatter-allgather"]
LANES = [2, 4, 8, 16]
SEGMENTS = ["2k", "4k", "16k", "64k", "256k"]


def plan(planner, hosts, operation, root, size, options=()):
    """The plan, or None and the message."""
    child = subprocess.Popen([planner, "--format=json", f"--operation={operation}", f"--size={size}",
                              f"--root={root}", *options, hosts], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stdout.close()
    if child.returncode:
        return None, f"exit status {child.returncode}: {said.decode().strip()[:200]}"
    made = json.loads(said)
    segment = max((tree.get("segment_bytes", 0) for tree in made["trees"]), default=0)
    return Plan(made["predicted_seconds"], made["lower_bound_seconds"], made["hash"], made["inter"], made["lanes"],
                len(made["trees"]), segment, usage.ru_utime + usage.ru_stime), ""


def forced_options(operation):
    """Lists of options."""
    lanes = [[f"--lanes={n}"] for n in LANES] if operation == "bcast" else []
    inter = [[f"--inter={name}"] for name in INTER]
    intra = [[f"--intra={name}"] for name in INTRA]
    segment = [[f"--segment={size}"] for size in SEGMENTS]
    for options in (lanes, inter, intra, segment):
        yield from options
    for more in (inter, intra, segment):
        yield from (a + b for a in lanes for b in more)
    yield from (a + b for a in inter for b in intra)


def best_forced(planner, hosts, operation, root, size):
    """(predicted, options) of the best; options that the planner refuses are left out."""
    best = float("inf"), ""
    for options in forced_options(operation):
        made, _ = plan(planner, hosts, operation, root, size, options)
        if made:
            best = min(best, (made.predicted, " ".join(options)))
    return best
