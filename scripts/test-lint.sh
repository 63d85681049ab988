#!/usr/bin/env bash
# The habits of the code that a compiler does not see: each rule of lint.py finds a planted defect, and nothing here.
set -euo pipefail
exec python3 "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/lint.py"
