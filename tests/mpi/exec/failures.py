"""With MPI's default error handler the job ends when a function of MPI's fails that the library calls, whatever the other ranks wait
for, before a call returns.

usage: failures.py MPIEXEC... PROGRAM
"""

import subprocess
import sys

RANKS = 3
LIMIT = 120  # s, for what takes a fraction of one
# scene, rank, function, number of its call
FAILURES = (
    ("trees", 1, "PMPI_Igather", 1),  # of the set-up
    ("trees", 2, "PMPI_Iallreduce", 1),  # of the duplicate
    ("trees", 0, "MPI_Type_size_x", 3),  # before a call begins
    ("trees", 0, "MPI_Isend", 2),
    ("trees", 2, "MPI_Get_count", 1),
    ("trees", 1, "MPI_Testany", 5),
    ("refreshed", 0, "PMPI_Ibcast", 9),  # of an announcement
    ("own", 1, "PMPI_Bcast", 1),
    ("own", 2, "MPI_Type_create_struct", 1),  # before MPI's own collective
)


def main():
    mpiexec, program = sys.argv[1:-1], sys.argv[-1]
    for scene, rank, function, number in FAILURES:
        command = [*mpiexec, "-n", str(RANKS), program, scene, str(rank), function, str(number)]
        job = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT)
        output = job.stdout.decode(errors="replace")
        assert job.returncode != 0, f"{command}: the job succeeds\n{output}"
        assert "failing.h:" not in output and "test_failures.c:" not in output, f"{command}: a call returns\n{output}"
        assert "a rank waits" not in output, f"{command}: a rank waits\n{output}"


main()
