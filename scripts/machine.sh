# shellcheck shell=bash
# What a machine needs to build and run Tertulia. Sourced by the other scripts, which work from any directory.

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)

# In bold letters on a terminal.
say() { if [[ -t 2 ]]; then printf '\033[1m%s\033[0m\n' "$*"; else printf '%s\n' "$*"; fi >&2; }

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# Installs missing Debian packages; installed ones are not upgraded.
install_packages() {
    local package missing=()
    if ! command -v apt-get >/dev/null; then
        command -v pg_config >/dev/null || fail "Install PostgreSQL (15 is tested) with its server and libpq's and" \
            "OpenSSL's headers: packages are installed by this script only on Debian and Ubuntu."
        return
    fi
    for package in "$@"; do
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0

    local as_root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "Run this as root, or install sudo: missing are ${missing[*]}."
        as_root=(sudo)
    fi
    say "Installing ${missing[*]}"
    # An index that cannot be read may be one that is not needed.
    try_thrice "${as_root[@]}" apt-get update -qq || true
    try_thrice "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --no-upgrade --no-install-recommends -y -qq "${missing[@]}"
}

# Finds Swift 6.3 or later, on PATH or in swiftly's directory.
require_swift() {
    local swiftly=${SWIFTLY_HOME_DIR:-$HOME/.local/share/swiftly}/env.sh version
    # shellcheck disable=SC1090
    if ! command -v swift >/dev/null && [[ -r $swiftly ]]; then source "$swiftly"; fi
    version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\.([0-9]+).*/\1 \2/p' | head -n 1)
    local major=0 minor=0
    read -r major minor <<<"${version:-0 0}"
    ((major > 6 || (major == 6 && minor >= 3))) ||
        fail "Swift 6.3 is needed: get it from https://www.swift.org/install/linux, or use the container: docker compose up --build"
}

# SwiftPM's directory; a clone that belongs to somebody else is built elsewhere.
scratch_path() {
    if [[ -w $root/.build || (! -e $root/.build && -w $root) ]]; then
        printf '%s' "$root/.build"
    else
        printf '%s' "${XDG_CACHE_HOME:-$HOME/.cache}/tertulia/build"
    fi
}

# Runs a command up to three times, for what a network may refuse.
try_thrice() {
    local tries
    for ((tries = 1; ; tries++)); do
        "$@" && return
        if ((tries == 3)); then
            say "Failed three times: $*"
            return 1
        fi
        say "Once more: $*"
        sleep $((tries * 5))
    done
}

# Makes a Python environment with the packages of Tests/Client/requirements[-NAME].txt below SwiftPM's directory, unless it is
# there, and prints the path of its Python. Usage: client_python SCRATCH [NAME]
client_python() (
    list=$root/Tests/Client/requirements${2:+-$2}.txt venv=$1/client-venv${2:+-$2}
    # The list is copied last: an environment without it is made anew. The commands are joined, since errexit has no effect where
    # a function's output is read by $(…).
    if [[ ! -x $venv/bin/python ]] || ! cmp -s "$list" "$venv/requirements.txt"; then
        {
            rm -f "$venv/requirements.txt" &&
                python3 -m venv --clear "$venv" &&
                "$venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$list" &&
                cp "$list" "$venv/requirements.txt"
        } >&2 || fail "The Python packages of $list could not be installed."
    fi
    printf '%s' "$venv/bin/python"
)

# As client_python, and prints the folder of its modules.
client_modules() {
    local python
    python=$(client_python "$@") || return
    readlink -f "$(dirname -- "$python")"/../lib/python3.*/site-packages
}

# Starts a server in the background, its output in DIRECTORY/NAME.log, and sets `address` to the GraphQL endpoint that
# it prints; `servers` are the processes to stop.
servers=()
start_server() {
    local log=$1/$2.log
    # The loop below may read the log before the server has opened it.
    : >"$log"
    "${@:3}" >"$log" 2>&1 &
    servers+=($!)
    local end=$((SECONDS + 300))
    while ((SECONDS < end)); do
        address=$(sed -nE 's|.* serves (http://\S+/graphql),.*|\1|p' "$log" | head -n 1)
        [[ -n $address ]] && return
        kill -0 "${servers[-1]}" 2>/dev/null || break
        sleep 0.1
    done
    cat "$log" >&2
    fail "$2 did not start."
}

stop_servers() {
    local server
    for server in "${servers[@]}"; do
        kill -TERM "$server" 2>/dev/null && wait "$server" || true
    done
}
