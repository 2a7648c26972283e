#!/usr/bin/env bash
# What gbcast-bench says of its words: help, version, and one line from one rank for each that is wrong. What it measures is tested
# beside the library (tests/mpi/CMakeLists.txt).
#
#   tests/bench/options.sh MPIEXEC GBCAST-BENCH VERSION
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../scripts/help.sh"
set -euo pipefail

mpiexec=$1
bench=$2
version=$3
# shellcheck source=tests/support/command.sh
. "$(dirname "$0")/../support/command.sh"

# run STATUS ARGUMENT...
run() {
  local expected=$1
  shift
  expect "$expected" "gbcast-bench $*" timeout 100 "$mpiexec" -n 2 "$bench" "$@" </dev/null
}

# wrong TEXT ARGUMENT...
wrong() {
  local text=$1
  shift
  run 2 "$@"
  refused "gbcast-bench $*" "$text"
}

run 0 --version
[ "$(cat "$work/out")" = "gbcast-bench $version" ] || fail "--version: '$(cat "$work/out")'"
for command in '' real edges; do
  # shellcheck disable=SC2086 # no command is no word
  run 0 $command --help
  [ "$(grep -c "^usage: mpiexec -n N gbcast-bench ${command:-COMMAND} " "$work/out")" = 1 ] ||
    fail "$command --help: '$(cat "$work/out")'"
done

wrong "found 'nothing', expected the command real or edges"
wrong "found 'reel', expected the command real or edges" reel
wrong "gbcast-bench real: unrecognized option '--size=5'" real --size=5
wrong "gbcast-bench real: -o: found 'scan', which it does not take" real -o scan
wrong "gbcast-bench real: -r: found '2', which it does not take" real --root=2
wrong "gbcast-bench real: -m: found '1k', which it does not take" real --min=1k --max=2048
wrong "gbcast-bench real: --min=9 is above --max=8" real --min=9 --max=8
wrong "gbcast-bench real: found 'hosts.txt', expected only options" real hosts.txt
wrong "gbcast-bench edges: invalid option -- 'x'" edges -x
wrong "gbcast-bench edges: -o: found 'reduce', which it does not take" edges -o reduce
wrong "gbcast-bench edges: found '5', expected only options" edges 5
finish gbcast-bench
