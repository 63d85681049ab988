"""Whether the time of an answer tells that an address has an account: timing.py GRAPHQL_ADDRESS [PAIRS].

Known and unknown logins take turns, so that whatever slows the machine down slows both; the medians are compared. The
server counts clients by X-Forwarded-For: each request comes from an address of its own.
"""

import http.client
import itertools
import json
import statistics
import sys
import time
import urllib.parse

address = urllib.parse.urlsplit(sys.argv[1])
pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 400
connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
clients = itertools.count()


def run(document, **variables):
    """The answer's data, and how long it took in milliseconds."""
    client = next(clients)
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/graphql-response+json",
        "X-Forwarded-For": f"10.{client >> 16 & 255}.{client >> 8 & 255}.{client & 255}",
    }
    body = json.dumps({"query": document, "variables": variables})
    begin = time.perf_counter_ns()
    connection.request("POST", address.path, body, headers)
    answer = json.load(connection.getresponse())
    took = (time.perf_counter_ns() - begin) / 1e6
    assert "errors" not in answer, answer
    return answer["data"], took


SIGN_UP = """mutation($name: String!, $email: String!) {
  signUp(input: {username: $name, email: $email, password: "a long way to go"}) { deviceToken userErrors { code } }
}"""
SIGN_IN = 'mutation($login: String!) { signIn(input: {login: $login, password: "not the password"}) { userErrors { code } } }'
WITH_TOKEN = 'mutation($login: String!) { signIn(input: {login: $login, password: "not the password", deviceToken: "%s"}) { userErrors { code } } }'
RESET = "mutation($email: String!) { requestPasswordReset(input: {email: $email}) { userErrors { code } } }"


def compare(name, document, variable, known, unknown, expected):
    times = {"known": [], "unknown": []}
    for number, (one, other) in enumerate(zip(known, unknown)):
        turns = [("known", one), ("unknown", other)]
        # Neither always comes first.
        for kind, value in turns if number % 2 else reversed(turns):
            data, took = run(document, **{variable: value})
            assert next(iter(data.values()))["userErrors"] == expected, data
            times[kind].append(took)
    known, unknown = (statistics.median(times[kind]) for kind in ("known", "unknown"))
    gap = abs(known - unknown)
    print(f"{name}: {len(times['known'])} pairs, median known {known:.3f} ms, unknown {unknown:.3f} ms, gap {gap:.3f} ms")
    return gap


def main():
    # A login is tried four times at most: from the fifth failure on it would have to wait.
    names = [f"member{number}" for number in range((pairs + 3) // 4)]
    others = [f"other{name}" for name in names]
    for name in names + others:
        token = run(SIGN_UP, name=name, email=f"{name}@example.org")[0]["signUp"]["deviceToken"]
    tries = [name for _ in range(4) for name in names][:pairs]
    # The last one's: somebody's own token tells no more of other logins.
    with_token = [name for _ in range(4) for name in others[:-1]][:pairs]
    gaps = [
        compare("signIn", SIGN_IN, "login", tries, [name.replace("member", "nobody") for name in tries],
                [{"code": "WRONG_CREDENTIALS"}]),
        compare("signIn with another account's device token", WITH_TOKEN % token, "login", with_token,
                [name.replace("member", "nobody") for name in with_token], [{"code": "WRONG_CREDENTIALS"}]),
        compare("requestPasswordReset", RESET, "email", [f"{name}@example.org" for name in tries],
                [f"{name.replace('member', 'nobody')}@example.org" for name in tries], []),
    ]
    if max(gaps) >= 1:
        sys.exit("The time tells.")


main()
