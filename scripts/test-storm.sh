#!/usr/bin/env bash
# The storm of scripts/storm, shortly; it breaks what it found sound, and fails where the check does not notice.
set -euo pipefail
exec "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/storm" "${TERTULIA_STORM_SECONDS:-20}"
