#!/usr/bin/env bash
# spooler.sh [COUNT [SLOTS [ended|output]]]: how many times a second Debian's task-spooler starts /bin/true and sees it end, so many at once; with
# "output", how many times each of so many clients starts a shell command, waits for its end and reads its output. Needs `apt install task-spooler`.
set -euo pipefail
count=${1:-1000} slots=${2:-8} until=${3:-ended}
folder=$(mktemp -d)
export TS_SOCKET=$folder/socket TS_MAXFINISHED=$((count + 1)) TMPDIR=$folder
trap 'tsp -K; rm -rf "$folder"' EXIT
tsp -S "$slots"
ended() { tsp -n /bin/true >/dev/null; }
output() {
  local id
  id=$(tsp /bin/sh -c 'echo hello')
  tsp -w "$id" >/dev/null
  [ "$(cat "$(tsp -o "$id")")" = hello ]
}
begun=$(date +%s%N)
for ((client = 0; client < slots; client++)); do
  (for ((i = client; i < count; i += slots)); do "$until"; done) &
  clients[client]=$!
done
wait "${clients[@]}"
# The queue is empty when one more, alone, has run.
tsp -N "$slots" -n /bin/true >/dev/null
tsp -w
took=$((($(date +%s%N) - begun) / 1000))
awk -v n="$count" -v us="$took" 'BEGIN { printf "%d tasks in %.2f s: %.0f/s\n", n, us / 1e6, n / us * 1e6 }'
