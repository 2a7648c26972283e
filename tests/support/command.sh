# shellcheck shell=bash
# What the tests of commands share: a folder to work in, the counts, and how a command is run and refuses.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
checks=0

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$*"
}

# expect STATUS WHAT COMMAND...: leaves $work/out and $work/err
expect() {
  local expected=$1 what=$2 status=0
  shift 2
  checks=$((checks + 1))
  "$@" >"$work/out" 2>"$work/err" || status=$?
  if [ "$status" != "$expected" ]; then
    fail "$what: exit $status, expected $expected"
    sed 's/^/    /' "$work/err"
  fi
}

# refused WHAT TEXT: that left nothing on stdout and one line on stderr, which holds TEXT
refused() {
  [ ! -s "$work/out" ] || fail "$1: wrote to stdout"
  [ "$(wc -l <"$work/err")" = 1 ] || fail "$1: $(wc -l <"$work/err") lines on stderr, expected 1"
  grep -qF -- "$2" "$work/err" || fail "$1: '$(cat "$work/err")' lacks '$2'"
}

# Whether to leave out what has been tested with another build
brief() {
  [ -n "${GB_TEST_BRIEF-}" ] && [ -z "${GB_TEST_FULL-}" ]
}

# is_hydra MPIEXEC: whether that is MPICH's launcher. A pipe to grep -q may end it by SIGPIPE.
is_hydra() {
  [[ $("$1" --version) == *HYDRA* ]]
}

# finish NAME: the last word, and the exit status
finish() {
  echo "$checks runs of $1, $failures failures"
  [ "$failures" = 0 ]
}
