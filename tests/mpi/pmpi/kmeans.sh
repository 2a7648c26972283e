#!/usr/bin/env bash
# examples/kmeans.c: the API and the preloaded library give the same centroids as MPI's own calls.
#
#   tests/mpi/pmpi/kmeans.sh MPIEXEC LIBRARY SOURCE-FOLDER KMEANS KMEANS-MPI [FIRST...]     FIRST: to be preloaded, too
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../../scripts/help.sh"
set -euo pipefail

mpiexec=$1
library=$2
source=$3
first=("${@:6}")
# shellcheck source=tests/support/command.sh
. "$source/tests/support/command.sh"
export GBCAST_HOSTS=$source/examples/three-sites.txt GBCAST_MAP=order GBCAST_ALGORITHM=flat/binomial
preload=$(IFS=: && echo "${first[*]:+${first[*]}:}$library")

run() { # WHAT OUTPUT COMMAND...
  expect 0 "$1" timeout 100 "$mpiexec" -n 3 "${@:3}" 50 200 4
  sed -n 's/.*centroids //p' "$work/out" >"$work/$2"
  grep -q '^speed-up [0-9.]*$' "$work/out" || fail "$1: no speed-up in '$(cat "$work/out")'"
}

run 'the API' api "$4"
run "MPI's own" own "$5"
run 'preloaded' preloaded env LD_PRELOAD="$preload" GBCAST_VERBOSE=1 "$5"
grep -q '^gbcast: rank 0 made 14 collective calls: 14 ran on plans of gbcast, 0 passed on' "$work/err" || fail "preloaded: $(cat "$work/err")"
[ -s "$work/own" ] || fail 'no centroids'
for form in api preloaded; do
  cmp "$work/own" "$work/$form" || fail "$form: $(cat "$work/$form") instead of $(cat "$work/own")"
done
finish kmeans
