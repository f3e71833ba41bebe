#!/usr/bin/env bash
# Makes archives of the tools, with their libraries, for Linux machines without a Swift toolchain.
# usage: package.sh [FOLDER]      FOLDER gets the archives; default .build/packages
#   objectbox-VERSION-linux-ARCH.tar.xz                 objectbox and objectbox-generator
#   objectbox-VERSION-linux-ARCH-with-libclang.tar.xz   the same, and C types without an installed libclang
# BINARIES=FOLDER takes built tools from there instead of building them for release.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "package: $1" >&2; exit 1; }
[ "$(uname -s)" = Linux ] || fail "archives are made on Linux only; elsewhere build the tools with SwiftPM"
for program in ldd objdump patchelf strip xz; do
  command -v $program >/dev/null || fail "there is no '$program'; apt-get install binutils patchelf xz-utils"
done
folder="$(realpath -m "${1:-.build/packages}")"
mkdir -p "$folder"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

if [ -z "${BINARIES:-}" ]; then
  for tool in objectbox objectbox-generator; do swift build -c release --product $tool; done
  BINARIES="$(swift build -c release --show-bin-path)"
fi
version="$("$BINARIES/objectbox" --version)"
[ "$version" = "$("$BINARIES/objectbox-generator" --version)" ] || fail "the tools have different versions"
name="objectbox-$version-linux-$(uname -m)"
root="$work/$name"
mkdir -p "$root/bin" "$root/lib" "$root/share/licenses"

# needed FILE…: prints the paths of the libraries that the dynamic loader finds for the files. Leaves out the C
# library, which must match the system's loader.
needed() {
  ldd "$@" > "$work/needed"
  if grep "not found" "$work/needed" >&2; then fail "a library is missing on this machine"; fi
  awk '$2 == "=>" { print $3 }' "$work/needed" | sort -u \
    | grep -Ev '/(libc|libm|libpthread|libdl|librt|libresolv|libutil|libanl|ld-linux[^/]*)\.so'
}

# license FILE: adds the license of a library's package.
license() {
  local package text
  package="$(dpkg -S "$(realpath "$1")" 2>/dev/null | head -n 1 | cut -d: -f1 || true)"
  if [ -z "$package" ]; then
    # Where /bin and /lib are links into /usr, dpkg may know a file only by its path without /usr.
    package="$(dpkg -S "*/$(basename "$(realpath "$1")")" 2>/dev/null | head -n 1 | cut -d: -f1 || true)"
  fi
  text="/usr/share/doc/$package/copyright"
  if [ -z "$package" ]; then
    package=swift
    text="${1%/lib/swift/*}/share/swift/LICENSE.txt"
  fi
  [ -f "$text" ] || fail "there is no license of '$1'"
  cp -L "$text" "$root/share/licenses/$package"
}

cp "$BINARIES/objectbox" "$BINARIES/objectbox-generator" "$root/bin"
for library in $(needed "$root"/bin/*); do
  cp -L "$library" "$root/lib"
  license "$library"
done
# The tools load the stemming algorithms of full-text indexes by this name.
stemmer="$(find /usr/lib -maxdepth 2 -name libstemmer.so.0d | sort | tail -n 1)"
[ -n "$stemmer" ] || fail "there is no libstemmer; apt-get install libstemmer0d"
cp -L "$stemmer" "$root/lib"
license "$stemmer"
# Before patchelf: strip may break a file whose sections patchelf has moved.
strip --strip-unneeded "$root"/bin/* "$root"/lib/*
patchelf --set-rpath '$ORIGIN/../lib' "$root"/bin/*
patchelf --set-rpath '$ORIGIN' "$root"/lib/*

cp LICENSE "$root"
mkdir -p "$root"/share/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
"$BINARIES/objectbox" completion bash > "$root/share/bash-completion/completions/objectbox"
"$BINARIES/objectbox" completion zsh > "$root/share/zsh/site-functions/_objectbox"
"$BINARIES/objectbox" completion fish > "$root/share/fish/vendor_completions.d/objectbox.fish"
mkdir -p "$root/share/man/man1"
"$BINARIES/objectbox" man | gzip -9n > "$root/share/man/man1/objectbox.1.gz"

# system_library: prints the version of the C library that the archive's files need.
system_library() {
  objdump -T "$root"/bin/* "$root"/lib/*.so* 2>/dev/null | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1 | cut -d_ -f2
}

# archive NAME: makes an archive of the folder's present content.
archive() {
  cat > "$root/README" <<TEXT
objectbox $version for Linux on $(uname -m), with the GNU C library $(system_library) or newer.

bin/objectbox works on store files, bin/objectbox-generator makes bindings of annotated Swift sources; both tell
more with --help. Keep bin, lib and share together: put bin into PATH, or link the tools from a folder that is there.
share has completions for shells, a manual page, and the licenses of the libraries in lib.
TEXT
  local time
  time="$(git log -1 --format=%ct 2>/dev/null || echo 0)"
  tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$time" -cf - "$name" \
    | xz -T0 > "$folder/$1.tar.xz"
  echo "$folder/$1.tar.xz: $(($(stat -c %s "$folder/$1.tar.xz") / 1000000)) MB," \
    "$(du -sm "$root" | cut -f1) MiB unpacked, GNU C library $(system_library) or newer"
}
archive "$name"

# The generator loads libclang by its name; libclang finds its headers in the folder clang next to it.
libclang="$(find /usr/lib/llvm-*/lib -maxdepth 1 -name libclang.so 2>/dev/null | sort -V | tail -n 1 || true)"
if [ -z "$libclang" ]; then
  echo "package: no libclang on this machine, so no archive with it" >&2
  exit 0
fi
for library in $libclang $(needed "$libclang"); do
  target="$root/lib/$(basename "$library")"
  if [ -e "$target" ]; then continue; fi
  cp -L "$library" "$target"
  license "$library"
  strip --strip-unneeded "$target"
  patchelf --set-rpath '$ORIGIN' "$target"
done
headers="$(echo "${libclang%/*}"/clang/*/include)"
[ -f "$headers/stddef.h" ] || fail "libclang's own headers are not in '$headers'; apt-get install libclang-dev"
mkdir -p "$root/lib/clang/$(basename "${headers%/include}")"
cp -RL "$headers" "$root/lib/clang/$(basename "${headers%/include}")"
archive "$name-with-libclang"
