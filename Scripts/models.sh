#!/usr/bin/env bash
# Checks the models of races in Tests/Trials/RaceModels with SPIN, over all interleavings. Each model must hold, and its variant
# without the protection must fail: a model that cannot fail proves nothing.
# usage: models.sh [MODEL…]      MODEL: heads gate closing locks; all by default
# Needs the Debian package `spin`; without it, it says so and ends with 0.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v spin >/dev/null || ! command -v cc >/dev/null; then
  echo "models.sh: left out, since there is no 'spin' in PATH; it is a package of Debian and Homebrew"
  exit 0
fi
models=("$@")
[ ${#models[@]} -gt 0 ] || models=(heads gate closing locks)
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# Searches all states of a model, with options of spin; SPIN's report goes to $work/output.
search() {
  local model="$1"
  shift
  cp "Tests/Trials/RaceModels/$model.pml" "$work/model.pml"
  (cd "$work" && spin "$@" -a model.pml && cc -O2 -w -DSAFETY -o pan pan.c && ./pan -m1000000) >"$work/output" 2>&1
}

for model in "${models[@]}"; do
  search "$model" || { cat "$work/output"; exit 2; }
  if ! grep -q 'errors: 0' "$work/output"; then
    cat "$work/output"
    echo "models.sh: FINDING: $model does not hold"
    exit 1
  fi
  if grep -q 'search depth too small\|max search depth\|out of memory' "$work/output"; then
    cat "$work/output"
    echo "models.sh: $model was not searched wholly"
    exit 2
  fi
  states="$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' "$work/output")"
  variants=(UNPROTECTED)
  if [ "$model" = heads ]; then variants+=(RENEWED); fi
  for variant in "${variants[@]}"; do
    search "$model" "-D$variant" || true
    if ! grep -q 'errors: [1-9]' "$work/output"; then
      cat "$work/output"
      echo "models.sh: FINDING: $model holds with -D$variant, so it shows nothing"
      exit 1
    fi
  done
  echo "models.sh: $model holds in $states states, and fails without its protection"
done
