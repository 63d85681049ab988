"""Clients that take their time; they run beside the other attacks."""

import socket
import threading
import time

from .framing import HEAD


class SlowClients:
    def __init__(self, server):
        self.server = server
        self.problems = []
        attacks = [(self.slow_header, 20)] * 20 + [(self.slow_body, 45)] * 20 + [(self.never_reads, 40)] * 5
        self.threads = [threading.Thread(target=self.run, args=attack) for attack in attacks]
        for thread in self.threads:
            thread.start()

    def run(self, attack, seconds):
        start = time.monotonic()
        try:
            attack()
        except (ConnectionResetError, BrokenPipeError):
            pass
        except Exception as error:
            self.problems.append(f"{attack.__name__}: {error!r}")
        if time.monotonic() - start > seconds:
            self.problems.append(f"{attack.__name__}: held for {time.monotonic() - start:.0f} s")

    def join(self):
        for thread in self.threads:
            thread.join()
        assert not self.problems, self.problems

    def slow_header(self):
        """A byte a second, of a head that never ends."""
        self.trickle((HEAD + "X-Slow: " + "x" * 600).encode(), 1, 1)

    def slow_body(self):
        """Ten bytes a second."""
        with self.server.connect() as connection:
            connection.sendall((HEAD + "Content-Length: 1000\r\n\r\n").encode())
            self.drip(connection, b'{"query":"{ __typename }", "x":"' + b"x" * 900, 10, 1)

    def trickle(self, data, size, pause):
        with self.server.connect() as connection:
            self.drip(connection, data, size, pause)

    def drip(self, connection, data, size, pause):
        connection.settimeout(pause)
        for start in range(0, len(data), size):
            connection.sendall(data[start:start + size])
            try:
                if not connection.recv(4096):
                    return
            except TimeoutError:
                continue
        raise AssertionError("everything was taken")

    def never_reads(self):
        """Asks for more than the kernel holds, and leaves it all unread."""
        query = '{"query":"{ __schema { types { name description fields { name description args { name } } } } }"}'
        request = (HEAD + f"Content-Length: {len(query)}\r\n\r\n{query}").encode()
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(self.server.address)
            connection.settimeout(1)
            deadline = time.monotonic() + 35
            while time.monotonic() < deadline:
                try:
                    connection.sendall(request * 20)
                except TimeoutError:
                    continue
        raise AssertionError("an answer that nobody reads was kept for 35 s")
