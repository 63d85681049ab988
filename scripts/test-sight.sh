#!/usr/bin/env bash
# scripts/sight, shortly.
set -euo pipefail
exec "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/sight" "${TERTULIA_SIGHT_SECONDS:-20}"
