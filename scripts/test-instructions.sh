#!/usr/bin/env bash
# Counts the instructions of the engine's work in a release build, and refuses counts that differ from the recorded ones.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

install_packages valgrind binutils
scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
own=$(mktemp -d /tmp/tertulia-instructions-XXXXXX)
trap 'rm -rf "$own"' EXIT

cp "$root/Package.resolved" "$root/Benchmarks/Engine/Package.resolved"
swift build -c release --package-path "$root/Benchmarks/Engine" --scratch-path "$scratch" --disable-build-manifest-caching
# Valgrind 3.19 gives up at the debugging information that Swift writes.
strip -g -o "$own/engine-benchmark" "$scratch/release/engine-benchmark"
"$root/Benchmarks/Engine/count-instructions.py" "$own/engine-benchmark" "$@"
