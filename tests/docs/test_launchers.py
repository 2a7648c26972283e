"""The recipes of docs/launchers.md start the ranks that they are to start, on the hosts of hosts.txt, with gbcast.

Each block of bash and the launcher's script in the block of YAML is run as it stands there. MPICH's mpiexec is the real one, and
starts all ranks on this machine. srun, Open MPI's mpiexec and gbcast-probe are stand-ins, which know options that the real ones
have, and refuse others.

usage: test_launchers.py SOURCE_FOLDER FOLDER_OF_GBCAST_PLAN MPIEXEC    where that is not MPICH's, what needs MPICH's is left out
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

MPIEXEC, TOOLS, SOURCE = sys.argv.pop(), Path(sys.argv.pop()).resolve(), Path(sys.argv.pop()).resolve()
PAGE = (SOURCE / "docs/launchers.md").read_text()
LIBRARY = "/opt/gbcast/lib/libgbcast-pmpi.so"
HOSTS = "n0.ottawa n1.ottawa n2.ottawa n3.ottawa c0.carleton c1.carleton l0.lyon l1.lyon".split()
JOB = ["n0.ottawa", "n0.ottawa", "n2.ottawa", "n2.ottawa", "l1.lyon", "l1.lyon"]  # those that a batch system gives

# A rank ends when all have begun: MPICH's mpiexec may fail (SIGPIPE) where some end before others begin.
RANK = """#!/bin/sh
echo "$GBCAST_HOSTS $LD_PRELOAD" >>"{file}" # the hosts file that it would read, and what is preloaded
while [ "$(wc -l <"{file}")" -lt "${PMI_SIZE-0}" ]; do sleep 0.02; done
"""

# What the stand-ins of launchers have in common: start(HOSTS, VARIABLES, PROGRAM) runs the ranks, and notes their hosts.
COMMON = """#!{python}
import argparse, os, subprocess, sys
sys.dont_write_bytecode = True
def start(hosts, variables, program):
    assert "LD_PRELOAD" not in os.environ, "the launcher itself loads the library"
    with open("placed", "w") as out:
        out.writelines(host + "\\n" for host in hosts)
    for _ in hosts:
        given = dict(os.environ, **dict(item.split("=", 1) for item in variables))
        subprocess.run([program], env=given, check=True, stderr=subprocess.DEVNULL)
def lines(path):
    return open(path).read().split()
given = argparse.ArgumentParser(allow_abbrev=False)
given.add_argument("program")
"""
STAND_INS = {
    "srun": COMMON + """
given.add_argument("--mpi", choices=["pmi2", "pmix"], required=True)
given.add_argument("-m", "--distribution", choices=["arbitrary"], required=True)
given.add_argument("-n", "--ntasks", type=int, required=True)
given.add_argument("--export", required=True)
given = given.parse_args()
everything, *variables = given.export.split(",")
assert everything == "ALL", given.export
hosts = lines(os.environ["SLURM_HOSTFILE"])
assert len(hosts) == given.ntasks, (hosts, given.ntasks)
start(hosts, variables, given.program)
""",
    "open-mpi": COMMON + """
given.add_argument("--hostfile", required=True)
given.add_argument("-x", action="append")
given = given.parse_args()
start(lines(given.hostfile), given.x, given.program)
""",
    "gbcast-probe": RANK.replace("{file}", "probes") + f"""
[ "$PMI_RANK" != 0 ] || cp "{SOURCE}/examples/three-sites.txt" "$2"
""",
}


def blocks(language):
    """{heading: text} of the page's blocks in this language"""
    found = {}
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        for text in re.findall(rf"^```{language}\n(.*?)^```", section, re.MULTILINE | re.DOTALL):
            heading = section.splitlines()[0]
            assert heading not in found, heading
            found[heading] = text
    return found


VERSION = subprocess.run([MPIEXEC, "--version"], capture_output=True, text=True, check=True).stdout
with_mpich = unittest.skipUnless("HYDRA" in VERSION, f"{MPIEXEC} is not MPICH's")


class Launchers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="gbcast-launchers.")
        self.addCleanup(self.folder.cleanup)
        self.work = Path(self.folder.name)
        (self.work / "bin").mkdir()
        for name, text in STAND_INS.items():
            self.executable(f"bin/{name}", text.replace("{python}", sys.executable))
        self.executable("bin/mpiexec", f'#!/bin/sh\nexec "{MPIEXEC}" "$@"\n')
        self.executable("program", RANK.replace("{file}", "ranks"))
        (self.work / "hosts.txt").write_text((SOURCE / "examples/three-sites.txt").read_text())

    def executable(self, name, text):
        (self.work / name).write_text(text)
        (self.work / name).chmod(0o755)

    def start(self, script, **environment):
        """Runs the script, in the environment that a batch system would give it."""
        kept = {key: value for key, value in os.environ.items() if not re.match("SLURM_|PBS_|HYDRA_|GBCAST_|LD_PRELOAD", key)}
        kept.update(environment, PATH=f"{self.work}/bin:{TOOLS}:{os.environ['PATH']}", HYDRA_LAUNCHER="fork")
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=self.work, env=kept, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=100, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def check(self, ranks, hosts_file="hosts.txt"):
        told = [line.split() for line in (self.work / "ranks").read_text().splitlines()]
        self.assertEqual(len(told), ranks)
        for path, library in told:
            self.assertTrue((self.work / path).samefile(self.work / hosts_file), path)
            self.assertEqual(library, LIBRARY)

    def test_all_recipes_are_tested(self):
        self.assertEqual(sorted(blocks("bash")), ["PBS: OpenPBS, PBS Pro and Torque", "Slurm: sbatch", "Slurm: srun alone",
                                                  "mpiexec of MPICH", "mpiexec of Open MPI"])
        self.assertEqual(list(blocks("yaml")), ["Kubernetes: the MPI operator"])

    @with_mpich
    def test_mpich(self):
        self.start(blocks("bash")["mpiexec of MPICH"])
        self.assertEqual((self.work / "hostfile").read_text().split(), HOSTS)
        self.check(len(HOSTS))

    def test_open_mpi(self):
        (self.work / "bin/open-mpi").rename(self.work / "bin/mpiexec")
        self.start(blocks("bash")["mpiexec of Open MPI"])
        self.assertEqual((self.work / "placed").read_text().split(), HOSTS)
        self.check(len(HOSTS))

    def test_sbatch(self):
        script = blocks("bash")["Slurm: sbatch"]
        self.assertEqual([line.split("=")[0] for line in script.splitlines() if line.startswith("#SBATCH")],
                         ["#SBATCH --nodes", "#SBATCH --ntasks-per-node"])
        self.start(script, SLURM_JOB_ID="7", SLURM_JOB_NODELIST="n[0,2].ottawa,l1.lyon", SLURM_TASKS_PER_NODE="2(x3)")
        self.assertEqual((self.work / "placed").read_text().split(), JOB)
        self.check(len(JOB))

    def test_srun(self):
        self.start(blocks("bash")["Slurm: srun alone"])
        self.assertEqual((self.work / "placed").read_text().split(), HOSTS)
        self.check(len(HOSTS))

    @with_mpich
    def test_pbs(self):
        (self.work / "nodes").write_text("\n".join(JOB) + "\n")
        self.start("cd /\n" + blocks("bash")["PBS: OpenPBS, PBS Pro and Torque"], PBS_JOBID="7.server",
                   PBS_O_WORKDIR=str(self.work), PBS_NODEFILE=str(self.work / "nodes"))
        self.assertEqual((self.work / "hostfile.7.server").read_text().split(), JOB)
        self.check(len(JOB))

    def test_batch_systems_with_a_host_that_the_file_lacks(self):
        """The job ends before it starts a rank."""
        with self.assertRaisesRegex(AssertionError, "x9.paris"):
            self.start(blocks("bash")["Slurm: sbatch"], SLURM_JOB_ID="7", SLURM_JOB_NODELIST="n0.ottawa,x9.paris",
                       SLURM_TASKS_PER_NODE="2(x2)")
        self.assertFalse((self.work / "ranks").exists())

    @with_mpich
    def test_kubernetes(self):
        job = yaml.safe_load(blocks("yaml")["Kubernetes: the MPI operator"])
        self.assertEqual((job["apiVersion"], job["kind"]), ("kubeflow.org/v2beta1", "MPIJob"))
        replicas = job["spec"]["mpiReplicaSpecs"]
        self.assertEqual(list(replicas), ["Launcher", "Worker"])
        labels = replicas["Worker"]["template"]["metadata"]["labels"]
        for constraint in replicas["Worker"]["template"]["spec"]["topologySpreadConstraints"]:
            self.assertEqual(constraint["labelSelector"]["matchLabels"], labels)
        for pod in replicas.values():
            spec = pod["template"]["spec"]
            volumes = [volume["name"] for volume in spec["volumes"]]
            mounts = {mount["name"]: mount["mountPath"] for mount in spec["containers"][0]["volumeMounts"]}
            self.assertEqual((volumes, mounts), (["shared"], {"shared": "/shared"}))
        container = replicas["Launcher"]["template"]["spec"]["containers"][0]
        self.assertEqual(container["command"], ["bash", "-euc"])
        (script,) = container["args"]

        # What the operator makes of it
        workers, slots = replicas["Worker"]["replicas"], job["spec"]["slotsPerWorker"]
        (self.work / "shared").mkdir()
        (self.work / "hostfile").write_text("".join(f"train-worker-{i}.train.default.svc:{slots}\n" for i in range(workers)))
        for path in ("/etc/mpi/hostfile", "/shared/"):
            self.assertIn(path, script)
        script = script.replace("/etc/mpi/hostfile", "hostfile").replace("/shared/", "shared/")
        done = self.start(script, HYDRA_HOST_FILE="hostfile")
        self.assertIn("predicted", done.stdout)
        self.check(workers * slots, "shared/hosts.txt")


if __name__ == "__main__":
    unittest.main()
