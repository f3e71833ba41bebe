#!/usr/bin/env bash
# Proves that the archives of package.sh run in a new, bare Debian, without Swift and the libraries that the tools are
# linked with.
# usage: package-test.sh FOLDER      the folder with the archives; ends with 69 where such a Debian cannot be made
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "package test: $1" >&2; exit 1; }
leave_out() { echo "package test: $1" >&2; exit 69; }
folder="$(realpath "$1")"
archives=("$folder"/objectbox-*.tar.xz)
[ -e "${archives[0]}" ] || fail "there is no archive in '$folder'; make one by Scripts/package.sh"

# In its own mount namespace the script leaves no mount behind.
if [ -z "${OBJECTBOX_OWN_MOUNTS:-}" ]; then
  [ "$(id -u)" -eq 0 ] || leave_out "only root can make a bare system"
  command -v debootstrap >/dev/null || leave_out "there is no debootstrap; apt-get install debootstrap"
  OBJECTBOX_OWN_MOUNTS=1 exec unshare --mount "$0" "$folder"
fi
work="$(mktemp -d)"
root="$work/root"
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT

mirror="$(awk '$1 == "URIs:" { print $2; exit } $1 == "deb" { print $(NF > 3 && $2 ~ /^\[/ ? 3 : 2); exit }' \
  $(ls /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null) /dev/null)"
suite="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")"
if ! debootstrap --variant=minbase "$suite" "$root" "$mirror" > "$work/log" 2>&1; then
  tail -n 5 "$work/log" >&2
  leave_out "debootstrap could not make '$suite' from this machine's apt sources"
fi
mount -t proc proc "$root/proc"
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin LANG=C.UTF-8 "$@"; }
if inside sh -c 'command -v swift || ls /usr/lib/llvm-*' >/dev/null 2>&1; then fail "the system is not bare"; fi
echo "a bare $suite: $(du -sm "$root" --exclude=proc | cut -f1) MiB"

mkdir "$root/work"
cp -r Tests/Fixtures/Stores/types "$root/work/store"
cat > "$root/work/Note.swift" <<'SWIFT'
import ObjectBox

// objectbox: entity
final class Note {
  var id: Id = 0
  // objectbox: index
  var title: String = ""
  init() {}
}
SWIFT
mkdir "$root/work/c"
sed 's/^  var title: String = ""/  var title: level_t = 0/' "$root/work/Note.swift" > "$root/work/c/Note.swift"
printf '#include <stddef.h>\ntypedef int level_t;\nstruct sizes { size_t bytes; };\n' > "$root/work/levels.h"

generate() {
  rm -f "$root"/work/model.json "$root"/work/out.swift
  inside "$bin/objectbox-generator" --model-json /work/model.json --output /work/out.swift --sources "$@"
}

for archive in "${archives[@]}"; do
  rm -rf "$root"/opt/*
  tar -xJf "$archive" -C "$root/opt"
  bin="/$(cd "$root" && echo opt/objectbox-*/bin)"
  version="$(basename "$(dirname "$bin")" | cut -d- -f2)"
  echo "$(basename "$archive")"

  # Check where the loader finds each library: the bare system's libraries must not make this test pass.
  for tool in objectbox objectbox-generator; do
    [ "$(inside "$bin/$tool" --version)" = "$version" ] || fail "$tool does not tell the version $version"
    inside env LD_TRACE_LOADED_OBJECTS=1 "$bin/$tool" > "$work/loaded"
    awk '$2 == "=>" { print $3 }' "$work/loaded" | grep -v "^$(dirname "$bin")/" \
      | grep -Ev '/lib(c|m|pthread|dl|rt|resolv)\.so' > "$work/elsewhere" || true
    if [ -s "$work/elsewhere" ]; then cat "$work/elsewhere" >&2; fail "$tool takes libraries of the system"; fi
    if grep -q "not found" "$work/loaded"; then cat "$work/loaded" >&2; fail "$tool lacks libraries"; fi
  done
  for file in "$root$bin"/* "$root$(dirname "$bin")"/lib/*.so*; do
    readelf -d "$file" | sed -n 's/.*R[UN]*PATH.*\[\(.*\)\]/\1/p' > "$work/paths"
    if grep -v '^$ORIGIN\(/\.\./lib\)\?$' "$work/paths" >&2; then fail "$(basename "$file") looks elsewhere for libraries"; fi
  done

  generate /work/Note.swift >/dev/null
  grep -q '"title"' "$root/work/model.json" || fail "the model lacks the property"
  grep -q 'Note' "$root/work/out.swift" || fail "there are no bindings"
  inside ln -sf "$bin/objectbox" /usr/bin/objectbox
  inside objectbox verify /work/store >/dev/null || fail "the store cannot be verified, by a link to the tool"
  inside objectbox info /work/store | grep -q . || fail "info says nothing"
  for file in bash-completion/completions/objectbox zsh/site-functions/_objectbox man/man1/objectbox.1.gz \
    licenses/swift; do
    [ -s "$root$(dirname "$bin")/share/$file" ] || fail "share/$file is missing"
  done

  status=0
  generate /work/c/Note.swift --c-header /work/levels.h > "$work/log" 2>&1 || status=$?
  case "$archive" in
    *-with-libclang.tar.xz)
      [ $status -eq 0 ] || { cat "$work/log" >&2; fail "a C type is an error"; } ;;
    *)
      [ $status -ne 0 ] || fail "a C type was read without libclang"
      grep -q libclang "$work/log" || { cat "$work/log" >&2; fail "the finding does not name libclang"; } ;;
  esac
done
echo "package test: complete"
