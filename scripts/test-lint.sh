#!/usr/bin/env bash
# The habits of the code that a compiler does not see: each rule of lint.py finds a planted defect, and nothing here. A search with
# the words of docs/finding-your-way.md finds what that page names.
set -euo pipefail
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"
python3 lint.py
python3 finding-your-way.py
