#!/usr/bin/env bash
# What a plan looks like in every format. The plans are those of tests/data/plans, which gbcast-plan printed once: a change of the
# planner changes nothing here, one of a format does. All-to-alls are not read back: tests/tools/plan.sh has theirs.
#
#   tests/plan/show/goldens.sh PRINT-SAVED SOURCE-FOLDER            compares
#   tests/plan/show/goldens.sh PRINT-SAVED SOURCE-FOLDER --update   writes the golden files anew
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../../scripts/help.sh"
set -euo pipefail

tool=$1
source=$2
update=${3:-}
. "$source/tests/tools/common.sh"
cd "$source/tests/data/platforms"
plans=../plans

# shows PLAN HOSTS|synthetic=GRID FORMAT...: in each format, as PLAN.FORMAT.out; and as JSON as it was. live has a source of live
# values, and their age at most
live=()
shows() {
  local plan=$1 hosts=$2 format
  shift 2
  goldens=$plans golden "$plan.json" json "$plans/$plan.json" "$hosts" "${live[@]}"
  for format in "$@"; do
    golden "$plan.$format.out" "$format" "$plans/$plan.json" "$hosts" "${live[@]}"
  done
}
goldens=$source/tests/data/goldens
shows three-sites three-sites.txt text svg dot c compare html
shows three-sites-forced three-sites.txt text
shows three-sites-scatter three-sites.txt text
shows three-sites-segments three-sites.txt text
shows hydra hydra.txt text trace
shows hydra-scatter hydra.txt svg
shows hydra-native hydra.txt text c
shows in-turn slow-site.txt text
shows lanes synthetic='cluster:2 host:3' text dot compare
shows packing synthetic='cluster:4 host:3' text
live=(file:live.txt)
shows three-sites-live three-sites.txt text
live=()
golden live-none.text.out text $plans/three-sites-forced.json three-sites.txt file:/dev/null
live=(file:live-mesh.txt 60)
shows live-mesh synthetic='cluster:3 host:2' text

# differs FILE EARLIER PLAN HOSTS [LIVE]
differs() {
  golden "diff-$1.out" "diff=$plans/$2.json" "$plans/$3.json" "${@:4}"
}
differs same three-sites three-sites three-sites.txt
differs live three-sites-forced three-sites-live three-sites.txt file:live.txt
differs moved three-sites-forced other-day other-day.txt
differs hosts three-sites four-sites four-sites.txt
differs old old-version four-sites four-sites.txt
differs scatter hydra-scatter hydra-scatter-chain hydra.txt
differs other alltoall three-sites-scatter three-sites.txt

finish print_saved
