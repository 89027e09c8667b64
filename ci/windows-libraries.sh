#!/usr/bin/env bash
# Builds libuv, jansson, libxml2, SQLite, MariaDB's client and cmocka for Windows, static, from the distribution's own source packages, adds the header that
# xxHash is, and prints the folder they are in. A folder is kept per compiler, library versions and recipe: a second run only prints it.
#   ISOBENCH_CACHE  the cache; they are in its folder windows/ (default: .cache in the source tree)
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

cache=${ISOBENCH_CACHE:-$root/.cache}/windows
compiler=x86_64-w64-mingw32-gcc-posix
# source package = the binary package whose version tells the source's
libraries=(libuv1=libuv1-dev jansson=libjansson-dev cmocka=libcmocka-dev xxhash=libxxhash-dev libxml2=libxml2-dev
    sqlite3=libsqlite3-dev)

# What the libraries depend on, as text: any change makes a new folder.
key_text() {
    local library
    "$compiler" --version | head -n 1
    for library in "${libraries[@]}" mariadb=libmariadb-dev; do
        printf '%s %s\n' "${library%%=*}" "$(apt-cache policy "${library#*=}" | awk '$1 == "Candidate:" { print $2 }')"
    done
    sha256sum <"$root/ci/windows-libraries.sh"
    sha256sum <"$root/ci/windows-toolchain.cmake"
}

# apt with a configuration of its own: the machine's sources as deb-src, lists and cache in the work folder.
# Mirrors, keys and proxies stay the machine's.
private_apt() {
    apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/sources.list.d" \
        -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root "$@" >&2
}

write_source_lists() {
    local file
    mkdir -p "$apt/sources.list.d" "$apt/lists/partial" "$apt/cache/archives/partial"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        if [ -f "$file" ]; then
            sed -n 's/^deb[[:space:]]/deb-src /p' "$file" >"$apt/sources.list.d/$(basename "$file" .list).list"
        fi
    done
    for file in /etc/apt/sources.list.d/*.sources; do
        if [ -f "$file" ]; then
            sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/sources.list.d/$(basename "$file")"
        fi
    done
}

fetch() {
    local library
    apt=$work/apt
    write_source_lists
    private_apt update
    mkdir -p "$work/src"
    for library in "${libraries[@]}"; do
        (cd "$work/src" && private_apt source "${library%%=*}")
    done
    fetch_mariadb
}

# Connector/C is a folder of MariaDB's source; the other 600 MB stay packed. Of a security update the mirrors may have the
# packages and not yet their source: the release's then.
fetch_mariadb() {
    local codename
    codename=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
    mkdir -p "$work/mariadb"
    (
        cd "$work/mariadb"
        private_apt source --download-only mariadb || private_apt source --download-only "mariadb/$codename"
        tar -xzf mariadb_*.orig.tar.gz --wildcards --strip-components=1 '*/libmariadb/*'
        rm mariadb_*
    )
}

# configure SOURCE NAME FLAG…
configure() {
    local source=$1 name=$2
    shift 2
    cmake -S "$source" -B "$work/build-$name" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$root/ci/windows-toolchain.cmake" \
        -DISO_WINDOWS_LIBRARIES="$folder" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$folder" \
        -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF "$@" >&2
}

# build NAME FLAG…: configures, builds and installs the unpacked source package NAME.
build() {
    local name=$1 source
    shift
    source=$(find "$work/src" -mindepth 1 -maxdepth 1 -type d -name "${name}*" | head -n 1)
    configure "$source" "$name" "$@"
    cmake --build "$work/build-$name" --parallel "$(cpu_count)" >&2
    cmake --install "$work/build-$name" >&2
}

# Its writer and what that stands on: no network, no other encodings, no compression.
build_libxml2() {
    local part parts=(C14N CATALOG DEBUG DOCB FTP HTML HTTP ICONV ICU ISO8859X LEGACY LZMA MEM_DEBUG MODULES PATTERN
        PROGRAMS PYTHON READER REGEXPS RUN_DEBUG SAX1 SCHEMAS SCHEMATRON TESTS THREADS VALID XINCLUDE XPATH XPTR ZLIB)
    local flags=(-DHAVE_PTHREAD_H=OFF) # found, it would be used without threads too
    for part in "${parts[@]}"; do
        flags+=("-DLIBXML2_WITH_$part=OFF")
    done
    build libxml2 "${flags[@]}"
}

# The amalgamation, which its build makes with Tcl, compiled as one file.
build_sqlite3() {
    local source
    source=$(find "$work/src" -mindepth 1 -maxdepth 1 -type d -name 'sqlite3*' | head -n 1)
    mkdir -p "$work/sqlite3"
    (cd "$work/sqlite3" && "$source/configure" --disable-tcl --disable-readline && make sqlite3.c) >&2
    "$compiler" -O2 -DSQLITE_THREADSAFE=1 -DSQLITE_DQS=0 -c "$work/sqlite3/sqlite3.c" -o "$work/sqlite3/sqlite3.o" >&2
    install -d "$folder/lib"
    x86_64-w64-mingw32-ar rcs "$folder/lib/libsqlite3.a" "$work/sqlite3/sqlite3.o"
    install -D -m 644 -t "$folder/include" "$work/sqlite3/sqlite3.h"
}

# With Windows' own TLS, and with the ways to log in built in: as DLLs they would have to lie beside the program.
build_mariadb() {
    local plugin flags=(-DWITH_SSL=SCHANNEL -DWITH_UNIT_TESTS=OFF -DWITH_CURL=OFF -DWITH_EXTERNAL_ZLIB=OFF
        -DCLIENT_PLUGIN_AUTH_GSSAPI_CLIENT=OFF)
    for plugin in CACHING_SHA2_PASSWORD SHA256_PASSWORD MYSQL_CLEAR_PASSWORD DIALOG CLIENT_ED25519; do
        flags+=("-DCLIENT_PLUGIN_$plugin=STATIC")
    done
    configure "$work/mariadb/libmariadb" mariadb "${flags[@]}"
    cmake --build "$work/build-mariadb" --parallel "$(cpu_count)" --target mariadbclient >&2
    install -D -m 644 -t "$folder/lib" "$(find "$work/build-mariadb" -name libmariadbclient.a)"
    install -d "$folder/include/mariadb/mysql"
    install -m 644 -t "$folder/include/mariadb" "$work"/mariadb/libmariadb/include/*.h \
        "$work"/build-mariadb/include/*.h
    install -m 644 -t "$folder/include/mariadb/mysql" "$work"/mariadb/libmariadb/include/mysql/*.h
}

main() {
    local key
    need_packages gcc-mingw-w64-x86-64-posix cmake ninja-build dpkg-dev gcc libc6-dev make tcl >&2
    key=$(key_text)
    folder=$cache/$(printf '%s' "$key" | sha256sum | cut -c 1-16)
    if [ ! -f "$folder/made-from.txt" ]; then
        mkdir -p "$cache"
        work=$(mktemp -d "$cache/work.XXXXXX")
        trap 'rm -rf "$work"' EXIT
        rm -rf "$folder"
        fetch
        # libuv before 1.45 has no switch for its DLL and builds it too.
        build libuv1 -DBUILD_TESTING=OFF -DLIBUV_BUILD_TESTS=OFF -DLIBUV_BUILD_SHARED=OFF
        build jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF
        build cmocka -DWITH_EXAMPLES=OFF -DWITH_STATIC_LIB=ON
        build_libxml2
        install -D -m 644 -t "$folder/include" "$work"/src/xxhash-*/xxhash.h
        build_sqlite3
        build_mariadb
        printf '%s\n' "$key" >"$folder/made-from.txt"
    fi
    ln -sfn "$(basename "$folder")" "$cache/current"
    printf '%s\n' "$folder"
}

main "$@"
