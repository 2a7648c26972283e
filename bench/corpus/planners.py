"""gbcast-plan, and what it says about a plan."""
import itertools
import json
import os
import re
import subprocess
import tempfile
from collections import namedtuple

# cpu: s of the whole program, which also prices the candidates that it lists.
Plan = namedtuple("Plan", "predicted bound hash inter lanes trees segment cpu")

LANES = [2, 4, 8, 16]
SEGMENTS = ["2k", "4k", "16k", "64k", "256k"]
UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def plan(planner, hosts, operation, root, size, options=(), keep=None):
    """The plan, or None and the message. keep: the file to write its JSON to."""
    with tempfile.TemporaryFile() as notes:
        child = subprocess.Popen([planner, "--format=json", f"--operation={operation}", f"--size={size}",
                                  f"--root={root}", *options, hosts], stdout=subprocess.PIPE, stderr=notes)
        said = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        child.stdout.close()
        if child.returncode:
            notes.seek(0)
            return None, f"exit status {child.returncode}: {notes.read().decode().strip()[:200]}"
    if keep:
        with open(keep, "wb") as out:
            out.write(said)
    made = json.loads(said)
    segment = max((tree.get("segment_bytes", 0) for tree in made["trees"]), default=0)
    return Plan(made["predicted_seconds"], made["lower_bound_seconds"], made["hash"], made["inter"], made["lanes"],
                len(made["trees"]), segment, usage.ru_utime + usage.ru_stime), ""


def price(planner, hosts, saved):
    """What the planner predicts for another one's plan, to four digits, or None where that is the plan it makes."""
    said = subprocess.run([planner, f"--diff={saved}", hosts], capture_output=True, text=True, check=True).stdout
    found = re.search(r"the plan of then would take ([0-9.]+) ([mun]?s) now", said)
    return float(found[1]) * UNITS[found[2]] if found else None


def algorithms(planner, operation):
    """{option: names}, of --inter and --intra."""
    found, option = {}, None
    for line in subprocess.run([planner, "--list"], capture_output=True, text=True, check=True).stdout.splitlines():
        heading = re.search(r"\((--[a-z]+)", line)
        if not line.startswith(" "):
            option = heading and heading[1]
        elif operation in line and "auto" not in line:
            found.setdefault(option, []).append(line.split()[0])
    return found


def forced_options(planner, operation):
    """Lists of options: one, or two together."""
    names = algorithms(planner, operation)
    inter = [[f"--inter={name}"] for name in names["--inter"]]
    intra = [[f"--intra={name}"] for name in names["--intra"]]
    lanes = [[f"--lanes={n}"] for n in LANES] if operation == "bcast" else []
    segment = [[f"--segment={size}"] for size in SEGMENTS]
    kinds = [inter, intra, lanes, segment]
    return [options for kind in kinds for options in kind] + [
        a + b for first, second in itertools.combinations(kinds, 2) for a in first for b in second]


def best_forced(planner, hosts, operation, root, size):
    """(predicted, options) of the best, and the worst prediction below the lower bound or "": such a one is wrong, and does
    not count. Options that the planner refuses are left out."""
    best, wrong = (float("inf"), ""), (1 - 1e-6, "")
    for options in forced_options(planner, operation):
        made, _ = plan(planner, hosts, operation, root, size, options)
        if made and made.predicted < made.bound * (1 - 1e-6):
            wrong = min(wrong, (made.predicted / made.bound, " ".join(options)))
        elif made:
            best = min(best, (made.predicted, " ".join(options)))
    return *best, wrong[1] and f"{wrong[0]:.3f} of the bound by {wrong[1]}"
