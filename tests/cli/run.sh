#!/usr/bin/env bash
# Tests of the command gbcast-plan: exit statuses, where output goes, and golden outputs.
#
#   tests/cli/run.sh GBCAST-PLAN SOURCE-FOLDER            compares
#   tests/cli/run.sh GBCAST-PLAN SOURCE-FOLDER --update   writes the golden files anew
set -euo pipefail

tool=$1
source=$2
update=${3:-}
. "$source/tests/cli/common.sh"
cd "$source/tests/data/cli"

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
golden lanes.out --lanes=3 --inter=packing --intra=two-tree -m 4M --synthetic='cluster:4 host:6'
golden lanes-compare.out --lanes=2 --intra=flat -m 64k --compare three-sites.txt
golden synthetic.out --synthetic='cluster:2 switch:2 host:4'

# the same plan, asked for in other words
run 0 -r 0 -m 1048576 -o bcast -f text three-sites.txt
diff -u three-sites.out "$work/out" || fail "the defaults, spelled out, give another plan"
run 0 --version
grep -qx 'gbcast-plan [0-9]*\.[0-9]*\.[0-9]*' "$work/out" || fail "--version: $(cat "$work/out")"
run 0 --help
run 0 --verbose three-sites.txt
diff -u three-sites.out "$work/out" || fail "--verbose changes the plan"
run 0 --verbose hydra.txt
[ -s "$work/err" ] || fail "--verbose: no assumption named on stderr"

# a plan that cannot be made
wrong 1 'island.txt:' island.txt
wrong 1 'unit.txt:3:' unit.txt
wrong 1 'missing.txt' missing.txt
wrong 1 'nobody' --root=nobody three-sites.txt
wrong 1 'three-sites.txt:' --root=100 three-sites.txt

# wrong usage
wrong 2 'missing'
wrong 2 'another' three-sites.txt hydra.txt
wrong 2 'not available' -
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
wrong 2 '--compare' --compare -f json three-sites.txt
for option in --sync=none --live=file:x --emit-c --diff=x --list-settings --max-age=1 \
  --operation=alltoall --format=dot --format=svg --format=trace; do
  wrong 2 'not available' "$option" three-sites.txt
done
run 2 --no-such-option three-sites.txt

full_disk three-sites.txt

finish gbcast-plan
