# shellcheck shell=bash
# What the tests of commands share that run by themselves. $tool is the command, $source the source folder, $goldens the folder
# of golden files, $update not empty to write them anew.
# shellcheck disable=SC2154
. "$source/tests/support/command.sh"
name=$(basename "$tool")

# run STATUS ARGUMENT...
run() {
  local expected=$1
  shift
  expect "$expected" "$name $*" "$tool" "$@"
}

# same FILE GOLDEN COMMAND: they are equal; or the golden one becomes the file
same() {
  if [ -n "$update" ]; then
    cp "$1" "$2"
  elif ! diff -u "$2" "$1"; then
    fail "$3: differs from $2"
  fi
}

# golden FILE ARGUMENT...: the output is that of the file, and nothing is said on stderr
golden() {
  local file=$goldens/$1
  shift
  run 0 "$@"
  [ ! -s "$work/err" ] || fail "$name $*: wrote to stderr: $(head -1 "$work/err")"
  same "$work/out" "$file" "$name $*"
}

# wrong STATUS TEXT ARGUMENT...: fails, nothing on stdout, one line that holds TEXT on stderr
wrong() {
  local status=$1 text=$2
  shift 2
  run "$status" "$@"
  refused "$name $*" "$text"
}

# full_disk ARGUMENT...: says so in one line
full_disk() {
  local status=0
  [ -c /dev/full ] || return 0
  checks=$((checks + 1))
  "$tool" "$@" >/dev/full 2>"$work/err" || status=$?
  [ "$status" = 1 ] || fail "$name $*, full disk: exit $status, expected 1"
  [ "$(wc -l <"$work/err")" = 1 ] || fail "$name $*, full disk: one line expected on stderr"
}
