# shellcheck shell=bash
# What every script here starts with: answer --help, say each step, stop at the first error and say where.
set -euo pipefail

# shellcheck source=scripts/help.sh
. "$(dirname "${BASH_SOURCE[0]}")/help.sh"
check_options "$@"
called_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
current_step='starting'

step() {
  current_step=$*
  printf '\n==> %s\n' "$current_step"
  note "step $EPOCHSECONDS $current_step"
}

# A line for the summary, where there is to be one.
note() {
  [ -z "${GB_SUMMARY-}" ] || printf '%s\n' "$*" >>"$GB_SUMMARY"
}

stopped() { # STATUS
  [ "$1" = 0 ] || printf '\n%s: FAILED while: %s (exit status %s)\n' "$(basename "$0")" "$current_step" "$1" >&2
}
trap 'stopped $?' EXIT

# From here on this script and those that it calls note their steps, and this script tells them when it ends. Where it was
# called by one that does so, that one tells.
summarize() {
  [ -z "${GB_SUMMARY-}" ] || return 0
  GB_SUMMARY=$(mktemp)
  export GB_SUMMARY
  trap 'status=$?; tell_summary; rm -f "$GB_SUMMARY"; stopped $status' EXIT
}

# Each step took until the next began. Lines of the file: step BEGAN NAME; result TEXT; test SECONDS NAME
tell_summary() {
  local user_system
  times >"$GB_SUMMARY.times" # not in a subshell, which has waited for nothing
  user_system=$(tail -n 1 "$GB_SUMMARY.times")
  rm "$GB_SUMMARY.times"
  printf '\n==> summary\n'
  { cat "$GB_SUMMARY" && echo "step $EPOCHSECONDS end"; } | awk -v jobs="$jobs" -v used="$user_system" '
    $1 != "step" { next }
    name != "" && $2 - began > 0 { printf "%6d s  %s\n", $2 - began, name }
    { began = $2; first = first == "" ? began : first; $1 = $2 = ""; name = substr($0, 3) }
    END {
      split(used, part, /[ms ]+/)
      printf "%6d s  in all, with %d s of processor time on %d processors\n", began - first,
        60 * part[1] + part[2] + 60 * part[3] + part[4], jobs
    }'
  sed -n 's/^result //p' "$GB_SUMMARY"
  if grep -q '^test ' "$GB_SUMMARY"; then
    echo 'the slowest tests:'
    sed -n 's/^test //p' "$GB_SUMMARY" | sort -k1,1gr | awk 'NR <= 10 { printf "%6.1f s  %s: %s\n", $1, $2, $3 }'
  fi
}

# The machine's processors; CMake and CTest take it from here.
jobs=$(nproc 2>/dev/null || echo 2)
export CMAKE_BUILD_PARALLEL_LEVEL=$jobs

mirror_of() { # mirror_of SUITE: where this machine gets that suite of Debian
  local mirror
  # shellcheck disable=SC2016
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 'Component: main' |
    awk -v suite="$1" '$2 == suite { print $1; exit }')
  [ -n "$mirror" ] || {
    echo "$(basename "$0"): apt's sources have no $1" >&2
    return 1
  }
  echo "$mirror"
}

build() { # build PRESET [TARGET...]
  local preset=$1 fresh=() targets=()
  shift
  [ "$preset" != mpi ] || fresh=(--fresh) # the library may be another one than before
  [ $# = 0 ] || targets=(--target "$@")
  cmake --preset "$preset" "${fresh[@]}"
  cmake --build --preset "$preset" "${targets[@]}"
}
