#!/usr/bin/env python3
"""What clients of gbcast-nws serve hear. Usage: test_serve_talk.py GBCAST-NWS"""
import random
import signal
import socket
import struct
import sys
import threading
import unittest

sys.dont_write_bytecode = True
from serve_case import *  # noqa: E402,F403

OBJECT = vector("04_ns_searched_rep")[12:-1].decode()


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

    def test_own_addresses_get_in(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outside:
            try:
                outside.connect(("192.0.2.1", 9))  # sends nothing
            except OSError:
                self.skipTest("this machine is in no network")
            own = outside.getsockname()[0]
        with self.start("--listen=0.0.0.0") as server:
            for there in "127.0.0.1", own:
                with socket.create_connection((there, server.name_server), PATIENCE, (own, 0)) as client:
                    client.sendall(search("objectclass=none"))
                    self.assertEqual(len(client.recv(12)), 12)
            self.assertEqual(server.said(), "")

    def test_listens_at_no_group(self):
        for address, kind in ("224.0.0.5", "multicast"), ("255.255.255.255", "broadcast"), ("127.255.255.255", "broadcast"):
            with self.assertRaises(AssertionError) as failed:
                self.start(f"--listen={address}")
            self.assertIn(f"--listen={address} is a {kind} address", str(failed.exception))

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

    def test_late_readers_that_shut(self):
        """Clients that end their side at once and read late; for some, a little more comes than sockets hold."""
        with self.start() as server, server.ask_memory() as other:
            batch = [b"%11.0f %20.5f" % (1795228000, i) for i in range(2000)]
            self.assertEqual(other.ask(state(STORE, "s", batch, sequence=1795228000.0))[0], STORED)
            clients = {count: server.ask_memory() for count in range(20, 90, 3)}
            for count, client in clients.items():
                client.say(fetch("s") * count)
                client.socket.shutdown(socket.SHUT_WR)
            for _ in range(500):
                self.assertEqual(other.ask(message(TEST))[0], TEST_RESULT)
            for count, client in clients.items():
                for _ in range(count):
                    self.assertEqual(len(client.hear()[1]), 152 + 2000 * 32)
                self.assertTrue(client.is_closed())
                client.socket.close()

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

    def test_everything_for_everybody(self):
        """40 clients ask for 4 MB each before any reads: more than is kept for answers at a time."""
        with self.start() as server, server.ask_name_server() as ns:
            for i in range(1000):
                self.assertEqual(ns.ask(register(f"name:{i:04}" + "x" * 4000 + "\t\t"))[0], REGISTERED)
            clients = [server.ask_name_server() for _ in range(40)]
            for client in clients:
                client.say(search("(name=*x)"))
                client.socket.shutdown(socket.SHUT_WR)
            for client in clients:
                number, found = client.hear()
                self.assertEqual((number, found.count(b"\t\t")), (SEARCHED, 1000))
                self.assertTrue(client.is_closed())
                client.socket.close()

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


if __name__ == "__main__":
    unittest.main()
