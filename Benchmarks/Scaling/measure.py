"""What a write and a row of the change log cost in bytes and CPU: measure.py TERTULIA [OPTION]….

Two servers in turn on a PostgreSQL of their own. One is written to; the other has no subscriber, so that only its tail works. The
bytes hold for any build and machine. The CPU of the tail's server needs a release build, all CPU a machine with time to spare.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Client"))
import backup
from storm.cluster import PostgreSQL, free_port

TEXT = "What people say of each other's thoughts when they meet, in some eighty characters."
WRITERS = 4
PAGE = "query ($after: String) { thoughts(first: 100, after: $after) { nodes { id author { id } } pageInfo { endCursor hasNextPage } } }"
START = "mutation ($with: [ID!]!) { startConversation(input: {participantIds: $with}) { conversation { id } userErrors { code } } }"
WRITES = {
    "addComment": "mutation ($id: ID!) { addComment(input: {subjectId: $id, text: \"%s\"}) { userErrors { code message } } }" % TEXT,
    "likeThought": "mutation ($id: ID!) { likeThought(input: {thoughtId: $id}) { userErrors { code message } } }",
    "createThought": "mutation { createThought(input: {category: FUNNY, text: \"%s\"}) { userErrors { code message } } }" % TEXT,
    "sendMessage": "mutation ($id: ID!) { sendMessage(input: {conversationId: $id, text: \"%s\"}) { userErrors { code message } } }" % TEXT,
}
COPIES = """
insert into change_log (type, object_id, before, after, counters_only, counted)
select type, gen_random_uuid(), before, after, counters_only, counted
from (select * from change_log where type = 'comment' limit 200) c, generate_series(1, {})"""


def cpu(pid):
    """Seconds. Source: proc(5), /proc/pid/stat"""
    values = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(values[11]) + int(values[12])) / os.sysconf("SC_CLK_TCK")


class Measurement:
    def __init__(self, program, home, count):
        self.program, self.home, self.count = program, pathlib.Path(home), count
        self.database = PostgreSQL()
        self.url = self.database.url
        # Vacuum of the rows that were just loaded is no part of a write.
        self.sql("alter system set log_min_messages = log", "alter system set autovacuum = off", "select pg_reload_conf()")
        settings = {"DATABASE_URL": self.url, "PASSWORD_HASH_LOG_N": "10", "WRITES_PER_MINUTE": "0", "METRICS_PORT": "0"}
        subprocess.run([program, "migrate"], env=os.environ | settings, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.settings = settings
        self.writer = backup.Server(program, f"{home}/writer", **settings)

    def sql(self, *commands):
        return backup.sql(self.url, *commands)

    def prepare(self):
        """Accounts, a thought for each write of a round, and a conversation for each writer."""
        self.sql("alter system set synchronous_commit = off", "select pg_reload_conf()")
        seed = [self.program, "seed", "--users", "500", "--thoughts", str(3 * self.count)]
        subprocess.run(seed, env=os.environ | self.settings, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.token = backup.sign_up(self.writer)[1]
        thoughts, after, people = [], None, {}
        while len(thoughts) < 2 * self.count:
            page = self.writer.do(PAGE, {"after": after}, self.token)["thoughts"]
            thoughts += [node["id"] for node in page["nodes"]]
            people |= {node["author"]["id"]: None for node in page["nodes"]}
            if not page["pageInfo"]["hasNextPage"]:
                break
            after = page["pageInfo"]["endCursor"]
        self.thoughts = thoughts
        self.conversations = [
            self.writer.do(START, {"with": [person]}, self.token)["startConversation"]["conversation"]["id"]
            for person in list(people)[:WRITERS]
        ]  # fmt: skip
        self.settle()

    def write(self, name, first, count):
        subjects = self.conversations if name == "sendMessage" else self.thoughts
        ids = [subjects[(first + n) % len(subjects)] for n in range(count)]
        with concurrent.futures.ThreadPoolExecutor(WRITERS) as threads:
            list(threads.map(lambda id: self.writer.do(WRITES[name], {"id": id}, self.token), ids))
        self.settle()

    def settle(self):
        """Notifications are made after the act, and ranks up to 5 seconds later. They belong to what a write costs."""
        time.sleep(5.5)
        before, deadline = self.wal(), time.monotonic() + 30
        while time.monotonic() < deadline:
            time.sleep(1)
            if (now := self.wal()) - before < 2_000:
                return
            before = now

    def wal(self):
        return int(self.sql("select pg_current_wal_insert_lsn() - '0/0'").partition(".")[0])

    def bytes_of_a_write(self, name, first):
        """Bytes of WAL a write and rows of the log a write."""
        rows, before = int(self.sql("select count(*) from change_log")), self.wal()
        self.write(name, first, self.count)
        wal = self.wal() - before
        return wal / self.count, (int(self.sql("select count(*) from change_log")) - rows) / self.count

    def writes(self):
        for name in WRITES:
            self.sql("alter system set full_page_writes = off", "select pg_reload_conf()")
            time.sleep(0.5)
            bare, rows = self.bytes_of_a_write(name, 0)
            self.sql("alter system set full_page_writes = on", "select pg_reload_conf()", "checkpoint")
            time.sleep(0.5)
            full, _ = self.bytes_of_a_write(name, self.count)
            print(f"{name}: {bare:,.0f} bytes of WAL, {full:,.0f} right after a checkpoint, {rows:.2f} rows of the log", flush=True)
        before = self.wal()
        time.sleep(5)
        print(f"without writes: {(self.wal() - before) / 5:,.0f} bytes of WAL a second", flush=True)

    def log_rows(self):
        print("a row of the log: " + self.sql(
            "select round(avg(pg_column_size(l.*))) || ' bytes in its table, a comment''s '"
            "|| round(avg(pg_column_size(l.*)) filter (where type = 'comment')) from change_log l"), flush=True)  # fmt: skip
        size = "select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'change_log'::regclass"
        before, rows = int(self.sql(size)), 20_000
        self.sql(COPIES.format(rows // 200))
        print(f"a comment's row with its indexes: {(int(self.sql(size)) - before) / rows:.0f} bytes of disk", flush=True)
        self.settle()

    def tail(self, rows):
        """CPU and network of one tail a row, by rows that are all in the log at once: copies of the rows of comments.

        PostgreSQL's CPU includes the notification worker, which looks at these rows as well.
        """
        port = free_port()
        reader = backup.Server(self.program, self.home / "reader", **(self.settings | {"METRICS_PORT": str(port)}))
        time.sleep(2)

        def published():
            text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
            return int(float(re.search(r"^change_log_rows_total(?:\{\})? (\S+)$", text, re.M)[1]))

        def spent():
            backends = self.sql("select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()")
            return cpu(reader.process.pid), {pid: cpu(pid) for pid in backends.split()}

        def received():
            sockets = subprocess.run(["ss", "-tinpH", "dport", "=", str(self.database.port)], capture_output=True, text=True).stdout
            own = [part for part in sockets.split("ESTAB") if f"pid={reader.process.pid}," in part]
            return sum(int(n) for part in own for n in re.findall(r"bytes_received:(\d+)", part))

        first, bytes_before, (own, backends) = published(), received(), spent()
        self.sql(COPIES.format(rows // 200))
        began = time.monotonic()
        # A comment's row stands for two changes.
        while published() - first < 2 * rows and time.monotonic() - began < 60:
            time.sleep(0.05)
        took = time.monotonic() - began
        count = (published() - first) / 2
        own_after, backends_after = spent()
        of_postgres = sum(seconds - backends.get(pid, 0) for pid, seconds in backends_after.items() if pid in backends)
        print(
            f"a tail, {count:,.0f} rows in {took:.1f} s: {(own_after - own) / count * 1e6:.1f} us of the server's CPU a row, "
            f"{of_postgres / count * 1e6:.1f} us of PostgreSQL's, {(received() - bytes_before) / count:.0f} bytes from PostgreSQL", flush=True)  # fmt: skip
        reader.stop()

    def replay(self):
        """CPU of the one process that replays WAL, as a standby does, by recovery from a crash after comments."""
        self.sql("checkpoint")
        before = self.wal()
        comments = 16 * self.count
        self.write("addComment", 0, comments)
        wal = self.wal() - before
        self.writer.process.kill()
        self.writer.process.wait()
        self.database._control("stop", "-m", "immediate")
        self.database._control("start")
        line = re.findall(r"redo done .* user: ([\d.]+) s, system: ([\d.]+) s, elapsed: ([\d.]+) s", (self.database.data / "log").read_text())[-1]
        user, system, elapsed = map(float, line)
        print(
            f"replay of {comments} comments, {wal / 1e6:.1f} MB: {(user + system) / comments * 1e6:.0f} us of CPU a comment, "
            f"{elapsed:.2f} s in all", flush=True)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tertulia", help="the executable")
    parser.add_argument("--writes", type=int, default=1_000, help="writes of each kind in a round (default: 1000)")
    parser.add_argument("--only", choices=("bytes", "cpu"), help="a half of the figures; the bytes do not mind other processes")
    parser.add_argument("--rows", type=int, default=200_000, help="rows that the tail reads (default: 200000)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tertulia-scaling-") as home:
        os.chmod(home, 0o711)
        measurement = Measurement(arguments.tertulia, home, arguments.writes)
        try:
            measurement.prepare()
            if arguments.only != "cpu":
                measurement.writes()
                measurement.log_rows()
            if arguments.only != "bytes":
                measurement.replay()
                measurement.tail(arguments.rows)
        finally:
            measurement.database.stop()


if __name__ == "__main__":
    main()
