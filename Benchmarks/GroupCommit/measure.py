"""What sharing durable commits gains: measure.py TERTULIA [OPTION]….

Two servers on one PostgreSQL of their own, of which one shares durable commits and the other does not, add comments in
turns: what comes first in a round comes second in the next. Needs wrk and psql, a release build, and a machine that does
nothing else.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
SIGN_UP = """mutation($input: SignUpInput!) { signUp(input: $input) { accessToken userErrors { message } } }"""


class Server:
    def __init__(self, program, home, shares):
        self.home, self.shares = home, shares
        self.environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        self.environment |= {
            "TERTULIA_HOME": home, "HOST": "127.0.0.1", "PORT": "0", "METRICS_PORT": "0", "SHUTDOWN_DELAY": "0",
            "WRITES_PER_MINUTE": "0", "SIGN_UPS_PER_MINUTE": "1000000", "PASSWORD_HASH_LOG_N": "10",
            # Both servers take the tokens of one.
            "PUBLIC_URL": "http://measure.example", "DATABASE_GROUP_COMMIT": str(shares).lower(),
        }  # fmt: skip
        path = f"{home}/log-{shares}"
        with open(path, "w") as log:
            self.process = subprocess.Popen([program, "serve"], stdout=log, stderr=log, env=self.environment)
        while "/graphql, with" not in open(path).read():
            assert self.process.poll() is None, open(path).read()
            time.sleep(0.05)
        self.url = open(path).read().rpartition("Tertulia serves ")[2].partition(",")[0]

    def ask(self, query, **variables):
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(self.url, body, {"Content-Type": "application/json"})
        answer = json.load(urllib.request.urlopen(request, timeout=60))
        assert "errors" not in answer, answer
        return answer["data"]

    def load(self, connections, seconds):
        """Comments a second, the microseconds of CPU of server and PostgreSQL for one, and two percentiles in ms."""
        before = cpu_of(self.process.pid), self.cpu_of_postgres()
        output = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", f"{HERE}/comment.lua", self.url, "--",
             f"{self.home}/tokens", f"{self.home}/ids"], capture_output=True, text=True, check=True).stdout
        requests, microseconds, errors, half, most = map(int, output.splitlines()[-1].split())
        assert errors == 0, output
        cpu = [after - then for after, then in zip((cpu_of(self.process.pid), self.cpu_of_postgres()), before)]
        return (requests / microseconds * 1e6, *(part / requests * 1e6 for part in cpu), half / 1e3, most / 1e3)

    def cpu_of_postgres(self):
        postmaster = int(open(f"{self.home}/postgres/data/postmaster.pid").readline())
        backends = map(int, open(f"/proc/{postmaster}/task/{postmaster}/children").read().split())
        return sum(map(cpu_of, backends)) + cpu_of(postmaster, of_children=True)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


def cpu_of(pid, of_children=False):
    """Seconds. Source: proc(5), /proc/pid/stat"""
    try:
        values = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    own, children = int(values[11]) + int(values[12]), int(values[13]) + int(values[14])
    return (own + (children if of_children else 0)) / os.sysconf("SC_CLK_TCK")


def sql(home, text):
    lines = open(f"{home}/postgres/data/postmaster.pid").read().splitlines()
    url = f"postgresql://postgres@/tertulia?host={lines[4]}&port={lines[3]}"
    return subprocess.run(["psql", "-XAtq", url, "-c", text], capture_output=True, text=True, check=True).stdout.split()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=int, default=4)
    options.add_argument("--connections", default="1,2,8,64")
    options.add_argument("--users", type=int, default=2_000)
    options.add_argument("--thoughts", type=int, default=40_000)
    options.add_argument("--home", default="/tmp")
    o = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="tertulia-commit-", dir=o.home) as home:
        # The private cluster's owner must be able to enter.
        os.chmod(home, 0o711)
        servers = {}
        try:
            for shares in (True, False):
                servers[shares] = Server(o.program, home, shares)
                if shares:
                    seed = [o.program, "seed", "--users", str(o.users), "--thoughts", str(o.thoughts)]
                    subprocess.run(seed, env=servers[shares].environment, check=True, capture_output=True)
            tokens = []
            for number in range(64):
                name = {"username": f"writer{number}", "email": f"writer{number}@example.org", "password": "a quiet evening"}
                tokens.append(servers[True].ask(SIGN_UP, input=name)["signUp"]["accessToken"])
            open(f"{home}/tokens", "w").write("\n".join(tokens))
            ids, after = [], None
            while len(ids) < min(o.thoughts, 20_000):
                page = servers[True].ask(
                    "query($a: String) { thoughts(first: 100, after: $a) { nodes { id } pageInfo { endCursor hasNextPage } } }",
                    a=after)["thoughts"]  # fmt: skip
                ids += [node["id"] for node in page["nodes"]]
                after = page["pageInfo"]["endCursor"]
                if not page["pageInfo"]["hasNextPage"]:
                    break
            open(f"{home}/ids", "w").write("\n".join(ids))
            sql(home, "vacuum analyze")
            for connections in map(int, o.connections.split(",")):
                found = {True: [], False: []}
                for turn in range(o.rounds):
                    for shares in [turn % 2 == 0, turn % 2 == 1]:
                        servers[shares].load(connections, 1)
                        time.sleep(0.5)
                        found[shares].append(servers[shares].load(connections, o.seconds))
                        time.sleep(0.5)
                for shares in (False, True):
                    rate, server, postgres, half, most = map(statistics.median, zip(*found[shares]))
                    print(
                        f"{connections} connections, {'shared' if shares else 'own'}: {rate:,.0f}/s, CPU {server:.0f} + "
                        f"{postgres:.0f} us, p50 {half:.1f} ms, p99 {most:.1f} ms", flush=True)
                ratios = [one[0] / two[0] for one, two in zip(found[True], found[False])]
                print(f"  ratios of the rates: {', '.join(f'{ratio:.2f}' for ratio in ratios)}", flush=True)
        finally:
            for server in servers.values():
                server.stop()


if __name__ == "__main__":
    main()
