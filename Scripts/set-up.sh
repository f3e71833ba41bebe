# Installs what the build needs and the machine lacks; sourced by demo.sh and test.sh.
# On Debian and Ubuntu: the LMDB headers, and libclang's. The functions `install_…_needs` add those of the
# other parts.

if ! command -v swift >/dev/null; then
  echo "error: there is no 'swift' in PATH; install the Swift 6.3 toolchain first" >&2
  exit 1
fi

install_packages() {
  local missing=()
  for package in "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local root=()
  if [ "$(id -u)" -ne 0 ]; then root=(sudo); fi
  echo "installing ${missing[*]}"
  "${root[@]}" apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y -qq ${APT_OPTIONS:-} "${missing[@]}" >/dev/null
  # SwiftPM remembers what the manifest found before.
  swift package purge-cache
}

if command -v apt-get >/dev/null; then
  install_packages liblmdb-dev libclang-dev
elif command -v brew >/dev/null; then
  brew list lmdb >/dev/null 2>&1 || { echo "installing lmdb"; brew install lmdb; }
fi

# Installs what clusters need, and a server for their tests.
install_cluster_needs() {
  if command -v apt-get >/dev/null; then
    install_packages libpq-dev postgresql
  elif command -v brew >/dev/null; then
    local formula
    for formula in libpq postgresql@17; do
      brew list "$formula" >/dev/null 2>&1 || { echo "installing $formula"; brew install "$formula"; }
    done
  fi
}

# Installs the library that serves the page of `objectbox browse`.
install_page_needs() {
  if command -v apt-get >/dev/null; then
    install_packages libmicrohttpd-dev
  elif command -v brew >/dev/null; then
    brew list libmicrohttpd >/dev/null 2>&1 || { echo "installing libmicrohttpd"; brew install libmicrohttpd; }
  fi
}

# Installs the library of the page, and a browser with Python for its tests.
install_browser_needs() {
  install_page_needs
  if command -v apt-get >/dev/null; then
    # Chromium's recommended packages bring a desktop, and newer versions of the system's own packages.
    APT_OPTIONS=--no-install-recommends install_packages chromium chromium-driver python3-venv
  fi
}

# Installs what the programs beside the benchmarks and the counting of instructions need.
install_benchmark_needs() {
  if command -v apt-get >/dev/null; then install_packages binutils make libsqlite3-dev valgrind; fi
}

# Installs the text of the example of semantic search, and what it makes vectors with.
install_example_needs() {
  if command -v apt-get >/dev/null; then install_packages jargon-text python3-venv; fi
}

# Installs what archives of the tools are made and tried with.
install_package_needs() {
  if command -v apt-get >/dev/null; then install_packages binutils debootstrap patchelf xz-utils; fi
}
