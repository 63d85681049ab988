#!/usr/bin/env bash
# The Swift client against real servers. First its tests that start servers, which run beside no others. Then clients in
# processes of their own keep a list and write, while they are killed, their network fails, servers are replaced and
# PostgreSQL is restarted: every queued write must be there once, and each list must be the server's. The last run stores
# cursors before their rows, and fails if the comparison does not notice.
#   scripts/test-offline.sh [--seconds 600 --clients 20 --seed N]
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
python=$(client_python "$scratch")
cd "$root"

(($# > 0)) || swift test --scratch-path "$scratch" --skip-build --filter RealServerTests
cd Tests/Client
"$python" -m offline "$scratch/debug/tertulia" "$scratch/debug/offline-client" "$@"
(($# > 0)) || "$python" -m offline "$scratch/debug/tertulia" "$scratch/debug/offline-client" --seconds 5 --early
