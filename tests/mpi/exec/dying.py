"""A rank is killed in the middle of a broadcast, in each place of the trees: the job ends, with an error, and no rank takes
wrong data for right; all its processes are gone."""

import os
import subprocess
import sys
import tempfile
import time

RANKS = 5
VICTIMS = (0, 1, 3)  # the root, who feeds a leaf and the next site; a leader in the middle, likewise; a leaf
CALLS = 2
LIMIT = 120  # s, for what takes a fraction of one
# of 64 a call: the first ones, when nobody has heard anything; in the middle; of the second call, when all agree
MESSAGES = (1, 20, 80)


def lines_of(folder, rank):
    try:
        with open(os.path.join(folder, str(rank))) as file:
            return file.read().split()
    except FileNotFoundError:
        return []


def is_alive(pid):
    """Of a program of ours: the number may be another's by now."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            name, state = file.read().split("(", 1)[1].rsplit(")", 1)
    except (FileNotFoundError, ProcessLookupError):
        return False
    return name == "dying" and state.split()[0] != "Z"


def run(mpiexec, program, victim, message):
    """The status, and what each rank wrote."""
    with tempfile.TemporaryDirectory(prefix="gbcast-dying-") as folder:
        command = [*mpiexec, "-n", str(RANKS), program, folder, str(victim), str(message)]
        job = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT)
        ranks = [lines_of(folder, rank) for rank in range(RANKS)]
    pids = [int(lines[0]) for lines in ranks if lines]
    end = time.monotonic() + LIMIT
    while any(map(is_alive, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    left = [pid for pid in pids if is_alive(pid)]
    assert not left, f"processes {left} are left"
    return job.returncode, [lines[1:] for lines in ranks], job.stdout.decode(errors="replace")


def main():
    mpiexec, program = sys.argv[1:-1], sys.argv[-1]
    status, ranks, output = run(mpiexec, program, RANKS, 1)
    assert status == 0 and ranks == [["right"] * CALLS] * RANKS, f"nobody dies: status {status}, {ranks}\n{output}"
    for victim in VICTIMS:
        for message in MESSAGES:
            what = f"rank {victim} dies at its message {message}"
            status, ranks, output = run(mpiexec, program, victim, message)
            assert status != 0, f"{what}: the job succeeds\n{output}"
            assert len(ranks[victim]) < CALLS, f"{what}: it does not\n{output}"
            assert not any("wrong" in lines for lines in ranks), f"{what}: wrong data, {ranks}\n{output}"
            print(f"{what}: status {status}, {ranks}")


main()
