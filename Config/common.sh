# shellcheck shell=bash
# Shared by the scripts of this folder; not a program.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly root
program=Config/$(basename "$0")
readonly program

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
    bold=$'\e[1m' dim=$'\e[2m' green=$'\e[32m' red=$'\e[31m' yellow=$'\e[33m' blue=$'\e[34m' plain=$'\e[0m'
else
    bold='' dim='' green='' red='' yellow='' blue='' plain=''
fi
# shellcheck disable=SC2034  # the scripts use what they need
readonly bold dim green red yellow blue plain

say() { printf '%s%s%s\n' "$bold" "$*" "$plain"; }

fail() {
    printf '%s%s: %s%s\n' "$red" "$program" "$1" "$plain" >&2
    shift
    [ $# -eq 0 ] || printf '  %s\n' "$@" >&2
    exit 1
}

# The exact time of day in milliseconds.
now_ms() { printf '%s' "$((${EPOCHREALTIME/[.,]/} / 1000))"; }

# Seconds with one digit since a time from now_ms.
seconds_since() { local ms=$(($(now_ms) - $1)); printf '%d.%d' $((ms / 1000)) $((ms % 1000 / 100)); }

# sudo forgets PATH, so a toolchain outside of it is looked for where the installers put it.
find_swift() {
    command -v swift >/dev/null && return
    local home directory
    home=$(getent passwd "${SUDO_USER:-$(id -un)}" | cut -d: -f6)
    for directory in "$home/.local/share/swiftly/bin" /root/.local/share/swiftly/bin /usr/local/swiftly/bin \
        /opt/swift/usr/bin /opt/swift*/usr/bin /usr/share/swift/usr/bin /usr/local/swift/usr/bin "$home"/swift*/usr/bin; do
        [ -x "$directory/swift" ] || continue
        PATH=$directory:$PATH
        export PATH
        return
    done
    fail "there is no swift in PATH" \
        "Install Swift $(needed_swift) or newer from https://www.swift.org/install and start this again." \
        "With sudo, give it the path: sudo env \"PATH=\$PATH\" $program"
}

# The first line of Package.swift says which version can read it.
needed_swift() { sed -n '1s/.*swift-tools-version: *\([0-9.]*\).*/\1/p' "$root/Package.swift"; }

check_swift() {
    find_swift
    local text version needed
    needed=$(needed_swift)
    text=$(swift --version 2>&1) ||
        fail "swift --version failed; the toolchain is incomplete" "$text"
    version=$(sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' <<<"$text" | head -1)
    [ -n "$version" ] || fail "swift --version says no version" "$text"
    [ "$(printf '%s\n%s\n' "$needed" "$version" | sort -V | head -1)" = "$needed" ] ||
        fail "Swift $version is too old; this needs $needed or newer" "$(command -v swift)" \
            "Newer ones are at https://www.swift.org/install"
}

# A build folder made with sudo stays root's, and the next build without it fails in a way that is hard to read.
check_build_folder() {
    local path
    for path in "$root" "$root/.build"; do
        if [ -e "$path" ] && [ ! -w "$path" ]; then
            fail "cannot write to $path, which belongs to $(stat -c %U "$path")" \
                "Use the same user as before, or: sudo chown -R $(id -un) $path"
        fi
    done
}
