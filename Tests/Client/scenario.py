"""The main scenario through a stock client (PyPI gql), by two people in two processes at once; every count is exact.

Usage: scenario.py URL
"""

import asyncio
import json
import multiprocessing
import sys
import uuid

import websockets
from gql import Client, gql
from gql.transport.exceptions import TransportQueryError
from gql.transport.requests import RequestsHTTPTransport
import patience
from patience import DEADLINE, ask_again, codes_of, is_repeatable, named

ROUNDS = 10
PASSWORD = "a long quiet evening"


def client(url, token=None, **options):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Client(transport=RequestsHTTPTransport(url=url, headers=headers, timeout=DEADLINE), **options)


def respond(session, document, variables):
    """The response, asked for once."""
    request = gql(document)
    request.variable_values = variables
    try:
        return {"data": session.execute(request)}
    except TransportQueryError as error:
        return {"errors": error.errors}


def run(session, document, **variables):
    """The data, which is asked for again while the server is busy."""
    variables = named(variables)
    answer = ask_again(lambda: respond(session, document, variables), is_repeatable(document, variables))
    if "errors" in answer:
        raise TransportQueryError(str(answer["errors"]), errors=answer["errors"])
    data = answer["data"]
    for payload in data.values():
        if isinstance(payload, dict):
            assert not payload.get("userErrors"), payload["userErrors"]
    return data


def sign_up(url):
    name = "p" + uuid.uuid4().hex[:12]
    session = client(url)
    payload = patience.sign_up(
        lambda document, variables: respond(session, document, variables),
        {"username": name, "email": f"{name}@example.org", "password": PASSWORD},
        "accessToken viewer { user { id username } }")
    assert payload["viewer"]["user"]["username"] == name
    return payload["accessToken"]


def create(person):
    """A thought and an event, to be shared."""
    thought = run(
        person,
        """mutation ($input: CreateThoughtInput!) {
             createThought(input: $input) { thought { id } userErrors { message } } }""",
        input={"category": "SERIOUS", "text": "Two people, one count."},
    )["createThought"]["thought"]["id"]
    event = run(
        person,
        """mutation ($input: CreateEventInput!) {
             createEvent(input: $input) { event { id } userErrors { message } } }""",
        input={
            "name": "Soup night",
            "description": "Bring a bowl.",
            "startsAt": "2099-01-01T19:00:00Z",
            "endsAt": "2099-01-01T22:00:00Z",
        },
    )["createEvent"]["event"]["id"]
    return thought, event


def join(url, thought, event):
    """What both people do at the same time, each in a process of its own."""
    person = client(url, sign_up(url))
    for number in range(ROUNDS):
        for subject in (thought, event):
            run(
                person,
                "mutation ($input: AddCommentInput!) { addComment(input: $input) { userErrors { message } } }",
                input={"subjectId": subject, "text": f"Comment {number}"},
            )
    for _ in range(2):  # A second like and a second RSVP by the same account change nothing.
        run(
            person,
            "mutation ($input: LikeThoughtInput!) { likeThought(input: $input) { userErrors { message } } }",
            input={"thoughtId": thought},
        )
        run(
            person,
            "mutation ($input: RsvpInput!) { rsvp(input: $input) { userErrors { message } } }",
            input={"eventId": event, "status": "GOING"},
        )
    refuse_what_is_anothers(person, thought)


def refuse_what_is_anothers(person, thought):
    try:
        run(
            person,
            "mutation ($input: UpdateThoughtInput!) { updateThought(input: $input) { userErrors { message } } }",
            input={"id": thought, "text": "Mine now."},
        )
    except TransportQueryError as error:
        assert error.errors[0]["extensions"]["code"] == "FORBIDDEN", error.errors
    else:
        raise AssertionError("another person's thought was changed")


async def end_socket_with_session(url):
    """A socket that works until the session it was opened in is signed out, then closes with 4403."""
    token = sign_up(url)
    address = url.replace("http", "ws", 1)
    async with websockets.connect(
        address, subprotocols=["graphql-transport-ws"], open_timeout=DEADLINE, ping_timeout=DEADLINE) as socket:
        await socket.send(json.dumps({"type": "connection_init", "payload": {"accessToken": token}}))
        assert json.loads(await socket.recv())["type"] == "connection_ack"
        await socket.send(
            json.dumps({"id": "1", "type": "subscribe", "payload": {"query": "{ viewer { isAnonymous } }"}})
        )
        answer = json.loads(await socket.recv())
        assert answer["payload"] == {"data": {"viewer": {"isAnonymous": False}}}, answer
        await asyncio.to_thread(sign_out, url, token)
        await asyncio.wait_for(socket.wait_closed(), DEADLINE)
        assert socket.close_code == 4403, socket.close_code


def sign_out(url, token):
    session = client(url, token)
    answer = ask_again(lambda: respond(session, "mutation { signOut { userErrors { message } } }", {}), is_repeatable=True)
    # Where the first was late, the second finds no session.
    assert codes_of(answer) in ([], ["UNAUTHENTICATED"]), answer


def sign_in_with_an_old_token(url):
    """A client that still sends the token of an ended session signs in, and is refused all else."""
    token = sign_up(url)
    name = run(client(url, token), "{ viewer { user { username } } }")["viewer"]["user"]["username"]
    sign_out(url, token)
    old = client(url, token)
    try:
        run(old, "{ viewer { isAnonymous } }")
    except TransportQueryError as error:
        assert error.errors[0]["extensions"]["code"] == "UNAUTHENTICATED", error.errors
    else:
        raise AssertionError("a token of an ended session was taken")
    payload = run(
        old,
        "mutation ($input: SignInInput!) { signIn(input: $input) { accessToken userErrors { code } } }",
        input={"login": name, "password": PASSWORD},
    )["signIn"]
    assert run(client(url, payload["accessToken"]), "{ viewer { isAnonymous } }")["viewer"] == {"isAnonymous": False}


def main(url):
    asyncio.run(end_socket_with_session(url))
    sign_in_with_an_old_token(url)
    owner = client(url, sign_up(url), fetch_schema_from_transport=True)
    thought, event = create(owner)
    people = [multiprocessing.Process(target=join, args=(url, thought, event)) for _ in range(2)]
    for person in people:
        person.start()
    for person in people:
        person.join()
        assert person.exitcode == 0, "one of the two people failed"
    data = run(
        owner,
        """query ($thought: ID!, $event: ID!) {
             thought(id: $thought) { text likeCount commentCount }
             event(id: $event) { goingCount interestedCount commentCount }
             feed(first: 20) { nodes { id } } }""",
        thought=thought,
        event=event,
    )
    assert data["thought"] == {
        "text": "Two people, one count.", "likeCount": 2, "commentCount": 2 * ROUNDS
    }, data["thought"]
    assert data["event"] == {"goingCount": 2, "interestedCount": 0, "commentCount": 2 * ROUNDS}, data["event"]
    assert {thought, event} <= {node["id"] for node in data["feed"]["nodes"]}
    print("The scenario holds through the stock client.")


if __name__ == "__main__":
    main(sys.argv[1])
