#!/usr/bin/env python3
"""What gbcast-nws serve keeps, and when it does not start. Usage: test_serve_keep.py GBCAST-NWS"""
import os
import random
import resource
import select
import shutil
import signal
import struct
import sys
import threading
import unittest

sys.dont_write_bytecode = True
from serve_case import *  # noqa: E402,F403


class Keep(Case):
    def test_kill(self):
        """Whatever was acknowledged is there after kill -9, in each of several lives of one folder."""
        chance = random.Random(9)
        kept = [0] * 8
        for _ in range(30):
            with self.start() as server:
                with server.ask_memory() as memory:
                    for i, count in enumerate(kept):
                        values = memory.records(f"s{i}") or []
                        self.assertEqual(values, [float(v) for v in range(len(values) - 1, -1, -1)])
                        self.assertIn(len(values), (count, count + 1))  # the last may not have been acknowledged
                        kept[i] = len(values)

                def write(i):
                    try:
                        with server.ask_memory() as memory:
                            while memory.ask(store(f"s{i}", 1795228000 + kept[i], kept[i]))[0] == STORED:
                                kept[i] += 1
                    except (EOFError, OSError):
                        pass
                writers = [threading.Thread(target=write, args=(i,)) for i in range(8)]
                enough = sum(kept) + chance.randrange(50, 400)
                for writer in writers:
                    writer.start()
                while sum(kept) < enough:
                    select.select([], [], [], 0.001)
                server.end(signal.SIGKILL)
                for writer in writers:
                    writer.join()
                self.assertNotIn("damaged", server.said())

    def test_restart(self):
        for how in signal.SIGTERM, signal.SIGINT:
            with self.start() as server, server.ask_name_server() as ns, server.ask_memory() as memory:
                for i in range(3):
                    self.assertEqual(ns.ask(register(f"name:x\tnumber:{how}{i}\t\t"))[0], REGISTERED)
                    self.assertEqual(memory.ask(store(f"s{how}", 1795228000 + i, i))[0], STORED)
                found = ns.ask(search("name=x"))
                self.assertEqual(server.end(how), 0)
            with self.start() as server, server.ask_name_server() as ns, server.ask_memory() as memory:
                self.assertEqual(ns.ask(search("name=x")), found)
                self.assertEqual(memory.records(f"s{how}"), [2.0, 1.0, 0.0])
                self.assertEqual(memory.ask(message(CLEAN, struct.pack(">I", 1000)))[0], CLEANED)
                self.assertEqual(memory.records(f"s{how}", wanted=1), [2.0])
        with self.start() as server, server.ask_name_server() as ns, server.ask_memory() as memory:
            self.assertEqual(ns.ask(message(UNREGISTER, b"name=x\0"))[0], UNREGISTERED)
            self.assertEqual(memory.ask(message(CLEAN, struct.pack(">I", 0)))[0], CLEANED)
        with self.start() as server, server.ask_name_server() as ns, server.ask_memory() as memory:
            self.assertEqual(ns.ask(search("name=x"))[1], b"\0")
            self.assertIsNone(memory.records(f"s{signal.SIGINT}"))

    def test_full_disk(self):
        """Files that may not grow stand for a full disk: refused, still there for others, and on again."""
        with self.start() as server, server.ask_name_server() as ns, server.ask_memory() as memory:
            self.assertEqual(memory.ask(store("s", 1795228000, 1))[0], STORED)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (600, resource.RLIM_INFINITY))
            replies = [memory.ask(store("s", 1795228000 + i, i))[0] for i in range(2, 9)]
            kept = replies.count(STORED)
            self.assertEqual(replies, [STORED] * kept + [FAILED] * (7 - kept))
            self.assertLess(kept, 7)
            self.assertEqual(ns.ask(register("name:" + "x" * 500 + "\t\t"))[0], NS_FAILED)
            self.assertEqual(len(memory.records("s")), 1 + kept)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            self.assertEqual(memory.ask(store("s", 1795229000, 99))[0], STORED)
            server.end(signal.SIGKILL)
            self.assertEqual(server.said().count("refused until"), 1)
        with self.start() as server, server.ask_memory() as memory:
            self.assertEqual(memory.records("s"), [99.0] + [float(v) for v in range(1 + kept, 0, -1)])
            self.assertNotIn("damaged", server.said())

    def test_removed(self):
        """The folder or the log is removed: refused once, then all is written again, and there after kill -9."""
        folder = os.path.join(self.folder, "data")
        for remove in (shutil.rmtree, lambda path: os.rename(path, path + ".moved"),
                       lambda path: [os.remove(os.path.join(path, name)) for name in os.listdir(path)]):
            with self.start() as server, server.ask_name_server() as ns, server.ask_memory() as memory:
                self.assertEqual(ns.ask(register("name:x\t\t"))[0], REGISTERED)
                values = memory.records("s") or []
                self.assertEqual(memory.ask(store("s", 1795228000, 1))[0], STORED)
                remove(folder)
                replies = [memory.ask(store("s", 1795228000, value))[0] for value in (2, 3)]
                self.assertIn(replies[0], (STORED, FAILED))  # a turn without changes may have noticed
                self.assertEqual(replies[1], STORED)
                values = [3.0] + [2.0] * (replies[0] == STORED) + [1.0] + values
                self.assertEqual(memory.records("s"), values)
                server.end(signal.SIGKILL)
                self.assertLess(server.said().count("refused until"), 2)
            with self.start() as server, server.ask_name_server() as ns, server.ask_memory() as memory:
                self.assertEqual(memory.records("s"), values)
                self.assertIn(b"name:x", ns.ask(search("name=x"))[1])
            os.truncate(os.path.join(self.folder, "stderr"), 0)

    def test_log_does_not_grow(self):
        """Much more is stored than is kept: the log is copied while it is written, and killed meanwhile."""
        folder = os.path.join(self.folder, "data")
        batch = [b"%11.0f %20.5f" % (1795228000, i) for i in range(8000)]
        for life in range(4):
            with self.start() as server, server.ask_memory() as memory:
                for i in range(100):
                    self.assertEqual(memory.ask(state(STORE, f"s{i % 3}", batch, sequence=1795228000.0 + i))[0], STORED)
                self.assertEqual(memory.records("s1")[:3], [7999.0, 7998.0, 7997.0])
                sizes = [os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)]
                self.assertLess(sum(sizes), 12 << 20)
                server.end(signal.SIGKILL if life < 3 else signal.SIGTERM)
        with self.start() as server, server.ask_memory() as memory:
            self.assertEqual([len(memory.records(f"s{i}")) for i in range(3)], [2000] * 3)
            self.assertEqual(server.said(), "")


class Refuse(Case):
    def test_usage(self):
        for wrong in "--allow=10.0.0.1/8", "--allow=ottawa", "--ns-port=70000", "--memory-port=-1", "--ns-port=", "--x":
            self.refused(2, "gbcast-nws serve: ", wrong)

    def test_any_port(self):
        with self.start("--ns-port=00", "--memory-port=000") as server:
            self.assertGreater(min(server.name_server, server.memory), 0)

    def test_cannot(self):
        self.refused(1, "192.0.2.1 is no address of this machine", "--listen=192.0.2.1")
        self.refused(1, "--listen=nobody.invalid: no IPv4 address", "--listen=nobody.invalid")
        self.refused(1, "/none/data: cannot make this folder", f"--dir={self.folder}/none/data")
        with self.start() as server:
            self.refused(1, "in use by another server (process %d)" % server.process.pid)
            self.refused(1, "choose another port with --ns-port", f"--ns-port={server.name_server}")
            self.refused(1, "choose another port with --memory-port", f"--memory-port={server.memory}")

    def test_damaged_log(self):
        with self.start() as server, server.ask_memory() as memory:
            for i in range(5):
                memory.ask(store(f"s{i}", 1795228000, i))
        path = os.path.join(self.folder, "data", "00000001.log")
        middle = os.path.getsize(path) // 2
        with open(path, "r+b") as file:
            file.seek(middle)
            byte = file.read(1)[0]
            file.seek(middle)
            file.write(bytes([byte ^ 255]))  # in the time of arrival, which may have any byte
        with self.start() as server, server.ask_memory() as memory:
            self.assertIn("00000001.log", server.said())
            found = [memory.records(f"s{i}") for i in range(5)]
            self.assertEqual(found, [[0.0], [1.0], None, [3.0], [4.0]])
        self.assertIn("00000001.damaged", os.listdir(os.path.dirname(path)))


if __name__ == "__main__":
    unittest.main()
