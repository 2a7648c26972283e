#!/usr/bin/env bash
# Non-blocking collectives of a program that does not know of gbcast: taken over where all ranks have a progress thread, else MPI's.
#
#   tests/mpi/pmpi/requests.sh MPIEXEC LIBRARY SOURCE-FOLDER REQUESTS REQUEST-RULES [FIRST...]
#                                                                                         FIRST: to be preloaded before the library
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../../scripts/help.sh"
set -euo pipefail

mpiexec=$1
library=$2
source=$3
requests=$4
rules=$5
first=("${@:6}")
# shellcheck source=tests/support/command.sh
. "$source/tests/support/command.sh"
preload=$(IFS=: && echo "${first[*]:+${first[*]}:}$library")
export GBCAST_HOSTS=$source/tests/data/platforms/grid-mixed.txt GBCAST_MAP=order GBCAST_VERBOSE=1
forced=(GBCAST_ALGORITHM=flat/binomial GBCAST_SYNC=sender-all)

# run WHAT RANKS PROGRAM INITIAL VARIABLE=VALUE...: INITIAL, the function that begins
run() {
  expect 0 "$1" timeout 200 "$mpiexec" -n "$2" env LD_PRELOAD="$preload" "${forced[@]}" "${@:5}" "$3" "$4"
  made=$(cat "$work/out")
  accelerated=$(sed -n 's/^gbcast: rank 0 made .*: \([0-9]*\) ran on plans.*/\1/p' "$work/err")
  taken=$(sed -n 's/^gbcast:   \([0-9]*\) MPI_I.*/\1/p' "$work/err" | awk "{ n += \$1 } END { print n + 0 }")
}

# taken WHAT LEFT: all non-blocking calls but LEFT were taken over
taken() {
  [ "$taken" = $((made - $2)) ] || fail "$1: $taken of $made calls taken over: $(cat "$work/err")"
}

says() { # WHAT TEXT: once
  [ "$(grep -c -- "$2" "$work/err")" = 1 ] || fail "$1: not told once: '$2': $(cat "$work/err")"
}

for ranks in 3 4; do
  [ $ranks != 3 ] || ! brief || continue
  run "random, $ranks ranks" $ranks "$requests" MPI_Init GBCAST_PROGRESS=thread
  taken "random, $ranks ranks" 0
  run "rules, $ranks ranks" $ranks "$rules" MPI_Init GBCAST_PROGRESS=thread
  taken "rules, $ranks ranks" 2 # on communicators that no blocking call has prepared
  says "rules, $ranks ranks" 'until a blocking call has run a plan there$'
done
run 'verified' 4 "$requests" MPI_Init GBCAST_PROGRESS=thread GBCAST_CHECK=1
taken 'verified' 0
run 'a program of one thread' 4 "$requests" MPI_Init_thread GBCAST_PROGRESS=thread
taken 'a program of one thread' 0

run 'without the thread' 4 "$requests" MPI_Init GBCAST_PROGRESS=caller
[ "$accelerated" != 0 ] || fail 'without the thread: no blocking call was accelerated'
taken 'without the thread' "$made"
says 'without the thread' 'unless GBCAST_PROGRESS=thread is set$'

# what one rank lacks, all do without
cat >"$work/rank" <<'END'
#!/bin/sh
[ "${PMI_RANK-}${OMPI_COMM_WORLD_RANK-}" != 2 ] || unset GBCAST_PROGRESS
exec "$@"
END
chmod +x "$work/rank"
what='one rank without the thread'
expect 0 "$what" env GBCAST_PROGRESS=thread "${forced[@]}" timeout 200 "$mpiexec" -n 4 env LD_PRELOAD="$preload" "$work/rank" \
  "$requests" MPI_Init
grep -q '^gbcast: rank 0 made .*: [1-9][0-9]* ran on plans' "$work/err" || fail "$what: nothing was accelerated"
! grep -q '^gbcast:   [0-9]* MPI_I' "$work/err" || fail "$what: non-blocking calls were taken over: $(cat "$work/err")"
says "$what" 'some ranks have no thread'
finish requests
