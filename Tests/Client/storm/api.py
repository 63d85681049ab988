"""Requests, and what ids and cursors are made of."""

import asyncio
import base64
import uuid

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def node_id(kind, text):
    """The TypeID of a UUID."""
    number = uuid.UUID(text).int
    return kind + "_" + "".join(ALPHABET[number >> shift & 31] for shift in range(125, -5, -5))


def uuid_of(id):
    """The UUID of a TypeID."""
    number = 0
    for letter in id.partition("_")[2]:
        number = number << 5 | ALPHABET.index(letter)
    return str(uuid.UUID(int=number))


def new_id(kind, generator):
    """Of now: a UUIDv7 by this machine's clock and the storm's generator."""
    import time

    number = int(time.time() * 1000) << 80 | 7 << 76 | generator.getrandbits(12) << 64
    number |= 2 << 62 | generator.getrandbits(62)
    return node_id(kind, str(uuid.UUID(int=number)))


def position(cursor):
    """The transaction and the row of a cursor."""
    data = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    return int.from_bytes(data[9:17], signed=True), int.from_bytes(data[17:25], signed=True)


class Refused(Exception):
    pass


async def ask(session, url, text, token=None, **variables):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = {"query": text, "variables": variables}
    async with session.post(url, json=body, headers=headers, timeout=10) as response:
        answer = await response.json(content_type=None)
    if answer.get("errors"):
        raise Refused(answer["errors"][0])
    return answer["data"]


async def ask_until_available(session, url, text, token=None, **variables):
    """For queries, and for mutations that may be sent twice: a machine under load may be late for a while."""
    for _ in range(100):
        try:
            return await ask(session, url, text, token, **variables)
        except Refused as refused:
            error = refused.args[0]
            if error.get("extensions", {}).get("code") != "UNAVAILABLE":
                raise
        await asyncio.sleep(0.1)
    raise Refused(error)


class Person:
    """An account and its session."""

    def __init__(self, name, id, token, refresh_token):
        self.name = name
        self.id = id
        self.token = token
        self.refresh_token = refresh_token

    async def renew(self, session, url):
        """Takes new tokens. An answer that was lost is asked for again with the same refresh token."""
        data = await ask_until_available(
            session, url,
            "mutation ($input: RefreshSessionInput!) { refreshSession(input: $input) { accessToken refreshToken } }",
            input={"refreshToken": self.refresh_token})  # fmt: skip
        self.token = data["refreshSession"]["accessToken"]
        self.refresh_token = data["refreshSession"]["refreshToken"]


async def sign_up(session, url, name):
    """The id and the token of a new account."""
    person = await new_person(session, url, name)
    return person.id, person.token


async def new_person(session, url, name):
    """A new account; a machine under load may need a second try for the password."""
    for attempt in range(40):
        tried = f"{name}x{attempt}"
        try:
            data = await ask(
                session, url,
                """mutation ($input: SignUpInput!) { signUp(input: $input) {
                     accessToken refreshToken viewer { user { id } } userErrors { message } } }""",
                input={"username": tried, "email": f"{tried}@example.org", "password": "a long quiet evening"},
            )  # fmt: skip
            account = data["signUp"]
            return Person(name, account["viewer"]["user"]["id"], account["accessToken"], account["refreshToken"])
        except Refused as refused:
            error = refused.args[0]
    raise Refused(error)
