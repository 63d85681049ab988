#!/usr/bin/env bash
# A short run of scripts/storm. Then it damages the recorded events, and fails if the check does not notice.
set -euo pipefail
exec "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/storm" "${TERTULIA_STORM_SECONDS:-20}"
