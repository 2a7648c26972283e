#!/usr/bin/env bash
# Tests of the command gbcast-plan: exit statuses, where output goes, and golden outputs.
#
#   tests/tools/plan.sh GBCAST-PLAN SOURCE-FOLDER            compares
#   tests/tools/plan.sh GBCAST-PLAN SOURCE-FOLDER --update   writes the golden files anew
set -euo pipefail

tool=$1
source=$2
update=${3:-}
. "$source/tests/tools/common.sh"
goldens=$source/tests/data/goldens
cd "$source/tests/data/platforms"
unset "${!SLURM_@}" "${!PBS_@}" "${!LSB_@}" # this may be a job itself

golden three-sites.out three-sites.txt
golden three-sites.json.out -f json three-sites.txt
golden three-sites-scatter.out -o scatter -m 64k three-sites.txt
golden three-sites-root.out --root=l1.lyon -m 8M three-sites.txt
golden three-sites-forced.out -a flat/binomial -m 64k three-sites.txt
golden three-sites-one.out --inter=chain --intra=chain,ottawa --segment=4k three-sites.txt
golden three-sites-compare.out --compare three-sites.txt
golden hydra.out hydra.txt
golden hydra.json.out --format=json -o scatter -m 1000 hydra.txt
golden list.out --list
golden list-settings.out --list-settings
golden in-turn.out --root=i0 -m 128k slow-site.txt
golden in-turn.json.out --root=i0 -m 64k --segment=8k --inter=in-turn -f json slow-site.txt
golden lanes.out --lanes=3 --inter=packing --intra=two-tree -m 4M --synthetic='cluster:4 host:6'
golden lanes-compare.out --lanes=2 --intra=flat -m 64k --compare three-sites.txt
golden live.out --live=file:live.txt three-sites.txt
golden live.json.out --live=file:live.txt -f json three-sites.txt
golden live-mesh.out --live=file:live-mesh.txt --max-age=60 --synthetic='cluster:3 host:2'
golden live-none.out --live=file:/dev/null three-sites.txt
golden alltoall.out -o alltoall -m 64k figure-1.txt
golden alltoall.json.out -o alltoall -m 64k -f json figure-1.txt
golden alltoall-partial.json.out -o alltoall -m 4k --sync=sender-partial:2 -f json figure-1.txt
golden alltoall-dummy.json.out -o alltoall --sync=dummy -f json --synthetic='switch:2 host:3'
golden alltoall-compare.out -o alltoall -m 4k --compare figure-1.txt
golden alltoall-folded.out --operation=alltoall --sync=receiver-all --synthetic='switch:4 host:8'
golden alltoall-groups.out -o alltoall --sync=two-step -m 4 --synthetic='switch:4 host:8'
golden alltoall-native.out -o alltoall -m 1 full-hosts.txt
golden alltoall-at-once.out -o alltoall -m 256k lossless.txt
golden alltoall-barrier.out -o alltoall --sync=barrier-partial-sender:4 --synthetic='switch:2 host:3'
golden alltoall-sites.out -o alltoall -m 64k three-sites.txt
golden alltoall-sites.json.out -o alltoall -m 2k --sync=sender-partial:2 -f json three-sites.txt
golden alltoall-sites-dummy.json.out -o alltoall -m 1 --sync=dummy -f json --synthetic='cluster:2 switch:2 host:2'
golden alltoall-sites-compare.out -o alltoall -m 4k --compare three-sites.txt
golden alltoall-folded-sites.out -o alltoall --synthetic='cluster:12 host:3'
golden alltoall-one.json.out -o alltoall -f json --synthetic=host:1
golden emit-bcast.c.out --emit-c three-sites.txt
golden emit-native.c.out --emit-c=- --intra=native hydra.txt
golden emit-groups.c.out --emit-c -o alltoall --sync=two-step:2 -m 4 --synthetic='switch:2 host:3'
golden emit-alltoall.c.out --emit-c -o alltoall --sync=receiver-all -m 4k figure-1.txt
golden diff-same.out --diff=../plans/three-sites.json three-sites.txt
golden diff-live.out --diff=../plans/three-sites.json --live=file:live.txt three-sites.txt
golden diff-moved.out --diff=../plans/three-sites.json other-day.txt
golden diff-hosts.out --diff=../plans/three-sites.json four-sites.txt
golden diff-old.out --diff=../plans/old-version.json four-sites.txt
golden diff-scatter.out --diff=../plans/hydra-scatter.json --intra=chain hydra.txt
golden diff-alltoall.out --diff=../plans/figure-1-alltoall.json -m 4k figure-1.txt
golden diff-other.out --diff=../plans/figure-1-alltoall.json -o bcast -r 1 three-sites.txt
golden three-sites.svg.out -f svg three-sites.txt
golden three-sites.dot.out -f dot three-sites.txt
for form in svg dot trace; do
  golden alltoall-sites.$form.out -o alltoall -m 64k -f $form three-sites.txt
done
golden hydra.trace.out -f trace hydra.txt
golden hydra-scatter.svg.out -f svg -o scatter -m 1000 hydra.txt
golden lanes.dot.out -f dot --lanes=2 --intra=flat -m 64k --synthetic='cluster:2 host:3'
golden alltoall.svg.out -f svg -o alltoall -m 64k figure-1.txt
golden alltoall.dot.out -f dot -o alltoall -m 64k figure-1.txt
golden two-step.svg.out -f svg -o alltoall -m 4 --sync=two-step:2 --synthetic='switch:2 host:3'
golden synthetic.out --synthetic='cluster:2 switch:2 host:4'

# the same plan, asked for in other words
run 0 -r 0 -m 1048576 -o bcast -f text three-sites.txt
diff -u "$goldens/three-sites.out" "$work/out" || fail "the defaults, spelled out, give another plan"
run 0 --version
grep -qx 'gbcast-plan [0-9]*\.[0-9]*\.[0-9]*' "$work/out" || fail "--version: $(cat "$work/out")"
run 0 --help
run 0 --verbose three-sites.txt
diff -u "$goldens/three-sites.out" "$work/out" || fail "--verbose changes the plan"
run 0 --verbose hydra.txt
[ -s "$work/err" ] || fail "--verbose: no assumption named on stderr"

# as C in a file, and the plan as usual
run 0 --emit-c="$work/plan.c" three-sites.txt
diff -u "$goldens/three-sites.out" "$work/out" || fail "--emit-c=FILE changes the plan"
diff -u "$goldens/emit-bcast.c.out" "$work/plan.c" || fail "--emit-c=FILE differs from --emit-c"
run 0 --emit-c="$work/plan.c" -f json three-sites.txt
diff -u "$goldens/three-sites.json.out" "$work/out" || fail "--emit-c=FILE changes the JSON"
wrong 2 'for broadcasts and all-to-alls' --emit-c="$work/plan.c" -o scatter three-sites.txt
diff -u "$goldens/emit-bcast.c.out" "$work/plan.c" || fail "--emit-c=FILE overwrites FILE with nothing"
wrong 1 'gbcast-plan: cannot write /none/plan.c: No such file' --emit-c=/none/plan.c three-sites.txt
[ ! -c /dev/full ] || wrong 1 'cannot write /dev/full: No space' --emit-c=/dev/full three-sites.txt

# live values from standard input, and all of them told
run 0 --live=- -f json three-sites.txt <live.txt
sed 's|"from": "file:live.txt"|"from": "-"|' "$goldens/live.json.out" | diff -u - "$work/out" || fail "--live=- differs"
run 0 --live=file:live.txt --verbose three-sites.txt
diff -u "$goldens/live.out" "$work/out" || fail "--verbose changes the plan"
for link in 'ottawa -> carleton' 'carleton -> ottawa' 'ottawa -> lyon' 'lyon -> ottawa'; do
  grep -q "^$link " "$work/err" || fail "--verbose: nothing about the link $link"
done
run 0 -f json --live=file:live-mesh.txt --max-age=60 --synthetic='cluster:3 host:2'
[ "$(grep -c '"from": "assumed"' "$work/out")" = 10 ] || fail "the sources name not 10 assumed values"
hash() {
  sed -n 's/.*; plan //p' "$1"
}
[ "$(hash "$goldens/live.out")" != "$(hash "$goldens/three-sites.out")" ] || fail "live values, and the same hash"
[ "$(hash "$goldens/live-none.out")" = "$(hash "$goldens/three-sites.out")" ] || fail "no live values, and another hash"
echo 'ottawa lyon 1e300 0' >"$work/live"
run 0 --live="file:$work/live" three-sites.txt
grep -q '46 ms of the file (live: no usable number) .* of the file (live: no usable number)' "$work/out" ||
  fail "values that cannot be: $(grep lyon "$work/out")"
echo 'ottawa lyon 60 time=17' >"$work/live"
run 0 --live="file:$work/live" three-sites.txt
[ "$(hash "$work/out")" = "$(hash "$goldens/three-sites.out")" ] || fail "a value of 1970 is used"
echo "ottawa lyon 60 time=$(date +%s)" >"$work/live"
run 0 --live="file:$work/live" three-sites.txt
[ "$(hash "$work/out")" != "$(hash "$goldens/three-sites.out")" ] || fail "a value of now is not used"

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
diff -u "$goldens/three-sites.out" "$work/out" || fail "a hosts file on standard input gives another plan"
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
golden from-slurm.out --from=slurm
golden from-slurm-file.out --from=slurm three-sites.txt
SLURM_JOB_NODELIST='n[0-1],c0,l[0-1]' run 0 --verbose --from=slurm three-sites.txt
diff -u "$goldens/from-slurm-file.out" "$work/out" || fail "short names give another plan"
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
  diff -u "$goldens/from-slurm.out" "$work/out" || fail "$way: another plan than of the same hosts from Slurm"
done
for option in --operation=scatter --compare --emit-c; do # nothing depends on hosts that are not in the job
  run 0 --from=slurm "$option" three-sites.txt
done
for format in text json; do
  run 0 --from=slurm -o alltoall -f $format three-sites.txt
done
run 0 --from=slurm -r 4 three-sites.txt
grep -q ' from c0.carleton: ' "$work/out" || fail "the fifth rank of the job is not on c0.carleton: $(head -1 "$work/out")"
wrong 1 "three-sites.txt:1:1: found root 'n2.ottawa', expected a host of the job" --from=slurm -r n2.ottawa three-sites.txt
wrong 1 'number of a rank from 0 to 12' --from=slurm -r 13 three-sites.txt
SLURM_JOB_NODELIST='n[0-1].ottawa,x[0-3]' wrong 1 \
  "SLURM_TASKS_PER_NODE:1:14: found the end of the line" --from=slurm three-sites.txt
SLURM_JOB_NODELIST='n[0-1].ottawa,x[0-2]' wrong 1 \
  "three-sites.txt:1:1: the job has 'x0', which is not in the file" --from=slurm three-sites.txt
SLURM_JOB_NODELIST='n[0-1' wrong 1 'SLURM_JOB_NODELIST:1:' --from=slurm
# a heterogeneous job: its components together, whatever the variables of the first say
export SLURM_HET_SIZE=2 SLURM_JOB_NODELIST_HET_GROUP_0='n[0-1].ottawa' SLURM_TASKS_PER_NODE_HET_GROUP_0='2(x2)'
export SLURM_JOB_NODELIST_HET_GROUP_1='c0.carleton,l[0-1].lyon' SLURM_TASKS_PER_NODE_HET_GROUP_1='1,4(x2)'
export SLURM_JOB_NODELIST=$SLURM_JOB_NODELIST_HET_GROUP_0 SLURM_TASKS_PER_NODE=$SLURM_TASKS_PER_NODE_HET_GROUP_0
golden from-slurm.out --from=slurm
golden from-slurm-file.out --from=slurm three-sites.txt
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
golden from-slurm.out --from=slurm
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
wrong 1 'three-sites.txt:' --root=100 three-sites.txt

# wrong usage
wrong 2 'missing'
wrong 2 'another' three-sites.txt hydra.txt
wrong 2 'both be standard input' --live=- -
wrong 2 'one hosts file' - -
wrong 2 "'sge' is unknown" --from=sge
wrong 2 'in place of --from' --from=pbs --synthetic=host:8
wrong 2 'not a size' -m 10KB three-sites.txt
wrong 2 'not a size' -m 99999999999999999999 three-sites.txt
wrong 2 'not a size' -m -1 three-sites.txt
wrong 2 'not a size' --segment=0 three-sites.txt
wrong 2 'unknown' -f yaml three-sites.txt
wrong 2 'unknown' -o gather three-sites.txt
wrong 2 'expected 1 to 64' --lanes=0 three-sites.txt
wrong 2 'expected 1 to 64' --lanes=65 three-sites.txt
wrong 2 'expected 1 to 64' --lanes=2x three-sites.txt
wrong 2 'expected 1 to 64' --lanes=-1 three-sites.txt
wrong 2 '128 trees' --lanes=64 --intra=two-tree three-sites.txt
wrong 2 'nonsense' --inter=nonsense three-sites.txt
wrong 2 'nonsense' --intra=nonsense three-sites.txt
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

# the pictures of the documentation are those of today
checks=$((checks + 1))
mkdir "$work/pictures"
if [ -n "$update" ]; then
  "$source/scripts/pictures" "$tool" >/dev/null
elif ! "$source/scripts/pictures" "$tool" "$work/pictures" >/dev/null || ! diff -r "$source/docs/pictures" "$work/pictures" >&2; then
  fail "docs/pictures: scripts/pictures draws others"
fi

full_disk three-sites.txt
full_disk -f svg three-sites.txt
full_disk --list-settings
full_disk --emit-c three-sites.txt

finish gbcast-plan
