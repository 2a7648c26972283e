#!/usr/bin/env bash
# What is told of a job's calls, by GBCAST_VERBOSE, GBCAST_STATS and GBCAST_TRACE: calls of gbcast.h, those that the preloaded
# library takes over, and both in one program. calls.c has the numbers.
#
#   tests/mpi/report/run.sh MPIEXEC LIBRARY SOURCE-FOLDER PYTHON GBCAST-PLAN STATIC SHARED [FIRST...]     STATIC and SHARED: calls.c,
#                                                              linked so with libgbcast; FIRST: to be preloaded before the library
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../../scripts/help.sh"
set -euo pipefail

mpiexec=$1
library=$2
source=$3
python=$4
planner=$5
static=$6
shared=$7
first=("${@:8}")
# shellcheck source=tests/support/command.sh
. "$source/tests/support/command.sh"
preload=$(IFS=: && echo "${first[*]:+${first[*]}:}$library")
export GBCAST_HOSTS=$source/tests/data/platforms/two-sites.txt GBCAST_MAP=order GBCAST_ALGORITHM=flat/binomial
export GBCAST_SYNC=sender-all GBCAST_PROGRESS=thread

# run WHAT PROGRAM WORD... -- VARIABLE=VALUE...: on four ranks; leaves stats.json and trace.json
run() {
  local words=()
  what=$1 program=$2
  shift 2
  while [ "$1" != -- ]; do
    words+=("$1")
    shift
  done
  rm -f "$work/stats.json" "$work/trace.json"
  expect 0 "$what" timeout 200 "$mpiexec" -n 4 env GBCAST_VERBOSE=1 GBCAST_STATS="$work/stats.json" \
    GBCAST_TRACE="$work/trace.json" "${@:2}" "$program" "${words[@]}"
}

# says LINE: once on stderr, as a whole
says() {
  [ "$(grep -cxE -- "$1" "$work/err")" = 1 ] || fail "$what: not told once: '$1': $(cat "$work/err")"
}

# counted CALL=COUNT... : in stats.json, and in trace.json on each rank; passed-REASON=COUNT
counted() {
  "$python" "$source/tests/mpi/report/check.py" "$work/stats.json" "$work/trace.json" "$work/plan.json" "$@" ||
    fail "$what: $(cat "$work/stats.json")"
}

"$planner" --format=trace -m 100000 --algorithm=flat/binomial "$GBCAST_HOSTS" >"$work/plan.json"
own=(gbcast_bcast=3 gbcast_ibcast=1 gbcast_bcast_init=2 gbcast_alltoall=1 gbcast_barrier=1)
mpi=(MPI_Bcast=4 MPI_Ibcast=1)
passed=(passed-one_rank=2 passed-operator=1)

for program in "$static" "$shared"; do
  run "the API, $(basename "$program")" "$program" --
  counted "${own[@]}" "${passed[@]}"
  says 'gbcast: rank 0 made 11 collective calls: 8 ran on plans of gbcast, 3 passed on to MPI'
  says 'gbcast:   3 gbcast_bcast of up to 104 KiB, 300000 B in all, took .* each; predicted: [1-9].* each'
  says 'gbcast:   2 passed on: the communicator has one rank'

  run "the API and the preloaded library, $(basename "$program")" "$program" -- LD_PRELOAD="$preload"
  counted "${own[@]}" "${mpi[@]}" "${passed[@]}"
  says 'gbcast: rank 0 made 16 collective calls: 13 ran on plans of gbcast, 3 passed on to MPI'
  says 'gbcast: version .*'
done

# without the progress thread the non-blocking call of MPI's is passed on
run 'no thread' "$static" -- LD_PRELOAD="$preload" GBCAST_PROGRESS=caller
counted "${own[@]}" MPI_Bcast=4 "${passed[@]}" passed-no_thread=1
says 'gbcast:   1 passed on: a non-blocking call needs GBCAST_PROGRESS=thread'

# settings from gbcast_setup(), by paths that the environment does not have
run 'set up' "$static" set "$work/s.json" "$work/t.json" -- GBCAST_STATS= GBCAST_TRACE= GBCAST_VERBOSE=0
mv "$work/s.json" "$work/stats.json"
mv "$work/t.json" "$work/trace.json"
counted "${own[@]}" "${passed[@]}"

run 'disabled' "$static" -- GBCAST_DISABLE=1
says 'gbcast: rank 0 made 11 collective calls: all passed on to MPI, because GBCAST_DISABLE is set'
says 'gbcast: GBCAST_TRACE: there is nothing to write: GBCAST_DISABLE is set'
[ ! -e "$work/trace.json" ] || fail "$what: a trace was written"

run 'files that cannot be written' "$static" -- GBCAST_STATS=/nowhere/s GBCAST_TRACE=/nowhere/t GBCAST_VERBOSE=0
[ "$(cat "$work/err")" = "gbcast: GBCAST_STATS: cannot write '/nowhere/s': No such file or directory
gbcast: GBCAST_TRACE: cannot write '/nowhere/t': No such file or directory" ] || fail "$what: says '$(cat "$work/err")'"

# nothing is asked for: nothing is said
run 'silent' "$static" -- GBCAST_STATS= GBCAST_TRACE= GBCAST_VERBOSE=0
[ ! -s "$work/err" ] || fail "$what: says '$(cat "$work/err")'"

# no communicator of all ranks: the preloaded library has one of its own
run 'apart' "$static" apart --
says "gbcast: GBCAST_TRACE: '$work/trace.json' has only the calls of rank 0: no call of gbcast was on a communicator of all ranks"
run 'apart, preloaded' "$static" apart -- LD_PRELOAD="$preload"
! grep -q GBCAST_TRACE "$work/err" || fail "$what: $(cat "$work/err")"
counted "${own[@]}" "${mpi[@]}" "${passed[@]}" ranks

if brief; then
  finish report
  exit
fi

# more than is kept
run 'many' "$static" many --
"$python" -c 'import json, sys
other = json.load(open(sys.argv[1]))["otherData"]
sys.exit(0 if other["dropped_events"] > 0 and other["events"] > 3 * 65536 // 2 else str(other))' "$work/trace.json" ||
  fail "$what: nothing was dropped"
finish report
