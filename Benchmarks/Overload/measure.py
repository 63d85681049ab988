"""What a server answers when more is asked than it can do: measure.py TERTULIA [OPTION]….

For each operation the capacity is measured first: 64 connections, each sending its next request when it has its answer. Then
requests come at 2, 5 and 10 times that rate, whether or not they are answered, and after that at half of the capacity. One
core is the generator's, in all measurements; server and PostgreSQL have the others. Needs taskset, psql, a C compiler, a
release build, and a machine that does nothing else.
"""

import argparse
import json
import os
import signal
import struct
import subprocess
import tempfile
import threading
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
TEXT = "What people say of each other's thoughts when they meet, in some eighty characters."
HEAVY = """{ feed(first: 20) { nodes { id ... on Thought { text author { username } viewerHasLiked
  comments(first: 5) { nodes { text author { username } } } } } } }"""
CREATE = "mutation($i: CreateThoughtInput!) { createThought(input: $i) { thought { id } userErrors { code } } }"
# By name: whether members send it, and the request's body.
OPERATIONS = {
    "viewer": (True, {"query": "{ viewer { user { username } } }"}),
    "feed": (False, {"query": "{ feed(first: 20) { nodes { id ... on Thought { text author { username } } } } }"}),
    "heavy": (True, {"query": HEAVY}),
    "createThought": (True, {"query": CREATE, "variables": {"i": {"category": "FUNNY", "text": TEXT}}}),
}


class Server:
    def __init__(self, program, home, cores, thoughts):
        # The private cluster's owner must be able to enter.
        os.chmod(home, 0o711)
        self.home = home
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        environment |= {
            "TERTULIA_HOME": home, "HOST": "127.0.0.1", "PORT": "0", "METRICS_PORT": "0", "SHUTDOWN_DELAY": "0",
            "WRITES_PER_MINUTE": "0", "SIGN_UPS_PER_MINUTE": "0", "MAX_CONNECTIONS_PER_ADDRESS": "0", "PASSWORD_HASH_LOG_N": "10",
        }  # fmt: skip
        with open(f"{home}/log", "w") as log:
            self.process = subprocess.Popen(
                ["taskset", "-c", cores, program, "serve"], stdout=log, stderr=log, env=environment)
        while "Tertulia serves" not in self.log():
            assert self.process.poll() is None, self.log()
            time.sleep(0.05)
        self.url = self.log().rpartition("Tertulia serves ")[2].partition(",")[0]
        self.port = self.url.split(":")[2].partition("/")[0]
        subprocess.run([program, "seed", "--thoughts", str(thoughts)], env=environment, check=True, capture_output=True)
        subprocess.run(["psql", "-XAtq", self.database(), "-c", "vacuum analyze", "-c", "checkpoint"], check=True)

    def log(self):
        return open(f"{self.home}/log").read()

    def database(self):
        lines = open(f"{self.home}/postgres/data/postmaster.pid").read().splitlines()
        return f"postgresql://postgres@/tertulia?host={lines[4]}&port={lines[3]}"

    def ask(self, body):
        request = urllib.request.Request(self.url, json.dumps(body).encode(), {"Content-Type": "application/json"})
        answer = json.load(urllib.request.urlopen(request, timeout=60))
        assert "errors" not in answer, answer
        return answer["data"]

    def sign_up(self, number):
        text = """mutation($i: SignUpInput!) { signUp(input: $i) { accessToken userErrors { code message } } }"""
        values = {"email": f"load{number}@example.org", "username": f"load{number}", "password": "correct-horse-load"}
        answer = self.ask({"query": text, "variables": {"i": values}})["signUp"]
        assert answer["accessToken"], answer
        return answer["accessToken"]

    def resident(self):
        """MiB."""
        status = open(f"/proc/{self.process.pid}/status").read()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


def write_requests(path, body, tokens, port):
    text = json.dumps(body).encode()
    with open(path, "wb") as file:
        for token in tokens:
            authorization = f"Authorization: Bearer {token}\r\n" if token else ""
            head = (f"POST /graphql HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n"
                    f"{authorization}Content-Length: {len(text)}\r\n\r\n")  # fmt: skip
            request = head.encode() + text
            file.write(struct.pack("<I", len(request)) + request)


def load(client, core, server, requests, connections, seconds, *phases):
    """What the generator prints, with the most memory that the server held meanwhile."""
    most, is_over = [server.resident()], threading.Event()

    def watch():
        while not is_over.wait(0.05):
            most[0] = max(most[0], server.resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    command = ["taskset", "-c", core, client, server.port, requests, *map(str, (connections, seconds, *phases))]
    result = subprocess.run(command, capture_output=True, text=True)
    is_over.set()
    watcher.join()
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout) | {"memory": most[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the executable of a release build")
    parser.add_argument("--operations", nargs="+", choices=OPERATIONS, default=list(OPERATIONS))
    parser.add_argument("--times", nargs="+", type=float, default=[2, 5, 10], help="of the capacity")
    parser.add_argument("--seconds", type=float, default=15, help="of each measurement")
    parser.add_argument("--connections", type=int, default=5000, help="of the open loop")
    parser.add_argument("--thoughts", type=int, default=20_000)
    parser.add_argument("--client-core", default=str(os.cpu_count() - 1))
    parser.add_argument("--server-cores", help="those but the generator's, unless given")
    options = parser.parse_args()
    others = [str(core) for core in range(os.cpu_count()) if str(core) != options.client_core] or ["0"]
    with tempfile.TemporaryDirectory(prefix="tertulia-overload-") as home:
        client = f"{home}/overload-client"
        subprocess.run(["cc", "-O2", "-o", client, f"{HERE}/overload-client.c"], check=True)
        server = Server(options.program, home, options.server_cores or ",".join(others), options.thoughts)
        try:
            tokens = [server.sign_up(number) for number in range(64)]
            print(f"{'operation':14} {'load':>8} {'due/s':>8} {'goodput/s':>9} {'of cap.':>7} {'p99 answered':>12} "
                  f"{'p99 refused':>11} {'failed':>7} {'MiB':>5} {'back':>7}")  # fmt: skip
            for name in options.operations:
                is_members, body = OPERATIONS[name]
                requests = f"{home}/{name}"
                write_requests(requests, body, tokens if is_members else [None], server.port)
                load(client, options.client_core, server, requests, 64, 3)
                base = load(client, options.client_core, server, requests, 64, options.seconds)
                capacity = base["goodput"]
                report(name, "64 conns", base, options.seconds, capacity)
                for times in options.times:
                    outcome = load(
                        client, options.client_core, server, requests, options.connections, options.seconds,
                        capacity * times, capacity / 2, 3, 250)  # fmt: skip
                    report(name, f"{times:g} x", outcome, options.seconds, capacity)
        finally:
            server.stop()


def report(name, what, outcome, seconds, capacity):
    back = f"{outcome['back'] / 1000:5.2f} s" if "x" in what else ""
    print(f"{name:14} {what:>8} {outcome['due'] / seconds:8.0f} {outcome['goodput']:9.0f} "
          f"{outcome['goodput'] / capacity:7.2f} {outcome['answered_p99']:9.1f} ms {outcome['refused_p99']:8.1f} ms "
          f"{outcome['failed']:7} {outcome['memory']:5.0f} {back:>7}", flush=True)  # fmt: skip


main()
