#!/usr/bin/env bash
# Runs the tests on PostgreSQL and Redis, with the installed programs, clients and routers. Arguments go to jest; where
# they name no tests, all run that reach a database, Redis or a program: the others would only be repeated.
# Starts servers of its own where TEST_DATABASE_URL and TEST_REDIS_URL are not set.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/node_modules/.bin:$PATH"

folder=$(mktemp -d)
redis=
trap 'kill $redis 2>/dev/null || true; scripts/postgres.sh stop "$folder" 2>/dev/null || true; rm -rf "$folder"' EXIT
free_port() {
  node -e 'const s = require("net").createServer(); s.listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

if [ -z "${TEST_REDIS_URL:-}" ]; then
  redis_port=$(free_port)
  redis-server --bind 127.0.0.1 --port "$redis_port" --save '' --dir "$folder" >/dev/null &
  redis=$!
  export TEST_REDIS_URL="redis://127.0.0.1:$redis_port"
fi
if [ -z "${TEST_DATABASE_URL:-}" ]; then
  TEST_DATABASE_URL=$(scripts/postgres.sh start "$folder" "$(free_port)" -c fsync=off)
  export TEST_DATABASE_URL
fi
[ -d test/routers/hive/node_modules ] || npm run routers:install
[ -d test/clients/node_modules ] || npm run clients:install

jest() {
  node --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js --config jest.full.config.js "$@"
}
if [ -z "${1:-}" ] || [[ "$1" == -* ]]; then
  { jest --listTests '\.full\.test\.ts$' && jest --listTests --findRelatedTests test/support/servers/{database,services}.ts; } |
    sort -u >"$folder/tests"
  export TEST_FILES="$folder/tests"
fi
jest "$@"
