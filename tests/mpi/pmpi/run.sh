#!/usr/bin/env bash
# Programs that do not know of gbcast, as they are and with libgbcast-pmpi preloaded: every rank receives the same bytes,
# and the library says that it took the calls.
#
#   tests/mpi/pmpi/run.sh MPIEXEC LIBRARY SOURCE-FOLDER NAME PROGRAM [FIRST...]     NAME: of the test; FIRST: to be
#                                                                                     preloaded before the library
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../../scripts/help.sh"
set -euo pipefail

mpiexec=$1
library=$2
source=$3
name=$4
program=$5
first=("${@:6}")
# shellcheck source=tests/support/command.sh
. "$source/tests/support/command.sh"
preload=$(IFS=: && echo "${first[*]:+${first[*]}:}$library")
hosts=$source/tests/data/platforms/grid-mixed.txt
forced=(GBCAST_ALGORITHM=flat/binomial GBCAST_SYNC=sender-all)

# plain RANKS: as the program is
plain() {
  rm -rf "$work/plain"
  mkdir "$work/plain"
  expect 0 "$name on $1 ranks" timeout 200 "$mpiexec" -n "$1" "$program" "$work/plain"
  mv "$work/out" "$work/plain.out"
}

# preloaded RANKS WHAT VARIABLE=VALUE...: leaves $work/err
preloaded() {
  local ranks=$1
  what="$name on $1 ranks, $2"
  shift 2
  rm -rf "$work/preloaded"
  mkdir "$work/preloaded"
  expect 0 "$what" env "$@" timeout 200 "$mpiexec" -n "$ranks" env LD_PRELOAD="$preload" "$program" "$work/preloaded"
  cmp -s "$work/out" "$work/plain.out" || fail "$what: says '$(cat "$work/out")', not '$(cat "$work/plain.out")'"
  for ((r = 0; r < ranks; r++)); do
    cmp "$work/plain/$r" "$work/preloaded/$r" || fail "$what: rank $r received something else"
  done
}

# counted ACCELERATED PASSED-ON
counted() {
  local told
  told=$(grep '^gbcast: rank 0 made [0-9]* collective calls\?: ' "$work/err") || fail "$what: the counts are not told"
  [ "$(wc -l <<<"$told")" = 1 ] || fail "$what: the counts are not told once"
  case $told in
  "gbcast: rank 0 made $(($1 + $2)) collective call"*": $1 ran on plans of gbcast, $2 passed on to MPI") ;;
  *) fail "$what: '$told' instead of $1 and $2" ;;
  esac
}

# refused TEXT: told once, and nothing else is said but the counts and what the job runs with
refused() {
  counted 0 "$all"
  sed -i '/^gbcast: version /d; /^gbcast:   [0-9]* passed on: /d' "$work/err"
  [ "$(wc -l <"$work/err")" = 2 ] || fail "$what: $(wc -l <"$work/err") lines on stderr, expected 2: $(cat "$work/err")"
  grep -q "^gbcast: .*$1.*; the calls are passed on to MPI$" "$work/err" || fail "$what: '$(cat "$work/err")' lacks '$1'"
}

export GBCAST_VERBOSE=1 GBCAST_MAP=order
for ranks in 1 3 4; do
  [ "$ranks" != 3 ] || [ -n "${GB_TEST_FULL-}" ] || continue
  plain "$ranks"
  read -r ours native <"$work/plain.out"
  all=$((ours + native))
  preloaded "$ranks" 'forced' GBCAST_HOSTS="$hosts" "${forced[@]}"
  counted "$ours" "$native"
  [ "$ranks" != 4 ] || cp "$work/err" "$work/told"
done

# What follows does not depend on the language.
if [ "$name" != c ] && [ -z "${GB_TEST_FULL-}" ]; then
  finish "$name"
  exit
fi

# what is told of a size class; bytes and counts are those of plain.c
if [ "$name" = c ]; then
  has() { grep -qE "$1" "$work/told" || fail "forced: no line like '$1' in: $(cat "$work/told")"; }
  has "^gbcast: version [0-9.]+ with (MPICH|Open MPI) [0-9.a-z]+, hosts file $hosts\$"
  has '^gbcast:   6 MPI_Bcast of up to 72 KiB, 420000 B in all, took [0-9.]+ [mu]?s, [0-9.]+ [mu]?s each; predicted: [1-9][0-9.]* [mu]?s each$'
  has '^gbcast:   [0-9]+ MPI_Scatterv, [0-9]+ B in all, took '
  has '^gbcast:   [0-9]+ MPI_Alltoall of up to 8 B, '
  has '^gbcast:   6 MPI_Barrier took '
  has '^gbcast:   [0-9]+ passed on: the communicator has one rank$'

  # the counts in a file, as JSON and as Prometheus has it; a relative path
  preloaded 4 'statistics' GBCAST_HOSTS="$hosts" "${forced[@]}" GBCAST_STATS="$work/stats.json"
  python3 - "$work/stats.json" "$work/err" <<'CHECK' || fail "$what: $(cat "$work/stats.json")"
import json, re, sys
stats = json.load(open(sys.argv[1]))
calls, passed_on = map(int, re.search(r": (\d+) ran on plans of gbcast, (\d+) passed on", open(sys.argv[2]).read()).groups())
size = stats["accelerated"]["bytes"]
assert stats["ranks"] == 4 and stats["accelerated"]["calls"] == calls and stats["passed_on"]["calls"] == passed_on
why = stats["passed_on"]["why"]
assert all(sum(w[key] for w in why) == stats["passed_on"][key] for key in ("calls", "bytes")) and len(why) > 2
rows = stats["calls"]
assert sum(r["calls"] for r in rows) == calls and sum(r["bytes"] for r in rows) == size
assert all(len(r["plan"]) == 16 and (r["predicted_seconds"] > 0 or r["bytes"] == 0) for r in rows)
assert sum(r["calls"] for r in rows if r["call"] == "MPI_Bcast" and r["class_bytes"] == 73728) == 6
assert len({r["plan"] for r in rows if r["call"] == "MPI_Bcast" and r["class_bytes"] == 73728}) > 1  # a plan for each root
assert {r["class_bytes"] for r in rows if r["call"] in ("MPI_Scatterv", "MPI_Barrier")} == {None}
CHECK
  preloaded 4 'statistics for Prometheus' GBCAST_HOSTS="$hosts" "${forced[@]}" GBCAST_STATS=stats.prom GBCAST_VERBOSE=0
  [ ! -s "$work/err" ] || fail "$what: says $(cat "$work/err")"
  grep -qE '^gbcast_calls_total\{call="MPI_Bcast",class_bytes="73728",plan="[0-9a-f]{16}"\} [1-6]$' stats.prom &&
    [ "$(grep -c '^# TYPE gbcast_[a-z_]*_total counter$' stats.prom)" = 7 ] && rm stats.prom || fail "$what: $(cat stats.prom)"
  preloaded 4 'statistics in a folder that does not exist' GBCAST_HOSTS="$hosts" GBCAST_STATS=/nowhere/stats GBCAST_VERBOSE=0
  [ "$(cat "$work/err")" = "gbcast: GBCAST_STATS: cannot write '/nowhere/stats': No such file or directory" ] ||
    fail "$what: says '$(cat "$work/err")'"

  preloaded 4 'a name that is no setting' GBCAST_HOST="$hosts" GBCAST_VERBOSE=0
  [ "$(cat "$work/err")" = 'gbcast: GBCAST_HOST is no setting; did you mean GBCAST_HOSTS?' ] ||
    fail "$what: says '$(cat "$work/err")'"

  preloaded 4 'a plan for other hosts' GBCAST_HOSTS="$hosts" GBCAST_PLAN="$source/tests/data/plans/three-sites.json"
  [ "$(grep -c "three-sites.json:3:11: found the host 'n0.ottawa', .*; the calls are passed on to MPI$" "$work/err")" = 1 ] ||
    fail "$what: not told once: $(cat "$work/err")" # parts of the job are planned as ever
fi

preloaded 4 'planned' GBCAST_HOSTS="$hosts"
grep -q '^gbcast: rank 0 made .*: [1-9][0-9]* ran on plans of gbcast, ' "$work/err" || fail "$what: nothing was accelerated"
if brief; then
  finish "$name"
  exit
fi
preloaded 4 'in silence' GBCAST_HOSTS="$hosts" GBCAST_VERBOSE=0
[ ! -s "$work/err" ] || fail "$what: says $(cat "$work/err")"
preloaded 4 'disabled' GBCAST_HOSTS="$hosts" GBCAST_DISABLE=1
[ "$(cat "$work/err")" = "gbcast: rank 0 made $all collective calls: all passed on to MPI, because GBCAST_DISABLE is set" ] ||
  fail "$what: says '$(cat "$work/err")'"
preloaded 4 'no hosts file'
counted 0 "$all"
grep -q "^gbcast:   $all passed on: there is no hosts file: GBCAST_HOSTS is not set$" "$work/err" || fail "$what: $(cat "$work/err")"
preloaded 4 'a missing hosts file' GBCAST_HOSTS=/nowhere/hosts.txt
refused '/nowhere/hosts.txt'
preloaded 4 'a hosts file of other hosts' GBCAST_HOSTS="$source/tests/data/platforms/grid-small.txt" GBCAST_MAP=name
refused 'grid-small.txt.* is not in the file: .* GBCAST_MAP=order'
preloaded 4 'a value that is wrong' GBCAST_HOSTS="$hosts" GBCAST_SEGMENT=soon
refused 'GBCAST_SEGMENT=soon'
preloaded 4 'an algorithm that does not exist' GBCAST_HOSTS="$hosts" GBCAST_INTRA=best GBCAST_SYNC=sender-all
[ "$(grep -c 'best.*; the calls are passed on to MPI$' "$work/err")" = 1 ] || fail "$what: not told once"
grep -q '^gbcast:   [0-9]* MPI_Alltoall' "$work/err" || fail "$what: no all-to-all was accelerated, which has no such algorithm"
[ "$(grep -cE '^gbcast:   [0-9]+ MPI_(Bcast|Scatter)' "$work/err")" = 0 ] || fail "$what: something else was"

# no communicator is left for the library, for two broadcasts and a barrier; MPICH has 2048, others too many to try
if [ "$name" = c ] && is_hydra "$mpiexec"; then
  program=$(dirname "$program")/exhausted
  plain 2
  preloaded 2 'all communicators taken' GBCAST_HOSTS="$hosts" GBCAST_INTRA=flat
  counted 0 3
  [ "$(grep -c 'MPI has made no duplicate.*; the calls are passed on to MPI$' "$work/err")" = 1 ] || fail "$what: not told once"
  program=$5
fi

# the launcher, too
if [ ${#first[@]} = 0 ]; then
  expect 0 "$name, preloaded before mpiexec" env LD_PRELOAD="$preload" GBCAST_HOSTS="$hosts" "${forced[@]}" \
    timeout 200 "$mpiexec" -n 4 "$program" "$work/preloaded"
  what='preloaded before mpiexec'
  counted "$ours" "$native"
fi
finish "$name"
