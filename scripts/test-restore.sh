#!/usr/bin/env bash
# Loses a machine, and restores its database to a point in time from the archive, as deploy/backup describes: everything
# that was there answers as before, images and sessions too.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

install_packages postgresql pgbackrest
scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
directory=$(mktemp -d /tmp/tertulia-restore-XXXXXX)
trap 'rm -rf "$directory"' EXIT
cd "$root/Tests/Client"
"$(client_python "$scratch")" restore.py "${TERTULIA:-$scratch/debug/tertulia}" "$directory" "$root/deploy/backup"
