#!/usr/bin/env bash
# The programs of cases.c, as they are, with libgbcast-pmpi preloaded, and built with gbcast's calls.
#
#   tests/cases/run.sh MPIEXEC LIBRARY SOURCE-FOLDER FOLDER PLANNER [FIRST...]    FOLDER: of the built programs;
#                                           PLANNER: gbcast-plan; FIRST: to be preloaded before the library
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../scripts/help.sh"
set -euo pipefail

mpiexec=$1
library=$2
source=$3
built=$4
planner=$5
first=("${@:6}")
# shellcheck source=tests/support/command.sh
. "$source/tests/support/command.sh"
before=$(IFS=: && echo "${first[*]:+${first[*]}:}")
preload=$before$library
cp "$source/tests/data/platforms/two-sites.txt" "$work/hosts.txt"
cd "$work"
export GBCAST_HOSTS=hosts.txt GBCAST_MAP=order GBCAST_VERBOSE=1
hydra=
if is_hydra "$mpiexec"; then
  hydra=1
fi

run() { # RANKS COMMAND...: not longer than a test may take
  timeout 60 "$mpiexec" -n "$@"
}

# both RANKS WHAT ARGUMENT...: preloaded, leaving $work/err, after the API
both() {
  local ranks=$1 what=$2
  shift 2
  expect 0 "$what, API" run "$ranks" "$built/cases-api" "$@"
  cp "$work/out" "$work/out-api"
  expect 0 "$what, preloaded" run "$ranks" env LD_PRELOAD="$preload" "$built/cases" "$@"
}

says() { # WHAT TEXT: among the lines on stderr
  grep -qE -- "$2" "$work/err" || fail "$1: no line '$2' in: $(cat "$work/err")"
}

# Wrong on one rank alone: the class is MPI's own. Unless GB_TEST_FULL is set, every other case before the library was used,
# the rest after; and every third alone where brief.
for which in 0 1 2 3 4 5 6 7 8 9 10 11 12 13; do
  ! brief || [ $((which % 3)) = 0 ] || continue
  expect 0 "alone $which, MPI" run 2 "$built/cases" alone "$which"
  cp "$work/out" "$work/class"
  for used in '' used; do
    [ -n "${GB_TEST_FULL-}" ] || { [ "$used" = used ] && [ $((which % 2)) = 1 ]; } ||
      { [ "$used" = '' ] && [ $((which % 2)) = 0 ]; } || continue
    # shellcheck disable=SC2086
    both 2 "alone $which $used" alone "$which" $used
    for out in out out-api; do
      cmp -s "$work/class" "$work/$out" || fail "alone $which $used: $(cat "$work/$out"), MPI: $(cat "$work/class")"
    done
  done
done

expect 0 'another folder' run 4 env LD_PRELOAD="$preload" "$built/cases" elsewhere
says 'another folder' '^gbcast: rank 0 made .*: 4 ran on plans of gbcast, 0 passed on'

# Plans and live values are found there, too.
for root in a1 b1; do
  "$planner" --format=json --size=240000 --root="$root" --inter=flat --intra=chain hosts.txt >"$root.json"
done
echo 'a b 7 20' >live.txt # ms, Mbit/s
expect 0 'files and another folder' run 4 env LD_PRELOAD="$preload" GBCAST_PLAN="a1.json:$work/b1.json" \
  GBCAST_LIVE=file:live.txt GBCAST_VERBOSE=2 "$built/cases" elsewhere
says 'files and another folder' "^gbcast: broadcast of .* from rank 0 .*: as in $work/a1.json, "
says 'files and another folder' "^gbcast: broadcast of .* from rank 2 .*: as in $work/b1.json, "
says 'files and another folder' '^a -> b +7 ms, .*20 Mbit/s, '

both 4 'MPI_Finalize' at-end
says 'MPI_Finalize' '^gbcast: rank 0 made .*: 4 ran on plans of gbcast, 8 passed on'

both 3 'communicators' communicators 150
says 'communicators' '^gbcast: rank 0 made .*: 64 ran on plans of gbcast, 86 passed on'
[ "$(grep -c 'plans run on 64 communicators' "$work/err")" = 1 ] || fail "communicators: not told once"

if [ -n "$hydra" ]; then
  for with in alone beside after; do
    both 4 "sessions $with" sessions "$with"
  done
else # MPICH's launcher needs a name server of its own to spawn
  both 2 'worlds' worlds
  grep -q "from another MPI_COMM_WORLD.*MPI's own" "$work/out-api" || fail "worlds: $(cat "$work/out-api")"
  says 'worlds' 'some ranks are from another MPI_COMM_WORLD'
fi

# One file for both: mpiexec's hosts are made from the hosts file, which it cannot read itself.
printf 'cluster here latency=1ms\n%s:3 # and a comment\n' "$(hostname)" >named.txt
"$planner" --format=hostfile named.txt >hostfile
expect 0 'a hostfile' env GBCAST_HOSTS=named.txt GBCAST_MAP=name timeout 60 "$mpiexec" -hostfile hostfile \
  env LD_PRELOAD="$preload" "$built/cases" plain
says 'a hostfile' '^gbcast: rank 0 made .*: 0 ran on plans of gbcast, 3 passed on' # MPI's own is best on one host

# A profiling library besides. Counts are of rank 0.
tool=$built/libprofiler.so
expect 0 'gbcast, then a profiler' run 4 env LD_PRELOAD="$preload:$tool" GBCAST_INTRA=native "$built/cases" plain
says 'gbcast, then a profiler' '^gbcast: '
says 'gbcast, then a profiler' '^profiler: 0 broadcasts'
expect 0 'disabled, then a profiler' run 4 env LD_PRELOAD="$preload:$tool" GBCAST_DISABLE=1 "$built/cases" plain
says 'disabled, then a profiler' '^profiler: 4 broadcasts'
says 'disabled, then a profiler' '^gbcast: rank 0 made 4 collective calls: all passed on to MPI, because GBCAST_DISABLE is set$'
expect 0 'a profiler, then gbcast' run 4 env LD_PRELOAD="$before$tool:$library" "$built/cases" plain
says 'a profiler, then gbcast' '^profiler: 4 broadcasts'
says 'a profiler, then gbcast' "^gbcast: libgbcast-pmpi.so got no calls, because $tool comes before it"
[ "$(grep -c '^gbcast' "$work/err")" = 1 ] || fail "a profiler, then gbcast: not told once: $(cat "$work/err")"

# MPI's functions from a handle of dlopen().
mpi=$(ldd "$library" | sed -n 's/^\t\(libmpi[a-z]*\.so[0-9.]*\) .*/\1/p' | head -1)
expect 0 'dlopen' run 2 env LD_PRELOAD="$preload" "$built/opened" "$mpi"
says 'dlopen' '^gbcast: libgbcast-pmpi.so got no calls, because the program takes'
[ "$(grep -c '^gbcast' "$work/err")" = 1 ] || fail "dlopen: not told once: $(cat "$work/err")"

# Some ranks without the library, rank 0 or others: the job runs as by MPI, and their hosts are named.
expect 0 'ranks without it' run 2 env LD_PRELOAD="$preload" "$built/cases" plain : -n 2 "$built/cases" plain
says 'ranks without it' '^gbcast: 2 of 4 ranks have not answered for 8 s: 2, 3 \(hosts b1, b2 of hosts.txt\): '
expect 0 'rank 0 without it' run 1 "$built/cases" plain : -n 3 env LD_PRELOAD="$preload" "$built/cases" plain
says 'rank 0 without it' '^gbcast: rank [1-3] on .*: rank 0 has not answered for 10 s: '
[ "$(grep -c 'not answered' "$work/err")" -le 3 ] || fail "rank 0 without it: told $(grep -c 'not answered' "$work/err") times"
finish cases
