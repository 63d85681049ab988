#!/usr/bin/env bash
# Builds the packages beside the main one: benchmarks, fuzzers, and the first package in docs/library.md. They share the
# main package's scratch directory and versions of dependencies, so that only their own sources are compiled.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
own=$(mktemp -d /tmp/tertulia-packages-XXXXXX)
trap 'rm -rf "$own"' EXIT

build() {
    say "${1#"$root/"}"
    cp "$root/Package.resolved" "$1/Package.resolved"
    # The scratch directory holds the plan of the package that was built last. SwiftPM reuses a plan whose files are
    # unchanged, whichever package it is told to build.
    swift build --package-path "$1" --scratch-path "$scratch" --disable-build-manifest-caching --disable-automatic-resolution "${@:2}"
}

while read -r manifest; do
    package=${manifest%/Package.swift}
    # The fuzzers are compiled but not linked: their main function comes with the sanitizer, for which everything would
    # be compiled again.
    if [[ $package == */Fuzzing ]]; then build "$package" --target fuzz; else build "$package"; fi
done < <(find "$root/Benchmarks" "$root/Examples" "$root/Fuzzing" -name .build -prune -o -name Package.swift -print | sort)

python3 "$root/Tests/Client/library_package.py" "$root" "$own"
build "$own"
