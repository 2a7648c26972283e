#!/usr/bin/env bash
# Routines that gbcast-plan --emit-c writes: compiled without a warning, and run next to MPI's own.
#
#   tests/plan/codegen/generated.sh MPIEXEC MPICC GBCAST-PLAN SOURCE-FOLDER [FLAG...]     flags of the compiler
#
# Each case takes a compiler and a launcher. Unless GB_TEST_FULL is set, one of each kind is all.
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../../scripts/help.sh"
set -euo pipefail

mpiexec=$1
mpicc=$2
plan=$3
source=$4
flags=("${@:5}")
# shellcheck source=tests/support/command.sh
. "$source/tests/support/command.sh"
strict=(-std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Werror)

compile() { # SOURCE OBJECT FLAG...
  "$mpicc" -g "${flags[@]}" "${@:3}" -c "$1" -o "$work/$2"
}
compile "$source/tests/plan/codegen/generated_bcast.c" bcast.o -std=c17 -I"$source" -D_POSIX_C_SOURCE=200809L
compile "$source/tests/plan/codegen/generated_alltoall.c" alltoall.o -std=c17 -I"$source" -D_POSIX_C_SOURCE=200809L
compile "$source/tests/support/mpi/yield.c" yield.o

# run RANKS WHICH ARGUMENT...: the routine in routine.c
run() {
  local ranks=$1 which=$2
  shift 2
  if ! compile "$work/routine.c" routine.o "${strict[@]}" ||
    ! "$mpicc" "${flags[@]}" "$work"/{"$which",routine,yield}.o -ldl -o "$work/program"; then
    fail "$title: does not compile"
    return
  fi
  expect 0 "$title" timeout 100 "$mpiexec" -n "$ranks" "$work/program" "$@"
}

# bcast RANKS ROOT ARGUMENT...
bcast() {
  local ranks=$1 root=$2
  shift 2
  title="gbcast-plan $* on $ranks ranks"
  "$plan" --emit-c="$work/routine.c" --root="$root" "$@" >"$work/text"
  run "$ranks" bcast "$root"
}

# alltoall RANKS SYNC ARGUMENT...: with as many words and blocks as the plan tells, over all and before each barrier;
# `slots` ranks on each host
alltoall() {
  local ranks=$1 sync=$2 block=1 words dummies blocks=0 barriers=
  shift 2
  title="gbcast-plan -o alltoall --sync=$sync $* on $ranks ranks"
  "$plan" -o alltoall --sync="$sync" --emit-c="$work/routine.c" -f json "$@" >"$work/json"
  words=$(grep -c '"from_phase"' "$work/json" || true)
  dummies=$(sed -n '/"dummies"/,$p' "$work/json" | { grep -o '"from"' || true; } | wc -l)
  if [[ $sync == barrier-* ]]; then # a line of the JSON for each phase
    [[ $sync != *:* ]] || block=${sync#*:}
    barriers=$(awk -v block="$block" -v inside=$((ranks * slots)) -v pair=$((slots * slots)) '
      /"scope"/ { if (phase > 0 && phase % block == 0) print inside + sent * pair
                  phase++; sent += gsub(/"scope"/, "") }' "$work/json")
  fi
  [[ $sync == native ]] || blocks=$((ranks * ranks + dummies * slots * slots)) # MPI's own are not seen
  # shellcheck disable=SC2086
  run "$ranks" alltoall $((words * slots * slots)) $blocks $barriers
}

# between_clusters RANKS ARGUMENT...: the JSON does not list the words between clusters
between_clusters() {
  local ranks=$1
  shift
  title="gbcast-plan -o alltoall $* on $ranks ranks"
  "$plan" -o alltoall --emit-c="$work/routine.c" "$@" >"$work/text"
  run "$ranks" alltoall -1 $((ranks * ranks))
}

# in_groups RANKS GROUP ARGUMENT...: each sends a message to all of its group, and then one to each group
in_groups() {
  local ranks=$1 group=$2
  shift 2
  title="gbcast-plan -o alltoall --sync=two-step:$group $* on $ranks ranks"
  "$plan" -o alltoall -m 16 --sync="two-step:$group" --emit-c="$work/routine.c" "$@" >"$work/text"
  run "$ranks" alltoall 0 $((ranks * (group + ranks / group)))
}

# usual CASE...: not with another build
usual() {
  brief || "$@"
}

# full CASE...: unless GB_TEST_FULL is set, not at all
full() {
  [ -z "${GB_TEST_FULL-}" ] || "$@"
}

data=$source/tests/data
usual bcast 1 0 --intra=chain --synthetic=host:1
full bcast 2 1 --intra=chain-segmented --segment=4k --synthetic=host:2
full bcast 5 2 --intra=flat-rendezvous --synthetic=host:5
bcast 5 3 --intra=two-tree -m 1M --segment=16k --synthetic='switch:5 host:1'
full bcast 7 3 --intra=two-tree -m 4M --segment=16k --synthetic='switch:7 host:1'
full bcast 8 0 --intra=binomial --synthetic=host:8
full bcast 8 5 --intra=binary-contention-free -m 64k --segment=1000 --synthetic='switch:2 host:4'
full bcast 6 0 --intra=native "$data/platforms/hydra.txt"
full bcast 6 4 --inter=extended-dijkstra -m 100k --segment=500 --synthetic='cluster:3 host:2'
full bcast 8 1 --lanes=2 --inter=packing --intra=two-tree -m 4M --synthetic='cluster:2 host:4'
usual bcast 6 1 --inter=packing -m 1M "$data/platforms/mesh.txt"
full bcast 11 3 --inter=disjoint -m 100k --segment=2000 --synthetic='cluster:11 host:1'
bcast 6 3 --inter=in-turn -m 128k --synthetic='cluster:3 host:2'
full bcast 12 8 --inter=in-turn -m 128k "$data/platforms/slow-site.txt"
full bcast 13 11 -m 8M "$data/platforms/three-sites.txt"

slots=1
full alltoall 1 native --synthetic=host:1
full alltoall 8 native --synthetic='switch:2 host:4'
full alltoall 1 at-once --synthetic=host:1
full alltoall 2 receiver-all --synthetic='switch:2 host:1'
alltoall 6 sender-partial:2 --synthetic='switch:2 host:3'
for sync in dummy paced; do
  usual alltoall 6 $sync --synthetic='switch:2 host:3'
done
for sync in no-sync sender-all receiver-all receiver-partial:2 barrier-partial-receiver:2 barrier-all barrier-partial-none:3 barrier-partial-sender:3 \
  at-once; do
  full alltoall 6 $sync --synthetic='switch:2 host:3'
done
full alltoall 5 sender-all "$data/platforms/figure-1.txt"
full alltoall 8 receiver-all --synthetic='switch:2 switch:2 host:2'
in_groups 6 2 --synthetic='switch:2 host:3'
for group in 1 3 6; do
  full in_groups 6 $group --synthetic='switch:2 host:3'
done
full in_groups 8 4 --synthetic='switch:2 switch:2 host:2'
full in_groups 5 5 "$data/platforms/figure-1.txt"
slots=2
printf 'switch s0\nn[0-1]:2\nswitch s1 uplink=s0\nm[0-1]:2\n' >"$work/hosts"
usual alltoall 8 barrier-partial-receiver:2 "$work/hosts"
for sync in sender-all receiver-all paced at-once; do
  full alltoall 8 $sync "$work/hosts"
done
printf 'a:3\nb\nc:2\n' >"$work/hosts"
usual alltoall 6 no-sync "$work/hosts"
printf 'a\nb\na:2\nc\nb\n' >"$work/hosts" # ranks of one host need not follow each other
full bcast 6 4 --intra=chain "$work/hosts"
slots=1
title='ranks of one host that do not follow each other'
"$plan" -o alltoall --sync=no-sync --emit-c="$work/routine.c" "$work/hosts" >"$work/text"
usual run 6 alltoall 0 36
full between_clusters 6 -m 1 "$data/platforms/mesh.txt"
between_clusters 6 -m 100k --sync=sender-all --synthetic='cluster:3 host:2'
full between_clusters 8 -m 20k --sync=at-once --synthetic='cluster:2 switch:2 host:2'
full between_clusters 13 -m 64k "$data/platforms/three-sites.txt"
finish 'generated routines'
