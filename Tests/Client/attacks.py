"""Hostile clients against a running server: each attack gets one clear refusal, costs little, and the next request is
served as if nothing had been.

Usage: attacks.py URL HOME PID [SUITE]
  HOME is the server's TERTULIA_HOME (for its signing key), PID its process (for what it holds and spends).
  SUITE is what the server was started for: requests (the default), introspection, proxied, pace, memory or
  descriptors.
"""

import sys

from attack import accounts, crowd, descriptors, documents, framing, introspection, memory, proxied, sign_ins, sockets, takeover, tokens
from attack.server import Server
from attack.slow import SlowClients

SUITES = {
    "requests": (
        documents.attacks, tokens.attacks, framing.attacks, sockets.attacks, accounts.attacks, takeover.attacks),
    "introspection": (introspection.attacks,),
    "proxied": (proxied.attacks,),
    "pace": (crowd.attacks, accounts.paced_attacks, sign_ins.attacks),
    "memory": (memory.attacks,),
    "descriptors": (descriptors.attacks,),
}


def main(url, home, pid, suite="requests"):
    server = Server(url, home, int(pid))
    server.request("{ __typename }")
    before = server.descriptors()
    slow = SlowClients(server) if suite == "pace" else None
    count = 0
    for attacks in SUITES[suite]:
        for name, attack in attacks(server):
            server.run(name, attack)
            count += 1
    if slow:
        slow.join()
    server.settle(before)
    print(f"{count} attacks ({suite}); the server holds {server.resident() >> 20} MiB.")
    if server.failures:
        sys.exit(f"{server.failures} were not answered as they should be.")
    for milliseconds, name in sorted(server.spent, reverse=True)[:5]:
        print(f"{milliseconds:6} ms of CPU: {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
