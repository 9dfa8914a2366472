#!/usr/bin/env bash
# Runs the Python example of README.md against a server of its own. Where pip cannot install openai it says so, and
# that is no failure.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
server=
finish() {
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT

if ! timeout 120 python3 -m pip install --quiet --disable-pip-version-check --target "$folder/packages" openai 2>"$folder/pip.log"; then
  echo "Left out: the Python example of README.md, for pip cannot install openai here: $(tail -n 1 "$folder/pip.log")"
  exit 0
fi

export BOOTSTRAP_ADMIN_EMAIL=admin@localhost BOOTSTRAP_ADMIN_PASSWORD='a long and winding road'
npm run --silent build
PATH="$PWD/node_modules/.bin:$PATH" PORT=0 DATA_DIR="$folder/data" LOG_LEVEL=info node dist/main.js >"$folder/server.log" 2>&1 &
server=$!
for _ in $(seq 120); do
  BASE=$(sed -n 's/.*"address":"\([^"]*\)".*"msg":"serving".*/\1/p' "$folder/server.log")
  [ -z "$BASE" ] && kill -0 "$server" || break
  sleep 0.5
done
if [ -z "$BASE" ]; then
  echo 'The server did not start:' && cat "$folder/server.log"
  exit 1
fi
TOKEN=$(curl -sS -m 30 "$BASE/v1/auth/login" -H 'content-type: application/json' \
  -d "{\"email\":\"$BOOTSTRAP_ADMIN_EMAIL\",\"password\":\"$BOOTSTRAP_ADMIN_PASSWORD\"}" | sed 's/.*"access_token":"\([^"]*\)".*/\1/')

sed -n '/^```python$/,/^```$/p' README.md | sed '1d;$d' >"$folder/example.py"
answer=$(BASE=$BASE TOKEN=$TOKEN PYTHONPATH="$folder/packages" timeout 60 python3 "$folder/example.py")
version=$(PYTHONPATH="$folder/packages" python3 -c 'import openai; print(openai.__version__)')
echo "The Python example of README.md, with openai $version: $answer"
[ "$answer" = 'Lunch is at noon.' ]
