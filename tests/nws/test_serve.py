#!/usr/bin/env python3
"""gbcast-nws serve as a client sees it. Usage: test_serve.py GBCAST-NWS"""
import os
import random
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

sys.dont_write_bytecode = True
from serving import *  # noqa: E402,F403

PROGRAM = sys.argv.pop()
OBJECT = vector("04_ns_searched_rep")[12:-1].decode()


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gbcast-nws."))

    def start(self, *options, **limits):
        return Server(PROGRAM, self.folder, *options, **limits)

    def refused(self, status, text, *options):
        done = subprocess.run([PROGRAM, "serve", "--ns-port=0", "--memory-port=0", "--dir=" + self.folder + "/data",
                               *options], capture_output=True, timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stdout), (status, b""))
        self.assertIn(text, done.stderr.decode())


class Talk(Case):
    def test_captured(self):
        with self.start() as server, server.ask_name_server() as ns, server.ask_memory() as memory:
            def exchange(client, request, reply):
                client.say(request)
                self.assertEqual(client.exactly(len(vector(reply))), vector(reply), reply)
            exchange(ns, vector("03_ns_search_req"), "04b_ns_searched_empty_rep")
            exchange(ns, vector("01_ns_register_req"), "02_ns_registered_rep")
            exchange(ns, vector("11_ns_register_sensor_req"), "02_ns_registered_rep")
            exchange(ns, register(OBJECT), "02_ns_registered_rep")
            exchange(ns, vector("03_ns_search_req"), "04_ns_searched_rep")
            exchange(memory, vector("05_store_req_sensor"), "06_state_stored_rep")
            exchange(memory, vector("12_store_req_bw_sensor"), "06_state_stored_rep")
            exchange(memory, vector("18_autofetch_begin_req"), "19_autofetch_ack_rep")
            exchange(memory, vector("07_fetch_req"), "09_memory_failed_rep")
            for time, value in (1795228110, 1), (1795228120, 15), (1795228130, 15.25), (1795228140, 15.5):
                self.assertEqual(memory.ask(store("a.example.org:8060.latencyTcp.b.example.org:8060", time, value))[0], STORED)
                self.assertEqual(memory.hear()[0], FETCHED)  # it has subscribed
            request = bytearray(vector("07_fetch_req"))
            request[147] = 3
            exchange(memory, bytes(request), "08a_state_fetched_newest_first_rep")

    def test_who(self):
        with self.start() as server, server.ask_name_server() as ns, server.ask_memory() as memory:
            names = [b"127.0.0.1:%d" % port for port in (server.memory, server.name_server)]
            for client, name, kind in (memory, names[0], 1), (ns, names[1], 2):
                self.assertEqual(client.ask(vector("10_host_test_req")),
                                 (TEST_RESULT, struct.pack(">70sI70sI", name, kind, names[1], 1)))
                self.assertEqual(client.ask(message(DIE)), (REFUSED, b""))
            number, found = ns.ask(search("(&(hostType=memory)(objectclass=nwsHost))"))
            self.assertEqual(number, SEARCHED)
            self.assertIn(b"ipAddress:127.0.0.1\t", found)
            self.assertIn(b"port:%d\t" % server.memory, found)
            self.assertEqual(server.end(), 0)

    def test_single_bytes(self):
        with self.start() as server, server.ask_memory() as memory:
            for byte in vector("05_store_req_sensor") + vector("10_host_test_req"):
                memory.say(bytes([byte]))
            self.assertEqual([memory.hear()[0], memory.hear()[0]], [STORED, TEST_RESULT])

    def test_pipelined_then_shut(self):
        """Ten thousand requests at once; the client ends its side before it reads a single answer."""
        with self.start() as server, server.ask_memory() as memory:
            requests = b"".join(store(f"s{i % 7}", 1795228000 + i, i) + fetch(f"s{i % 7}", 1) for i in range(5000))
            sender = threading.Thread(target=lambda: (memory.say(requests), memory.socket.shutdown(socket.SHUT_WR)))
            sender.start()
            for i in range(5000):
                self.assertEqual(memory.hear()[0], STORED)
                number, body = memory.hear()
                self.assertEqual((number, float(body[152:].split()[1])), (FETCHED, i))
            sender.join()
            self.assertTrue(memory.is_closed())

    def test_large_answer_then_shut(self):
        """More than sockets hold, for a client that ends its side at once and reads late."""
        with self.start() as server, server.ask_name_server() as ns, server.ask_name_server() as other:
            for i in range(3000):
                self.assertEqual(ns.ask(register(f"name:{i:04}" + "x" * 3900 + "\t\t"))[0], REGISTERED)
            ns.say(search("(name=*)"))
            ns.socket.shutdown(socket.SHUT_WR)
            for _ in range(50):
                self.assertEqual(other.ask(message(TEST))[0], TEST_RESULT)
            self.assertGreater(len(ns.hear()[1]), 3000 * 3900)
            self.assertTrue(ns.is_closed())

    def test_garbage_and_closes(self):
        chance = random.Random(4)
        good = [vector("05_store_req_sensor"), vector("07_fetch_req"), vector("01_ns_register_req"),
                vector("03_ns_search_req"), vector("18_autofetch_begin_req"), vector("10_host_test_req")]
        with self.start() as server:
            for i in range(1500):
                with Client(chance.choice((server.memory, server.name_server))) as client:
                    data = bytearray(b"".join(chance.choices(good, k=3)))
                    for _ in range(chance.randrange(4)):
                        data[chance.randrange(len(data))] = chance.randrange(256)
                    client.say(data[:chance.randrange(len(data) + 1)])
                    if i % 5 == 0:  # leaves with a reset
                        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            for wrong in message(9999), message(STORED), message(FETCH, b"short"), struct.pack(">III", 0, SEARCH, 1 << 31):
                with server.ask_memory() as memory:
                    memory.say(wrong)
                    self.assertTrue(memory.is_closed())
            with server.ask_memory() as memory:
                self.assertEqual(memory.ask(message(TEST))[0], TEST_RESULT)
            self.assertEqual(server.end(), 0)
            self.assertEqual(server.said(), "")

    def test_crowd(self):
        """500 clients at once, and half a request from each of 100 more that never end it."""
        with self.start() as server:
            clients = [Client(server.memory if i % 2 else server.name_server) for i in range(600)]
            for client in clients[500:]:
                client.say(message(TEST)[:7])
            for turn in range(3):
                for i, client in enumerate(clients[:500]):
                    client.say(store(f"s{i}", 1795228000 + turn, i) if i % 2 else register(f"name:{i}\t\t"))
                for i, client in enumerate(clients[:500]):
                    self.assertEqual(client.hear()[0], STORED if i % 2 else REGISTERED)
            self.assertEqual(clients[0].ask(search("(name=*)"))[1].count(b"\t\t"), 251)  # and the memory's own
            for client in clients:
                client.socket.close()
            self.assertEqual(server.end(signal.SIGINT), 0)

    def test_more_than_may_be(self):
        """When no more files may be open, whoever was silent for longest makes room."""
        with self.start(files=(100, 100)) as server:
            clients = [Client(server.memory) for _ in range(60)]
            for client in clients[30:]:
                client.say(message(TEST))
                self.assertEqual(client.hear()[0], TEST_RESULT)
            with server.ask_memory() as late:
                self.assertEqual(late.ask(message(TEST))[0], TEST_RESULT)
            self.assertEqual(clients[59].ask(message(TEST))[0], TEST_RESULT)
            self.assertTrue(clients[0].is_closed())
            self.assertIn("ulimit -n", server.said())
            for client in clients:
                client.socket.close()

    def test_autofetch(self):
        with self.start() as server, server.ask_memory() as writer:
            readers = [server.ask_memory() for _ in range(50)]
            for reader in readers:
                self.assertEqual(reader.ask(message(AUTOFETCH, b"series\tother\0"))[0], AUTOFETCH_ACK)
            for i in range(20):
                self.assertEqual(writer.ask(store("serie", 1795228000 + i, 1))[0], STORED)
                self.assertEqual(writer.ask(store("series", 1795228000 + i, i))[0], STORED)
            for reader in readers:
                for i in range(20):
                    self.assertEqual(reader.hear(), (FETCHED, store("series", 1795228000 + i, i)[12:]))
                reader.socket.close()

    def test_slow_subscriber(self):
        """One that takes nothing is dropped; the writer and the other subscriber do not notice."""
        with self.start() as server, server.ask_memory() as writer, server.ask_memory() as reader, \
                server.ask_memory() as slow:
            for client in reader, slow:
                self.assertEqual(client.ask(message(AUTOFETCH, b"s\0"))[0], AUTOFETCH_ACK)
            batch = [b"%11.0f %20.5f" % (1795228000, i) for i in range(8000)]
            for i in range(60):
                self.assertEqual(writer.ask(state(STORE, "s", batch, sequence=1795228000.0 + i))[0], STORED)
                self.assertEqual(len(reader.hear()[1]), 152 + 8000 * 32)
            with self.assertRaises((EOFError, ConnectionResetError)):
                for i in range(60):
                    slow.hear()


class Keep(Case):
    def test_kill(self):
        """Whatever was acknowledged is there after kill -9, in each of several lives of one folder."""
        chance = random.Random(9)
        kept = [0] * 8
        for _ in range(8):
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
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            file.write(b"?")
        with self.start() as server, server.ask_memory() as memory:
            self.assertIn("00000001.log", server.said())
            found = [memory.records(f"s{i}") for i in range(5)]
            self.assertEqual(found, [[0.0], [1.0], None, [3.0], [4.0]])
        self.assertIn("00000001.damaged", os.listdir(os.path.dirname(path)))


if __name__ == "__main__":
    unittest.main()
