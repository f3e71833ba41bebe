# Installs the packages that the build needs; scripts source it. On Debian and Ubuntu: the headers of LMDB and
# libclang. The functions `install_…_needs` install the packages of the other parts.

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
  # SwiftPM caches which libraries the manifest has found.
  swift package purge-cache
}

if command -v apt-get >/dev/null; then
  install_packages liblmdb-dev libclang-dev
elif command -v brew >/dev/null; then
  brew list lmdb >/dev/null 2>&1 || { echo "installing lmdb"; brew install lmdb; }
fi

# Installs the client library of clusters, and a server for their tests.
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

# Installs the web server library of `objectbox browse`.
install_page_needs() {
  if command -v apt-get >/dev/null; then
    install_packages libmicrohttpd-dev
  elif command -v brew >/dev/null; then
    brew list libmicrohttpd >/dev/null 2>&1 || { echo "installing libmicrohttpd"; brew install libmicrohttpd; }
  fi
}

# Installs the stemming algorithms of full-text indexes, which are loaded at run time.
install_search_needs() {
  if command -v apt-get >/dev/null; then install_packages libstemmer0d; fi
}

# Installs the library of synchronization's connections, and for their tests another implementation, and tools for
# networks and lists of processes.
install_sync_needs() {
  if command -v apt-get >/dev/null; then
    install_packages libssl-dev libwebsockets-dev python3-websockets iproute2 procps
  elif command -v brew >/dev/null; then
    brew list libwebsockets >/dev/null 2>&1 || { echo "installing libwebsockets"; brew install libwebsockets; }
  fi
}

# Installs another implementation of JSON Web Tokens.
install_token_needs() {
  if command -v apt-get >/dev/null; then install_packages python3-jwcrypto python3-pip; fi
}

# Installs the ciphers of encrypted stores.
install_encryption_needs() {
  if command -v apt-get >/dev/null; then install_packages libsodium-dev; fi
}

# Installs the web server library, and a browser with Python for the page's tests.
install_browser_needs() {
  install_page_needs
  if command -v apt-get >/dev/null; then
    # Chromium's recommended packages would install a desktop, and upgrade packages of the system.
    APT_OPTIONS=--no-install-recommends install_packages chromium chromium-driver python3-venv
  fi
}

# Installs the needs of the benchmarks' peers, and valgrind to count instructions.
install_benchmark_needs() {
  if command -v apt-get >/dev/null; then install_packages binutils make libsqlite3-dev valgrind; fi
}

# Installs the instruction counter of Scripts/growth.sh. GrowthTool includes valgrind's header.
install_growth_needs() {
  if command -v apt-get >/dev/null; then install_packages binutils valgrind; fi
}

# Installs the text of the example SemanticSearch, and Python's venv for its language model.
install_example_needs() {
  if command -v apt-get >/dev/null; then install_packages jargon-text python3-venv; fi
}

# Installs the programs that make and test archives of the tools.
install_package_needs() {
  if command -v apt-get >/dev/null; then install_packages binutils debootstrap patchelf xz-utils; fi
}
