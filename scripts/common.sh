# shellcheck shell=bash
# What every script here starts with: say each step, stop at the first error and say where.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
current_step='starting'

step() {
  current_step=$*
  printf '\n==> %s\n' "$current_step"
}

stopped() { # STATUS
  [ "$1" = 0 ] || printf '\n%s: FAILED while: %s (exit status %s)\n' "$(basename "$0")" "$current_step" "$1" >&2
}
trap 'stopped $?' EXIT

# The machine's processors; CMake and CTest take it from here.
jobs=$(nproc 2>/dev/null || echo 2)
export CMAKE_BUILD_PARALLEL_LEVEL=$jobs

build() { # build PRESET [TARGET...]
  local preset=$1 fresh=() targets=()
  shift
  [ "$preset" != mpi ] || fresh=(--fresh) # the library may be another one than before
  [ $# = 0 ] || targets=(--target "$@")
  cmake --preset "$preset" "${fresh[@]}"
  cmake --build --preset "$preset" "${targets[@]}"
}
