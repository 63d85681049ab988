#!/usr/bin/env python3
"""What a request costs when something grows: measure.py TERTULIA [OPTION]….

Ten times the data, ten times the page, a hundred times the connections, ten thousand blocked people, a hundred thousand
deleted accounts that wait for their removal: of each the processor time of a request, before and after, beside the bytes
of the answer. Needs wrk, psql, a release build, and a machine that does nothing else.
"""

import argparse
import contextlib
import dataclasses
import os
import pathlib
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Operations"))

import measure as operations  # noqa: E402
from recorded import type_id, uuid, uuid_of  # noqa: E402

MARKS = "<!-- growth -->", "<!-- /growth -->"
LUA = HERE.parent / "Operations/operation.lua"
# Sessions, and connections that each send their next request when they have an answer.
SESSIONS = CLIENTS = 64


def page(first):
    return f"{{ thoughts(first: {first}) {{ edges {{ cursor node {{ {operations.THOUGHT} }} }} {operations.PAGE_INFO} }} }}"


ONE, NEWEST, COMMENTED, COMMENT = operations.OPERATIONS[:4]
FEED = operations.Operation(
    "the feed's first 20",
    f"{{ feed(first: 20) {{ nodes {{ id ... on Thought {{ text {operations.AUTHOR} }} "
    f"... on Event {{ name }} }} {operations.PAGE_INFO} }} }}")  # fmt: skip
TEN, HUNDRED = (operations.Operation(f"the newest {first} with authors", page(first)) for first in (10, 100))


@dataclasses.dataclass
class Cost:
    """Of a request: microseconds of the processor of server and PostgreSQL, and the bytes of the answer."""

    server: float
    postgres: float
    bytes: int

    @property
    def processor(self):
        return self.server + self.postgres


class World:
    """A server on a private cluster of its own, with sessions and ids to ask it for."""

    def __init__(self, options, sizes):
        self.options = options
        self.folder = tempfile.TemporaryDirectory(prefix="tertulia-growth-", dir=options.home)
        self.home = pathlib.Path(self.folder.name)
        # The private cluster's owner must be able to enter.
        os.chmod(self.home, 0o711)
        self.server = operations.Server(options.program, str(self.home), MAX_CONNECTIONS_PER_ADDRESS="0")
        self.database = operations.Database(self.home)
        arguments = [f"--{name}={count}" for name, count in sizes.items()]
        subprocess.run([options.program, "seed", *arguments], env=self.server.environment, check=True, capture_output=True)
        self.viewers, self.refresh_tokens = [], []
        for number in range(SESSIONS):
            name = f"reader{number}"
            payload = self.server.act(
                operations.SIGN_UP, username=name, email=f"{name}@example.org", password="a quiet evening")  # fmt: skip
            self.viewers.append(uuid_of(payload["viewer"]["user"]["id"]).hex())
            self.refresh_tokens.append(payload["refreshToken"])
        self.choose_thoughts()
        self.database.sql("vacuum analyze", "checkpoint")

    def choose_thoughts(self):
        """Those of authors that nobody hides."""
        rows = self.database.sql(
            "select id from thoughts where status = 'PUBLISHED' and author_id not in (select user_id from deleted_accounts) "
            "order by md5(id::text) limit 20000")  # fmt: skip
        self.ids = [type_id("thought", uuid(row)) for row in rows]
        (self.home / "ids").write_text("\n".join(self.ids))

    def refresh(self):
        payloads = [self.server.act(operations.REFRESH, refreshToken=token) for token in self.refresh_tokens]
        self.refresh_tokens = [payload["refreshToken"] for payload in payloads]
        self.tokens = [payload["accessToken"] for payload in payloads]
        self.settle()

    def cpu(self):
        return operations.cpu_of(self.server.process.pid), self.database.cpu()

    settle = operations.Measurement.settle

    @contextlib.contextmanager
    def idle(self, count):
        """Connections that are open and ask for nothing. If all of them asked at once, admission would refuse most."""
        place = urllib.parse.urlsplit(self.server.url)
        with contextlib.ExitStack() as sockets:
            for _ in range(count):
                sockets.enter_context(socket.create_connection((place.hostname, place.port)))
            yield

    def ask(self, operation, sessions):
        (self.home / "body").write_text(operation.body())
        (self.home / "tokens").write_text("\n".join(self.tokens[:sessions]))
        before = self.cpu()
        output = subprocess.run(
            ["wrk", "-t1", f"-c{CLIENTS}", f"-d{self.options.seconds}s", "--timeout", "10s", "-s", LUA, self.server.url,
             "--", *(self.home / name for name in ("body", "tokens", "ids"))],
            capture_output=True, text=True, check=True).stdout  # fmt: skip
        self.settle()
        cpu = [after - then for after, then in zip(self.cpu(), before)]
        requests, _, failed, *_ = map(int, output.splitlines()[-1].split())
        assert requests and not failed, f"{operation.title}: {failed} failures\n{output}"
        return [part / requests * 1e6 for part in cpu]

    def cost(self, operation, sessions=SESSIONS):
        """The medians of several rounds, after one that warms up."""
        self.refresh()
        rounds = [self.ask(operation, sessions) for _ in range(self.options.rounds + 1)][1:]
        answer = self.server.ask(operation.body(self.ids[0]), self.tokens[0])
        return Cost(*map(statistics.median, zip(*rounds)), len(str(answer)))

    def end(self):
        self.server.stop()
        self.folder.cleanup()


def row(what, before, after, operation):
    cells = [what, operation.title]
    cells += [f"{cost.server:,.0f} + {cost.postgres:,.0f}" for cost in (before, after)]
    return [*cells, f"{after.processor / before.processor:.2f}", f"{after.bytes / before.bytes:.2f}"]


def hide(world, operation_list):
    """The costs before and after one session's account has blocked 10,000 people."""
    before = [world.cost(operation, sessions=1) for operation in operation_list]
    viewer = world.viewers[0]
    world.database.sql(
        f"insert into blocks (blocker_id, blocked_id) select '{viewer}', id from users where username not like 'reader%' "
        f"and id <> '{viewer}' order by id limit 10000 on conflict do nothing",
        "vacuum analyze blocks", "vacuum analyze hidden_people")  # fmt: skip
    (count,) = world.database.sql(f"select count(*) from blocks where blocker_id = '{viewer}'")
    assert int(count) >= world.options.blocked, count
    return before, [world.cost(operation, sessions=1) for operation in operation_list]


def delete(world, operation_list):
    before = [world.cost(operation) for operation in operation_list]
    # Leased by nobody who removes them.
    world.database.sql(
        "insert into deleted_accounts (user_id, leased_until) select id, now() + interval '1 day' from users "
        f"where username not like 'reader%' order by id limit {world.options.deleted}",
        "vacuum analyze deleted_accounts")  # fmt: skip
    world.choose_thoughts()
    return before, [world.cost(operation) for operation in operation_list]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="TERTULIA", help="the executable of a release build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=3, help="of each measurement")
    parser.add_argument("--thoughts", type=int, default=20_000, help="before there are ten times as many")
    parser.add_argument("--blocked", type=int, default=10_000)
    parser.add_argument("--deleted", type=int, default=100_000)
    parser.add_argument("--home", default="/tmp", help="the folder for the private clusters")
    parser.add_argument("--readme", type=pathlib.Path, metavar="FILE", help=f"a file with {MARKS[0]} and {MARKS[1]}")
    options = parser.parse_args()
    # This program and the server hold so many connections.
    resource.setrlimit(resource.RLIMIT_NOFILE, (16384, max(16384, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    rows = []

    def note(what, before, after, operation):
        rows.append(row(what, before, after, operation))
        print(" | ".join(rows[-1]), file=sys.stderr, flush=True)

    daily = [ONE, NEWEST, COMMENTED, FEED, COMMENT]
    world = World(options, {"users": options.thoughts, "thoughts": options.thoughts})
    try:
        small = [world.cost(operation) for operation in daily]
        note("10 times the page", world.cost(TEN), world.cost(HUNDRED), HUNDRED)
        few = world.cost(ONE)
        for connections in (640, 6400):
            with world.idle(connections - 64):
                note(f"{connections:,} open connections instead of 64, of which 64 ask", few, world.cost(ONE), ONE)
    finally:
        world.end()
    world = World(options, {"users": options.thoughts * 10, "thoughts": options.thoughts * 10})
    try:
        for operation, before in zip(daily, small):
            note("10 times the data", before, world.cost(operation), operation)
        for operation, before, after in zip(daily, *hide(world, daily)):
            note(f"{options.blocked:,} blocked people", before, after, operation)
        for operation, before, after in zip(daily, *delete(world, daily)):
            note(f"{options.deleted:,} deleted accounts that wait for their removal", before, after, operation)
    finally:
        world.end()
    head = ["what grows", "operation", "CPU µs before, server + PostgreSQL", "after", "ratio", "bytes of the answer, ratio"]
    lines = ["| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows]]
    text = "\n".join(lines) + (
        f"\n\nMedians of {options.rounds} rounds of {options.seconds} seconds; at first {options.thoughts:,} users and as many\n"
        f"thoughts; {os.cpu_count()} cores.\n")
    if options.readme:
        before, _, rest = options.readme.read_text().partition(MARKS[0])
        options.readme.write_text(f"{before}{MARKS[0]}\n{text}{MARKS[1]}{rest.partition(MARKS[1])[2]}")
    print(text, end="")


main()
