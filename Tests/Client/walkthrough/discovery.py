"""Search, what stays live, and what operators look at."""

import json
import threading
import time
import urllib.request

from patience import DEADLINE, PAUSE_OF_CLIENTS, Patience, codes_of

from .person import expect, fetch, say


def search(ana, thought, word):
    found = ana.ask(
        """query ($word: String!, $name: String!) {
             prefix: search(query: $word) { nodes { ... on Node { id } } }
             people: search(query: $name, kinds: [USER]) { nodes { ... on User { id } } }
             odd: search(query: "' & | ! <-> :*") { nodes { __typename } }
             importedNode(oldId: "thoughts/nobody-imported-this") { id } }""",
        word=f"KETTLE {word[:7]}", name=ana.username)
    expect(found["prefix"]["nodes"] == [{"id": thought}], f"search found {found}")
    expect({"id": ana.id} in found["people"]["nodes"] and found["odd"]["nodes"] == [], f"search found {found}")
    expect(found["importedNode"] is None, f"importedNode found {found}")
    say("The thought was found by a word and the beginning of another, Ana by her name.")


def live(ana, ben):
    """A subscription over server-sent events, and what was missed, as a list."""
    cursor = ben.ask("{ changeCursor }")["changeCursor"]
    events, listening, added = [], threading.Event(), threading.Event()

    def listen():
        patience = Patience()
        while patience.allows(connect(events[-1]["cursor"] if events else cursor)):
            time.sleep(PAUSE_OF_CLIENTS)

    def connect(after):
        """Reads until the thought is removed. Returns the codes of the errors that ended the stream before."""
        body = json.dumps({"query": "subscription ($after: String!) { feedChanges(after: $after) { kind nodeId cursor } }",
                           "variables": {"after": after}}).encode()
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream",
                   "Authorization": f"Bearer {ben.token}"}
        request = urllib.request.Request(f"{ben.server.address}/graphql", data=body, headers=headers)
        with urllib.request.urlopen(request, timeout=DEADLINE) as stream:
            listening.set()
            for line in stream:
                payload = json.loads(line[5:]) if line.startswith(b"data: {") else {}
                if codes := codes_of(payload):
                    return codes
                if payload.get("data"):
                    events.append(payload["data"]["feedChanges"])
                    added.set()
                    if events[-1]["kind"] == "REMOVED":
                        return []
        return []

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    expect(listening.wait(DEADLINE), "the stream did not begin")
    thought = ana.do("createThought", "thought { id }", category="SERIOUS", text="Listen.")["thought"]["id"]
    # A live subscription skips an object that is gone before its change could be sent.
    expect(added.wait(DEADLINE), "the stream did not tell of the thought")
    ana.do("deleteThought", "deletedId", id=thought)
    listener.join(DEADLINE)
    kinds = [event["kind"] for event in events if event["nodeId"] == thought]
    expect(kinds == ["ADDED", "REMOVED"], f"stream: {events}")
    missed = ben.ask(
        "query ($after: String!) { changes(after: $after, scopes: [{ feed: {} }]) { nodes { kind nodeId } } }",
        after=cursor)["changes"]["nodes"]
    expect({"kind": "REMOVED", "nodeId": thought} in missed, f"changes: {missed}")
    say("Ben's feed stayed live over server-sent events, and told what he had missed.")


def operate(server):
    for path in ["healthz", "readyz", "schema.graphql", ".well-known/jwks.json"]:
        status, _, _ = fetch(f"{server.address}/{path}")
        expect(status == 200, f"/{path}: HTTP {status}")
    status, headers, page = fetch(f"{server.address}/", headers={"Accept": "text/html"})
    expect(status == 200 and b"<html" in page.lower(), f"the playground: HTTP {status}")
    get = f"{server.address}/graphql?query=%7B__typename%7D"
    status, _, answer = fetch(get, headers={"Accept": "application/json"})
    expect(status == 200 and json.loads(answer) == {"data": {"__typename": "Query"}}, f"by GET: {answer!r}")
    say("Health, schema, keys and playground answer.")


def administer(ana):
    """Nobody but administrators see the figures."""
    answer = ana.answer('{ analytics(from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z") { readers { count } } }')
    expect(answer["errors"][0]["extensions"]["code"] == "FORBIDDEN", f"analytics: {answer}")
    say("The usage figures were refused to Ana, who is no administrator.")
