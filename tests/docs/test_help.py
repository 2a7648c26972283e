#!/usr/bin/env python3
"""Every script tells its usage with --help, and does nothing else: in a copy of the tree nothing changes, and no package manager,
compiler or launcher is called. Those for people refuse an option that they do not know. Usage: test_help.py SOURCE-FOLDER"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

TOP = sys.argv.pop()
FOLDERS = [".ci", "bench", "examples", "scripts", "tests"]
NEVER_CALLED = "apt-get dpkg-query sudo cmake ctest ninja make cc gcc clang mpiexec mpicc smpirun unshare ip git debootstrap mount".split()


def written(folder):
    """What tells whether something has been written."""
    return {os.path.join(at, name): (os.lstat(os.path.join(at, name)).st_mtime_ns, os.lstat(os.path.join(at, name)).st_size)
            for at, folders, files in os.walk(folder) for name in folders + files}


class Help(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory()
        cls.tree, cls.stubs = os.path.join(cls.work.name, "tree"), os.path.join(cls.work.name, "stubs")
        for folder in FOLDERS:
            shutil.copytree(os.path.join(TOP, folder), os.path.join(cls.tree, folder), ignore=shutil.ignore_patterns("__pycache__"))
        os.mkdir(cls.stubs)
        for name in NEVER_CALLED:
            with open(os.path.join(cls.stubs, name), "w", encoding="ascii") as out:
                out.write(f'#!/bin/sh\necho "$0 $*" >>"{cls.work.name}/called"\nexit 9\n')
            os.chmod(os.path.join(cls.stubs, name), 0o755)
        cls.scripts = sorted(os.path.relpath(os.path.join(at, name), cls.tree) for at, _, files in os.walk(cls.tree)
                             for name in files if os.access(os.path.join(at, name), os.X_OK))
        # without a network, where that is allowed
        cls.alone = ["unshare", "--map-root-user", "--net"]
        if subprocess.run([*cls.alone, "true"], capture_output=True, check=False).returncode != 0:
            cls.alone = []

    @classmethod
    def tearDownClass(cls):
        cls.work.cleanup()

    def run_all(self, scripts, *words):
        before = written(self.tree)
        stubs = "PATH=" + self.stubs + ":" + os.environ["PATH"]

        def run(script):
            return subprocess.run([*self.alone, "env", stubs, f"HOME={self.tree}", f"TMPDIR={self.tree}", "./" + script, *words],
                                  cwd=self.tree, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False,
                                  encoding="utf-8")
        with ThreadPoolExecutor(4) as pool:
            done = list(pool.map(run, scripts))
        after = written(self.tree)
        self.assertEqual({path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}, set())
        called = os.path.join(self.work.name, "called")
        if os.path.exists(called):
            with open(called, encoding="utf-8") as lines:
                calls = lines.read()
            os.remove(called)
            self.fail(calls)
        return zip(scripts, done)

    def test_help(self):
        self.assertIn("scripts/demo", self.scripts)
        self.assertGreater(len(self.scripts), 30)
        for script, done in self.run_all(self.scripts, "--help"):
            with self.subTest(script):
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn(os.path.basename(script), done.stdout)
                self.assertGreater(len(done.stdout.splitlines()), 2)

    def test_unknown_option(self):
        for_people = [s for s in self.scripts if not s.startswith("tests/") or s.startswith("tests/grid/")]
        self.assertGreater(len(for_people), 20)
        for script, done in self.run_all(for_people, "--no-such-option"):
            with self.subTest(script):
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertNotEqual(done.stderr, "")

    def test_reader_who_has_seen_enough(self):
        done = subprocess.run(["bash", "-c", "set -o pipefail; scripts/demo --help | head -1"], cwd=self.tree, capture_output=True,
                              check=False, encoding="utf-8")
        self.assertEqual((done.returncode, done.stderr, len(done.stdout.splitlines())), (0, "", 1))


if __name__ == "__main__":
    unittest.main()
