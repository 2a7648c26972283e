# shellcheck shell=bash
# Completion of gbcast's commands for bash. What there is to complete is what they say themselves with --help and --list; only
# gbcast-probe, gbcast-cp and gbcast-bench are not asked, as that would start MPI.

# _gbcast_options COMMAND...: its options, a line each: SHORT;LONG;VALUE, the value with [ before it where it may be left out
_gbcast_options() {
  case "${1##*/} ${2:-}" in
  'gbcast-probe '*)
    printf '%s\n' ';--budget;SECONDS' ';--hosts;FILE' '-o;--output;FILE' ';--check;FILE' ';--merge;FILE' ';--quiet;' ';--sizes;BYTES,...' ';--help;' \
      ';--usage;' ';--version;'
    ;;
  'gbcast-cp '*)
    printf '%s\n' '-z;--compress;' '-L;--follow;' ';--json;' ';--memory;BYTES' ';--quiet;' ';--replace;' ';--resume;' ';--verify;' ';--help;' \
      ';--usage;' ';--version;'
    ;;
  'gbcast-bench ') printf '%s\n' '-h;--help;' '-V;--version;' ;;
  'gbcast-bench real')
    printf '%s\n' '-o;--operation;bcast|scatter|gather|allgather|alltoall|alltoallv|reduce|allreduce|reduce-scatter|barrier' \
      '-m;--min;BYTES' '-M;--max;BYTES' '-f;--factor;N' '-r;--root;RANK' '-n;--rounds;N' '-s;--seconds;S' '-t;--together;' '-h;--help;'
    ;;
  'gbcast-bench edges') printf '%s\n' '-o;--operation;bcast|scatter' '-m;--size;BYTES' '-r;--root;RANK' '-a;--all;' '-h;--help;' ;;
  *)
    "$@" --help 2>/dev/null | sed -nE -e 's/^ +((-.), )?(--[^ =[]+)(\[?)=?([^] ]*)\]?( .*)?$/\2;\3;\4\5/p' \
      -e 's/^ +(-[^-])( ([A-Z][^ ]*))?(  .*)?$/\1;;\3/p'
    ;;
  esac
}

# _gbcast_names COMMAND OPTION: the names that --list has for --inter, --intra or --sync
_gbcast_names() {
  "$1" --list 2>/dev/null | sed -nE -e "/\($2[;)]/,/^[^ ]/!b" -e 's/^  ([^ ]+) .*/\1/p'
}

# _gbcast_files CURRENT: names of files, as they are to be typed
_gbcast_files() {
  local name
  compgen -f -- "$1" | while IFS= read -r name; do
    [[ ! -d $name ]] || name+=/
    printf '%q\n' "$name"
  done
}

# _gbcast_hosts COMMAND: the hosts of the hosts file on the command line
_gbcast_hosts() {
  local word
  for word in "${COMP_WORDS[@]:1}"; do
    [[ $word = -* || ! -f $word ]] ||
      "$1" -m 1 -a flat/flat -f json "$word" 2>/dev/null | sed -nE -e 's/^ *"root": "([^"#]*).*/\1/p' -e '/"level"/s/.*"to": "([^"#]*).*/\1/p' | sort -u
  done
}

# _gbcast_values CURRENT OPTION VALUE COMMAND: what may stand for CURRENT as the option's value, whose kind the help calls VALUE
_gbcast_values() {
  case $2=$3 in
  --inter=* | --intra=* | --sync=*) _gbcast_names "$4" "$2" ;;
  --algorithm=*)
    if [[ $1 = */* ]]; then
      _gbcast_names "$4" --intra | sed "s|^|${1%%/*}/|"
    else
      _gbcast_names "$4" --inter | sed 's|$|/|'
    fi
    ;;
  --root=RANK) ;;
  --root=*) _gbcast_hosts "$4" ;;
  --live=*)
    printf '%s\n' nws:// file: -
    [[ $1 != file:* ]] || _gbcast_files "${1#file:}" | sed 's|^|file:|'
    ;;
  *=PATH | *=*FILE) _gbcast_files "$1" ;;
  *=HOST*) compgen -A hostname -- "$1" ;;
  *=*[A-Z]*) ;; # a number, say
  *) tr '|' '\n' <<<"$3" ;;
  esac
}

# _gbcast_arguments CURRENT COMMAND...: what may stand for CURRENT as an argument that is no option
_gbcast_arguments() {
  case "${2##*/} ${3:-}" in
  'gbcast-plan ' | 'gbcast-cp ' | 'gbcast-nws forecast') _gbcast_files "$1" ;;
  'gbcast-bench ') printf '%s\n' real edges ;;
  'gbcast-nws ') "$2" --help 2>/dev/null | sed -nE 's/^  ([a-z]+) .*/\1/p' ;;
  'gbcast-import ') printf '%s\n' slurm simgrid iperf3 pscheduler ping ;;
  'gbcast-import '*) _gbcast_files "$1" ;;
  'gbcast-nws sense') compgen -A hostname -- "$1" ;;
  esac
}

# _gbcast_candidates CURRENT PREVIOUS COMMAND...: whole words
_gbcast_candidates() {
  local current=$1 previous=$2 option='' short long value
  shift 2
  if [[ $current = --*=* ]]; then
    option=${current%%=*}
  elif [[ $previous = -* ]]; then
    option=$previous
  fi
  while IFS=';' read -r short long value; do
    if [[ -n $option && -n $value && ($option = "$short" || $option = "$long") ]]; then
      if [[ $current = --*=* ]]; then
        _gbcast_values "${current#*=}" "$long" "$value" "$1" | sed "s|^|$option=|"
        return
      elif [[ $value != '['* ]]; then
        _gbcast_values "$current" "$long" "$value" "$1"
        return
      fi
    fi
  done < <(_gbcast_options "$@")
  if [[ $current = -* ]]; then
    _gbcast_options "$@" | sed -E -e 's/^(-.);;.*/\1/' -e 's/^[^;]*;([^;]+);$/\1/' -e 's/^[^;]*;([^;]+);\[.*/\1\n\1=/' \
      -e 's/^[^;]*;([^;]+);.+/\1=/'
  else
    _gbcast_arguments "$current" "$@"
  fi
}

# For complete -F: bash has cut the words at = and : too, if they are in COMP_WORDBREAKS, and adds to the last piece.
_gbcast() {
  local command=("$1") current=${COMP_LINE:0:COMP_POINT} done='' word i
  current=${current##*[[:space:]]}
  if [[ ${1##*/} =~ ^gbcast-(nws|bench|import)$ ]]; then
    for ((i = 1; i < COMP_CWORD && ${#command[@]} == 1; i++)); do
      [[ ${COMP_WORDS[i]} = -* ]] || command+=("${COMP_WORDS[i]}")
    done
  fi
  for word in = :; do
    [[ $COMP_WORDBREAKS != *$word* || ${current#"$done"} != *$word* ]] || done=${current%"$word"*}$word
  done
  COMPREPLY=()
  while IFS= read -r word; do
    [[ $word != "$current"* ]] || COMPREPLY+=("${word#"$done"}")
  done < <(_gbcast_candidates "$current" "${COMP_WORDS[COMP_CWORD - 1]}" "${command[@]}")
  if [[ ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} = *[=:/] ]]; then
    compopt -o nospace 2>/dev/null || :
  fi
}

# Files, where there is nothing else: bash knows of ~ and quotes.
complete -o default -F _gbcast gbcast-plan gbcast-probe gbcast-bench gbcast-nws gbcast-doctor gbcast-import gbcast-cp
