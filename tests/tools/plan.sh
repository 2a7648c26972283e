#!/usr/bin/env bash
# Tests of the command gbcast-plan: exit statuses, where output goes, and golden outputs.
#
#   tests/tools/plan.sh GBCAST-PLAN SOURCE-FOLDER            compares
#   tests/tools/plan.sh GBCAST-PLAN SOURCE-FOLDER --update   writes the golden files anew
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../scripts/help.sh"
set -euo pipefail

tool=$1
source=$2
update=${3:-}
. "$source/tests/tools/common.sh"
goldens=$source/tests/data/goldens
cd "$source/tests/data/platforms"
unset "${!SLURM_@}" "${!PBS_@}" "${!LSB_@}" # this may be a job itself

# What plans look like is tested by tests/plan/show/goldens.sh, with plans that never change. Here is the least that shows how the
# command prints them, a broadcast in which everything is forced; and all-to-alls, which cannot be read back: how they are
# synchronised is forced, and what they take follows from formulas.
golden forced.out -a flat/flat -m 4k --segment=4k --synthetic='cluster:2 host:2'
golden list.out --list
golden list-settings.out --list-settings
for form in text json svg dot; do
  golden alltoall.$form.out -o alltoall -m 64k --sync=paced -f $form figure-1.txt
done
for form in text svg dot trace html; do
  golden alltoall-sites.$form.out -o alltoall -m 64k --sync=no-sync -f $form three-sites.txt
done
golden alltoall-sites.json.out -o alltoall -m 2k --sync=sender-partial:2 -f json three-sites.txt
golden alltoall-sites-dummy.json.out -o alltoall -m 1 --sync=dummy -f json --synthetic='cluster:2 switch:2 host:2'
golden alltoall-partial.json.out -o alltoall -m 4k --sync=sender-partial:2 -f json figure-1.txt
golden alltoall-dummy.json.out -o alltoall --sync=dummy -f json --synthetic='switch:2 host:3'
golden alltoall-one.json.out -o alltoall -f json --synthetic=host:1
golden alltoall-folded.out --operation=alltoall --sync=receiver-all --synthetic='switch:4 host:8'
golden alltoall-folded-sites.out -o alltoall --sync=no-sync --synthetic='cluster:12 host:3'
golden alltoall-groups.out -o alltoall --sync=two-step:4 -m 4 --synthetic='switch:4 host:8'
golden alltoall-groups.svg.out -f svg -o alltoall -m 4 --sync=two-step:2 --synthetic='switch:2 host:3'
golden alltoall-native.out -o alltoall -m 1 --sync=native full-hosts.txt
golden alltoall-at-once.out -o alltoall -m 256k --sync=at-once lossless.txt
golden alltoall-barrier.out -o alltoall --sync=barrier-partial-sender:4 --synthetic='switch:2 host:3'
golden alltoall-compare.out -o alltoall -m 4k --compare figure-1.txt
golden alltoall-sites-compare.out -o alltoall -m 4k --compare --synthetic='cluster:2 host:2'
golden alltoall.c.out --emit-c -o alltoall --sync=receiver-all -m 4k figure-1.txt
golden alltoall-groups.c.out --emit-c=- -o alltoall --sync=two-step:2 -m 4 --synthetic='switch:2 host:3'
golden diff-alltoall.out --diff=../plans/alltoall.json -m 4k --sync=sender-partial:2 figure-1.txt

# shows WHAT TEXT...: the last output has a line with each of these
shows() {
  local what=$1 text
  shift
  for text in "$@"; do
    grep -qF -- "$text" "$work/out" || fail "$what: no line has '$text': $(head -3 "$work/out")"
  done
}

# what is asked for is what is planned
run 0 -f json -o scatter -m 64k --root=l1.lyon three-sites.txt
shows 'a scatter' '"operation": "scatter"' '"message_bytes": 65536' '"root": "l1.lyon"'
run 0 -f json -a flat/binomial three-sites.txt
shows '-a flat/binomial' '"inter": "flat"'
[ "$(grep -c '"hosts": .*"algorithm": "binomial"' "$work/out")" = 3 ] || fail "-a flat/binomial: other trees inside a site"
run 0 -f json --inter=chain --intra=chain,ottawa --segment=4k three-sites.txt
shows 'forced' '"inter": "chain"'
grep -q '"name": "ottawa".*"algorithm": "chain".*"segment_bytes": 4096,' "$work/out" || fail "--intra=chain,ottawa: not there"
! grep -q '"name": "lyon".*"algorithm": "chain",' "$work/out" || fail "--intra=chain,ottawa: in lyon, too"
run 0 -f json --lanes=2 --intra=flat three-sites.txt
shows '--lanes=2' '"lanes": 2,'
run 0 --synthetic='cluster:2 switch:2 host:4'
shows '--synthetic' ': 16 ranks on 16 hosts in 2 sites'
run 0 -o alltoall -m 64k figure-1.txt
shows 'the best synchronisation' '(predicted to be the fastest where contention costs up to 30 %)'
run 0 -o alltoall -m 256k lossless.txt
shows 'the best without contention' '(predicted to be the fastest where contention costs nothing)'
run 0 -o alltoall -m 64k three-sites.txt
shows 'the best inside clusters' '(predicted to be the fastest)'
run 0 -o barrier three-sites.txt
shows 'a barrier' 'Barrier: 13 ranks on 9 hosts in 3 sites' 'each leader to all others'
run 0 -o reduce-scatter -m 64 three-sites.txt
shows 'a reduce-scatter' 'Reduce-scatter of 64 B: 13 ranks on 9 hosts in 3 sites' 'times are those of the way up'
for format in json dot svg trace html; do
  run 0 -f "$format" -o reduce-scatter three-sites.txt
done
run 0 -f json -o reduce-scatter three-sites.txt
cp "$work/out" "$work/reduce-scatter.json"
run 0 --diff="$work/reduce-scatter.json" three-sites.txt
shows 'the same reduce-scatter' "Reduce-scatter of 1 MiB by way of n0.ottawa: as in $work/reduce-scatter.json, predicted "
run 0 -o barrier --compare three-sites.txt
shows 'candidates of a barrier' 'Barrier by way of n0.ottawa: '
run 0 --compare three-sites.txt
[ "$(grep -c '^\*.* chosen$' "$work/out")" = 1 ] || fail "--compare: $(grep -c '^\*' "$work/out") chosen"
sed -nE 's/.* ([0-9.]+)  (chosen|slower|faster|as fast).*/\1/p' "$work/out" >"$work/ratios"
sort -gc "$work/ratios" || fail "--compare: candidates are not in the order of their times"
[ "$(wc -l <"$work/ratios")" = "$(sed -n '1s/.*: \([0-9]*\) candidates.*/\1/p' "$work/out")" ] ||
  fail "--compare: $(wc -l <"$work/ratios") rows, $(head -1 "$work/out")"
for form in 'svg <svg ' 'dot digraph ' 'trace {' 'html <!DOCTYPE html>'; do
  run 0 -f "${form%% *}" hydra.txt
  shows "-f ${form%% *}" "${form#* }"
done

# the plans that what follows is held against
expect 0 'a plan' "$tool" three-sites.txt
cp "$work/out" "$work/plain"
run 0 -f json three-sites.txt
cp "$work/out" "$work/plain.json"
run 0 --emit-c three-sites.txt
cp "$work/out" "$work/plain.c"
run 0 --diff="$work/plain.json" three-sites.txt
shows 'the same plan' "Broadcast of 1 MiB from n0.ottawa: as in $work/plain.json, predicted "

# the same plan, asked for in other words
run 0 -r 0 -m 1048576 -o bcast -f text three-sites.txt
diff -u "$work/plain" "$work/out" || fail "the defaults, spelled out, give another plan"
run 0 --version
grep -qx 'gbcast-plan [0-9]*\.[0-9]*\.[0-9]*' "$work/out" || fail "--version: $(cat "$work/out")"
run 0 --help
run 0 --verbose three-sites.txt
diff -u "$work/plain" "$work/out" || fail "--verbose changes the plan"
run 0 --verbose hydra.txt
[ -s "$work/err" ] || fail "--verbose: no assumption named on stderr"

run 0 -f json -o barrier three-sites.txt
cp "$work/out" "$work/barrier.json"
shows 'a barrier as JSON' '"operation": "barrier"' '"message_bytes": 1'
run 0 --diff="$work/barrier.json" three-sites.txt
shows 'the same barrier' "Barrier by way of n0.ottawa: as in $work/barrier.json, predicted "
wrong 2 'a barrier has no size' --diff="$work/barrier.json" -m 8 three-sites.txt
for format in dot svg trace html; do
  run 0 -f "$format" -o barrier three-sites.txt
done

# as C in a file, and the plan as usual
run 0 --emit-c="$work/plan.c" three-sites.txt
diff -u "$work/plain" "$work/out" || fail "--emit-c=FILE changes the plan"
diff -u "$work/plain.c" "$work/plan.c" || fail "--emit-c=FILE differs from --emit-c"
run 0 --emit-c="$work/plan.c" -f json three-sites.txt
diff -u "$work/plain.json" "$work/out" || fail "--emit-c=FILE changes the JSON"
wrong 2 'for broadcasts and all-to-alls' --emit-c="$work/plan.c" -o scatter three-sites.txt
diff -u "$work/plain.c" "$work/plan.c" || fail "--emit-c=FILE overwrites FILE with nothing"
wrong 1 'gbcast-plan: cannot write /none/plan.c: No such file' --emit-c=/none/plan.c three-sites.txt
[ ! -c /dev/full ] || wrong 1 'cannot write /dev/full: No space' --emit-c=/dev/full three-sites.txt

# live values from standard input, and all of them told
run 0 --live=file:live.txt -f json three-sites.txt
cp "$work/out" "$work/live.json"
shows 'live values' '"from": "file:live.txt"'
run 0 --live=- -f json three-sites.txt <live.txt
sed 's|"from": "file:live.txt"|"from": "-"|' "$work/live.json" | diff -u - "$work/out" || fail "--live=- differs"
run 0 --live=file:live.txt three-sites.txt
cp "$work/out" "$work/live.out"
shows 'live values' 'ottawa -> lyon  60 ms, 12 s old'
run 0 --live=file:live.txt --verbose three-sites.txt
diff -u "$work/live.out" "$work/out" || fail "--verbose changes the plan"
for link in 'ottawa -> carleton' 'carleton -> ottawa' 'ottawa -> lyon' 'lyon -> ottawa'; do
  grep -q "^$link " "$work/err" || fail "--verbose: nothing about the link $link"
done
run 0 -f json --live=file:live-mesh.txt --max-age=60 --synthetic='cluster:3 host:2'
[ "$(grep -c '"from": "assumed"' "$work/out")" = 10 ] || fail "the sources name not 10 assumed values"
hash() {
  sed -n 's/.*; plan //p' "$1"
}
[ "$(hash "$work/live.out")" != "$(hash "$work/plain")" ] || fail "live values, and the same hash"
run 0 --live=file:/dev/null three-sites.txt
shows 'no live values' 'no link has any'
[ "$(hash "$work/out")" = "$(hash "$work/plain")" ] || fail "no live values, and another hash"
echo 'ottawa lyon 1e300 0' >"$work/live"
run 0 --live="file:$work/live" three-sites.txt
grep -q '46 ms of the file (live: no usable number) .* of the file (live: no usable number)' "$work/out" ||
  fail "values that cannot be: $(grep lyon "$work/out")"
echo 'ottawa lyon 60 time=17' >"$work/live"
run 0 --live="file:$work/live" three-sites.txt
[ "$(hash "$work/out")" = "$(hash "$work/plain")" ] || fail "a value of 1970 is used"
echo "ottawa lyon 60 time=$(date +%s)" >"$work/live"
run 0 --live="file:$work/live" three-sites.txt
[ "$(hash "$work/out")" != "$(hash "$work/plain")" ] || fail "a value of now is not used"

# the request of the earlier plan, where none is said
run 0 -f json -o scatter -m 3k -r 5 three-sites.txt
cp "$work/out" "$work/then.json"
run 0 --diff="$work/then.json" three-sites.txt
grep -q "^Scatter of 3 KiB from n[0-3].ottawa#1: as in $work/then.json, " "$work/out" ||
  fail "another request than that of the earlier plan: $(cat "$work/out")"
run 0 --diff="$work/then.json" -o bcast -m 4k -r l0.lyon three-sites.txt
grep -q '^Broadcast of 4 KiB from l0.lyon, against' "$work/out" || fail "--diff wins: $(head -1 "$work/out")"

# the hosts file from standard input, with a file that it names, relative to here
run 0 - <three-sites.txt
diff -u "$work/plain" "$work/out" || fail "a hosts file on standard input gives another plan"
echo 'SwitchName=s0 Nodes=n[0-3]' >"$work/topology.conf"
printf 'topology slurm=topology.conf\nn[0-3]\n' >"$work/switched.txt"
(cd "$work" && "$tool" - <switched.txt >by-stdin && "$tool" switched.txt >by-path) || fail "topology slurm= from stdin"
diff -u "$work/by-path" "$work/by-stdin" || fail "topology slurm= of standard input is not relative to the folder"

# the hosts of a batch system's job, by themselves and with a file that knows them
lines() { # HOST COUNT...
  local i
  for (( ; $# > 0; )); do
    for ((i = 0; i < $2; i++)); do echo "$1"; done
    shift 2
  done
}
job=(n0.ottawa 2 n1.ottawa 2 c0.carleton 1 l0.lyon 4 l1.lyon 4)
lines "${job[@]}" >"$work/nodes"
export SLURM_JOB_NODELIST='n[0-1].ottawa,c0.carleton,l[0-1].lyon' SLURM_TASKS_PER_NODE='2(x2),1,4(x2)'
run 0 --from=slurm
cp "$work/out" "$work/by-slurm"
shows '--from=slurm' 'from n0.ottawa: 13 ranks on 5 hosts in 3 sites'
grep -q '^carleton  *1  *1 ' "$work/out" || fail "--from=slurm: not one rank in carleton"
grep -q '^lyon  *2  *8 ' "$work/out" || fail "--from=slurm: not eight ranks on two hosts in lyon"
run 0 --from=slurm three-sites.txt
cp "$work/out" "$work/by-slurm-file"
same_as_slurm() {
  run 0 --from=slurm
  diff -u "$work/by-slurm" "$work/out" || fail "other variables of Slurm: another plan"
  run 0 --from=slurm three-sites.txt
  diff -u "$work/by-slurm-file" "$work/out" || fail "other variables of Slurm: another plan with a file"
}
shows '--from=slurm with a file' 'from n0.ottawa: 13 ranks on 5 hosts in 3 sites' ' 100 Mbit/s '
SLURM_JOB_NODELIST='n[0-1],c0,l[0-1]' run 0 --verbose --from=slurm three-sites.txt
diff -u "$work/by-slurm-file" "$work/out" || fail "short names give another plan"
grep -qx "'c0' is taken to be the host 'c0.carleton'" "$work/err" || fail "--verbose: no short name told: $(cat "$work/err")"
SLURM_TASKS_PER_NODE='' SLURM_NTASKS_PER_NODE=3 run 0 --from=slurm
grep -q ': 15 ranks on 5 hosts' "$work/out" || fail "SLURM_NTASKS_PER_NODE=3: $(head -1 "$work/out")"
SLURM_TASKS_PER_NODE='' run 0 --from=slurm --verbose
grep -q ': 5 ranks on 5 hosts\|: 5 hosts in' "$work/out" || fail "without counts: $(head -1 "$work/out")"
grep -qx 'SLURM_JOB_NODELIST: 5 hosts without a count: default slots=1' "$work/err" || fail "without counts: not told"
for way in PBS_NODEFILE="$work/nodes" LSB_DJOB_HOSTFILE="$work/nodes" LSB_MCPU_HOSTS="${job[*]}" \
  LSB_HOSTS="$(tr '\n' ' ' <"$work/nodes")"; do
  system=lsf
  [ "${way%_*}" != PBS ] || system=pbs
  expect 0 "--from=$system" env "$way" "$tool" --from=$system
  diff -u "$work/by-slurm" "$work/out" || fail "$way: another plan than of the same hosts from Slurm"
done
for option in --operation=scatter --compare --emit-c; do # nothing depends on hosts that are not in the job
  run 0 --from=slurm "$option" three-sites.txt
done
for format in text json; do
  run 0 --from=slurm -o alltoall -f $format three-sites.txt
done
run 0 --from=slurm -r 4 three-sites.txt
grep -q ' from c0.carleton: ' "$work/out" || fail "the fifth rank of the job is not on c0.carleton: $(head -1 "$work/out")"
wrong 1 "three-sites.txt:6:1: found root 'n2.ottawa', expected a host of the job" --from=slurm -r n2.ottawa three-sites.txt
wrong 1 'number of a rank from 0 to 12' --from=slurm -r 13 three-sites.txt
SLURM_JOB_NODELIST='n[0-1].ottawa,x[0-3]' wrong 1 \
  "SLURM_TASKS_PER_NODE:1:14: found the end of the line" --from=slurm three-sites.txt
SLURM_JOB_NODELIST='n[0-1].ottawa,x[0-2]' wrong 1 \
  "three-sites.txt:4:1: the job has 'x0', which is not in the file" --from=slurm three-sites.txt
SLURM_JOB_NODELIST='n[0-1' wrong 1 'SLURM_JOB_NODELIST:1:' --from=slurm
# a heterogeneous job: its components together, whatever the variables of the first say
export SLURM_HET_SIZE=2 SLURM_JOB_NODELIST_HET_GROUP_0='n[0-1].ottawa' SLURM_TASKS_PER_NODE_HET_GROUP_0='2(x2)'
export SLURM_JOB_NODELIST_HET_GROUP_1='c0.carleton,l[0-1].lyon' SLURM_TASKS_PER_NODE_HET_GROUP_1='1,4(x2)'
export SLURM_JOB_NODELIST=$SLURM_JOB_NODELIST_HET_GROUP_0 SLURM_TASKS_PER_NODE=$SLURM_TASKS_PER_NODE_HET_GROUP_0
same_as_slurm
run 0 --from=slurm -r 4
grep -q ' from c0.carleton: ' "$work/out" || fail "the fifth rank of the job is not on c0.carleton: $(head -1 "$work/out")"
SLURM_JOB_NODELIST_HET_GROUP_1='l1.lyon,n0.ottawa' SLURM_TASKS_PER_NODE_HET_GROUP_1=2 run 0 --from=slurm -r 6
grep -q ' from n0.ottawa#2: ' "$work/out" || fail "a host of two components: $(head -1 "$work/out")"
SLURM_TASKS_PER_NODE_HET_GROUP_1='' SLURM_NTASKS_PER_NODE_HET_GROUP_1=3 run 0 --from=slurm
grep -q ': 13 ranks on 5 hosts' "$work/out" || fail "SLURM_NTASKS_PER_NODE_HET_GROUP_1: $(head -1 "$work/out")"
SLURM_TASKS_PER_NODE_HET_GROUP_1='' run 0 --from=slurm
grep -q ': 7 ranks on 5 hosts' "$work/out" || fail "a component without counts: $(head -1 "$work/out")"
SLURM_TASKS_PER_NODE_HET_GROUP_1='1,4' wrong 1 'SLURM_TASKS_PER_NODE_HET_GROUP_1:1:4: found the end' --from=slurm
SLURM_JOB_NODELIST_HET_GROUP_1='l[0-1' wrong 1 'SLURM_JOB_NODELIST_HET_GROUP_1:1:' --from=slurm
SLURM_HET_SIZE=3 wrong 1 'SLURM_JOB_NODELIST_HET_GROUP_2 is not set' --from=slurm
SLURM_HET_SIZE=two wrong 1 "SLURM_HET_SIZE:1:1: found 'two', expected a number" --from=slurm
SLURM_HET_SIZE=4294967295 wrong 1 'SLURM_HET_SIZE:1:1: found' --from=slurm
SLURM_HET_SIZE=1 run 0 --from=slurm
grep -q ': 4 ranks on 2 hosts' "$work/out" || fail "one component: $(head -1 "$work/out")"
for variable in "${!SLURM_@}"; do # as they were called once
  [[ $variable != *HET* ]] || export "${variable/HET/PACK}=${!variable}"
done
unset "${!SLURM_HET@}" SLURM_{JOB_NODELIST,TASKS_PER_NODE}_HET_GROUP_{0,1}
same_as_slurm
unset "${!SLURM_@}"
wrong 1 'SLURM_JOB_NODELIST is not set; it has to run inside a job' --from=slurm
wrong 1 'PBS_NODEFILE is not set' --from=pbs three-sites.txt
wrong 1 'none of LSB_DJOB_HOSTFILE, LSB_MCPU_HOSTS and LSB_HOSTS is set' --from=lsf
PBS_NODEFILE=/none/nodes wrong 1 '/none/nodes:1:1: cannot open' --from=pbs

# a plan that cannot be made
wrong 1 'none.json:1:1: cannot open' --diff=none.json three-sites.txt
wrong 1 "three-sites.txt:1:1: found '#', expected a value" --diff=three-sites.txt three-sites.txt
printf '\n{}' >"$work/then.json"
wrong 1 'then.json:2:1: found no "schema"' --diff="$work/then.json" three-sites.txt
wrong 1 'none.txt:1:1: cannot open' --live=file:none.txt three-sites.txt
# one wrong line of live values is told and left out, the others count
run 0 --live=file:live-bad.txt three-sites.txt
grep -q '^ottawa -> lyon  60 ms, 0 s old' "$work/out" || fail "a wrong line: the other one is not used"
grep -q "^1 line not understood, and left out (live-bad.txt:2:13: found '60ms', " "$work/out" || fail "a wrong line: not counted"
[ "$(cut -d, -f1 "$work/err")" = "live-bad.txt:2:13: found '60ms'" ] || fail "a wrong line: says $(cat "$work/err")"
run 0 --live=- -f json three-sites.txt <live-bad.txt
grep -q '"what": "lines that are not understood", .* "count": 1, "first": "<stdin>:2:13: found' "$work/out" ||
  fail "a wrong line: not in the JSON"
grep -q "^<stdin>:2:13: found '60ms', .*; this line is left out$" "$work/err" || fail "a wrong line: says $(cat "$work/err")"
printf 'ottawa lyon fast\n%.0s' {1..30} >"$work/live"
run 0 --live="file:$work/live" three-sites.txt
[ "$(wc -l <"$work/err")" = 21 ] || fail "30 wrong lines: $(wc -l <"$work/err") lines on stderr"
grep -q "^gbcast-plan: 10 more lines of file:$work/live are left out" "$work/err" || fail "30 wrong lines: $(tail -1 "$work/err")"
printf 'ottawa lyon 0.002 94371840.2\nottawa carleton 2 90\n' >"$work/live" # bits for Mbit
run 0 --live="file:$work/live" three-sites.txt
grep -q '^ottawa -> lyon *46 ms of the file (live: 2 us is absurd) *250 Mbit/s of the file (live: 94.37 Tbit/s is absurd)' \
  "$work/out" || fail "absurd values: $(grep '^ottawa -> lyon' "$work/out")"
grep -q '^ottawa -> carleton *2 ms, 0 s old' "$work/out" || fail "absurd values: another one is not used"
run 0 --live="file:$work/live" -f json three-sites.txt
[ "$(grep -c '"live": "absurd"' "$work/out")" = 2 ] || fail "absurd values: not in the JSON"
wrong 1 'island.txt:' island.txt
wrong 1 'unit.txt:3:' unit.txt
wrong 1 '<stdin>:3:' - <unit.txt
wrong 1 'missing.txt' missing.txt
wrong 1 'nobody' --root=nobody three-sites.txt
wrong 1 "three-sites.txt:4:1: found root 'n1.otawa', expected a host of the file (did you mean 'n1.ottawa'?)" \
  --root=n1.otawa three-sites.txt

# sizes as people write them
for size in 64k 64K 64KiB 65536B; do
  run 0 -m $size -f json three-sites.txt
  shows "-m $size" '"message_bytes": 65536,'
done
run 0 -m 1MB -f json three-sites.txt
shows '-m 1MB' '"message_bytes": 1000000,'

# --check: all mistakes at once
run 0 --check three-sites.txt
[ "$(cat "$work/out")" = 'three-sites.txt: no mistakes, hosts: 9, slots: 13, sites: 3' ] || fail "--check: $(cat "$work/out")"
printf 'clutser a\nh0\ncluster b latncy=1ms\nh1;\n' >"$work/bad"
run 1 --check "$work/bad"
[ "$(cut -d: -f2,3 "$work/err")" = $'1:1\n3:11\n4:3\n 3 mistakes' ] || fail "--check: says $(cat "$work/err")"
run 1 --check - <"$work/bad"
grep -q '^<stdin>: 3 mistakes$' "$work/err" || fail "--check of standard input: says $(cat "$work/err")"
printf 'clusterb latency=1ms\nh1\n' >"$work/doubtful"
for option in --check --format=json; do # a warning needs no option
  run 0 "$option" "$work/doubtful"
  grep -q "doubtful:1:10: 'latency=' has no effect on the line of a host" "$work/err" || fail "$option: no warning"
done
run 0 --check "$work/doubtful"
shows 'a warning' 'no errors, but see the warnings'

# hosts for mpiexec
run 0 --format=hostfile hydra.txt
diff - "$work/out" <<<$'node1\nnode1\nnode2\nnode2\n10.0.0.7\nnode3' || fail '--format=hostfile'
printf 'cluster a latency=1ms\nme@h[0-1]:2\nh2\nh0\n' >"$work/hosts"
run 0 -f hostfile "$work/hosts"
diff - "$work/out" <<<$'me@h0\nme@h0\nme@h1\nme@h1\nh2\nme@h0' || fail '--format=hostfile: users and ranges'
SLURM_JOB_NODELIST='h2,h1' SLURM_TASKS_PER_NODE='1,2' run 0 --from=slurm -f hostfile "$work/hosts"
diff - "$work/out" <<<$'h2\nme@h1\nme@h1' || fail '--format=hostfile: of a job'
wrong 1 'three-sites.txt:' --root=100 three-sites.txt

# wrong usage
wrong 2 'missing'
wrong 2 'another' three-sites.txt hydra.txt
wrong 2 'both be standard input' --live=- -
wrong 2 'one hosts file' - -
wrong 2 "'sge' is unknown" --from=sge
wrong 2 'in place of --from' --from=pbs --synthetic=host:8
wrong 2 'not a size' -m 10kb three-sites.txt
wrong 2 'not a size' -m 99999999999999999999 three-sites.txt
wrong 2 'not a size' -m -1 three-sites.txt
wrong 2 'not a size' --segment=0 three-sites.txt
wrong 2 'unknown' -f yaml three-sites.txt
wrong 2 'unknown' -o scan three-sites.txt
wrong 2 'a barrier has no size' -o barrier -m 8 three-sites.txt
wrong 2 'expected 1 to 64' --lanes=0 three-sites.txt
wrong 2 'expected 1 to 64' --lanes=65 three-sites.txt
wrong 2 'expected 1 to 64' --lanes=2x three-sites.txt
wrong 2 'expected 1 to 64' --lanes=-1 three-sites.txt
wrong 2 '128 trees' --lanes=64 --intra=two-tree three-sites.txt
wrong 2 "'nonsense'; --list shows the names" --inter=nonsense three-sites.txt
wrong 2 "'nonsense' for this operation; --list shows the names" --intra=nonsense three-sites.txt
wrong 2 "(did you mean 'dijkstra'?)" --inter=dijkstr three-sites.txt
wrong 2 "(did you mean 'binomial-segmented'?)" --intra=binomial_segmented three-sites.txt
wrong 2 "(did you mean 'sender-all'?)" -o alltoall --sync=senderall three-sites.txt
wrong 2 '--check is for a hosts file' --check --synthetic=host:8
for option in --compare --emit-c --diff=../plans/three-sites.json; do
  wrong 2 '--format=hostfile prints no plan' -f hostfile "$option" three-sites.txt
done
wrong 2 'nowhere' --intra=flat,nowhere three-sites.txt
wrong 2 'INTER/INTRA' -a flat three-sites.txt
wrong 2 'both levels' -a flat/flat --inter=chain three-sites.txt
wrong 2 'in place of' --synthetic=host:8 three-sites.txt
wrong 2 'at character 18' --synthetic='cluster:2 switch:0 host:4'
wrong 2 'host:N' --synthetic=
wrong 2 'twice' --inter=flat --inter=chain three-sites.txt
for option in --compare --emit-c --emit-c=x.c --format=json --format=text; do
  wrong 2 'takes the place' --diff=../plans/three-sites.json "$option" three-sites.txt
done
wrong 2 '--compare' --compare -f json three-sites.txt
wrong 2 '--compare' --compare -f svg three-sites.txt
wrong 2 'no source' --live=weather.txt three-sites.txt
wrong 2 'no source' --live=file: three-sites.txt
wrong 2 'no source' --live= three-sites.txt
wrong 2 'seconds' --max-age=0 three-sites.txt
for text in cheap 0 -5 1e99 5min ''; do
  wrong 2 "--objective: '$text' is unknown; expected time, cost or a number of seconds above 0" --objective="$text" prices.txt
done
wrong 1 'three-sites.txt:2:9: found no price above 0, expected egress= or hire=' --objective=cost three-sites.txt
for option in --objective=cost --compare --emit-c --diff=../plans/three-sites.json; do
  wrong 2 '--pareto goes with none of' --pareto "$option" prices.txt
done
for format in dot html trace hostfile; do
  wrong 2 '--pareto prints text, json or svg' --pareto -f "$format" prices.txt
done
wrong 2 '--pareto: an all-to-all has one plan' --pareto -o alltoall prices.txt
wrong 1 'three-sites.txt:2:9: found no price above 0' --pareto three-sites.txt
wrong 1 'no plan was found that takes at most 0.001 s; the fastest found takes' --objective=1ms -m 1GB prices.txt
run 0 -m 10GB prices.txt
shows 'the fastest' 'costs 0.93' 'USD: 0.9 USD for data that leave sites, '
run 0 -m 10GB --objective=cost prices.txt
shows 'the cheapest' 'in 2 sites, by way of 1 relay' 'costs 0.5' 'USD: 0.5 USD for data that leave sites, '
run 0 -m 10GB --objective=cost -f json prices.txt
shows 'the cheapest' '"egress_usd": 0.5,' '"relay": true' '"lower_bound_usd": 0.51600'
for format in svg dot html; do
  run 0 -m 10GB --objective=cost -f "$format" prices.txt
  shows 'a picture' 'costs 0.5426 USD: 0.5 USD for data that leave sites, 0.04261 USD for hosts; lower bound 0.516 USD, ratio 1.052'
done
run 0 -m 10GB --pareto prices.txt
shows 'plans of which none is beaten' 'lower bounds 400 s and 0.516 USD' '852.2 s  0.5426 USD  least-cost'
run 0 -m 10GB --pareto -f json prices.txt
shows 'the same as JSON' '"schema": "gbcast-pareto/1"' '"objective": "cost", "predicted_seconds": 852.19' '"lower_bound_usd": 0.51600'
run 0 -m 10GB --pareto -f svg prices.txt
shows 'the same as a picture' ', 0.5426 USD: --objective=cost</text>' 'lower bound 0.516 USD</text>'
run 0 -m 10GB --objective=cost --compare prices.txt
shows 'the candidates' ' USD  chosen'
run 0 -m 10GB --objective=cost --emit-c prices.txt
if grep -q r0 "$work/out"; then fail 'a relay in a routine for an MPI job'; fi
run 0 -m 10GB --objective=3600 prices.txt
run 0 -m 10GB --objective=time prices.txt
wrong 2 'seconds' --max-age=1h three-sites.txt
wrong 2 'without barriers' -o alltoall --sync=barrier-all three-sites.txt
wrong 2 'is for an all-to-all' --sync=no-sync three-sites.txt
for sync in none sender-all:2 sender-partial:0 sender-partial: sender-partial:x sender-partial:-1 sender- '' :8; do
  wrong 2 "'$sync'" -o alltoall --sync="$sync" figure-1.txt
done
for option in --root=n0 --inter=flat --intra=flat --segment=1k --lanes=2; do
  wrong 2 'one choice' -o alltoall "$option" figure-1.txt
done
wrong 1 'at most 1024' -o alltoall --synthetic=host:1025
wrong 1 'at most 4096 in 100' -o alltoall --synthetic='cluster:5 host:1000'
wrong 1 'at most 4096 in 100' -o alltoall --synthetic='cluster:101 host:1'
wrong 2 'for broadcasts and all-to-alls' --emit-c -o scatter three-sites.txt
wrong 2 'for broadcasts and all-to-alls' --emit-c=x.c -o scatter three-sites.txt
wrong 2 'neither --format nor --compare' --emit-c -f json three-sites.txt
wrong 2 'neither --format nor --compare' --emit-c=- --compare three-sites.txt
wrong 2 'twice' --emit-c --emit-c=x.c three-sites.txt
wrong 2 'file is missing' --emit-c= three-sites.txt
run 2 --no-such-option three-sites.txt

full_disk three-sites.txt
full_disk -f svg three-sites.txt
full_disk --list-settings
full_disk --emit-c three-sites.txt

finish gbcast-plan
