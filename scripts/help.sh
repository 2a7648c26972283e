# shellcheck shell=bash
# For the beginning of a script: --help prints the comment at its head, and the script does nothing else.
script=$(realpath "$0") # before it changes the folder

usage() {
  sed -n -e '2,${' -e '/^#/!q' -e 's/^# \{0,1\}//p' -e '}' "$script"
}

case ${1-} in
-h | --help)
  usage || true # who reads may have seen enough
  exit 0
  ;;
esac

# What begins with - has to be named there.
check_options() { # WORD...
  local word
  for word in "$@"; do
    case $word in
    -h | --help)
      usage || true
      exit 0
      ;;
    -*)
      usage | grep -Fwe "${word%%=*}" >/dev/null || {
        echo "$(basename "$script"): unknown option $word; --help tells the usage" >&2
        exit 2
      }
      ;;
    esac
  done
}
