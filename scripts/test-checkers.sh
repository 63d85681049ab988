#!/usr/bin/env bash
# The checks of scripts/storm and scripts/visibility, on a recorded run of each: nothing is found in it as it was, and whatever
# must not happen is found where it is planted. What is too rare for a recorded run is in histories written by hand.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

python=$(client_python "${TERTULIA_SCRATCH:-$(scratch_path)}")
cd "$root/Tests/Client"
"$python" -m storm.recorded
"$python" -m unittest storm.cases
"$python" -m visibility.recorded
