#!/usr/bin/env bash
# Tests that scripts/test tells by name what failed, what passed at a second look, and what has none.
set -euo pipefail
exec python3 -B "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../Tests/TestRun/test_verdict.py"
