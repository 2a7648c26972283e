"""What test_grid.py runs on hosts of a grid.

peer.py answer             sends back what comes
peer.py ask HOST COUNT     prints the least round trip of COUNT, in ms, or "none"
peer.py sink PORT          takes one connection; prints the bytes, and the seconds from its beginning to its end
peer.py pour HOST PORT S   sends for S seconds"""
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
        for i in range(int(count)):
            start = time.monotonic()
            s.sendto(str(i).encode(), (host, PORT))
            try:
                while s.recv(100) != str(i).encode():
                    pass  # one that was late
                took.append(time.monotonic() - start)
            except TimeoutError:
                pass
    print(f"{1000 * min(took):.3f}" if took else "none")


def sink(port):
    with socket.create_server(("", int(port))) as s:
        print("ready", flush=True)
        connection, _ = s.accept()
        start, count = time.monotonic(), 0
        while data := connection.recv(65536):
            count += len(data)
        print(count, time.monotonic() - start)


def pour(host, port, seconds):
    with socket.create_connection((host, int(port))) as s:
        print("ready", flush=True)
        end = time.monotonic() + float(seconds)
        while time.monotonic() < end:
            s.send(bytes(65536))


{"answer": answer, "ask": ask, "sink": sink, "pour": pour}[sys.argv[1]](*sys.argv[2:])
