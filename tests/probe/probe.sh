#!/usr/bin/env bash
# Tests of the command gbcast-probe on this machine: exit statuses, messages, and a file that gbcast-plan reads.
# Nothing is said about times: the ranks share the processors with whatever else runs. Budgets are ample, and
# hardly used on an idle machine.
#
#   tests/probe/probe.sh MPIEXEC GBCAST-PROBE GBCAST-PLAN DATA-FOLDER [brief]
#
# brief: no waiting for a rank that hangs; without GB_TEST_FULL for one such rank only
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../scripts/help.sh"
set -euo pipefail

mpiexec=$1
probe=$2
plan=$3
data=$4/platforms/probe
. "$(dirname "$0")/../support/command.sh"

# run STATUS RANKS ARGUMENT...
run() {
  local expected=$1 ranks=$2
  shift 2
  expect "$expected" "gbcast-probe $* on $ranks ranks" timeout 100 "$mpiexec" -n "$ranks" "$probe" "$@" </dev/null
}

# wrong STATUS RANKS TEXT ARGUMENT...: fails with one line on stderr, from one rank, that holds TEXT
wrong() {
  local status=$1 ranks=$2 text=$3
  shift 3
  run "$status" "$ranks" "$@"
  refused "gbcast-probe $*" "$text"
}

has() { # FILE PATTERN COUNT
  local count
  count=$(grep -cE -- "$2" "$1" || true)
  [ "$count" = "$3" ] || fail "$1: $count lines like '$2', expected $3"
}

planned() { # FILE: gbcast-plan takes it as it is
  "$plan" --verbose "$1" >"$work/plan" 2>&1 || fail "gbcast-plan: $(cat "$work/plan")"
}

# wrong usage is said once, whatever the number of ranks
usage() {
  wrong 2 3 'found '"'10kb'" --sizes=10kb
  wrong 2 2 'not above' --sizes=4k,1k
  wrong 2 2 'too large' --sizes=1G
  wrong 2 2 "found ''" --sizes=
  wrong 2 2 'found '"'soon'" --budget=soon
  wrong 2 2 'found '"'0'" --budget=0
  wrong 2 2 '--hosts=hosts.txt' hosts.txt
  run 2 3 --no-such-option
  has "$work/err" 'unrecognized option' 1
  run 0 2 --version
  has "$work/out" '^gbcast-probe [0-9]+[.][0-9]+[.][0-9]+, (MPICH|Open MPI) [0-9.a-z]+$' 1
  [ "$(wc -l <"$work/out")" = 1 ] || fail '--version: one line expected'
  run 0 2 --help
  has "$work/out" '--budget=SECONDS' 1
}
brief || usage

# what cannot be measured
wrong 1 1 'at least two ranks'
wrong 1 2 'two-switches.txt:5:' --hosts="$data/two-switches.txt"
wrong 1 2 'missing.txt' --hosts="$data/missing.txt"
wrong 1 2 'which is not in the file' --hosts="$data/two-sites.txt"
GBCAST_MAP=order wrong 1 2 'are on one host' --hosts="$data/one-host.txt"
GBCAST_MAP=rank wrong 1 2 'GBCAST_MAP' --hosts="$data/two-sites.txt"
wrong 1 2 '/nowhere/out.txt' -o /nowhere/out.txt
wrong 1 2 'nothing could be measured' --budget=0.000001

# this machine: one host
run 0 2 --budget=40 --sizes=256,4k,64k
[ ! -s "$work/err" ] || fail "wrote to stderr: $(head -1 "$work/err")"
mv "$work/out" "$work/one.txt"
has "$work/one.txt" '^cluster local .* reduce=[0-9.]+ns' 1
has "$work/one.txt" '^cluster local .* # measured 20[0-9-]+T[0-9:]+Z, ranks 0 and 1 of ' 1
has "$work/one.txt" '^plogp local size=(256|4k|64k) gap=.* latency=.* # measured .* samples? spread ' 3
has "$work/one.txt" ':2$' 1
planned "$work/one.txt"

# ranks that share a name, and no memory: MPICH alone can be told to
if is_hydra "$mpiexec"; then
  MPIR_CVAR_NOLOCAL=1 run 0 2 --budget=40 --sizes=1k
  has "$work/err" 'ranks 0 and 1 both run on .* but share no memory' 1
  has "$work/out" '^# ranks 0 and 1 both run on .* but share no memory' 1
  planned "$work/out"
fi

# four ranks play four hosts of two sites; nobody plays the third site
export GBCAST_MAP=order
run 0 4 --budget=40 --sizes=1k,16k --hosts="$data/two-sites.txt" -o "$work/two.txt" --quiet
[ ! -s "$work/out" ] || fail '-o: wrote to stdout, too'
has "$work/two.txt" '^cluster east .* # measured .*e0 - e1.*across switches' 1
has "$work/two.txt" '^cluster west .*leader=w1 +# measured .*w. - w.' 1
has "$work/two.txt" '^cluster far .* # not measured' 1
has "$work/two.txt" '^switch ' 2
has "$work/two.txt" '^plogp (east|west) size=(1k|16k) .* # measured' 4
has "$work/two.txt" '^link (east -> west|west -> east) .* # measured .*(e0 - w1|w1 - e0)' 2
has "$work/two.txt" '^link (east -> west|west -> east) .* bandwidth of one stream 5 samples spread' 2
has "$work/two.txt" '^plogp .* -> ' 0
has "$work/two.txt" '^link (far -> west|west -> far) latency=30ms bandwidth=10Mbit/s .* # as in .*two-sites.txt, not measured' 2
has "$work/two.txt" '^# far: 1 of its 1 hosts take no part' 1
planned "$work/two.txt"
[ "$(ls "$work")" = "$(printf 'err\none.txt\nout\nplan\ntwo.txt')" ] || fail "files left behind: $(ls "$work")"

# what a file says wrongly is named, and nothing is written; not even a busy machine takes 100 s for a message
sed 's/latency=2ms/latency=100s/' "$data/two-sites.txt" >"$work/slow.txt"
run 1 4 --budget=60 --check="$work/slow.txt"
rm "$work/slow.txt"
has "$work/out" 'slow.txt:[0-9]+:[0-9]+: link (east -> west|west -> east): latency 100s, measured .* of it$' 2
has "$work/out" 'clusters and directions of links checked in .* wrong$' 1
wrong 2 2 'writes no file' --check="$data/two-sites.txt" -o "$work/none.txt"

# a file that a person wrote keeps all but its numbers, its permissions and the link to it
printf '# ours\n%s\n' "$(cat "$data/two-sites.txt")" >"$work/real.txt"
cp "$work/real.txt" "$work/before.txt"
chmod 640 "$work/real.txt"
ln -s real.txt "$work/merged.txt"
run 0 4 --budget=40 --sizes=1k --merge="$work/merged.txt"
[ ! -s "$work/out" ] || fail '--merge: wrote to stdout, too'
has "$work/err" 'merged.txt:[0-9]+:9: cluster (east|west): the line has no place for .*reduce=' 2
[ "$(readlink "$work/merged.txt")" = real.txt ] || fail '--merge: replaced the symbolic link'
[ "$(stat -c %a "$work/real.txt")" = 640 ] || fail "--merge: permissions $(stat -c %a "$work/real.txt")"
! cmp -s "$work/real.txt" "$work/before.txt" || fail '--merge: nothing is new'
values='s/=[0-9.e+-]+[a-zA-Z/]+//g'
cmp -s <(sed -E "$values" "$work/real.txt") <(sed -E "$values" "$work/before.txt") ||
  fail "--merge: more than numbers changed: $(diff "$work/before.txt" "$work/real.txt")"
has "$work/real.txt" '^link .*far.* latency=30ms bandwidth=10Mbit/s' 1
planned "$work/real.txt"
run 0 4 --budget=40 --sizes=1k --merge="$data/two-sites.txt" -o "$work/other.txt" --quiet
has "$work/err" 'has no place' 0
planned "$work/other.txt"
printf 'cluster a latency=50us contention=0.7\na0\na1\na2\n' >"$work/three.txt"
run 0 3 --budget=40 --sizes=1k --merge="$work/three.txt"
has "$work/three.txt" '^cluster a latency=[^ ]* contention=[0-9.]+$' 1
wrong 2 2 'one of --hosts, --merge and --check' --merge="$work/real.txt" --hosts="$work/two.txt"
wrong 1 2 'found no cluster and no link line' --merge="$data/one-host.txt"
printf 'cluster a latency=3\na0\nlink a b\n' >"$work/other.txt"
run 1 2 --merge="$work/other.txt"
has "$work/err" 'other.txt:[13]:' 2
has "$work/err" 'other.txt: 2 mistakes' 1
rm "$work"/{real,before,merged,other}.txt

# what was measured can be measured again, and a file can be replaced
run 0 4 --budget=40 --sizes=2k --hosts="$work/two.txt" -o "$work/two.txt"
has "$work/two.txt" '^plogp (east|west) size=2k ' 2
has "$work/two.txt" ' size=1k ' 0
planned "$work/two.txt"
unset GBCAST_MAP

# lost SIGNAL RANK BUDGET TEXT: the last rank gets the signal in the middle of a long measurement, of ranks 0 and 1;
# the file that was there stays
lost() {
  local signal=$1 rank=$2 budget=$3 text=$4 status=0 sizes
  checks=$((checks + 1))
  rm -f "$work"/pid.*
  echo before >"$work/lost.txt"
  sizes=$(seq -s M, 1 24)M
  # shellcheck disable=SC2016 # the ranks' shells expand it
  env -u OMPI_MCA_orte_execute_quiet timeout 100 "$mpiexec" -n $((rank + 1)) \
    sh -c 'echo $$ >"$0/pid.${PMI_RANK:-$OMPI_COMM_WORLD_RANK}"; exec "$@"' "$work" \
    "$probe" --budget="$budget" --sizes="$sizes" -o "$work/lost.txt" >"$work/out" 2>"$work/err" </dev/null &
  local job=$!
  while [ ! -s "$work/pid.$rank" ] && kill -0 "$job" 2>/dev/null; do sleep 0.1; done
  sleep 2
  kill "-$signal" "$(cat "$work/pid.$rank")" || fail "$signal: the measurement was over"
  wait "$job" || status=$?
  [ "$status" != 0 ] || fail "$signal: exit 0"
  [ "$status" != 124 ] || fail "$signal: still waiting after 100 s"
  grep -qF -- "$text" "$work/out" "$work/err" || fail "$signal: '$(cat "$work/out" "$work/err")' lacks '$text'"
  [ "$(cat "$work/lost.txt")" = before ] || fail "$signal: a file was written"
}
[ "${5:-}" = brief ] || [ -z "${GB_TEST_FULL-}" ] || lost STOP 1 20 'rank 1 on'
[ "${5:-}" = brief ] || lost STOP 2 6 'rank 2 on' # which has nothing to do
lost KILL 1 20 'PID'

finish gbcast-probe
