#!/usr/bin/env bash
# Tests of the tests. scripts/test tells by name what failed, what passed at a second look, and what has none. Clients ask a busy
# server again only where that is safe. scripts/record writes what it names, and the check of docs/finding-your-way.md finds faults.
set -euo pipefail
exec python3 -B -m unittest discover -s "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../Tests/TestRun"
