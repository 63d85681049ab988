#!/usr/bin/env bash
# Tests that the last line of scripts/test counts passed and failed tests, with a fake toolchain whose test run has two
# tests, one of them failing, and with two scripts, one of them failing. Tests as well that docs/scaling.md has the tables that
# its simulation prints, and that the measured figures in them are those of their sources.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/scripts" "$copy/bin"
cp "$root/scripts/test" "$root/scripts/machine.sh" "$root/scripts/count-tests.py" "$copy/scripts"

cat >"$copy/bin/swift" <<'SWIFT'
#!/usr/bin/env bash
case $1 in
--version) echo "Swift version 6.3" ;;
test)
    while [[ $1 != --xunit-output ]]; do shift; done
    echo "<testsuite><testcase name='a'/><testcase name='b'>$FAILURE</testcase></testsuite>" >"$2"
    exit "$STATUS"
    ;;
esac
SWIFT
for name in a b; do printf '#!/bin/sh\n[ "$FAILING" != %s ]\n' $name >"$copy/scripts/test-$name.sh"; done
chmod +x "$copy/bin/swift" "$copy"/scripts/test-*

# Arguments: the expected exit status, the expected last line, and the fake toolchain's behaviour.
expect() {
    local code=0 said
    said=$(env PATH="$copy/bin:$PATH" "${@:3}" "$copy/scripts/test" 2>/dev/null | tail -n 1) || code=$?
    [[ "$code $said" == "$1 $2" ]] || fail "It ended with $code and \"$said\" instead of $1 and \"$2\"."
}

expect 0 "6 passed, 0 failed" STATUS=0 FAILURE= FAILING=none
expect 1 "4 passed, 2 failed" STATUS=1 "FAILURE=<failure/>" FAILING=b
# A run that crashes counts as failed, whatever it had counted.
expect 1 "6 passed, 1 failed" STATUS=139 FAILURE= FAILING=none

simulation() { python3 -B "$copy/Benchmarks/Scaling/simulate.py" --check "$copy"; }
documents=(
    Benchmarks/Scaling/simulate.py README.md docs/scaling.md docs/changes.md docs/operations.md docs/decisions/0034-read-replicas.md)
simulation_of_checkout() {
    local document
    for document in "${documents[@]}"; do install -D "$root/$document" "$copy/$document"; done
}

# Plants a mistake in FILE by a sed PROGRAM, which has to change it, and be noticed.
notices() {
    simulation_of_checkout
    sed -i "$2" "$copy/$1"
    ! cmp -s "$root/$1" "$copy/$1" || fail "$1 has nothing that $2 would change."
    ! simulation >/dev/null || fail "A mistake in $1 is not noticed: $2"
}

notices docs/scaling.md '/^| 1 million |/s/MB/GB/'
notices docs/scaling.md '/^| sessions of the primary |/d'
notices README.md 's/| CPU of the server a delivery | 8.6 µs |/| CPU of the server a delivery | 8.7 µs |/'
notices Benchmarks/Scaling/simulate.py '/"delivery": /,/,$/s/8\.6,/8.7,/'
simulation_of_checkout
simulation || fail "Run Benchmarks/Scaling/simulate.py, and put its tables into docs/scaling.md."
echo "The figures are right."
