#!/usr/bin/env bash
# The documentation of the libraries builds without a warning.
set -euo pipefail
exec "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/docs"
