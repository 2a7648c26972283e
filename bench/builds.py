"""Builds what the benchmarks run."""
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def build(preset, target, path):
    """Builds one target with a preset and gives its path. Preset mpi finds its library anew, which may be another one."""
    fresh = ["--fresh"] if preset == "mpi" else []
    for command in (["cmake", "--preset", preset, *fresh], ["cmake", "--build", "--preset", preset, "--target", target]):
        done = subprocess.run(command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{done.stdout}\n{' '.join(command)}: failed")
    return os.path.join(TOP, "build", preset, path)
