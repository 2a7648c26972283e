#!/usr/bin/env python3
"""gbcast-cp under mpiexec: random trees arrive as they are, whatever the options; what --resume sends; faults on one host, which leave the others
alone; and what it says. Ranks work in folders of their own, so that one machine stands for several.

  test_cp.py MPIEXEC GBCAST-CP FAULTS.SO"""
import fcntl
import json
import os
import pty
import random
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import unittest.mock

MPIEXEC, CP, FAULTS = sys.argv[1:4]
BLOCK = 256 << 10
RANK = """#!/bin/sh
rank=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}
cd "$(dirname "$0")/$rank" || exit 99
if [ "$rank" = "$CP_RANK" ]; then
  export LD_PRELOAD="$CP_FAULTS" ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0
fi
exec "$@"
"""


def state(path):
    """{path below it: what it is}, with contents; files of equal number are one file with several names"""
    seen, numbers = {}, {}
    for folder, names, files in os.walk(path):
        names.sort()
        for name in sorted([*names, *files, "."]):
            full = os.path.normpath(os.path.join(folder, name))
            about = os.lstat(full)
            below = os.path.relpath(full, path)
            if stat.S_ISLNK(about.st_mode):
                seen[below] = ("link", os.readlink(full), about.st_mtime_ns)
            elif stat.S_ISDIR(about.st_mode):
                seen[below] = ("folder", about.st_mode, about.st_mtime_ns)
            else:
                with open(full, "rb") as file:
                    number = numbers.setdefault(about.st_ino, len(numbers)) if about.st_nlink > 1 else None
                    seen[below] = ("file", about.st_mode, about.st_mtime_ns, number, file.read())
    return seen


def make_tree(rng, path, depth=0):
    """A random folder: empty, small and large files, holes, links of both kinds, odd names, modes and times"""
    os.mkdir(path)
    files = []
    for i in range(rng.randint(0 if depth else 3, 8)):
        name = os.path.join(path, rng.choice(["f", "with space", "ünïcode", "-dash", "new\nline", "..."]) + str(i))
        kind = rng.random()
        if kind < 0.15 and depth < 3:
            make_tree(rng, name, depth + 1)
        elif kind < 0.25:
            os.symlink(rng.choice(["/etc/passwd", "nowhere", "../..", "f0"]), name)
        elif kind < 0.35 and files:
            os.link(rng.choice(files), name)
        else:
            size = rng.choice([0, 1, 1000, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5, 9 * BLOCK])
            with open(name, "wb") as file:
                if rng.random() < 0.2:
                    file.seek(rng.randint(0, 5 * BLOCK))
                file.write(rng.randbytes(size) if rng.random() < 0.5 else bytes(size))
                if rng.random() < 0.2:
                    file.truncate(file.tell() + rng.randint(0, 5 * BLOCK))
            os.chmod(name, rng.choice([0o600, 0o644, 0o755, 0o444, 0o1755]))
            files.append(name)
        os.utime(name, ns=(1, rng.randrange(2 ** 60)), follow_symlinks=False)
    os.chmod(path, rng.choice([0o700, 0o755, 0o1777]))
    os.utime(path, ns=(1, rng.randrange(2 ** 60)))


class Copies(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.work)
        self.script = os.path.join(self.work, "rank")
        with open(self.script, "w", encoding="utf-8") as file:
            file.write(RANK)
        os.chmod(self.script, 0o755)
        for rank in range(3):
            os.mkdir(self.path(rank))

    def path(self, rank, *below):
        return os.path.join(self.work, str(rank), *below)

    def write(self, rank, name, content):
        with open(self.path(rank, name), "wb") as file:
            file.write(content)

    def read(self, rank, name):
        with open(self.path(rank, name), "rb") as file:
            return file.read()

    def run_ranks(self, ranks, *arguments, fault="", at=None, before=()):
        environment = {**os.environ, "CP_FAULT": fault, "CP_FAULTS": FAULTS, "CP_RANK": "" if at is None else str(at)}
        return subprocess.run([*before, MPIEXEC, "-n", str(ranks), self.script, CP, *arguments], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, timeout=100, stdin=subprocess.DEVNULL)

    def copies(self, *arguments, ranks=3, status=0, **more):
        """Runs it with --json, and returns what it prints"""
        done = self.run_ranks(ranks, "--json", *arguments, **more)
        self.assertEqual(done.returncode, status, done.stderr)
        if status == 0:
            self.assertEqual(done.stderr, "")
        said = json.loads(done.stdout[:done.stdout.rindex("}") + 1])  # mpiexec may add a line
        said["stderr"] = done.stderr
        return said

    def has_nothing_but(self, rank, *names):
        self.assertEqual(sorted(os.listdir(self.path(rank))), sorted(names))

    def test_random_trees(self):
        for seed, options in enumerate([[], ["-z"], ["--verify"], ["--memory=4M", "-z", "--verify"], ["--resume"]]):
            with self.subTest(seed=seed, options=options):
                make_tree(random.Random(seed), self.path(0, f"from{seed}"))
                want = state(self.path(0, f"from{seed}"))
                self.copies(*options, f"from{seed}", f"to{seed}")
                for rank in range(3):
                    self.assertEqual(state(self.path(rank, f"to{seed}")), want)
        for rank in (1, 2):
            self.has_nothing_but(rank, *(f"to{seed}" for seed in range(5)))

    def test_files(self):
        rng = random.Random(7)
        for size in (0, 1, BLOCK, 40 * BLOCK + 3):
            content = rng.randbytes(size)
            self.write(0, "a", content)
            said = self.copies("a", "deep/er/b", "--memory=4M")
            self.assertEqual((said["files"], said["bytes"], said["bytes_sent"]), (1, size, size))
            self.assertEqual([self.read(rank, "deep/er/b") for rank in range(3)], [content] * 3)
        self.copies("a", "folder/")
        self.assertEqual(self.read(2, "folder/a"), content)

    def test_source_is_destination(self):
        self.write(0, "a", b"new")
        self.write(1, "a", b"old")
        said = self.copies("a", "a")
        self.assertEqual([host["state"] for host in said["hosts"]], ["same", "written", "written"])
        self.assertEqual([self.read(rank, "a") for rank in range(3)], [b"new"] * 3)

    def test_ranks_that_would_write_the_same(self):
        self.write(0, "a", b"x")
        said = self.copies(self.path(0, "a"), self.path(1, "b"))
        self.assertEqual([host["state"] for host in said["hosts"]], ["written", "same", "same"])

    def test_holes(self):
        with open(self.path(0, "a"), "wb") as file:
            file.write(b"x")
            file.seek(200 << 20)
            file.write(b"y")
        said = self.copies("a", "b")
        self.assertLessEqual(said["bytes_sent"], 2 * BLOCK)
        about = os.stat(self.path(2, "b"))
        self.assertEqual(about.st_size, (200 << 20) + 1)
        self.assertLess(about.st_blocks * 512, 4 * BLOCK)
        self.write(1, "b", b"z" * (3 * BLOCK))  # what was there is no reason for data in a hole
        self.copies("--resume", "a", "b")
        self.assertEqual(self.read(1, "b"), self.read(0, "a"))

    def test_compress(self):
        self.write(0, "a", b"all the same " * 1000000)
        said = self.copies("-z", "a", "b")
        self.assertLess(said["bytes_sent_packed"], said["bytes_sent"] / 4)
        self.assertEqual(self.read(2, "b"), self.read(0, "a"))
        self.write(0, "a", random.Random(1).randbytes(10 << 20))
        said = self.copies("-z", "a", "b")
        self.assertLess(said["bytes_sent_packed"], said["bytes_sent"] * 1.001)
        self.assertEqual(self.read(2, "b"), self.read(0, "a"))

    def test_follow(self):
        os.mkdir(self.path(0, "a"))
        self.write(0, "b", b"content")
        os.symlink("../b", self.path(0, "a", "link"))
        self.copies("-L", "a", "c")
        self.assertEqual(self.read(1, "c/link"), b"content")
        self.assertFalse(os.path.islink(self.path(1, "c/link")))

    def test_new_version(self):
        content = bytearray(random.Random(2).randbytes(20 * BLOCK))
        self.write(0, "a", content)
        self.copies("a", "b")
        content[7 * BLOCK + 5] ^= 1
        self.write(0, "a", content)
        said = self.copies("--resume", "a", "b")
        self.assertEqual(said["bytes_sent"], BLOCK)
        self.write(2, "b", self.read(2, "b")[:5 * BLOCK])  # one host has less
        said = self.copies("--resume", "a", "b")
        self.assertEqual(said["bytes_sent"], 15 * BLOCK)
        self.assertEqual([self.read(rank, "b") for rank in range(3)], [bytes(content)] * 3)

    def test_killed(self):
        os.mkdir(self.path(0, "a"))
        os.mkdir(self.path(0, "a", "sub"))
        content = random.Random(3).randbytes(20 * BLOCK)
        for name in ("a/sub/x", "a/y"):
            self.write(0, name, content)
        done = self.run_ranks(2, "a", "b", fault="kill:31", at=1)
        self.assertNotEqual(done.returncode, 0)
        for rank in range(2):
            self.assertFalse(os.path.exists(self.path(rank, "b")))
        done = self.run_ranks(2, "--resume", "a", "b", fault="kill:5", at=1)
        self.assertNotEqual(done.returncode, 0)
        said = self.copies("--resume", "a", "b", ranks=2)  # from what both have left: 30 blocks, and 4
        self.assertEqual(said["bytes_sent"], 6 * BLOCK)
        for rank in range(2):
            self.assertEqual(state(self.path(rank, "b")), state(self.path(0, "a")))
        self.has_nothing_but(1, "b")
        self.run_ranks(2, "a", "b", "--replace", fault="kill:3", at=1)
        self.copies("a", "b", "--replace", ranks=2)  # without --resume, parts are removed
        self.has_nothing_but(1, "b")

    def test_resume_from_folders_that_may_not_be_written(self):
        """Folders of a part may already have their final mode. Root ignores modes, so this drops the capability to do that."""
        plain = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]
        os.mkdir(self.path(0, "a"))
        os.mkdir(self.path(0, "a", "sub"))
        self.write(0, "a/sub/x", random.Random(4).randbytes(8 * BLOCK))
        self.run_ranks(2, "a", "b", fault="kill:5", at=1, before=plain)
        part, = os.listdir(self.path(1))
        os.chmod(self.path(1, part, "sub"), 0o555)
        said = self.copies("--resume", "a", "b", ranks=2, before=plain)
        self.assertEqual(said["bytes_sent"], 4 * BLOCK)
        self.assertEqual(state(self.path(1, "b")), state(self.path(0, "a")))
        self.has_nothing_but(1, "b")

    def test_resume_after_links(self):
        """Two names of one file become two files: the part that is left has one file for both."""
        os.mkdir(self.path(0, "a"))
        one, other = random.Random(8).randbytes(3 * BLOCK), random.Random(9).randbytes(3 * BLOCK)
        self.write(0, "a/x", one)
        os.link(self.path(0, "a/x"), self.path(0, "a/y"))
        self.write(0, "a/z", one)
        self.run_ranks(2, "a", "b", fault="kill:5", at=1)
        os.remove(self.path(0, "a/y"))
        self.write(0, "a/y", other)
        self.copies("--resume", "a", "b", ranks=2)
        self.assertEqual(state(self.path(1, "b")), state(self.path(0, "a")))

    def test_resume_of_one_file(self):
        content = random.Random(6).randbytes(8 * BLOCK)
        self.write(0, "a", content)
        self.run_ranks(2, "a", "b", fault="kill:5", at=1)
        said = self.copies("--resume", "a", "b", ranks=2)
        self.assertEqual(said["bytes_sent"], 4 * BLOCK)
        self.assertEqual(self.read(1, "b"), content)
        self.has_nothing_but(1, "b")

    def test_prediction_and_cost(self):
        hosts = os.path.join(self.work, "hosts")
        with open(hosts, "w", encoding="utf-8") as file:
            file.write(f"cluster a latency=50us bandwidth=1Gbit/s hire=3600USD/h\n{socket.gethostname()}:3\n")
        self.write(0, "a", bytes(4 * BLOCK))
        for objective in ("time", "cost"):
            with unittest.mock.patch.dict(os.environ, GBCAST_HOSTS=hosts, GBCAST_OBJECTIVE=objective):
                said = self.copies("a", objective)
            self.assertGreater(said["predicted_seconds"], 0)
            self.assertAlmostEqual(said["cost_usd"], said["predicted_seconds"])  # one host, 1 USD a second
        with open(hosts, "w", encoding="utf-8") as file:
            file.write("cluster a latency=50us bandwidth=1Gbit/s hire=3600USD/h\nx[0-2]\n")
        with unittest.mock.patch.dict(os.environ, GBCAST_HOSTS=hosts, GBCAST_MAP="order"):
            said = self.copies("a", "order")
        self.assertAlmostEqual(said["cost_usd"], 3 * said["predicted_seconds"])
        said = self.copies("a", "c")
        self.assertIsNone(said["cost_usd"])
        self.assertIsNone(said["predicted_seconds"])

    def test_names_that_are_not_utf8(self):
        with open(os.fsencode(self.path(0)) + b"/\xff", "wb") as file:
            file.write(b"x")
        said = self.copies(b"\xff", b"\xfe")
        self.assertEqual(said["source"], "\\xff")

    def test_ctrl_c(self):
        """Typed on the terminal of mpiexec, in the middle of a copy"""
        self.write(0, "a", random.Random(10).randbytes(8 * BLOCK))
        for rank in (1, 2):
            self.write(rank, "b", b"old")
        terminal, mine = pty.openpty()
        environment = {**os.environ, "CP_FAULT": "wait:5", "CP_FAULTS": FAULTS, "CP_RANK": "1"}
        with subprocess.Popen([MPIEXEC, "-n", "3", self.script, CP, "a", "b"], env=environment, stdin=mine, stdout=mine, stderr=mine,
                              start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)) as job:
            os.close(mine)
            while not os.path.exists(self.path(1, "waiting")):
                self.assertIsNone(job.poll())
                time.sleep(0.01)
            os.write(terminal, b"\x03")
            try:
                while os.read(terminal, 4096):
                    pass
            except OSError:  # the last who had the terminal open has ended
                pass
            self.assertNotEqual(job.wait(timeout=60), 0)
        os.close(terminal)
        os.remove(self.path(1, "waiting"))
        for rank in (1, 2):
            self.assertEqual(self.read(rank, "b"), b"old")
        self.copies("--resume", "a", "b")
        for rank in (1, 2):
            self.assertEqual(self.read(rank, "b"), self.read(0, "a"))
            self.has_nothing_but(rank, "b")

    def test_damaged_once(self):
        self.write(0, "a", random.Random(4).randbytes(8 * BLOCK))
        said = self.copies("a", "b", fault="damage:1", at=1)
        self.assertEqual(said["bytes_sent"], 16 * BLOCK)  # it was the first of a message; all behind it cannot be found
        self.assertEqual(self.read(1, "b"), self.read(0, "a"))

    def test_damaged_always(self):
        self.write(0, "a", random.Random(4).randbytes(3 * BLOCK))
        said = self.copies("a", "b", fault="damage:1000", at=1, status=1)
        self.assertEqual([host["state"] for host in said["hosts"]], ["written", "failed", "written"])
        self.assertIn("damaged 3 times", said["hosts"][1]["error"])
        self.assertEqual(self.read(2, "b"), self.read(0, "a"))
        self.has_nothing_but(1)

    def test_source_changes(self):
        self.write(0, "a", bytes(3 * BLOCK))
        said = self.copies("a", "b", fault="touch", at=0, status=1)
        self.assertIn("'a' changes while it is copied", said["error"])
        for rank in (1, 2):
            self.has_nothing_but(rank)

    def test_disk_full_and_read_only(self):
        self.write(0, "a", random.Random(5).randbytes(3 << 20))
        for mount, why in (("size=1m", "No space left on device"), ("ro", "Read-only file system")):
            inside = f"mount -t tmpfs -o {mount} tmpfs {self.path(1)} && \"$@\"; status=$?; ls -A {self.path(1)} >&2; exit $status"
            said = self.copies("a", "b", status=1, before=["unshare", "--map-root-user", "--mount", "sh", "-c", inside, "sh"])
            self.assertEqual([host["state"] for host in said["hosts"]], ["written", "failed", "written"])
            self.assertIn(why, said["hosts"][1]["error"])
            self.assertEqual(len(said["stderr"].splitlines()), 2, said["stderr"])  # the table, and no file left
            self.assertEqual(self.read(2, "b"), self.read(0, "a"))

    def test_what_is_there(self):
        os.mkdir(self.path(0, "a"))
        self.write(0, "a/x", b"new")
        os.mkdir(self.path(1, "b"))
        os.mkdir(self.path(1, "outside"))
        self.write(1, "outside/x", b"not mine")
        self.write(2, "b", b"a file")
        said = self.copies("a", "b", status=1)
        self.assertIn("--replace", said["hosts"][1]["error"])
        self.assertIn("is no folder", said["hosts"][2]["error"])
        self.assertEqual(self.read(0, "b/x"), b"new")
        self.write(1, "b/rest", b"")
        os.remove(self.path(2, "b"))
        os.mkdir(self.path(0, "a", "sub"))
        self.write(0, "a/sub/x", b"mine")
        os.symlink("../outside", self.path(1, "b", "sub"))
        self.copies("--replace", "--resume", "a", "b")
        self.assertEqual(state(self.path(1, "b")), state(self.path(0, "a")))
        self.assertEqual(self.read(1, "outside/x"), b"not mine")
        self.write(0, "f", b"")
        said = self.copies("f", "b", status=1)
        self.assertIn("is a folder; give 'b/'", said["hosts"][2]["error"])

    def test_refusals(self):
        os.makedirs(self.path(0, "a", "b"))
        for status, text, *arguments in ((2, "expected SOURCE and DESTINATION", "a"), (2, "one file or folder", "a", "b", "c"),
                                         (2, "expected 4M at least", "--memory=1k", "a", "b"), (1, "No such file", "none", "b"),
                                         (1, "is inside of 'a'", "a", "a/b/c"), (1, "is inside of 'a'", "a", "a/"),
                                         (1, "contains 'a/b'", "--replace", "a/b", "a"), (1, "is neither a file nor a folder", "/dev/null", "b"),
                                         (1, "contains 'a'", "--replace", "a", ".."), (1, "does not name a copy", "a", "none/..")):
            done = self.run_ranks(2, *arguments)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(text, done.stderr)
            self.has_nothing_but(1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
