"""schemathesis on a server: what it makes of the schema is valid, and no answer is a server's error.

Usage: fuzzed.py URL [--example | --signed-up] [--cases N]

The same cases in each run: what only chance finds is for a longer run by hand.
"""

import argparse
import sys

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings, strategies
from patience import DEADLINE, ask_again, codes_of
from scenario import sign_up
from schemathesis.graphql import nodes

# What a client can be told of a valid document; anything else is a bug, the masked INTERNAL_SERVER_ERROR above all.
CODES = {"BAD_USER_INPUT", "FORBIDDEN", "NOT_FOUND", "QUERY_TOO_COMPLEX", "RATE_LIMITED", "UNAUTHENTICATED"}
# The example's fields that fail by design.
FAILURES = {"Query Kaboom!", "maybe failed", "Cannot return null for non-nullable field Query.mustNot."}


# They go last: what follows them would only be told to sign in.
ENDING = {"Mutation.signOut", "Mutation.deleteAccount"}


def is_beyond_the_generator(message):
    """It does not know @oneOf, and gives such an input no field, several, or null; it has no files, and does not see that
    fields of one name in different types may differ in theirs."""
    return (
        " conflict because subfields " in message
        or message.startswith("OneOf Input Object ")
        or message.endswith("must be non-null.")
        or message.startswith('Expected value of type "Upload')
    )


def is_expected(error, is_example):
    code, message = error["extensions"]["code"], error["message"]
    if code == "GRAPHQL_VALIDATION_FAILED":
        return is_beyond_the_generator(message)
    return code in CODES or (is_example and message in FAILURES)


def ends_session(operation):
    return operation.label in ENDING


def faults(response, is_example):
    if response.status_code not in (200, 400):
        return [f"status {response.status_code}"]
    body = response.json()
    if "data" not in body and "errors" not in body:
        return ["neither data nor errors"]
    return [error for error in body.get("errors", []) if not is_expected(error, is_example)]


def codes_of_response(response):
    try:
        return codes_of(response.json())
    except ValueError:
        return []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--example", action="store_true")
    parser.add_argument("--signed-up", action="store_true")
    parser.add_argument("--cases", type=int, default=20, help="an operation")
    options = parser.parse_args()

    headers = {"Authorization": f"Bearer {sign_up(options.url)}"} if options.signed_up else {}
    count, failed = 0, []

    def call(case):
        nonlocal count
        count += 1
        # Its mutations may be done twice: nobody counts what they make.
        response = ask_again(
            lambda: case.call(headers=headers, timeout=DEADLINE), is_repeatable=True, codes_of=codes_of_response)
        for fault in faults(response, options.example):
            failed.append(f"{fault}\n  {case.body}\n  {response.text[:400]}")

    # JSON has no files: where one is needed, there is nothing to send.
    schemathesis.graphql.scalar("Upload", strategies.just(nodes.Null))
    schema = schemathesis.graphql.from_url(options.url, timeout=DEADLINE).exclude(name_regex="Upload$")
    operations = sorted((operation.ok() for operation in schema.get_all_operations()), key=ends_session)
    for operation in operations:
        run = given(case=operation.as_strategy())(call)
        run = settings(
            max_examples=options.cases, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck))(run)
        run()
    print("\n".join(failed) if failed else f"schemathesis finds nothing at {options.url} in {count} requests.")
    sys.exit(1 if failed or not count else 0)


if __name__ == "__main__":
    main()
