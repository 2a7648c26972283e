# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # the parts of a command share variables
# What the commands of an emulated grid share: which grid is meant, and where its state and tools are.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tools=${GRID_TOOLS:-$here/../../build/dev/tests/grid}
control_address=172.31.255.254

die() { # STATUS MESSAGE
  echo "$(basename "$0"): $2" >&2
  exit "$1"
}

# The comment at the head of the command is its help.
usage() {
  sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
}

# Names of namespaces begin with the grid's.
name_grid() { # NAME
  [[ $1 =~ ^[A-Za-z0-9_]{1,32}$ ]] || die 2 "found the name '$1', expected up to 32 letters, digits and _"
  export GRID_NAME=$1
  state=/run/gbcast-grid/$1
}
name_grid "${GRID_NAME:-grid}"

need_grid() {
  [ -e "$state/up" ] || die 1 "no grid '$GRID_NAME' is up; grid-up HOSTS sets one up"
}
