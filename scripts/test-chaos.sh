#!/usr/bin/env bash
# A short run of scripts/chaos: the primary killed, a server killed, both standbys frozen. How long anything was away is
# printed, and decides nothing.
set -euo pipefail
exec "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/chaos" --short
