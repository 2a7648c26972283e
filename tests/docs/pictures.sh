#!/usr/bin/env bash
# The pictures of docs/pictures.md show the plans of today, as the outputs in the other documents do (test_examples.py): draw them
# anew with scripts/pictures when those change.
#
#   tests/docs/pictures.sh GBCAST-PLAN SOURCE-FOLDER
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../scripts/help.sh"
set -euo pipefail

source=$2
# shellcheck source=tests/support/command.sh
. "$source/tests/support/command.sh"
mkdir "$work/pictures"
expect 0 'scripts/pictures' "$source/scripts/pictures" "$1" "$work/pictures"
expect 0 'docs/pictures, and what scripts/pictures draws' diff -r -x page.png "$source/docs/pictures" "$work/pictures"
[ ! -s "$work/out" ] || head -20 "$work/out"
finish pictures
