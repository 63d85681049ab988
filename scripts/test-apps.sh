#!/usr/bin/env bash
# Walks the screens of the apps in Examples/Apps against real servers, and prints them: two instances of each side by
# side, a server that stops, an app that is killed meanwhile, and 200 likes at once.
#   scripts/test-apps.sh [rndm posts …]
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
apps=$root/Examples/Apps
cp "$root/Package.resolved" "$apps/Package.resolved"
# As in test-packages.sh: SwiftPM reuses a plan whose files are unchanged, whichever package it is told to build.
swift build --package-path "$apps" --scratch-path "$scratch" --disable-build-manifest-caching
python=$(client_python "$scratch")
cd "$root/Tests/Client"
exec "$python" -m apps "$scratch/debug" "$@"
