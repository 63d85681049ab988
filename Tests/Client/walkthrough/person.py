"""Whoever asks: a name, a session, and a way to ask over HTTP."""

import json
import re
import urllib.error
import urllib.request
import uuid

import patience
from patience import DEADLINE, ask_again, is_repeatable, named


class Surprise(Exception):
    """Something that a user would not expect."""


def expect(condition, what):
    if not condition:
        raise Surprise(what)


def say(text):
    print(f"  {text}", flush=True)


def fetch(url, body=None, headers=None, method=None):
    """Status, headers and body of an answer, whatever its status."""
    request = urllib.request.Request(url, data=body, headers=headers or {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


class Server:
    """An address, and which root fields have been asked for there."""

    def __init__(self, address, mail=None):
        self.address = address.rstrip("/")
        self.mail = mail
        self.walked, self.queries, self.mutations = set(), set(), set()
        answer = self.post("{ __schema { queryType { fields { name } } mutationType { fields { name } } } }")
        schema = answer["data"]["__schema"]
        self.queries = {field["name"] for field in schema["queryType"]["fields"]}
        self.mutations = {field["name"] for field in schema["mutationType"]["fields"]}

    def post(self, document, variables=None, token=None):
        """The response, which is asked for again while the server is busy."""
        variables = named(variables or {})
        self.note(document)
        return ask_again(lambda: self.post_once(document, variables, token), is_repeatable(document, variables))

    def post_once(self, document, variables, token):
        headers = {"Content-Type": "application/json", "Accept": "application/graphql-response+json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        body = json.dumps({"query": document, "variables": variables}).encode()
        status, _, answer = fetch(f"{self.address}/graphql", body, headers)
        try:
            return json.loads(answer)
        except ValueError as error:
            raise Surprise(f"HTTP {status} and no JSON: {answer[:200]!r}") from error

    def note(self, document):
        self.walked |= set(re.findall(r"\b([a-z]\w*)", document)) & (self.queries | self.mutations)

    def unwalked(self):
        return sorted((self.queries | self.mutations) - self.walked)


class Person:
    """A user of the server; without a token, somebody signed out."""

    def __init__(self, server, name="Somebody"):
        self.server, self.name = server, name
        self.token = self.refresh_token = None
        self.username = f"{name.lower()}_{uuid.uuid4().hex[:8]}"
        self.email = f"{self.username}@example.org"
        self.password = f"a quiet evening {uuid.uuid4().hex[:8]}"
        self.id = None

    def answer(self, document, **variables):
        return self.server.post(document, variables, self.token)

    def ask(self, document, **variables):
        """The data, of which nothing may be wrong."""
        answer = self.answer(document, **variables)
        expect("errors" not in answer, f"{self.name}: {document}\n{json.dumps(answer.get('errors'), indent=1)}")
        for field, payload in answer["data"].items():
            errors = payload.get("userErrors") if isinstance(payload, dict) else None
            expect(not errors, f"{self.name}: {field}: {errors}")
        return answer["data"]

    def do(self, mutation, selection="clientMutationId", **values):
        """One mutation with its input; gives its payload."""
        kind = mutation[0].upper() + mutation[1:] + "Input"
        document = f"mutation ($input: {kind}!) {{ {mutation}(input: $input) {{ {selection} userErrors {{ code message }} }} }}"
        return self.ask(document, input=values)[mutation]

    def refused(self, mutation, code, **values):
        """The same, and the refusal that is expected."""
        kind = mutation[0].upper() + mutation[1:] + "Input"
        document = f"mutation ($input: {kind}!) {{ {mutation}(input: $input) {{ userErrors {{ code }} }} }}"
        answer = self.answer(document, input=values)
        codes = [error["extensions"]["code"] for error in answer.get("errors", [])]
        payload = (answer.get("data") or {}).get(mutation) or {}
        codes += [error["code"] for error in payload.get("userErrors", [])]
        expect(codes == [code], f"{self.name}: {mutation} gave {codes or 'no refusal'} instead of {code}")

    def take(self, session):
        expect(session["accessToken"] and session["refreshToken"], "no tokens came back")
        self.token, self.refresh_token = session["accessToken"], session["refreshToken"]
        return session

    def sign_up(self):
        account = {"username": self.username, "email": self.email, "password": self.password, "displayName": self.name}
        fields = "accessToken refreshToken viewer { id user { id username } }"
        self.server.note("signUp")
        session = self.take(
            patience.sign_up(lambda document, variables: self.server.post_once(document, variables, self.token), account, fields))
        expect(session["viewer"]["user"]["username"] == self.username, "another username")
        self.id = session["viewer"]["user"]["id"]
        return self
