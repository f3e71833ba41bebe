#!/usr/bin/env bash
# Tests `objectbox browse` in headless Chromium: each view and each refusal, and accessibility with axe. Tests stores,
# and databases if this machine can run a PostgreSQL server.
# usage: browser-test.sh [TEST ...]      parts of names of tests or classes, such as ViewTests; all without;
#   ends with 69 where Selenium is not there and cannot be had
#   BINARY=…    the tool, instead of building it
#   PICTURES=…  a folder for pictures of the views, as the documents have them
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/set-up.sh
install_browser_needs

if [ -z "${BINARY:-}" ]; then
  swift build --product objectbox
  BINARY="$(swift build --show-bin-path)/objectbox"
fi
OBJECTBOX_TOOL="$(realpath -e "$BINARY")"
OBJECTBOX_PICTURES="${PICTURES:+$(realpath -m "$PICTURES")}"
export OBJECTBOX_TOOL OBJECTBOX_PICTURES

# Selenium and axe are kept between runs.
environment="${XDG_CACHE_HOME:-$HOME/.cache}/objectbox-browser-test"
if ! "$environment/bin/python" -c 'import selenium, axe_selenium_python' 2>/dev/null; then
  rm -rf "$environment"
  python3 -m venv "$environment"
  if ! "$environment/bin/pip" install --quiet 'selenium==4.*' 'axe-selenium-python==2.*'; then
    echo "browser test: pip cannot install Selenium here" >&2
    exit 69
  fi
fi

names=(browser_test use_test database_test)
for name in "$@"; do names+=(-k "$name"); done
cd Tests/Tool/Browser
PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" -m unittest --verbose "${names[@]}"
