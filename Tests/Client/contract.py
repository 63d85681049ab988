"""Compares the served SDL with the contract: contract.py CONTRACT SERVED. Whatever a client could trip over is an error.

The codes of errors stand in protocols.md beside the contract's SDL, and in the served enum ErrorCode.
"""

import pathlib
import re
import sys

from graphql import build_schema, find_breaking_changes


def promised_codes(protocols):
    section = protocols.read_text().split("## Errors")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("|")]
    return {code for cell in cells for code in re.findall(r"[A-Z_]{4,}", cell)}


def main():
    contract, served = (build_schema(open(path).read()) for path in sys.argv[1:3])
    broken = [change.description for change in find_breaking_changes(contract, served)]
    codes = set(served.type_map["ErrorCode"].values)
    protocols = pathlib.Path(sys.argv[1]).with_name("protocols.md")
    if protocols.exists():
        difference = sorted(codes ^ promised_codes(protocols))
        broken += [f"{code} is a code of the contract or of the served schema alone." for code in difference]
    print("\n".join(broken) or "The contract holds.")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
