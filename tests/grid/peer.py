"""What test_grid.py and bench/grid/emulated run on hosts of a grid. Tests look at the counts alone.

peer.py answer               sends back what comes
peer.py ask HOST COUNT       asks until COUNT answers came, or as many questions had none; prints the answers, and the least
                             round trip in ms
peer.py sink PORT            takes one connection; prints the bytes, and the seconds from its beginning to its end
peer.py pour HOST PORT SIZE  sends so many bytes"""
import itertools
import socket
import sys
import time

PORT = 5000


def answer():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("", PORT))
        print("ready", flush=True)
        while True:
            s.sendto(*s.recvfrom(100))


def ask(host, count):
    took = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.settimeout(1)
        missed = 0
        for i in itertools.count():
            if len(took) == int(count) or missed == int(count):
                break
            start = time.monotonic()
            s.sendto(str(i).encode(), (host, PORT))
            try:
                while s.recv(100) != str(i).encode():
                    pass  # one that was late
                took.append(time.monotonic() - start)
            except TimeoutError:
                missed += 1
    print(len(took), f"{1000 * min(took, default=0):.3f}")


def sink(port):
    with socket.create_server(("", int(port))) as s:
        print("ready", flush=True)
        connection, _ = s.accept()
        start, count = time.monotonic(), 0
        while data := connection.recv(65536):
            count += len(data)
        print(count, time.monotonic() - start)


def pour(host, port, size):
    with socket.create_connection((host, int(port))) as s:
        print("ready", flush=True)
        s.sendall(bytes(int(size)))


{"answer": answer, "ask": ask, "sink": sink, "pour": pour}[sys.argv[1]](*sys.argv[2:])
