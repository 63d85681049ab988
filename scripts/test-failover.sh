#!/usr/bin/env bash
# Standbys that lack the newest rows are promoted, a data folder is copied back, PostgreSQL crashes: whoever reads changes
# is told where history was lost, and there alone.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
python=$(client_python "$scratch")
cd "$root/Tests/Client"
exec "$python" -m failover "${TERTULIA:-$scratch/debug/tertulia}"
