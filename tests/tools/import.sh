#!/usr/bin/env bash
# Tests of the command gbcast-import: what it prints and says for the files of tests/data/import, and that gbcast-plan takes it.
#
#   tests/tools/import.sh GBCAST-IMPORT SOURCE-FOLDER            compares
#   tests/tools/import.sh GBCAST-IMPORT SOURCE-FOLDER --update   writes the golden files anew
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../scripts/help.sh"
set -euo pipefail

tool=$1
source=$2
update=${3:-}
. "$source/tests/tools/common.sh"
plan=$(dirname "$tool")/gbcast-plan
cd "$source/tests/data/import"

# imports FORMAT FILE OPTION...: as the golden files beside it
imports() {
  local format=$1 file=$2
  shift 2
  run 0 "$@" "$format" "$format/$file"
  same "$work/out" "$format/$file.out" "$name $format $file"
  same "$work/err" "$format/$file.err" "$name $format $file"
}

# hosts FILE COUNT: a hosts file without mistakes and warnings
hosts() {
  imports "$1" "$2"
  cp "$work/out" "$work/hosts"
  expect 0 "gbcast-plan --check of $2" "$plan" --check "$work/hosts"
  grep -q ": no mistakes, hosts: $3," "$work/out" || fail "$2: $(cat "$work/out")"
  [ ! -s "$work/err" ] || fail "$2: $(cat "$work/err")"
  expect 0 "a plan for $2" "$plan" --size=64k "$work/hosts"
}

# lines FORMAT FILE OPTION...: a live file all lines of which are understood
lines() {
  imports "$@"
  cp "$work/out" "$work/live"
  printf 'cluster a\nx\ncluster b\ny\nlink a b latency=1ms bandwidth=1Gbit/s\n' >"$work/hosts"
  expect 0 "--live of $2" "$plan" --live="file:$work/live" "$work/hosts"
  ! grep -q 'live:.*left out\|not understood' "$work/out" "$work/err" || fail "$2: $(cat "$work/out" "$work/err")"
}

hosts slurm topology.conf 30
hosts slurm block.conf 8
hosts slurm topology.yaml 9
hosts slurm blocks.yaml 8
hosts simgrid nested.xml 15
hosts simgrid bypassRoute.xml 4
hosts simgrid cluster_and_one_host.xml 3
hosts simgrid cluster_fat_tree.xml 16
hosts simgrid cluster_multi.xml 24
hosts simgrid cluster_torus.xml 12
hosts simgrid griffon.xml 92
hosts simgrid meta_cluster.xml 60
hosts simgrid routing_cluster.xml 6
hosts simgrid small_platform_routing_none.xml 7
hosts simgrid small_platform_with_routers.xml 5
lines iperf3 client.json
lines iperf3 server.json
lines iperf3 reverse.json
lines iperf3 bidir.json
lines iperf3 udp.json
lines pscheduler archived.json
lines pscheduler result.json --from=n0.ottawa --to=l0.lyon
lines ping iputils.txt --from=n0.ottawa
lines ping bsd.txt --from=n0.ottawa
lines ping busybox.txt --from=n0.ottawa

# several files, and standard input
run 0 --from=n0 ping ping/busybox.txt ping/iputils.txt
[ "$(grep -c '^n0 ' "$work/out")" = 3 ] || fail "two files: $(cat "$work/out")"
run 0 simgrid - <simgrid/g5k.xml
grep -q '^cluster AS_suno latency=300us .*  # <stdin>:[0-9]*$' "$work/out" || fail "standard input: $(head -5 "$work/out")"
cp "$work/out" "$work/hosts"
expect 0 'gbcast-plan --check of g5k.xml' "$plan" --check "$work/hosts"
grep -q ': no mistakes, hosts: 1528, slots: 1528, sites: 40$' "$work/out" || fail "g5k.xml: $(cat "$work/out")"

# wrong_text STATUS TEXT ARGUMENT...: of standard input
wrong_text() {
  wrong "$@" - </dev/stdin
}
xml='<platform version="4.1"><zone id="z" routing="Full">'
wrong_text 1 '<stdin>:2:12: found ' slurm <<<$'SwitchName=a Switches=b\nSwitchName=b Switches=a'
wrong_text 1 "<stdin>:1:23: found 'c', expected a switch that the file declares" slurm <<<'SwitchName=a Switches=c'
wrong_text 1 'expected each switch below only one other' slurm <<<$'SwitchName=a Switches=c\nSwitchName=b Switches=c\nSwitchName=c'
wrong_text 1 'expected each switch and block declared once' slurm <<<$'SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2'
wrong_text 1 'expected at most 1048576 names' slurm <<<'SwitchName=a Nodes=n[0-9999999]'
wrong_text 1 'expected at most 1048576' slurm <<<'SwitchName=a Nodes=n[1-1048576],m'
wrong_text 1 'expected a line of a topology.conf' slurm <<<'NodeName=n1'
wrong_text 1 '<stdin>:3:1: expected valid YAML: ' slurm <<<$'- topology: a\n  tree: ['
wrong_text 1 'expected a topology with tree: or block:' slurm <<<'[]'
wrong_text 1 "<stdin>:1:53: found 'Vivaldi', expected the routing Full" simgrid <<<"$xml<zone id=\"v\" routing=\"Vivaldi\"/></zone></platform>"
wrong_text 1 "found 'l', expected a link that is declared above" simgrid \
  <<<"$xml<host id=\"a\"/><host id=\"b\"/><route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone></platform>"
wrong_text 1 "found '10 Gbps', expected a bandwidth such as 125MBps" simgrid <<<"${xml}<link id=\"l\" bandwidth=\"10 Gbps\"/></zone></platform>"
wrong_text 1 'expected valid XML: ' simgrid <<<"$xml"
wrong_text 1 'expected a platform without entities' simgrid <<<'<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><platform/>'
wrong_text 1 'expected a platform without entities' simgrid <<<'<!DOCTYPE p [<!ENTITY a SYSTEM "/etc/passwd">]><platform>&a;</platform>'
wrong_text 1 'found no route to ' simgrid <<<"${xml}<zone id=\"a\" routing=\"None\"><host id=\"x\"/></zone><zone id=\"b\" routing=\"None\"><host id=\"y\"/></zone></zone></platform>"
wrong_text 1 'expected valid JSON: ' iperf3 <<<'{"start":'
wrong_text 1 'expected what iperf3 -J prints' iperf3 <<<'{}'
wrong_text 1 'expected a result of pScheduler' pscheduler <<<'{}'
wrong_text 1 'expected --to=NAME' pscheduler --from=a <pscheduler/result.json
wrong 1 'expected --from=NAME' ping ping/busybox.txt
wrong_text 1 'nothing in the input can be imported' ping </dev/null
wrong 1 '/no/such/file:1:1: cannot open' ping /no/such/file
wrong 2 "did you mean 'slurm'?" slrum slurm/topology.conf

# remarks do not keep what is right from being printed
run 1 iperf3 iperf3/refused.json
grep -q 'a measurement is left out: unable to connect' "$work/err" || fail "refused: $(cat "$work/err")"
run 0 iperf3 iperf3/refused.json iperf3/client.json
grep -q '^n0.ottawa l0.lyon rtt=' "$work/out" || fail "behind a failed measurement: $(cat "$work/out")"
run 0 slurm - <<<$'SwitchName=a Nodes=n[1-200]\nSwitchName=b Nodes=n[1-200]'
[ "$(wc -l <"$work/err")" = 65 ] || fail "$(wc -l <"$work/err") remarks, expected 64 and how many more"
run 0 simgrid - <<<"$xml<host id=\"Station 1\"/><host id=\"-x\"/><host id=\"link\"/></zone></platform>"
[ "$(grep -c "host '[^']*' is left out: names of hosts" "$work/err")" = 2 ] || fail "names of hosts: $(cat "$work/err")"
grep -qx 'link:1' "$work/out" || fail "a host with the name of a keyword: $(cat "$work/out")"

# usage
run 2
run 2 slurm
run 2 --no-such-option
run 0 --version
run 0 --help
full_disk simgrid simgrid/cluster_and_one_host.xml
finish "$name"
