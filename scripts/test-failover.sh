#!/usr/bin/env bash
# Promotes standbys that lack the newest rows, copies a data folder back, and crashes PostgreSQL: readers of changes must get
# CURSOR_EXPIRED where history was lost, and only there.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
python=$(client_python "$scratch")
cd "$root/Tests/Client"
exec "$python" -m failover "${TERTULIA:-$scratch/debug/tertulia}"
