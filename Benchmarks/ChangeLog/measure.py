"""What the change log costs writers: measure.py TERTULIA [OPTION]….

One server with a PostgreSQL of its own, whose mutations write rows of the log and write none in turns: what comes first
in a round comes second in the next. Two servers would not do: one that is measured against its twin differs by a few
percent. Needs wrk and psql, a release build, and a machine that does nothing else.
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
TEXT = "What people say of each other's thoughts when they meet, in some eighty characters."
# What without_log.sql replaces.
LOGGING = ["count_comment", "log_message_changes", "tell_noted_news"]
# By the table that they add a row to.
MUTATIONS = {
    "addComment": ("comments", {"subjectId": "@ID@", "text": TEXT}, "comment { id createdAt author { username } }"),
    "createThought": ("thoughts", {"category": "FUNNY", "text": TEXT}, "thought { id createdAt }"),
    "sendMessage": ("messages", {"conversationId": "@ID@", "text": TEXT}, "message { id createdAt }"),
}
SIGN_IN = 'mutation { signIn(input: {login: "test@tertulia.dev", password: "correct-horse-tertulia"}) { accessToken } }'
PAGE = """query($after: String) {
  thoughts(first: 100, after: $after) { nodes { id author { id } } pageInfo { endCursor hasNextPage } }
}"""
START = "mutation($with: [ID!]!) { startConversation(input: {participantIds: $with}) { conversation { id } } }"


class Server:
    def __init__(self, program, home, users, thoughts):
        # The private cluster's owner must be able to enter.
        os.chmod(home, 0o711)
        self.home = home
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        environment |= {
            "TERTULIA_HOME": home, "HOST": "127.0.0.1", "PORT": "0", "SHUTDOWN_DELAY": "0", "WRITES_PER_MINUTE": "0",
        }  # fmt: skip
        with open(f"{home}/log", "w") as log:
            self.process = subprocess.Popen([program, "serve"], stdout=log, stderr=log, env=environment)
        while "/graphql, with" not in open(f"{home}/log").read():
            assert self.process.poll() is None, open(f"{home}/log").read()
            time.sleep(0.05)
        self.url = open(f"{home}/log").read().rpartition("Tertulia serves ")[2].partition(",")[0]
        seed = [program, "seed", "--users", str(users), "--thoughts", str(thoughts)]
        subprocess.run(seed, env=environment, check=True, capture_output=True)

    def sql(self, *arguments):
        lines = open(f"{self.home}/postgres/data/postmaster.pid").read().splitlines()
        url = f"postgresql://postgres@/tertulia?host={lines[4]}&port={lines[3]}"
        result = subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", url, *arguments], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return result.stdout.strip()

    def ask(self, query, variables=None, token=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        body = json.dumps({"query": query, "variables": variables or {}}).encode()
        answer = json.load(urllib.request.urlopen(urllib.request.Request(self.url, body, headers), timeout=60))
        assert "errors" not in answer, answer
        return answer["data"]

    def prepare(self):
        # The orders by popularity are made from the log; without it they would need indexes on counters.
        self.sql("-c", "update thought_ranks_position set claimed_at = 'infinity'")
        definitions = "select pg_get_functiondef(f::regproc) || ';' from unnest(array[{}]) as f"
        self.functions = self.sql("-c", definitions.format(", ".join(f"'{name}'" for name in LOGGING)))
        self.sql("-c", "vacuum analyze", "-c", "checkpoint")
        self.token = self.ask(SIGN_IN)["signIn"]["accessToken"]
        thoughts, people, after, has_more = [], {}, None, True
        while has_more and len(thoughts) < 20_000:
            page = self.ask(PAGE, {"after": after})["thoughts"]
            thoughts += [node["id"] for node in page["nodes"]]
            people |= {node["author"]["id"]: None for node in page["nodes"]}
            after, has_more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
        people.pop(self.ask("{ viewer { user { id } } }", token=self.token)["viewer"]["user"]["id"], None)
        conversations = [
            self.ask(START, {"with": [person]}, self.token)["startConversation"]["conversation"]["id"]
            for person in list(people)[:200]]  # fmt: skip
        for name, (_, values, selection) in MUTATIONS.items():
            ids = conversations if name == "sendMessage" else thoughts
            with open(f"{self.home}/{name}.ids", "w") as file:
                file.write("\n".join(ids))
            input_type = name[0].upper() + name[1:] + "Input"
            query = f"mutation($i: {input_type}!) {{ {name}(input: $i) {{ {selection} userErrors {{ code }} }} }}"
            with open(f"{self.home}/{name}", "w") as file:
                json.dump({"query": query, "variables": {"i": values}}, file)

    def write_log(self, is_on):
        without = [] if is_on else ["-f", f"{HERE}/without_log.sql"]
        self.sql("-c", self.functions, "-c", "alter table thoughts enable trigger log_insert", *without)

    def load(self, name, connections, seconds):
        """Mutations a second, and the microseconds of CPU that server and PostgreSQL took for one."""
        count = f"select count(*) from {MUTATIONS[name][0]}"
        rows, before = int(self.sql("-c", count)), self.cpu()
        output = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", f"{HERE}/write.lua", self.url, "--",
             f"{self.home}/{name}", self.token, f"{self.home}/{name}.ids"], capture_output=True, text=True, check=True).stdout
        requests, microseconds, errors = map(int, output.splitlines()[-1].split())
        cpu = self.cpu() - before
        assert errors == 0 and int(self.sql("-c", count)) - rows >= requests, output
        return requests / microseconds * 1e6, cpu / requests * 1e6

    def cpu(self):
        """Seconds that the server's and its PostgreSQL's processes have used."""
        postmaster = int(open(f"{self.home}/postgres/data/postmaster.pid").readline())
        backends = map(int, open(f"/proc/{postmaster}/task/{postmaster}/children").read().split())
        ticks = sum(own for own, _ in map(ticks_of, [self.process.pid, *backends])) + sum(ticks_of(postmaster))
        return ticks / os.sysconf("SC_CLK_TCK")

    def logged(self):
        return int(self.sql("-c", "select count(*) from change_log"))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


def ticks_of(pid):
    """A process's, and those of its children that have ended. Source: proc(5), /proc/pid/stat"""
    try:
        values = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0, 0
    return int(values[11]) + int(values[12]), int(values[13]) + int(values[14])


def report(name, rates):
    rate, cpu = ({is_on: [pair[n] for pair in pairs] for is_on, pairs in rates.items()} for n in (0, 1))
    median = {is_on: (statistics.median(rate[is_on]), statistics.median(cpu[is_on])) for is_on in rates}
    print(
        f"{name}: with {median[True][0]:,.0f}/s and {median[True][1]:.0f} us of CPU, without {median[False][0]:,.0f}/s and "
        f"{median[False][1]:.0f} us; ratio of rates {spread(rate[True], rate[False])}, "
        f"of CPU {spread(cpu[False], cpu[True])}", flush=True)


def spread(these, those):
    """The median of the pairs' ratios, and the quartiles."""
    low, median, high = statistics.quantiles((a / b for a, b in zip(these, those)), n=4)
    return f"{median:.3f} ({low:.3f} to {high:.3f})"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--seconds", type=int, default=2)
    options.add_argument("--connections", type=int, default=16)
    options.add_argument("--mutations", default=",".join(MUTATIONS))
    options.add_argument("--users", type=int, default=2_000)
    options.add_argument("--thoughts", type=int, default=40_000)
    o = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="tertulia-log-") as home:
        server = Server(o.program, home, o.users, o.thoughts)
        try:
            server.prepare()
            for name in o.mutations.split(","):
                rates, added = {True: [], False: []}, {True: 0, False: 0}
                for turn in range(max(o.rounds, 2)):
                    for is_on in [turn % 2 == 0, turn % 2 == 1]:
                        server.write_log(is_on)
                        # Each connection compiles the functions anew.
                        server.load(name, o.connections, 1)
                        time.sleep(0.5)
                        rows = server.logged()
                        rates[is_on].append(server.load(name, o.connections, o.seconds))
                        time.sleep(0.5)
                        added[is_on] += server.logged() - rows
                assert added[True] > 0 and added[False] == 0, added
                report(name, rates)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
