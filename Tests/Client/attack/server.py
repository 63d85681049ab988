"""The server under attack: requests to it, and what its process holds and spends."""

import http.client
import json
import os
import re
import socket
import urllib.parse

from patience import DEADLINE, ask_again, eventually, is_repeatable

TICK = 1000 // os.sysconf("SC_CLK_TCK")
# Words that only the server's inside has. Tokens, cursors and signatures are random letters, so "pg_" counts only at the
# beginning of a word.
LEAK = re.compile(r"libpq|SQLSTATE|(?<![\w.=-])pg_|\.swift|Swift\.|/usr/|select |insert into|NIOCore")


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        try:
            self.json = json.loads(body)
        except ValueError:
            self.json = {}

    @property
    def errors(self):
        return self.json.get("errors", [])

    @property
    def codes(self):
        return [error.get("extensions", {}).get("code") for error in self.errors]

    @property
    def extensions(self):
        return self.errors[0]["extensions"] if self.errors else {}

    def __getitem__(self, field):
        return self.json["data"][field]

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Server:
    def __init__(self, url, home, pid):
        place = urllib.parse.urlsplit(url)
        self.url, self.home, self.pid = url, home, pid
        self.address = (place.hostname, place.port)
        self.spent = []
        self.failures = 0

    # Requests

    def send(self, method, path, body=None, headers=None, timeout=DEADLINE, source=None):
        """`source`: one of this machine's addresses, 127.0.0.0/8: to the server it is a client of its own."""
        place = (source, 0) if source else None
        connection = http.client.HTTPConnection(*self.address, timeout=timeout, source_address=place)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        finally:
            connection.close()
        assert len(answer.errors) <= 50, f"{len(answer.errors)} errors"
        text = answer.body.decode(errors="replace")
        # The playground's page has elements whose names are SQL's words.
        is_page = answer.headers.get("Content-Type", "").startswith("text/html")
        if path.startswith("/graphql") and "__schema" not in text and not is_page:
            leak = LEAK.search(text)
            assert leak is None, f"the answer tells of {leak[0]}: {answer}"
        return answer

    def post(self, body, token=None, source=None, **headers):
        """`body`: bytes, or what becomes JSON."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers = {"Content-Type": "application/json", "Accept": "application/graphql-response+json"} | headers
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = body if isinstance(body, bytes) else json.dumps(body)
        return self.send("POST", "/graphql", data, headers, source=source)

    def request(self, query, variables=None, token=None, **members):
        """The answer, which is asked for again while the server is late. Whether it sheds load is for the attacks to say."""
        body = {"query": query, **members}
        if variables is not None:
            body["variables"] = variables
        return ask_again(
            lambda: self.post(body, token), is_repeatable(query, variables), lambda answer: set(answer.codes) - {"OVERLOADED"})

    def connect(self):
        connection = socket.create_connection(self.address, timeout=DEADLINE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def exchange(self, data):
        """Everything that the server says to bytes on a connection of their own, until it closes."""
        with self.connect() as connection:
            connection.sendall(data)
            return read_all(connection)

    # What the process holds and spends

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def resident(self):
        with open(f"/proc/{self.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def cpu(self):
        """Milliseconds of all its threads so far."""
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * TICK

    def settle(self, before):
        """Descriptors return to what they were, but for connections of the database's pools."""
        eventually(
            lambda: f"{before} descriptors, which became {self.descriptors()}", lambda: self.descriptors() <= before + 16)

    def run(self, name, attack):
        before = self.cpu()
        try:
            attack()
            self.spent.append((self.cpu() - before, name))
            answer = self.request("{ __typename }")
            assert answer.json == {"data": {"__typename": "Query"}}, answer
        except Exception as error:
            print(f"{name}: {error!r}", flush=True)
            self.failures += 1


def read_all(connection):
    received = b""
    try:
        while data := connection.recv(65536):
            received += data
    except ConnectionResetError:
        pass
    return received
