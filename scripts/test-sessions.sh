#!/usr/bin/env bash
# Sockets whose server loses its database, and sockets whose session ends: the server tells each why it ends.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
python=$(client_python "$scratch")
cd "$root/Tests/Client"
exec "$python" sessions.py "$scratch/debug/tertulia"
