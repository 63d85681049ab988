"""Compares the served SDL with the contract: contract.py CONTRACT SERVED. Whatever a client could trip over is an error."""

import sys

from graphql import build_schema, find_breaking_changes


def main():
    contract, served = (build_schema(open(path).read()) for path in sys.argv[1:3])
    broken = [change.description for change in find_breaking_changes(contract, served)]
    print("\n".join(broken) or "The contract holds.")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
