#!/usr/bin/env bash
# Completion for bash: what is offered for some lines, and that all options of --help are.
#
#   tests/tools/completion.sh FOLDER-OF-TOOLS FOLDER-OF-GBCAST-BENCH SOURCE-FOLDER
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../scripts/help.sh"
set -euo pipefail

tools=$1:$2
source=$3
# shellcheck source=tests/support/command.sh
. "$source/tests/support/command.sh"
# shellcheck source=tools/completion/gbcast.bash
. "$source/tools/completion/gbcast.bash"
PATH=$tools:$PATH
cd "$source/tests/data/platforms"

# complete_line LINE: as bash asks at its end; leaves $offered, the words with a blank between them
complete_line() {
  local line=$1 cut=$1 mark
  for mark in = :; do # as bash cuts words
    [[ $COMP_WORDBREAKS != *$mark* ]] || cut=${cut//$mark/ $mark }
  done
  read -ra COMP_WORDS <<<"$cut"
  [[ $cut != *' ' ]] || COMP_WORDS+=('')
  COMP_LINE=$line
  COMP_POINT=${#line}
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  checks=$((checks + 1))
  _gbcast "${COMP_WORDS[0]}"
  offered=${COMPREPLY[*]}
}

# offers LINE EXPECTED
offers() {
  complete_line "$1"
  [ "$offered" = "$2" ] || fail "'$1': offers '$offered', expected '$2'"
}

all() {
  offers 'gbcast-plan --li' '--list --list-settings --live='
  offers 'gbcast-plan --emit' '--emit-c --emit-c='
  offers 'gbcast-plan -o ' 'bcast scatter gather allgather alltoall reduce allreduce reduce-scatter barrier'
  offers 'gbcast-plan --operation sc' 'scatter'
  offers 'gbcast-plan --inter=e' "${1}extended-dijkstra ${1}exact"
  offers 'gbcast-plan --lanes=' ''
  offers 'gbcast-plan -a fl' 'flat/'
  offers 'gbcast-plan -a flat/two' 'flat/two-tree'
  offers 'gbcast-plan three-sites.txt -r l' 'l0.lyon l1.lyon'
  offers 'gbcast-plan --verbose three-sites.t' 'three-sites.txt'
  offers 'gbcast-plan --compare --emit-c three-sites.t' 'three-sites.txt'
  offers 'gbcast-nws s' 'search sense serve show'
  offers 'gbcast-nws serve --ns' '--ns-port='
  offers 'gbcast-nws search -f ' 'yes no'
  offers 'gbcast-nws forecast three-sites.t' 'three-sites.txt'
  offers 'gbcast-probe -o three-sites.t' 'three-sites.txt'
  offers 'gbcast-probe ' ''
  offers 'gbcast-bench ' 'real edges'
  offers 'gbcast-bench edges -o ' 'bcast scatter'
  offers 'gbcast-bench real --root=' ''
  offers 'gbcast-doctor --hosts three-sites.t' 'three-sites.txt'
  offers 'gbcast-cp --resume three-sites.t' 'three-sites.txt'
  offers 'gbcast-import ' 'slurm simgrid iperf3 pscheduler ping'
  offers 'gbcast-import slurm platform-topology.c' 'platform-topology.conf'
}

# bash's words end at = and : unless somebody has changed that
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
all ''
offers 'gbcast-plan --from=' 'slurm pbs lsf'
offers 'gbcast-plan --algorithm=flat/two' 'flat/two-tree'
offers 'gbcast-plan --live=' 'nws:// file: -'
offers 'gbcast-plan --live=file:live-b' 'live-bad.txt'
offers 'gbcast-plan --emit-c=three-sites.t' 'three-sites.txt'
COMP_WORDBREAKS=$' \t\n"\'><;|&('
all '--inter='
offers 'gbcast-plan --live=file:three-sites.t' '--live=file:three-sites.txt'
touch "$work/a b"
cd "$work"
mkdir folder
offers 'gbcast-plan a' 'a\ b'
offers 'gbcast-nws serve --dir=f' '--dir=folder/'
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'

# names COMMAND: what its --help says
names() {
  # shellcheck disable=SC2086 # a command of gbcast-nws is two words
  $1 --help 2>/dev/null | sed -nE 's/^ {2,6}(-[^-], )?(--?[A-Za-z-]+).*/\2/p'
}
commands=(gbcast-plan gbcast-probe 'gbcast-bench real' 'gbcast-bench edges' gbcast-nws gbcast-doctor gbcast-import gbcast-cp)
complete_line 'gbcast-nws '
for command in $offered; do commands+=("gbcast-nws $command"); done
[ ${#commands[@]} -ge 10 ] || fail "gbcast-nws has only these commands: $offered"
for command in "${commands[@]}"; do
  complete_line "$command -"
  count=0
  for name in $(names "$command"); do
    count=$((count + 1))
    [[ " $offered " = *" $name"[\ =]* ]] || fail "'$command -': does not offer $name, but '$offered'"
  done
  [ "$count" -ge 3 ] || fail "$command --help has only $count options"
done
named=
for list in --inter --intra --sync; do
  complete_line "gbcast-plan $list="
  named+=" $offered "
done
for name in $(gbcast-plan --list | sed -nE 's/^  ([^ ]+) .*/\1/p'); do
  [[ $named = *" $name "* ]] || fail "no option's value is offered to be $name, but --list has it"
done
finish completion
