#!/usr/bin/env bash
# Runs a cluster of three servers on this machine with automatic failover: PostgreSQL with Patroni and etcd, each in its
# network namespace, with synchronous replication. Needs root and Debian's packages.
# usage: failover-cluster.sh run COMMAND…   makes it, and runs a command with OBJECTBOX_TEST_FAILOVER set to its address;
#                                           everything ends with the command
# For the command, which runs beside the servers (OBJECTBOX_FAILOVER_FOLDER is set there):
#        failover-cluster.sh primary        prints the number of the primary
#        failover-cluster.sh crash NODE     kills all processes of a server, as a loss of its machine
#        failover-cluster.sh cut NODE       takes a server from the network
#        failover-cluster.sh isolate NODE   cuts a server off the others, while clients reach it
#        failover-cluster.sh heal NODE      ends any of these
set -euo pipefail

fail() { echo "failover-cluster.sh: $1" >&2; exit 2; }

network=10.213.77
nodes="1 2 3"
folder="${OBJECTBOX_FAILOVER_FOLDER:-}"

# Starts a background program in the namespace of a node.
launch() {
  local node="$1" name="$2"
  shift 2
  ip netns exec "node$node" setsid runuser -u postgres -- "$@" >>"$folder/node$node/$name.log" 2>&1 </dev/null &
}

start_node() {
  local node="$1" members="" peer
  for peer in $nodes; do members+="${members:+,}node$peer=http://$network.$peer:2380"; done
  launch "$node" etcd etcd --name "node$node" --data-dir "$folder/node$node/etcd" --logger zap --log-level error \
    --heartbeat-interval 200 --election-timeout 2000 --unsafe-no-fsync \
    --listen-peer-urls "http://$network.$node:2380" --initial-advertise-peer-urls "http://$network.$node:2380" \
    --listen-client-urls "http://$network.$node:2379" --advertise-client-urls "http://$network.$node:2379" \
    --initial-cluster "$members" --initial-cluster-state new
  launch "$node" patroni patroni "$folder/node$node/patroni.yml"
}

configure_node() {
  local node="$1" programs
  programs="$(ls -d /usr/lib/postgresql/*/bin | sort -rV | head -1)"
  mkdir -p "$folder/node$node"
  cat >"$folder/node$node/patroni.yml" <<CONF
scope: objectbox
name: node$node
log: {level: WARNING}
restapi: {listen: "$network.$node:8008", connect_address: "$network.$node:8008"}
etcd3: {hosts: "$network.1:2379,$network.2:2379,$network.3:2379"}
bootstrap:
  dcs:
    ttl: ${FAILOVER_TTL:-15}
    loop_wait: 2
    retry_timeout: 5
    maximum_lag_on_failover: 1048576
    # A commit is acknowledged only when two servers have it; without a second one the primary waits.
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters: {max_connections: 100, wal_log_hints: "on", shared_buffers: 32MB}
  initdb: [{encoding: UTF8}, {locale: C}, data-checksums]
  pg_hba: ["local all all trust", "host all all 0.0.0.0/0 trust", "host replication all 0.0.0.0/0 trust"]
postgresql:
  listen: "$network.$node:5432"
  connect_address: "$network.$node:5432"
  bin_dir: $programs
  data_dir: $folder/node$node/data
  pgpass: $folder/node$node/pgpass
  authentication:
    superuser: {username: postgres, password: postgres}
    replication: {username: replicator, password: replicator}
    rewind: {username: postgres, password: postgres}
  parameters: {unix_socket_directories: "$folder/node$node"}
CONF
  chown -R postgres "$folder/node$node"
}

# The part of `run` that runs in its own namespaces.
inside() {
  local node
  # Names of namespaces are files: without this mount they would remain.
  mkdir -p /run/netns
  mount -t tmpfs none /run/netns
  ip link set lo up
  ip link add obx0 type bridge
  ip addr add "$network.254/24" dev obx0
  ip link set obx0 up
  for node in $nodes; do
    ip netns add "node$node"
    ip link add "link$node" type veth peer name eth0 netns "node$node"
    ip link set "link$node" master obx0 up
    ip -n "node$node" addr add "$network.$node/24" dev eth0
    ip -n "node$node" link set lo up
    ip -n "node$node" link set eth0 up
    configure_node "$node"
  done
  for node in $nodes; do start_node "$node"; done
  wait_until_complete
  export OBJECTBOX_TEST_FAILOVER="postgresql://postgres@$network.1,$network.2,$network.3/postgres?target_session_attrs=read-write"
  "$@"
}

# Prints the role that a server's Patroni reports; prints nothing if Patroni does not answer.
role() { curl -s -m 2 "http://$network.$1:8008/patroni" | grep -o '"role": "[a-z_]*"\|"sync_standby": true' | tr '\n' ' '; }

primary() {
  local node
  for node in $nodes; do
    if curl -s -m 2 -o /dev/null -f "http://$network.$node:8008/primary"; then echo "$node"; return; fi
  done
  return 1
}

# Waits for a primary, a synchronous replica and a second replica.
wait_until_complete() {
  local attempt
  for attempt in $(seq 240); do
    if [ "$(for node in $nodes; do role "$node"; done | grep -o 'role": "[a-z]*"' | sort | uniq -c | awk '{print $1}' | sort -n | tr '\n' ' ')" = "1 2 " ] \
      && for node in $nodes; do role "$node"; done | grep -q sync_standby; then
      return
    fi
    sleep 0.5
  done
  tail -n 20 "$folder"/node*/*.log >&2
  fail "the cluster did not come up"
}

case "${1:-}" in
  run)
    shift
    [ "$(id -u)" = 0 ] || fail "root is needed, for network namespaces"
    for program in patroni etcd ip curl unshare; do
      command -v "$program" >/dev/null || fail "no '$program'; install it with 'apt-get install patroni etcd-server iproute2 curl'"
    done
    folder="$(mktemp -d)"
    chmod 755 "$folder"
    trap 'rm -rf "$folder"' EXIT
    export OBJECTBOX_FAILOVER_FOLDER="$folder"
    # All processes, networks and mounts end with the command.
    unshare --net --mount --pid --fork --kill-child --mount-proc "$0" inside "$@"
    ;;
  inside) shift; inside "$@" ;;
  primary) primary ;;
  complete) wait_until_complete ;;
  crash) ip netns pids "node$2" | xargs -r kill -9 ;;
  cut) ip link set "link$2" down ;;
  isolate)
    for node in $nodes; do
      [ "$node" = "$2" ] || ip -n "node$2" route add blackhole "$network.$node/32"
    done
    ;;
  heal)
    ip link set "link$2" up
    for node in $nodes; do ip -n "node$2" route del blackhole "$network.$node/32" 2>/dev/null || true; done
    [ -n "$(ip netns pids "node$2")" ] || start_node "$2"
    ;;
  *) sed -n '/^# usage/,/^[^#]/s/^# //p' "$0" >&2; exit 2 ;;
esac
