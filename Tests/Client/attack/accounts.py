"""Accounts: passwords, sign-ins, refreshes and sign-ups at once."""

import concurrent.futures
import random
import string
import time
import uuid

from patience import BUSY, ask_again, eventually, named

SIGN_UP = "mutation($input:SignUpInput!){signUp(input:$input){accessToken refreshToken userErrors{code message}}}"
SIGN_IN = "mutation($input:SignInInput!){signIn(input:$input){accessToken userErrors{code}}}"
REFRESH = "mutation($input:RefreshSessionInput!){refreshSession(input:$input){accessToken refreshToken}}"
REFUSALS = BUSY | {"RATE_LIMITED"}


def attacks(server):
    for length in (72, 73, 128):
        yield f"a password of {length} characters", lambda length=length: long_password(server, length)
    yield "a password of 129 characters", lambda: refused_password(server, password(129), "TOO_LONG")
    yield "a password of 20,000 characters", lambda: refused_password(server, "e\u0301" * 20_000, "TOO_LONG")
    for length in (8, 72, 128):
        yield f"{length} times one character", lambda length=length: refused_password(
            server, "x" * length, "WEAK_PASSWORD")
    yield "a password in NFC and NFD", lambda: normal_forms(server)
    yield "a NUL in what a person types", lambda: nul(server)
    yield "two sign-ups of one name at once", lambda: one_name(server)
    yield "two refreshes at once, and an old token", lambda: refreshes(server)
    yield "200 sign-ins at once, with forged addresses", lambda: many_sign_ins(server)


def paced_attacks(server):
    yield "the time of known and unknown people", lambda: timing(server)


def password(length):
    return "".join(random.choices(string.ascii_letters + string.digits, k=length))


def sign_up(server, password, name):
    account = {"username": name, "email": f"{uuid.uuid4().hex}@example.org", "password": password}
    return server.post({"query": SIGN_UP, "variables": {"input": account}})


def new_account(server, password):
    """The name and the payload. After a sign-up that may have been done, the next is for another name."""
    names = []

    def attempt():
        names.append("a" + uuid.uuid4().hex[:12])
        return sign_up(server, password, names[-1])

    answer = ask_again(attempt, is_repeatable=True, codes_of=lambda answer: answer.codes)
    assert not answer.errors and answer["signUp"]["accessToken"], answer
    return names[-1], answer["signUp"]


def sign_in(server, login, password):
    answer = server.request(SIGN_IN, named({"input": {"login": login, "password": password}}))
    return answer["signIn"]["accessToken"] is not None


def long_password(server, length):
    """All of it counts: bcrypt, for one, would only look at 72 bytes."""
    secret = password(length)
    name, _ = new_account(server, secret)
    assert sign_in(server, name, secret)
    assert not sign_in(server, name, secret[:-1])
    assert not sign_in(server, name, secret[:-1] + ("a" if secret[-1] != "a" else "b"))


def refused_password(server, secret, code):
    answer = sign_up(server, secret, "a" + uuid.uuid4().hex[:12])
    assert [error["code"] for error in answer["signUp"]["userErrors"]] == [code], answer


def normal_forms(server):
    name, _ = new_account(server, "Caf\u00e9 \u1e69 am Morgen")
    assert sign_in(server, name, "Cafe\u0301 s\u0307\u0323 am Morgen")


def nul(server):
    for field in ("username", "email", "password", "displayName"):
        account = {"email": f"{uuid.uuid4().hex}@example.org", "password": password(20), field: "nul\0@example.org"}
        answer = server.request(SIGN_UP, {"input": account})
        assert "INTERNAL_SERVER_ERROR" not in answer.codes, answer


def at_once(count, work):
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def one_name(server):
    name = "n" + uuid.uuid4().hex[:12]
    answers = at_once(8, lambda _: sign_up(server, password(20), name))
    winners = [answer for answer in answers if not answer.errors and answer["signUp"]["accessToken"]]
    # The answer to the one that won may have been TIMEOUT.
    was_late = any("TIMEOUT" in answer.codes for answer in answers)
    assert len(winners) == 1 or was_late and not winners, answers
    assert server.request("query ($name: String!) { user(by: { username: $name }) { id } }", {"name": name})["user"], answers
    for answer in answers:
        if answer in winners:
            continue
        if answer.errors:
            assert set(answer.codes) <= REFUSALS, answer
        else:
            assert [error["code"] for error in answer["signUp"]["userErrors"]] == ["TAKEN"], answer


def refreshes(server):
    first = new_account(server, password(20))[1]["refreshToken"]

    def refresh(token):
        return server.request(REFRESH, named({"input": {"refreshToken": token}}))

    children = {refreshed["refreshSession"]["refreshToken"] for refreshed in at_once(8, lambda _: refresh(first))}
    assert len(children) == 1 and first not in children, children
    (child,) = children
    second = refresh(child)["refreshSession"]
    assert refresh(second["refreshToken"])["refreshSession"]["accessToken"]
    # Two generations old: somebody else has it. The whole session ends.
    assert refresh(first).codes == ["UNAUTHENTICATED"]
    assert refresh(child).codes == ["UNAUTHENTICATED"]
    read = "{ viewer { user { id } } }"
    eventually(
        "the end of a session", lambda: server.request(read, token=second["accessToken"]).codes == ["UNAUTHENTICATED"])
    for token in ("", "x", "x" * 100_000, first[:-1], first + "A", "\0"):
        assert refresh(token).codes == ["UNAUTHENTICATED"], token[:10]


def timing(server):
    name, _ = new_account(server, password(20))

    def seconds(login):
        start = time.perf_counter()
        assert not sign_in(server, login, "not the right one")
        return time.perf_counter() - start

    known, unknown = zip(*[(seconds(name), seconds("u" + uuid.uuid4().hex[:12])) for _ in range(4)])
    # The shortest of each kind: other work of the machine makes some of them longer.
    ratio = min(known) / min(unknown)
    assert 0.5 < ratio < 2, f"known {known}, unknown {unknown}"


def many_sign_ins(server):
    """No header that a client can send makes it somebody else."""
    def attempt(number):
        return server.post({"query": SIGN_IN, "variables": {
            "input": {"login": f"nobody{number}", "password": "not the right one"}}},
            X_Forwarded_For=f"192.0.2.{number}", X_Real_IP=f"192.0.2.{number}", Forwarded=f"for=192.0.2.{number}")

    answers = at_once(200, attempt)
    tried = [answer for answer in answers if not answer.errors]
    assert len(tried) <= 30, f"{len(tried)} tries"
    for answer in answers:
        if answer.errors:
            assert set(answer.codes) <= REFUSALS, answer
            assert "TIMEOUT" in answer.codes or answer.extensions["retryAfter"] >= 1, answer
        else:
            assert answer["signIn"]["userErrors"] == [{"code": "WRONG_CREDENTIALS"}], answer
    assert any("RATE_LIMITED" in answer.codes for answer in answers), "nobody was told to wait"
    # Those that only read are served meanwhile.
    assert server.request("{ feed(first: 1) { nodes { id } } }").status == 200
