"""Ports for servers that are started and stopped."""

import pathlib
import random
import socket

# ip(7)
EPHEMERAL_PORTS = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_port():
    """A port at which nobody listens, and which the system gives to no connection while its server is away."""
    first, last = map(int, EPHEMERAL_PORTS.read_text().split())
    ports = [*range(10_000, first), *range(last + 1, 1 << 16)]
    while True:
        port = random.choice(ports)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
