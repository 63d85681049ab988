#!/usr/bin/env bash
# The Swift client against real servers. These tests start servers and wait for them, so they run beside no others.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
cd "$root"

swift test --scratch-path "$scratch" --skip-build --disable-automatic-resolution --filter RealServerTests
