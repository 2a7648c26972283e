#!/usr/bin/env bash
# gbcast-doctor on this machine: what it finds in a healthy job, and what in jobs and installations that are not. Whether this
# machine's TCP is set well it may say as it likes.
#
#   tests/tools/doctor.sh MPIEXEC GBCAST-DOCTOR SOURCE-FOLDER [OTHER-MPIEXEC]    OTHER-MPIEXEC: of another MPI library
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../scripts/help.sh"
set -euo pipefail

mpiexec=$1
doctor=$2
source=$3
other=${4-}
# shellcheck source=tests/support/command.sh
. "$source/tests/support/command.sh"
unset LD_PRELOAD LD_LIBRARY_PATH GBCAST_HOSTS GBCAST_MAP
[ -x "$(dirname "$doctor")/gbcast-probe" ] || fail 'gbcast-probe is not beside it'
cd "$work"
export PATH=$work/bin:$PATH
mkdir bin
ln -s "$(command -v "$mpiexec")" bin/mpiexec
here=$(hostname)
printf 'cluster here latency=1ms\n%s:3\n' "$here" >named.txt
printf 'cluster here latency=1ms\n%s\n' "$here" >few.txt
printf 'cluster a\na1:2\ncluster b\nb1:2\nlink a b latency=1ns bandwidth=1000Tbit/s\n' >fast.txt
printf 'cluster a latency=soon\na1 slots=0\nlink a nowhere\nlink b\nlink c\n' >broken.txt

# says STATUS WHAT ARGUMENT...: exits so, with lines that are findings, at most a screen of them; for lines and lacks below
says() {
  local expected=$1
  what=$2
  shift 2
  expect "$expected" "$what" timeout 250 "$doctor" "$@"
  ! grep -vE '^(ok  |warn|fail)  (library|preload|launcher|settings|hosts|plan|tcp|ranks|slots|broadcast|gbcast|job|links) +[^ ]|^ {16}' \
    "$work/out" || fail "$what: these lines are no findings"
  [ "$(wc -l <"$work/out")" -le 24 ] || fail "$what: more than a screen: $(cat "$work/out")"
}
lines() { # COUNT PATTERN
  local count
  count=$(grep -cE -- "$2" "$work/out" || true)
  [ "$count" = "$1" ] || fail "$what: $count lines like '$2', expected $1: $(cat "$work/out")"
}

# usage
expect 2 'a file without --hosts' "$doctor" named.txt
expect 2 'no launcher' "$doctor" --
expect 2 'no such option' "$doctor" --no-such-option

# an installation
says 0 'an installation' --hosts=named.txt
lines 1 '^ok    library   .*/libgbcast.so.* with (MPICH|Open MPI) '
lines 1 '^ok    launcher  mpiexec of '
lines 1 '^ok    hosts     named.txt, hosts: 1, slots: 3, sites: 1$'
lines 1 '^ok    plan '
says 1 'no hosts file'
lines 1 '^warn  hosts .*gbcast-probe'
GBCAST_HOST=named.txt GBCAST_LANES=100 GBCAST_INTRA=best says 1 'settings' --hosts=named.txt
lines 1 '^fail  settings  GBCAST_HOST is no setting; did you mean GBCAST_HOSTS\?$'
lines 1 '^fail  settings  GBCAST_LANES=100: expected '
lines 1 '^fail  plan .*best'
GBCAST_DISABLE=1 says 1 'disabled' --hosts=named.txt
lines 1 '^warn  settings  GBCAST_DISABLE=1 '
says 1 'a broken hosts file' --hosts=broken.txt
lines 3 '^fail  hosts     broken.txt:[0-9]+:[0-9]+: '
lines 1 '^fail  hosts     [1-9] more: '
says 1 'a missing hosts file' --hosts=missing.txt
lines 1 '^fail  hosts     missing.txt:'
LD_PRELOAD=/nowhere/libgbcast-pmpi.so says 1 'a preloaded library that is not there' --hosts=named.txt
lines 1 '^fail  preload .*/nowhere/libgbcast-pmpi.so.*: set it to '
mkdir moved
cp "$doctor" moved
expect 1 'an installation without libraries' moved/gbcast-doctor --hosts=named.txt
grep -q '^fail  library .* has no libgbcast.so.0: install ' out || fail "without libraries: $(cat out)"
rm bin/mpiexec
expect 1 'no launcher in PATH' env PATH="$work/bin" "$doctor" --hosts=named.txt
grep -q '^fail  launcher  mpiexec is not in PATH: ' out || fail "no launcher in PATH: $(cat out)"

# a healthy job, by names
says 0 'a healthy job' --hosts=named.txt -- "$mpiexec" -n 3
lines 0 '^(warn|fail)'
lines 1 '^ok    ranks     3 with '
lines 1 '^ok    slots     3 ranks on 1 of the 1 hosts'
lines 1 '^ok    broadcast 1 MiB from rank 0 arrived on all 3 ranks$'
lines 1 '^ok    gbcast    broadcast of .* 3 ranks: '
lines 1 '^ok    links     not measured'
# GBCAST_HOSTS counts, too
GBCAST_HOSTS=named.txt says 0 'a healthy job by GBCAST_HOSTS' -- "$mpiexec" -n 2

# a launcher that passes the ranks' stderr on in pieces, with their stdout between
cat >bin/torn <<'END'
#!/usr/bin/env bash
printf 'gbcast: rank 0 made ' >&2
"$@" 2>err
printf '1 collective call: 1 ran on plans of gbcast, 0 passed on to MPI\n' >&2
cat err >&2
END
chmod +x bin/torn
says 0 'a line in two pieces' --hosts=named.txt -- torn "$mpiexec" -n 2
lines 0 '^fail'

# jobs that are not
says 1 'a name that is not in the file' --hosts=fast.txt -- "$mpiexec" -n 2
lines 1 "^fail  gbcast    fast.txt:.* rank 0 runs on .*GBCAST_MAP=order"
lines 0 '  links  '
says 1 'more ranks than slots' --hosts=few.txt -- "$mpiexec" -n 3
lines 1 "^warn  slots     $here has 3 ranks, but slots=1 in few.txt:2: write $here:3, "
says 1 'one rank' --hosts=named.txt -- "$mpiexec" -n 1
lines 1 '^fail  ranks     only one'
says 1 'a launcher that fails' --hosts=named.txt -- false
lines 1 '^fail  job       false: exit status 1'
says 1 'a launcher that is not there' --hosts=named.txt -- "$work/mpiexec"
lines 1 '^fail  launcher .* is not in PATH'
lines 0 '  job '
if [ -n "$other" ]; then
  says 1 "a launcher of another MPI library" --hosts=named.txt -- "$other" -n 2
  lines 1 '^fail  launcher .* is of .*, but this gbcast was built with '
  lines 1 '^fail  gbcast    .* of .* started several processes'
fi

# ranks without the library: a launcher that starts the second of two programs without it
cat >bin/partly <<'END'
#!/usr/bin/env bash
# partly MPIEXEC env VARIABLE=VALUE... PROGRAM
for program; do :; done
exec "$1" -n 1 "${@:2}" : -n 1 "$program"
END
chmod +x bin/partly
if [ -n "${GB_TEST_FULL-}" ]; then # it waits 8 s for that rank
  says 1 'a rank without the library' --hosts=named.txt -- partly "$mpiexec"
  lines 1 '^fail  gbcast    1 of 2 ranks have not answered '
fi

# links that are slower than the file says
GBCAST_MAP=order says 1 'slow links' --hosts=fast.txt -- "$mpiexec" -n 4
lines 1 '^ok    gbcast    broadcast of .* 4 ranks: planned'
grep -qE '^warn  links     fast.txt:[0-9]+:[0-9]+: .* measured .* of it$' out || fail "slow links: $(cat out)"
lines 1 "^warn  links     [0-9]+ values of fast.txt are not what is measured: 'gbcast-probe --hosts="
finish gbcast-doctor
