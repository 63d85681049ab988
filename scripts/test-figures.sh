#!/usr/bin/env bash
# Tests of the tests: scripts/test tells by name what failed, what passed at a second look, and what has none; and clients
# ask a busy server again only where that is safe.
set -euo pipefail
exec python3 -B -m unittest discover -s "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../Tests/TestRun"
