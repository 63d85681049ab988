#!/usr/bin/env bash
# A short run of scripts/sight.
set -euo pipefail
exec "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/sight" "${TERTULIA_SIGHT_SECONDS:-20}"
