"""Dump and restore: backup.py TERTULIA DIRECTORY.

A database is dumped and restored, as docs/operations.md says, into another database of its cluster and into a cluster
whose transactions have lower numbers. Everything that can be asked for answers as before; writes and lists that stay
live go on.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
import uuid

import patience
from patience import DEADLINE, ask_again, eventually, is_repeatable, named
from walkthrough.person import fetch

EVERYTHING = """{
  changeCursor
  thoughts(first: 6) { nodes { id text title status likeCount commentCount rating { count average }
    author { id username displayName } comments(first: 5) { nodes { id text author { username } } } } }
  events(first: 5) { nodes { id name description goingCount interestedCount startsAt
    comments(first: 5) { nodes { text } } } }
  liked: thoughts(first: 6, order: MOST_LIKED) { nodes { id likeCount } }
}"""
PASSWORD = "a long quiet evening"


class Server:
    def __init__(self, program, home, **settings):
        os.makedirs(home, exist_ok=True)
        # The private cluster's owner must be able to enter.
        os.chmod(home, 0o711)
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        environment |= {"TERTULIA_HOME": home, "HOST": "127.0.0.1", "PORT": "0", "SHUTDOWN_DELAY": "0"} | settings
        self.home, self.log = home, f"{home}/log"
        with open(self.log, "a") as log:
            self.process = subprocess.Popen([program, "serve"], stdout=log, stderr=log, env=environment)
        atexit.register(self.process.terminate)

        def served():
            assert self.process.poll() is None, self.log_text()
            text = self.log_text().rpartition("Tertulia serves ")[2]
            return "/graphql, with" in text and text.partition(",")[0]

        self.url = eventually(lambda: f"the start of the server: {self.log_text()}", served)

    def log_text(self):
        with open(self.log) as log:
            return log.read()

    def ask(self, query, variables=None, token=None):
        """The response, which is asked for again while the server is busy."""
        variables = named(variables or {})
        return ask_again(lambda: self.ask_once(query, variables, token), is_repeatable(query, variables))

    def ask_once(self, query, variables, token=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        body = json.dumps({"query": query, "variables": variables}).encode()
        return json.loads(fetch(self.url, body, headers)[2])

    def do(self, query, variables=None, token=None):
        answer = self.ask(query, variables, token)
        assert not answer.get("errors"), answer
        for payload in answer["data"].values():
            assert not (isinstance(payload, dict) and payload.get("userErrors")), payload
        return answer["data"]

    def database(self, name, user="postgres"):
        lines = open(f"{self.home}/postgres/data/postmaster.pid").read().splitlines()
        return f"postgresql://{user}@/{name}?host={lines[4]}&port={lines[3]}"

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(DEADLINE) == 0, self.log_text()


def sql(url, *commands):
    arguments = [part for command in commands for part in ("-c", command)]
    result = subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", url, *arguments], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def sign_up(server):
    name = "p" + uuid.uuid4().hex[:12]
    account = {"username": name, "email": f"{name}@example.org", "password": PASSWORD}
    return name, patience.sign_up(server.ask_once, account)["accessToken"]


def sign_in(server, name):
    return server.do(
        "mutation ($input: SignInInput!) { signIn(input: $input) { accessToken userErrors { message } } }",
        {"input": {"login": name, "password": PASSWORD}})["signIn"]["accessToken"]


def think(server, token, category, text):
    return server.do(
        "mutation ($input: CreateThoughtInput!) { createThought(input: $input) { thought { id } userErrors { message } } }",
        {"input": {"category": category, "text": text}}, token)["createThought"]["thought"]["id"]


def fill(server):
    people = [sign_up(server) for _ in range(3)]
    for number in range(6):
        thought = think(server, people[number % 3][1], "SERIOUS", f"Thought {number}.")
        for _, token in people[: number % 4]:
            server.do(
                "mutation ($input: LikeThoughtInput!) { likeThought(input: $input) { userErrors { message } } }",
                {"input": {"thoughtId": thought}}, token)
            server.do(
                "mutation ($input: AddCommentInput!) { addComment(input: $input) { userErrors { message } } }",
                {"input": {"subjectId": thought, "text": "Yes."}}, token)
    event = server.do(
        "mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { id } userErrors { message } } }",
        {"input": {"name": "Soup night", "description": "Bring a bowl.", "startsAt": "2099-01-01T19:00:00Z",
                   "endsAt": "2099-01-01T22:00:00Z"}}, people[0][1],
    )["createEvent"]["event"]["id"]
    server.do(
        "mutation ($input: RsvpInput!) { rsvp(input: $input) { userErrors { message } } }",
        {"input": {"eventId": event, "status": "GOING"}}, people[1][1])
    return people


def everything(server):
    data = server.do(EVERYTHING)
    return data.pop("changeCursor"), data


def code_of(answer):
    return answer["errors"][0]["extensions"]["code"]


def changes(server, cursor):
    return server.ask(
        "query ($after: String!) { changes(after: $after, scopes: [{feed: {}}]) { nodes { kind nodeId } } }",
        {"after": cursor})


def check_restored(program, home, url, administrator, people, cursor, expected):
    """`url` is that of the restored database, `home` one with the same keys."""
    environment = os.environ | {"TERTULIA_HOME": home, "PORT": "0", "HOST": "127.0.0.1"}
    refused = subprocess.run(
        [program, "serve"], env=environment | {"DATABASE_URL": url}, capture_output=True, text=True, timeout=DEADLINE)
    assert refused.returncode != 0 and "tertulia migrate" in refused.stderr, refused
    for expected_line in ("begins anew", None):
        migrated = subprocess.run(
            [program, "migrate"], env=environment | {"DATABASE_URL": administrator}, capture_output=True, text=True)
        assert migrated.returncode == 0 and ("begins anew" in migrated.stdout) == bool(expected_line), migrated

    server = Server(program, home, DATABASE_URL=url)
    fresh_cursor, found = everything(server)
    assert found == expected, (found, expected)
    assert code_of(changes(server, cursor)) == "CURSOR_EXPIRED"
    name, old_token = people[0]
    assert server.do("{ viewer { user { username } } }", token=old_token)["viewer"]["user"]["username"] == name
    token = sign_in(server, name)
    # Whatever the log held before is not told again, neither with the first change nor with the second.
    written = []
    for number in range(2):
        written.append({"kind": "ADDED", "nodeId": think(server, token, "FUNNY", f"After {number}.")})

        def told():
            nodes = changes(server, fresh_cursor)["data"]["changes"]["nodes"]
            return len(nodes) >= len(written) and nodes

        nodes = eventually("a change", told)
        assert nodes == written, nodes
    server.stop()


def main(program, directory):
    source = Server(program, f"{directory}/source")
    administrator = source.database("tertulia")
    # Its transactions are to have higher numbers than those of the other cluster.
    sql(administrator, "do $$ begin for i in 1..20000 loop perform pg_current_xact_id(); commit; end loop; end $$")
    people = fill(source)

    def in_order():
        """Where thoughts stand in the order of likes follows within seconds."""
        cursor, found = everything(source)
        likes = [thought["likeCount"] for thought in found["liked"]["nodes"]]
        return likes == sorted(likes, reverse=True) and (cursor, found)

    cursor, expected = eventually("the thoughts in the order of their likes", in_order)
    assert len(expected["thoughts"]["nodes"]) == 6 and expected["liked"]["nodes"][0]["likeCount"] == 3, expected
    dump = f"{directory}/tertulia.dump"
    subprocess.run(["pg_dump", "--format=custom", f"--file={dump}", administrator], check=True)

    target = Server(program, f"{directory}/target")
    for cluster in (source, target):
        sql(cluster.database("postgres"), "create database restored")
        administrator = cluster.database("restored")
        subprocess.run(["pg_restore", f"--dbname={administrator}", dump], check=True)
        home = f"{directory}/home-{cluster is source}"
        os.makedirs(home)
        subprocess.run(["cp", "-a", f"{source.home}/keys.json", home], check=True)
        check_restored(
            program, home, cluster.database("restored", "tertulia"), administrator, people, cursor, expected)
    # The original never noticed.
    assert everything(source)[1] == expected
    source.stop()
    target.stop()
    print("A dump was restored into another database and into another cluster: everything was there, and went on.")


if __name__ == "__main__":
    main(*sys.argv[1:])
