#!/usr/bin/env bash
# Compares groups with DuckDB's, and their calendar units with Python's `zoneinfo`. Ends with 69 where DuckDB cannot
# be had.
# usage: group-oracle-test.sh COMMAND…   the test program, to which a filter is added
set -euo pipefail
cd "$(dirname "$0")/.."
# DuckDB is kept between runs.
environment="${XDG_CACHE_HOME:-$HOME/.cache}/objectbox-group-oracle"
if ! "$environment/bin/python3" -c 'import duckdb' 2>/dev/null; then
  rm -rf "$environment"
  if ! python3 -m venv "$environment" || ! "$environment/bin/pip" install --quiet duckdb tzdata; then
    echo "group oracle: pip cannot install DuckDB here" >&2
    exit 69
  fi
fi
PATH="$environment/bin:$PATH" OBJECTBOX_LONG_TESTS=1 "$@" --filter GroupOracleTests
