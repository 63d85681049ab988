#!/usr/bin/env python3
"""How fast the operations of every day are: measure.py TERTULIA [OPTION]….

A server on a PostgreSQL of its own answers five operations. Two other programs take turns with it on the same data, and
say what the operations cost without a GraphQL server: pgbench sends a plain statement of the same content, without
policies, and libpq alone sends the statements that the server itself sends. Needs wrk, pgbench, psql, a C compiler with
libpq's header, a release build, and a machine that does nothing else.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

import recorded
from recorder import Recorder

HERE = pathlib.Path(__file__).resolve().parent
MARKS = "<!-- measured -->", "<!-- /measured -->"
SESSIONS = 64
# wrk's connections, each of which sends its next request when it has its answer.
CLIENTS = 64
PGBENCH_CLIENTS = 8
# The most segments in flight of one write connection. Source: ServerPools.swift
WRITES_A_CONNECTION = 1

TEXT = "What people say of each other's thoughts when they meet, in some eighty characters."
AUTHOR = "author { id username displayName }"
THOUGHT = f"id text category createdAt likeCount commentCount {AUTHOR}"
COMMENT = "id text createdAt author { id username }"
PAGE_INFO = "pageInfo { hasNextPage endCursor }"
SIGN_UP = """mutation($i: SignUpInput!) {
  signUp(input: $i) { refreshToken viewer { user { id } } userErrors { code message } } }"""
REFRESH = """mutation($i: RefreshSessionInput!) {
  refreshSession(input: $i) { accessToken refreshToken userErrors { code message } } }"""


@dataclasses.dataclass(frozen=True)
class Operation:
    title: str
    query: str
    # In which @ID@ is a random thought.
    variables: dict = dataclasses.field(default_factory=dict)
    # The file of the plain statement; None where PostgreSQL is not asked.
    plain: str | None = None
    is_write: bool = False

    def body(self, thought="@ID@"):
        return json.dumps({"query": self.query, "variables": self.variables}).replace("@ID@", thought)


OPERATIONS = (
    Operation(
        "one thought with its author", f"query($id: ID!) {{ thought(id: $id) {{ {THOUGHT} }} }}", {"id": "@ID@"},
        "thought.sql"),
    Operation(
        "the newest 20 with authors",
        f"{{ thoughts(first: 20) {{ edges {{ cursor node {{ {THOUGHT} }} }} {PAGE_INFO} }} }}",
        plain="newest.sql"),
    Operation(
        "the same with likes and three comments each",
        f"{{ thoughts(first: 20) {{ edges {{ cursor node {{ {THOUGHT} viewerHasLiked "
        f"comments(first: 3) {{ nodes {{ {COMMENT} }} }} }} }} {PAGE_INFO} }} }}",
        plain="newest_with_comments.sql"),
    Operation(
        "add a comment",
        f"mutation($i: AddCommentInput!) {{ addComment(input: $i) "
        f"{{ comment {{ {COMMENT} }} userErrors {{ code }} }} }}",
        {"i": {"subjectId": "@ID@", "text": TEXT}}, "comment.sql", is_write=True),
    Operation("`{ __typename }`", "{ __typename }"),
)  # fmt: skip


class Server:
    def __init__(self, program, home, name="server", **settings):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.metrics_port = free.getsockname()[1]
        self.environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        self.environment |= {
            "TERTULIA_HOME": home, "HOST": "127.0.0.1", "PORT": "0", "METRICS_PORT": str(self.metrics_port),
            "SHUTDOWN_DELAY": "0", "WRITES_PER_MINUTE": "0", "SIGN_UPS_PER_MINUTE": "0",
            "SIGN_INS_PER_FIVE_MINUTES": "0", "PASSWORD_HASH_LOG_N": "10",
            # A second server on the same home takes the tokens of the first.
            "PUBLIC_URL": "http://measure.example",
        } | settings  # fmt: skip
        log = pathlib.Path(home, f"log-{name}")
        with log.open("w") as file:
            self.process = subprocess.Popen([program, "serve"], stdout=file, stderr=file, env=self.environment)
        while not (address := re.search(r"Tertulia serves (\S+?/graphql)\b.*\n", log.read_text())):
            assert self.process.poll() is None, log.read_text()
            time.sleep(0.05)
        self.url = address[1]

    def ask(self, body, token=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        answer = json.load(urllib.request.urlopen(urllib.request.Request(self.url, body.encode(), headers), timeout=60))
        assert "errors" not in answer, answer
        return answer["data"]

    def act(self, query, **values):
        (payload,) = self.ask(json.dumps({"query": query, "variables": {"i": values}})).values()
        assert not payload["userErrors"], payload
        return payload

    def failures(self):
        """Errors in answers, and answers that are no 200, since the server's start."""
        text = urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=60).read().decode()
        counts = re.findall(r"^(?:graphql_errors_total|http_responses_total)\{(.*?)\} (\S+)$", text, re.M)
        assert counts, text
        return sum(float(count) for labels, count in counts if labels != 'status="2xx"')

    def resident(self):
        """MB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024 / 1e6

    def connections(self, program):
        """Those for reads and for writes."""
        text = subprocess.run(
            [program, "config"], env=self.environment, capture_output=True, text=True, check=True).stdout
        return [int(re.search(rf"^DATABASE_{kind}_CONNECTIONS\s+(\d+)", text, re.M)[1]) for kind in ("READ", "WRITE")]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


class Database:
    """The private cluster."""

    def __init__(self, home):
        lines = pathlib.Path(home, "postgres/data/postmaster.pid").read_text().splitlines()
        self.postmaster, self.socket = int(lines[0]), f"{lines[4]}/.s.PGSQL.{lines[3]}"
        self.url = f"postgresql://postgres@/tertulia?host={lines[4]}&port={lines[3]}"

    def sql(self, *commands):
        arguments = [argument for command in commands for argument in ("-c", command)]
        return subprocess.run(
            ["psql", "-XAtq", self.url, *arguments], capture_output=True, text=True, check=True).stdout.split()

    def cpu(self):
        backends = pathlib.Path(f"/proc/{self.postmaster}/task/{self.postmaster}/children").read_text().split()
        return sum(map(cpu_of, map(int, backends))) + cpu_of(self.postmaster, of_children=True)


def cpu_of(pid, of_children=False):
    """Seconds. Source: proc(5), /proc/pid/stat"""
    try:
        values = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    own, children = int(values[11]) + int(values[12]), int(values[13]) + int(values[14])
    return (own + (children if of_children else 0)) / os.sysconf("SC_CLK_TCK")


class Measurement:
    def __init__(self, options, home):
        self.options, self.home = options, pathlib.Path(home)
        self.server = Server(options.program, home)
        self.database = Database(home)

    def prepare(self):
        o = self.options
        sizes = [f"--{name}={getattr(o, name)}" for name in ("users", "thoughts", "comments", "likes")]
        subprocess.run([o.program, "seed", *sizes], env=self.server.environment, check=True, capture_output=True)
        replay = ["cc", "-O2", "-o", self.home / "replay", HERE / "replay.c"]
        include = subprocess.run(["pg_config", "--includedir"], capture_output=True, text=True, check=True).stdout
        subprocess.run([*replay, f"-I{include.strip()}", "-lpq"], check=True)
        self.viewers, self.refresh_tokens = [], []
        for number in range(SESSIONS):
            name = f"reader{number}"
            payload = self.server.act(
                SIGN_UP, username=name, email=f"{name}@example.org", password="a quiet evening")  # fmt: skip
            self.viewers.append(recorded.uuid_of(payload["viewer"]["user"]["id"]))
            self.refresh_tokens.append(payload["refreshToken"])
        self.refresh()
        published = "select id from thoughts where status = 'PUBLISHED' order by md5(id::text)"
        thoughts = list(map(recorded.uuid, self.database.sql(published)))
        (self.home / "thoughts").write_bytes(b"".join(thoughts))
        (self.home / "viewers").write_bytes(b"".join(self.viewers))
        self.ids = [recorded.type_id("thought", thought) for thought in thoughts]
        (self.home / "ids").write_text("\n".join(self.ids))
        self.add_tables()
        for number, operation in enumerate(OPERATIONS):
            (self.home / f"body-{number}").write_text(operation.body())
        self.counts = dict(zip(("read", "write"), self.server.connections(o.program)))
        self.record()
        self.database.sql("vacuum analyze", "checkpoint")

    def add_tables(self):
        """pgbench knows no random id, but random numbers."""
        viewers = ", ".join(f"({number}, '{viewer.hex()}')" for number, viewer in enumerate(self.viewers, 1))
        self.database.sql(
            "create schema operations",
            "create table operations.thoughts (n integer primary key, id uuid not null)",
            "insert into operations.thoughts "
            "select row_number() over (order by md5(id::text)), id from thoughts where status = 'PUBLISHED'",
            "create table operations.viewers (n integer primary key, id uuid not null)",
            f"insert into operations.viewers values {viewers}")  # fmt: skip

    def refresh(self):
        """Access tokens are valid for 15 minutes, which a long run exceeds."""
        payloads = [self.server.act(REFRESH, refreshToken=token) for token in self.refresh_tokens]
        self.refresh_tokens = [payload["refreshToken"] for payload in payloads]
        self.tokens = [payload["accessToken"] for payload in payloads]
        (self.home / "tokens").write_text("\n".join(self.tokens))
        self.settle()

    def record(self):
        """Writes the statements of each operation, as a second server sends them through a proxy."""
        folder = self.home / "proxy"
        folder.mkdir()
        recorder = Recorder(folder / ".s.PGSQL.5432", self.database.socket)
        url = f"postgresql://postgres@/tertulia?host={folder}&port=5432"
        # By operation: the number of statements, those of settings included.
        self.statements = {}
        second = Server(self.options.program, str(self.home), "recorded", DATABASE_URL=url)
        try:
            for number, operation in enumerate(OPERATIONS):
                if not operation.plain:
                    continue
                body = operation.body(self.ids[0])
                second.ask(body, self.tokens[0])
                recorder.take()
                # So many writes at once find no connection free, and so share their durable commits, as under load.
                times = CLIENTS if operation.is_write else 1
                with concurrent.futures.ThreadPoolExecutor(times) as threads:
                    list(threads.map(lambda _: second.ask(body, self.tokens[0]), range(times)))
                thought = recorded.uuid_of(self.ids[0]) if "@ID@" in operation.body() else None
                request = recorded.Request(recorder.take(), times, thought, self.viewers[0])
                (self.home / f"script-{number}").write_bytes(request.script)
                self.statements[number] = request.statement_count
                self.session_options = request.session_options
        finally:
            second.stop()
            recorder.stop()

    def settle(self):
        """Waits until server and PostgreSQL rest: notifications, for example, are made after the act."""
        deadline, before = time.monotonic() + 20, sum(self.cpu())
        while time.monotonic() < deadline:
            time.sleep(0.5)
            now = sum(self.cpu())
            if now - before < 0.03:
                return
            before = now

    def cpu(self):
        return cpu_of(self.server.process.pid), self.database.cpu()

    def comments(self):
        return int(*self.database.sql("select count(*) from comments"))

    def ask_server(self, number, seconds, *check):
        """Requests a second, microseconds of CPU a request of server and PostgreSQL, and two percentiles in ms."""
        is_write = OPERATIONS[number].is_write
        failures, comments = self.server.failures(), self.comments() if is_write else 0
        files = [self.home / name for name in (f"body-{number}", "tokens", "ids")]
        before = self.cpu()
        output = subprocess.run(
            ["wrk", "-t1", f"-c{CLIENTS}", f"-d{seconds}s", "--timeout", "10s", "-s", HERE / "operation.lua",
             self.server.url, "--", *files, *check],
            capture_output=True, text=True, check=True).stdout  # fmt: skip
        # What an operation leaves to do is a part of its cost.
        self.settle()
        cpu = [after - then for after, then in zip(self.cpu(), before)]
        requests, microseconds, failed, half, most = map(int, output.splitlines()[-1].split())
        failed += self.server.failures() - failures
        assert requests and not failed, f"{OPERATIONS[number].title}: {failed:.0f} failures\n{output}"
        if is_write:
            added = self.comments() - comments
            assert added >= requests, f"{requests} comments were asked for, and {added} were added"
        return requests / microseconds * 1e6, *(part / requests * 1e6 for part in cpu), half / 1e3, most / 1e3

    def ask_plainly(self, number):
        """Transactions a second of pgbench."""
        # Policies do not hold for a superuser. Without triggers there is neither a log of changes nor a check of keys.
        environment = os.environ | {"PGOPTIONS": "-c session_replication_role=replica"}
        lists = [f"-Dthoughts={len(self.ids)}", f"-Dviewers={SESSIONS}"]
        output = subprocess.run(
            ["pgbench", "-n", "-Mprepared", f"-c{PGBENCH_CLIENTS}", "-j2", f"-T{self.options.seconds}", *lists,
             "-f", HERE / OPERATIONS[number].plain, self.database.url],
            env=environment, capture_output=True, text=True, check=True).stdout  # fmt: skip
        assert "number of failed transactions: 0 " in output, output
        self.settle()
        return float(re.search(r"^tps = (\S+)", output, re.M)[1])

    def replay(self, number):
        """Requests a second of libpq alone."""
        is_write = OPERATIONS[number].is_write
        connections = self.counts["write" if is_write else "read"]
        depth = WRITES_A_CONNECTION if is_write else -(-CLIENTS // connections)
        files = [self.home / name for name in (f"script-{number}", "thoughts", "viewers")]
        arguments = [*files, connections, depth, CLIENTS, self.options.seconds]
        output = subprocess.run(
            [self.home / "replay", self.database.url, self.session_options, *map(str, arguments)],
            capture_output=True, text=True)  # fmt: skip
        assert output.returncode == 0, output.stderr
        requests, microseconds, rows = map(int, output.stdout.split())
        # A statement whose ids are wrong finds no row.
        assert requests and rows >= requests * self.statements[number], output.stdout
        self.settle()
        return requests / microseconds * 1e6

    def round(self, turn):
        """For each operation, the figures of the server, pgbench and libpq, which take turns in being the first."""
        self.refresh()
        figures = []
        for number, operation in enumerate(OPERATIONS):
            # A warm-up, in which each answer is read.
            self.ask_server(number, 1, "check")
            programs = [lambda: self.ask_server(number, self.options.seconds)]
            if operation.plain:
                programs += [lambda: self.ask_plainly(number), lambda: self.replay(number)]
            results = [None] * 3
            for place in range(len(programs)):
                index = (place + turn) % len(programs)
                results[index] = programs[index]()
            figures.append(results)
        return figures


def spread(values):
    return f"{statistics.median(values):,.0f} ({min(values):,.0f}..{max(values):,.0f})"


def row(operation, rounds):
    own, *others = zip(*rounds)
    rates, server, postgres, half, most = zip(*own)
    cells = [operation.title, spread(rates), f"{statistics.median(server):,.0f} + {statistics.median(postgres):,.0f}"]
    cells += [f"{statistics.median(half):.1f}", f"{statistics.median(most):.1f}"]
    for other in others:
        if operation.plain:
            ratio = statistics.median(rate / of for rate, of in zip(rates, other))
            cells += [f"{statistics.median(other):,.0f}", f"{ratio:.2f}"]
        else:
            cells += ["–", "–"]
    return cells


def table(options, rounds, megabytes, version):
    head = ["operation", "requests/s", "CPU µs, server + PostgreSQL", "p50 ms", "p99 ms"]
    head += ["pgbench/s", "ratio", "libpq/s", "ratio"]
    rows = [head, ["---"] * len(head)] + [row(*pair) for pair in zip(OPERATIONS, zip(*rounds))]
    lines = ["| " + " | ".join(cells) + " |" for cells in rows]
    o = options
    return "\n".join(lines) + (
        f"\n\nMedians of {len(rounds)} rounds of {o.seconds} seconds, with the least and the most. {o.users:,} users, "
        f"{o.thoughts:,} thoughts,\n{o.comments:,} comments, {o.likes:,} likes; {SESSIONS} sessions, "
        f"{CLIENTS} connections from wrk; PostgreSQL {version},\n{os.cpu_count()} cores. "
        f"The server held {megabytes:.0f} MB after the run.\n")


def put(path, text):
    """Replaces what stands between the marks of a file."""
    before, _, rest = path.read_text().partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    path.write_text(f"{before}{MARKS[0]}\n{text}{MARKS[1]}{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="TERTULIA", help="the executable of a release build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=4, help="of each measurement")
    for name, count in {"users": 10_000, "thoughts": 200_000, "comments": 1_000_000, "likes": 500_000}.items():
        parser.add_argument(f"--{name}", type=int, default=count)
    parser.add_argument("--home", default="/tmp", help="the folder for the private cluster")
    parser.add_argument(
        "--readme", type=pathlib.Path, metavar="FILE",
        help=f"a file whose table between {MARKS[0]} and {MARKS[1]} is replaced")  # fmt: skip
    options = parser.parse_args()
    if options.readme and re.search(f"{MARKS[0]}.*{MARKS[1]}", options.readme.read_text(), re.S) is None:
        parser.error(f"{options.readme} does not have the marks {MARKS[0]} and {MARKS[1]}")
    with tempfile.TemporaryDirectory(prefix="tertulia-operations-", dir=options.home) as home:
        # The private cluster's owner must be able to enter.
        os.chmod(home, 0o711)
        measurement = Measurement(options, home)
        try:
            measurement.prepare()
            rounds = []
            for turn in range(options.rounds):
                rounds.append(measurement.round(turn))
                print(f"round {turn + 1} of {options.rounds}", file=sys.stderr, flush=True)
            (version,) = measurement.database.sql("select split_part(current_setting('server_version'), ' ', 1)")
            text = table(options, rounds, measurement.server.resident(), version)
        finally:
            measurement.server.stop()
    print(text, end="")
    if options.readme:
        put(options.readme, text)


if __name__ == "__main__":
    main()
