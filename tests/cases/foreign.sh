#!/usr/bin/env bash
# Programs of another MPI library than the one that gbcast was built for: both are named, and the calls are passed on.
#
#   tests/cases/foreign.sh MPICC MPIEXEC LIBRARY PRELOADED PROBE PROGRAM SOURCE-FOLDER [MPIFORT]
#
# MPICC, MPIEXEC and MPIFORT are the other library's; LIBRARY is libgbcast, PRELOADED libgbcast-pmpi; PROGRAM is built for
# the same library as these.
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../scripts/help.sh"
set -euo pipefail

mpicc=$1
mpiexec=$2
library=$3
preloaded=$4
probe=$5
program=$6
source=$7
mpifort=${8:-}
# shellcheck source=tests/support/command.sh
. "$source/tests/support/command.sh"
cp "$source/tests/data/platforms/two-sites.txt" "$work/hosts.txt"
cd "$work"
export GBCAST_HOSTS=hosts.txt GBCAST_MAP=order
link=("-I$source/include" "-L$(dirname "$library")" -lgbcast "-Wl,-rpath,$(dirname "$library")")

run() {
  timeout 60 "$mpiexec" -n "$@"
}

named() { # WHAT: once, both libraries
  [ "$(grep -c '^gbcast: this libgbcast was built for .*, but the program runs with .*; the calls are passed on' "$work/err")" = 1 ] ||
    fail "$1: the libraries are not named once: $(cat "$work/err")"
  grep -q 'Open MPI' "$work/err" && grep -q 'MPICH' "$work/err" || fail "$1: does not name both"
}

expect 0 'mpicc' "$mpicc" "$source/tests/cases/cases.c" -o cases
expect 0 'mpicc, API' "$mpicc" -DGB_CASES_API "$source/tests/cases/cases.c" -o cases-api "${link[@]}"
for what in plain at-end 'communicators 3'; do
  # shellcheck disable=SC2086
  expect 0 "preloaded, $what" run 4 env LD_PRELOAD="$preloaded" ./cases $what
  named "preloaded, $what"
  # shellcheck disable=SC2086
  expect 0 "API, $what" run 4 ./cases-api $what
  named "API, $what"
done
expect 0 'disabled' run 4 env LD_PRELOAD="$preloaded" GBCAST_DISABLE=1 ./cases plain

if [ -n "$mpifort" ]; then
  expect 0 'mpifort' "$mpifort" -w -fallow-argument-mismatch "$source/include/gbcast/gbcast.f90" \
    "$source/tests/cases/foreign.f90" -o fortran "${link[@]}"
  # The dynamic linker gives it half of each library, so that it ends in its first calls.
  run 4 ./fortran >"$work/out" 2>"$work/err" || true
  named 'Fortran module'
fi

# Ranks that a launcher of the other library has started do not find each other.
expect 0 'the other launcher' run 2 "$program" plain
[ "$(grep -c '^gbcast: .* started several processes, .* each is a job of one rank: use ' "$work/err")" = 1 ] ||
  fail "the other launcher: not told once: $(cat "$work/err")"
status=0
run 2 "$probe" >"$work/out" 2>"$work/err" || status=$?
[ "$status" != 0 ] || fail 'gbcast-probe by the other launcher: exit 0'
[ "$(grep -c '^gbcast: .* started several processes, ' "$work/err")" = 1 ] ||
  fail "gbcast-probe by the other launcher: not told once: $(cat "$work/err")"
finish foreign
