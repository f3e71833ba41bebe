#!/usr/bin/env bash
# Runs clients that send what no device sends, to a real sync server on a real PostgreSQL server, together with an
# honest device. Then it checks whether the server still runs in little memory, and an oracle in SQL checks, from
# triggers of the trial, whether every change of a row and of a pair was its user's right before and after it.
# Run by `sync-trials.sh hostile`. Exit codes: 0 nothing found, 1 a finding, 2 the trial could not run.
# usage: sync-hostile.sh [--seed N|day] [--seconds N] [--wait N]
#   --seed: by default the number of the day
#   --seconds: how long the clients attack, 60 by default; BINARY=… takes a program that is built already
#   --wait: the most seconds that a write of the honest device may wait for its decision, 1 by default
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/trial-seed.sh

fail() { echo "sync-hostile.sh: $1" >&2; exit 2; }

seed=
seconds=60
wait=1
# The most memory of the server in MB.
memory=400
while [ $# -gt 0 ]; do
  case "$1" in
    --seed) seed="${2:?number or day}"; shift ;;
    --seconds) seconds="${2:?number}"; shift ;;
    --wait) wait="${2:?number}"; shift ;;
    *) sed -n '2,/^[^#]/s/^# //p' "$0" >&2; exit 2 ;;
  esac
  shift
done
seed="$(seed_of "$seed" "$seconds")"
again="${BINARY:+BINARY=$BINARY }Scripts/sync-trials.sh hostile --seed $seed --seconds $seconds --wait $wait"
if [ -z "${BINARY:-}" ]; then
  swift build --product SyncHostile >&2 || fail "the program could not be built"
  BINARY="$(swift build --show-bin-path)/SyncHostile"
fi
export BINARY
command -v psql >/dev/null || fail "no 'psql'; install it with 'apt-get install postgresql'"
if [ -z "${OBJECTBOX_TEST_POSTGRES:-}" ]; then
  exec Scripts/postgres.sh run "$0" --seed "$seed" --seconds "$seconds" --wait "$wait"
fi
database="$OBJECTBOX_TEST_POSTGRES"
echo "hostile: seed $seed, $seconds s"
work="$(mktemp -d)"
server=
finish() {
  local code=$?
  if [ -n "$server" ]; then kill -9 "$server" 2>/dev/null || true; fi
  if [ $code = 1 ]; then
    tail -n 20 "$work/server" "$work/errors" 2>/dev/null || true
    echo "again: $again"
  fi
  rm -rf "$work"
}
trap finish EXIT
sql() { psql -X -q -A -t -v ON_ERROR_STOP=1 "$database" "$@"; }

"$BINARY" prepare "$database" || fail "the tables could not be made"
schema="$(sql -c "SELECT quote_ident(schemaname) FROM pg_tables WHERE tablename = 'Ward'")"
PGOPTIONS="-c search_path=$schema" sql >/dev/null <<'SQL'
CREATE TABLE trial_changes (xact xid8 DEFAULT pg_current_xact_id(), entity text, id bigint, before jsonb, after jsonb);
CREATE FUNCTION trial_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('INSERT INTO %I.trial_changes (entity, id, before, after) VALUES ($1, $2, $3, $4)', TG_TABLE_SCHEMA)
    USING TG_TABLE_NAME, coalesce(NEW.id, OLD.id), to_jsonb(OLD), to_jsonb(NEW);
  RETURN NULL;
END $$;
CREATE TRIGGER trial AFTER INSERT OR UPDATE OR DELETE ON "Ward" FOR EACH ROW EXECUTE FUNCTION trial_note();
CREATE TRIGGER trial AFTER INSERT OR UPDATE OR DELETE ON "Pen" FOR EACH ROW EXECUTE FUNCTION trial_note();
-- A pair counts as a change of its source, whose row it has.
CREATE TABLE trial_pairs (xact xid8 DEFAULT pg_current_xact_id(), source bigint, target bigint, is_added boolean,
  object jsonb);
CREATE FUNCTION trial_note_pair() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('INSERT INTO %1$I.trial_pairs (source, target, is_added, object)
    VALUES ($1, $2, $3, (SELECT to_jsonb(ward) FROM %1$I."Ward" AS ward WHERE ward.id = $1))', TG_TABLE_SCHEMA)
    USING coalesce(NEW.source, OLD.source), coalesce(NEW.target, OLD.target), TG_OP <> 'DELETE';
  RETURN NULL;
END $$;
DO $$
DECLARE pairs regclass;
BEGIN
  FOR pairs IN SELECT attrelid::regclass FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND attname IN ('source', 'target')
      AND relname NOT LIKE 'trial%' GROUP BY attrelid HAVING count(*) = 2
  LOOP
    EXECUTE format('CREATE TRIGGER trial AFTER INSERT OR UPDATE OR DELETE ON %s
      FOR EACH ROW EXECUTE FUNCTION trial_note_pair()', pairs);
  END LOOP;
END $$;
-- The rules of the server, said once more.
CREATE FUNCTION trial_may(who text, what text, object jsonb) RETURNS boolean LANGUAGE sql AS $$
  SELECT object IS NULL OR object ->> 'owner' = who
    AND (what <> 'Ward' OR coalesce((object ->> 'stock')::numeric, 0) <= 10)
$$;
SQL

: >"$work/server"
"$BINARY" serve "$database" 0 >"$work/server" 2>"$work/errors" &
server=$!
for _ in $(seq 200); do
  port="$(sed -n 's/^port //p' "$work/server")"
  if [ -n "$port" ]; then break; fi
  sleep 0.1
done
[ -n "$port" ] || fail "the server did not start: $(cat "$work/errors")"
# The attackers know the transactions of all pairs, which removals name.
PGOPTIONS="-c search_path=$schema" sql <<'SQL'
DO $$
DECLARE pairs regclass;
BEGIN
  FOR pairs IN SELECT attrelid::regclass FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND attname = 'objectbox_dot'
  LOOP
    EXECUTE format('UPDATE %s SET objectbox_dot = ''00000000-0000-0000-0000-00000000d07a''', pairs);
  END LOOP;
END $$;
SQL

code=0
timeout -k 5 $((seconds + 60)) "$BINARY" attack "$database" "$port" "$seed" "$seconds" "$wait" || code=$?
finding() { echo "FINDING: $1"; code=1; }

# The status of `timeout`.
if [ $code = 124 ]; then finding "an honest write had no decision a minute after the attack"; fi
[ $code -le 1 ] || exit 2
if ! kill -0 "$server" 2>/dev/null; then
  finding "the server has ended"
else
  if [ -r "/proc/$server/status" ]; then
    peak=$(($(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$server/status") / 1024))
    echo "hostile: the server took $peak MB at most"
    [ "$peak" -le "$memory" ] || finding "the server took more than $memory MB"
  fi
fi
# Identities of hostile devices begin with the number that is their user's name.
by_users="JOIN objectbox_uploads AS uploads ON uploads.xmin = changes.xact::xid,
    LATERAL (SELECT CASE WHEN left(device::text, 18) ~ '^00000000-0000-000[1-3]' THEN substr(device::text, 18, 1)
      ELSE 'h' END AS who) AS users"
offences="
  SELECT DISTINCT changes.* FROM trial_changes AS changes $by_users
  WHERE NOT trial_may(who, entity, before) OR NOT trial_may(who, entity, after)"
# Pairs go with their target and with their source, without a right on the other.
pair_offences="
  SELECT DISTINCT changes.xact, source, target, is_added, state FROM trial_pairs AS changes $by_users,
    LATERAL (SELECT coalesce(object, (SELECT after FROM trial_changes AS made WHERE made.xact = changes.xact
      AND entity = 'Ward' AND made.id = source AND after IS NOT NULL LIMIT 1)) AS state) AS sources
  WHERE (state IS NULL OR NOT trial_may(who, 'Ward', state)) AND (is_added OR NOT EXISTS (
    SELECT FROM trial_changes AS gone WHERE gone.xact = changes.xact AND entity = 'Ward' AND gone.after IS NULL
      AND gone.id IN (source, target)))"
export PGOPTIONS="-c search_path=$schema"
noted="$(sql -c "SELECT count(*) FROM trial_changes WHERE xact::xid IN (SELECT xmin FROM objectbox_uploads)")"
found="$(sql -c "SELECT count(*) FROM ($offences) AS found")"
pairs="$(sql -c "SELECT count(*) FROM trial_pairs WHERE xact::xid IN (SELECT xmin FROM objectbox_uploads)")"
found_pairs="$(sql -c "SELECT count(*) FROM ($pair_offences) AS found")"
# doctored_pairs CHANGE: the offences after a change of an innocent pair.
doctored_pairs() {
  sql -c "BEGIN; UPDATE trial_pairs SET $1 WHERE ctid IN (SELECT changes.ctid FROM trial_pairs AS changes
      WHERE object IS NOT NULL AND is_added AND xact::xid IN (SELECT xmin FROM objectbox_uploads)
      AND NOT EXISTS (SELECT FROM trial_changes AS gone WHERE gone.xact = changes.xact AND gone.after IS NULL) LIMIT 1);
    SELECT count(*) FROM ($pair_offences) AS found; ROLLBACK" | tail -n 1
}
added="$(doctored_pairs "object = jsonb_set(object, '{owner}', '\"nobody\"')")"
removed="$(doctored_pairs "is_added = false, object = jsonb_set(object, '{owner}', '\"nobody\"')")"
doctored="$(sql -c "BEGIN; UPDATE trial_changes SET after = jsonb_set(after, '{owner}', '\"nobody\"')
    WHERE ctid IN (SELECT ctid FROM trial_changes WHERE after IS NOT NULL
      AND xact::xid IN (SELECT xmin FROM objectbox_uploads) LIMIT 1);
  SELECT count(*) FROM ($offences) AS found; ROLLBACK" | tail -n 1)"
echo "hostile: $noted changes of rows by devices, $found of them against the rules, $doctored with a doctored one"
if [ "$found" != 0 ]; then
  finding "rows were changed against the rules:"
  sql -c "SELECT * FROM ($offences) AS found LIMIT 5"
fi
[ "$doctored" != "$found" ] || finding "the oracle does not notice a doctored change"
echo "hostile: $pairs changes of pairs by devices, $found_pairs of them against the rules, $added and $removed with a" \
  "doctored one"
if [ "$found_pairs" != 0 ]; then
  finding "pairs were changed against the rules:"
  sql -c "SELECT * FROM ($pair_offences) AS found LIMIT 5"
fi
if [ "$added" = "$found_pairs" ] || [ "$removed" = "$found_pairs" ]; then
  finding "the oracle does not notice a doctored pair"
fi
echo "hostile: $([ $code = 0 ] && echo 0 findings || echo findings)"
exit $code
