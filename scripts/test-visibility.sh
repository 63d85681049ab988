#!/usr/bin/env bash
# A short run of scripts/visibility.
set -euo pipefail
exec "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/visibility" "${TERTULIA_VISIBILITY_SECONDS:-20}"
