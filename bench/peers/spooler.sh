#!/usr/bin/env bash
# How many times a second Debian's task-spooler starts /bin/true and sees it end, eight at once. Needs `apt install task-spooler`.
set -euo pipefail
count=${1:-1000}
folder=$(mktemp -d)
export TS_SOCKET=$folder/socket TS_MAXFINISHED=$((count + 1)) TMPDIR=$folder
trap 'tsp -K; rm -rf "$folder"' EXIT
tsp -S 8
begun=$(date +%s%N)
for ((client = 0; client < 8; client++)); do
  (for ((i = client; i < count; i += 8)); do tsp -n /bin/true >/dev/null; done) &
  clients[client]=$!
done
wait "${clients[@]}"
# The queue is empty when one more, alone, has run.
tsp -N 8 -n /bin/true >/dev/null
tsp -w
took=$((($(date +%s%N) - begun) / 1000))
awk -v n="$count" -v us="$took" 'BEGIN { printf "%d tasks in %.2f s: %.0f/s\n", n, us / 1e6, n / us * 1e6 }'
