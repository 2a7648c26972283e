#!/usr/bin/env bash
# The same cases three ways: every rank's transcript is the same, and the calls have really gone those ways.
#
#   tests/conformance/run.sh MPIEXEC LIBRARY SOURCE-FOLDER PROGRAM-MPI PROGRAM-API CASES RANKS [FIRST...]
#
# FIRST: to be preloaded before the library.
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../scripts/help.sh"
set -euo pipefail

mpiexec=$1
library=$2
source=$3
program_mpi=$4
program_api=$5
cases=$6
ranks=$7
first=("${@:8}")
# shellcheck source=tests/support/command.sh
. "$source/tests/support/command.sh"
preload=$(IFS=: && echo "${first[*]:+${first[*]}:}$library")

# run WAY COMMAND...: leaves $work/WAY/, with the ranks' transcripts, and what is said
run() {
  local way=$1 status=0
  shift
  checks=$((checks + 1))
  mkdir "$work/$way"
  timeout 250 "$mpiexec" -n "$ranks" "$@" "$work/$way" "$cases" >"$work/$way/out" 2>"$work/$way/err" ||
    status=$?
  [ "$status" != 77 ] || { cat "$work/$way/err" && exit 77; }
  [ "$status" = 0 ] || fail "$way: exit $status: $(tail -5 "$work/$way/err")"
}

# same WAY: as by MPI alone
same() {
  for ((r = 0; r < ranks; r++)); do
    cmp -s "$work/mpi/$r" "$work/$1/$r" && continue
    fail "$1: rank $r differs from MPI alone"
    diff "$work/mpi/$r" "$work/$1/$r" | head -10 || true
  done
}

run mpi "$program_mpi"
read -r ours native either <"$work/mpi/out"
calls=$((ours + native + either))
[ "$calls" -gt 10 ] && [ "$(wc -l <"$work/mpi/0")" -ge "$calls" ] || fail "mpi: $calls calls, and not a line for each"

# forced, so that nothing is MPI's own
algorithms=(flat/binomial chain/chain-segmented)
export GBCAST_ALGORITHM=${algorithms[ranks % 2]} GBCAST_SYNC=sender-all GBCAST_VERBOSE=1 GBCAST_MAP=order
export GBCAST_HOSTS=$source/tests/data/platforms/grid-mixed.txt

# one of the two ways has its data checked; large ones take too long for it
check=1
[ "$cases" != large ] || check=0
GBCAST_CHECK=$((check & ranks)) run api "$program_api"
same api
planned=$(grep -cE '^gbcast: .*: (planned|sender-all), ' "$work/api/err" || true)
[ "$planned" -ge $((ours > 0)) ] || fail "api: no call was planned"
! grep -q "MPI's own" "$work/api/err" || fail "api: some calls were MPI's own"

GBCAST_CHECK=$((check & ranks + 1)) run preloaded env LD_PRELOAD="$preload" "$program_mpi"
same preloaded
counts=$(sed -nE 's/^gbcast: rank 0 made .*: ([0-9]+) ran on plans of gbcast, ([0-9]+) passed on.*/\1 \2/p' "$work/preloaded/err")
read -r accelerated passed <<<"${counts:-0 0}"
[ $((accelerated + passed)) = "$calls" ] && [ "$accelerated" -ge "$ours" ] && [ "$passed" -ge "$native" ] ||
  fail "preloaded: $accelerated calls accelerated of $ours, $passed passed on of $native; $either may go either way"
echo "$calls calls on rank 0 of $ranks"
finish "conformance of $cases on $ranks ranks"
