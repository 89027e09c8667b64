# shellcheck shell=bash disable=SC2034
# Shared by the scripts: source it after `set -euo pipefail`. It sets `root`, the source tree's folder.
#   ISOBENCH_NO_INSTALL=1  install nothing; what is needed is taken to be there

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
apt_updated=no

say() {
    printf '==> %s\n' "$*"
}

die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# A wrong command line: one line, status 2.
die_usage() {
    printf '%s: %s; see --help\n' "$(basename "$0")" "$*" >&2
    exit 2
}

have() {
    command -v "$1" >/dev/null 2>&1
}

cpu_count() {
    nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2
}

# run_logged LOG COMMAND…: keeps a long command's output in a file, and shows the file only when the command fails.
run_logged() {
    local log=$1 status=0
    shift
    mkdir -p "$(dirname "$log")"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [ "$status" -ne 0 ]; then
        tail -n 200 "$log" >&2
        printf '%s: failed with status %d: %s\n' "$(basename "$0")" "$status" "$*" >&2
    fi
    return "$status"
}

apt_get() {
    local command=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@")
    if [ "$(id -u)" -ne 0 ]; then
        have sudo || die "installing needs root: run it as root, or install sudo"
        command=(sudo "${command[@]}")
    fi
    run_logged "$root/build/logs/apt-get-$1.log" "${command[@]}"
}

# Asks dpkg, not the PATH: what the distribution's package brings is what the build looks for.
is_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

apt_knows() {
    apt-cache policy "$1" 2>/dev/null | grep -q '^  Candidate: [^(]'
}

apt_update_once() {
    if [ "$apt_updated" = no ]; then
        say "apt-get update"
        apt_get update || die "apt-get update failed: is the network there?"
        apt_updated=yes
    fi
}

# need_packages PACKAGE…: installs those that are missing, and says which.
need_packages() {
    local package missing=()
    if [ "${ISOBENCH_NO_INSTALL:-}" = 1 ]; then
        return
    fi
    if ! have apt-get || ! have dpkg-query; then
        die "no apt-get here. Install what these Debian packages hold: $*; then run again with ISOBENCH_NO_INSTALL=1"
    fi
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    if [ ${#missing[@]} -eq 0 ]; then
        return
    fi
    say "installing with apt-get: ${missing[*]}"
    for package in "${missing[@]}"; do
        apt_knows "$package" || apt_update_once
    done
    # Old package lists name files that the mirror no longer has: refresh them and try again.
    apt_get install --no-install-recommends "${missing[@]}" && return
    [ "$apt_updated" = no ] || die "apt-get could not install: ${missing[*]}"
    say "trying again with new package lists"
    apt_update_once
    apt_get install --no-install-recommends "${missing[@]}" || die "apt-get could not install: ${missing[*]}"
}

# The version of clang's tools that the tree is formatted with; both Debian 12 and Ubuntu 24.04 have it.
clang_version=14

# build_preset PRESET [TARGET…]: configures and builds in build/PRESET, with configure_options on top of the preset's.
configure_options=()
build_preset() {
    local preset=$1 target targets=()
    shift
    for target in "$@"; do
        targets+=(--target "$target")
    done
    (
        cd "$root" &&
            run_logged "build/logs/configure-$preset.log" cmake --preset "$preset" \
                ${configure_options[@]+"${configure_options[@]}"} &&
            run_logged "build/logs/build-$preset.log" cmake --build --preset "$preset" --parallel "$(cpu_count)" \
                ${targets[@]+"${targets[@]}"}
    )
}

build_packages=(cmake ninja-build gcc libc6-dev pkg-config libuv1-dev libjansson-dev liburing-dev libcmocka-dev
    zlib1g-dev libxxhash-dev libxml2-dev libsqlite3-dev libmariadb-dev libpq-dev)
lint_packages=("clang-format-$clang_version" "clang-tidy-$clang_version" shellcheck)
# A node that did not come with a package serves as well; Debian's npm brings hundreds of packages.
if ! have node || ! have npm; then
    lint_packages+=(nodejs npm)
fi
windows_packages=(gcc-mingw-w64-x86-64-posix binutils-mingw-w64-x86-64 libz-mingw-w64-dev dpkg-dev make tcl wine wine64 python3
    mariadb-server openssl)
