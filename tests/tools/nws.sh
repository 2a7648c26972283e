#!/usr/bin/env bash
# Tests of the command gbcast-nws: its subcommands' names, exit statuses, and where output goes.
#
#   tests/tools/nws.sh GBCAST-NWS SOURCE-FOLDER
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../scripts/help.sh"
set -euo pipefail

tool=$1
source=$2
. "$source/tests/tools/common.sh"

run 0 --version
grep -qx 'gbcast-nws [0-9]*\.[0-9]*\.[0-9]*' "$work/out" || fail "--version: $(cat "$work/out")"
run 0 --help
commands=$(sed -n '/Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$work/out")
[ -n "$commands" ] || fail "--help names no command"
wrong 2 "a command is missing; the commands are"
wrong 2 "'weather' is no command; the commands are" weather
wrong 2 "'' is no command" ''
run 2 --no-such-option
for command in $commands; do
  run 0 "$command" --help
  grep -q "^Usage: gbcast-nws $command " "$work/out" || fail "$command --help: $(head -1 "$work/out")"
  run 0 "$command" --version
  grep -q '^gbcast-nws ' "$work/out" || fail "$command --version: $(cat "$work/out")"
  run 2 "$command" --no-such-option
  grep -q "^gbcast-nws $command: " "$work/err" || fail "$command --no-such-option: $(head -1 "$work/err")"
  [ ! -s "$work/out" ] || fail "$command --no-such-option: wrote to stdout"
  wrong 2 "$command" "$command-"
done

finish gbcast-nws
