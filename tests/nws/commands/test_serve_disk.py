#!/usr/bin/env python3
"""gbcast-nws serve on disks that are full or read-only for a time. Usage: test_serve_disk.py GBCAST-NWS"""
import os
import signal
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from serve_case import *  # noqa: E402,F403


class Disk(Case):
    """A small disk in memory, which only the processes in its name space see."""

    def setUp(self):
        super().setUp()
        self.data = os.path.join(self.folder, "data")
        os.mkdir(self.data)
        self.holder = subprocess.Popen(
            ["unshare", "--map-root-user", "--mount", "sh", "-c",
             f"mount -t tmpfs -o size=64k tmpfs {self.data} && echo mounted && exec sleep infinity"], stdout=subprocess.PIPE)
        self.addCleanup(self.holder.wait)
        self.addCleanup(self.holder.kill)
        self.addCleanup(self.holder.stdout.close)
        self.assertEqual(self.holder.stdout.readline(), b"mounted\n")
        self.inside = ["nsenter", f"--target={self.holder.pid}", "--user", "--preserve-credentials", "--mount"]

    def remount(self, how):
        subprocess.run([*self.inside, "mount", "-o", "remount," + how, self.data], check=True)

    def test_full(self):
        """Stores, refuses, stores again, in three lives; what was acknowledged, and nothing else, is there after kill -9."""
        kept, wrote, reply = [], 0, STORED
        for life in range(3):
            with self.start(before=self.inside) as server, server.ask_memory() as memory:
                self.assertEqual(memory.records("s") or [], kept[::-1][:2000])

                def write():
                    nonlocal wrote, reply
                    wrote += 1
                    reply = memory.ask(store("s", 1795228000 + wrote, wrote))[0]
                    if reply == STORED:
                        kept.append(float(wrote))
                while reply == STORED:
                    write()
                for _ in range(3):
                    write()
                    self.assertEqual(reply, FAILED)
                self.assertEqual(memory.records("s"), kept[::-1][:2000])
                self.remount(f"size={64 * (life + 2)}k")
                while reply == FAILED:
                    write()
                server.end(signal.SIGKILL)
                self.assertEqual(server.said().count("refused until"), life + 1)
                self.assertEqual(server.said().count("storing again"), life + 1)
                self.assertNotIn("damaged", server.said())

    def test_read_only(self):
        with self.start(before=self.inside) as server, server.ask_memory() as memory:
            self.assertEqual(memory.ask(store("s", 1795228000, 1))[0], STORED)
            server.end(signal.SIGKILL)
        self.remount("ro")
        self.refused(1, "cannot write in this folder: Read-only file system", before=self.inside)
        self.remount("rw")
        with self.start(before=self.inside) as server, server.ask_memory() as memory:
            self.assertEqual(memory.records("s"), [1.0])


if __name__ == "__main__":
    unittest.main()
