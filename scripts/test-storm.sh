#!/usr/bin/env bash
# The storm of scripts/storm, shortly.
set -euo pipefail
exec "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/storm" "${TERTULIA_STORM_SECONDS:-20}"
