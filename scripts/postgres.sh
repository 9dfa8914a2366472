#!/usr/bin/env bash
# A PostgreSQL of one's own, for tests and benchmarks: loopback only, no passwords, everything in one folder.
#
#   scripts/postgres.sh start DIR PORT [-c name=value ...]   makes DIR, starts the server, prints its address
#   scripts/postgres.sh stop DIR [fast|immediate]            stops it; DIR stays
set -euo pipefail

usage() {
  sed -n 's/^#   //p' "$0" >&2
  exit 2
}

# The server refuses to run as root.
unprivileged() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
  else
    "$@"
  fi
}

[ $# -ge 2 ] || usage
command=$1 dir=$2
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1 || true)
bin=${bin:-$(dirname "$(command -v pg_ctl)")}

case $command in
  start)
    [ $# -ge 3 ] || usage
    port=$3
    shift 3
    mkdir -p "$dir"
    [ "$(id -u)" != 0 ] || chown 65534:65534 "$dir"
    cd "$dir"
    [ -d data ] || unprivileged "$bin/initdb" -D data -U postgres -A trust -E UTF8 --no-locale --no-sync >initdb.log
    unprivileged "$bin/pg_ctl" start -w -s -D data -l server.log \
      -o "-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories= -c max_connections=200 $*"
    echo "postgres://postgres@127.0.0.1:$port/postgres"
    ;;
  stop)
    unprivileged "$bin/pg_ctl" stop -s -m "${3:-fast}" -D "$dir/data"
    ;;
  *) usage ;;
esac
