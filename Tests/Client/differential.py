"""Random documents, valid and broken, judged by tertulia check and by graphql-core: the same verdict, messages and
locations, but for what the list of known differences below names with its reason.

Usage: differential.py TERTULIA SCHEMA [--documents N] [--seed N]
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from documents import RandomDocuments
from graphql import GraphQLError, build_schema, parse, specified_rules, validate


# (what graphql-core says, what Tertulia says, why)
KNOWN = [
    (
        "Syntax Error: Unexpected description, only GraphQL definitions support descriptions.",
        "Syntax Error: Unexpected description, descriptions are supported only on type definitions.",
        "two wordings of the same, graphql-core's and graphql-js's",
    ),
]
# (what only Tertulia says, why)
ONLY_OURS = [
    (
        re.compile(r"The \w+ operation is not supported by the schema\."),
        "Operation Type Existence (5.2.1.1) is of the September 2025 edition, and no rule of graphql-core 3.2",
    ),
]


def judge(schema, document):
    try:
        parsed = parse(document)
    except GraphQLError as error:
        return [entry(error)]
    return [entry(error) for error in validate(schema, parsed, specified_rules)]


def entry(error):
    return {
        "message": error.message,
        "locations": [{"line": place.line, "column": place.column} for place in error.locations or []],
    }


def check(tertulia, schema, documents):
    """All documents in one run of the command."""
    with tempfile.TemporaryDirectory() as directory:
        files = []
        for number, document in enumerate(documents):
            files.append(Path(directory, f"{number}.graphql"))
            files[-1].write_text(document)
        run = subprocess.run(
            [tertulia, "check", "--schema", schema, "--format", "json", *files], capture_output=True, text=True)
        assert run.returncode in (0, 1), run.stderr
        reports = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(reports) == len(documents), run.stderr
    return [report["errors"] for report in reports]


def comparable(errors):
    return [error for error in errors if not any(message.fullmatch(error["message"]) for message, _ in ONLY_OURS)]


def normal(errors):
    """graphql-core writes names between single quotation marks, graphql-js and Tertulia between double ones."""
    wordings = {theirs: ours for theirs, ours, _ in KNOWN}
    return [error | {"message": wordings.get(error["message"], error["message"]).replace("'", '"')} for error in errors]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tertulia")
    parser.add_argument("schema")
    parser.add_argument("--documents", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    schema = build_schema(Path(options.schema).read_text())
    source = RandomDocuments(schema, random.Random(options.seed))
    documents = []
    while len(documents) < options.documents:
        valid = source.document()
        documents += [valid, source.broken(valid), source.broken(valid)]
    ours = check(options.tertulia, options.schema, documents)
    different, invalid = 0, 0
    for document, found in zip(documents, ours, strict=True):
        expected = judge(schema, document)
        invalid += bool(expected)
        if normal(comparable(found)) != normal(expected):
            different += 1
            print(f"\n{document}\n  graphql-core: {expected}\n  tertulia:     {found}")
    print(
        f"{len(documents)} documents, {invalid} of them invalid: {different} judged otherwise than by graphql-core "
        f"(seed {options.seed}).")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
