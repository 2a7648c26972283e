# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # the parts of a command share variables
# The wide-area links: their options, and how they are carried. After layout.sh.

# --loss=WHERE:VALUE or --queue=...; WHERE is A-B (both directions) or A->B.
link_option() { # WORD
  local value=${1##*:} where=${1#*=} pattern='^[0-9]{1,9}[kM]?$'
  where=${where%:*}
  [[ $1 != --loss=* ]] || pattern='^[0-9]+(\.[0-9]{1,4})?%$'
  [[ $where == *-* && $value =~ $pattern ]] ||
    die 2 "found '$1', expected --loss=SITE-SITE:1%, --queue=SITE-SITE:256k, or SITE->SITE for one direction"
  case $1 in
  --loss=*) loss["$where"]=$value ;;
  *) queue["$where"]=$value ;;
  esac
}

# The value of a link, or nothing. Names of sites may hold a -, so they are put together, not taken apart.
option_of() { # ARRAY FROM TO: sets `value`
  local -n values=$1
  local from=${site_name[$2]} to=${site_name[$3]}
  value=${values[$from->$to]-${values[$from-$to]-${values[$to-$from]-}}}
}

check_link_options() {
  local line from to rest name
  local -A known
  for line in "${links[@]}"; do
    read -r from to rest <<<"$line"
    known[${site_name[from]}-${site_name[to]}]=1 known[${site_name[to]}-${site_name[from]}]=1
    known["${site_name[from]}->${site_name[to]}"]=1
  done
  for name in "${!loss[@]}" "${!queue[@]}"; do
    [ -n "${known[$name]-}" ] || die 2 "the hosts file has no link '$name'"
  done
}

# FROM TO DELAY RATE QUEUE LOSS in ns, bit/s, bytes and millionths. A queue holds what the link carries in a round trip, at
# least 64 kB, unless it was given.
wan_values() {
  local line from to delay rate bytes millionths value
  for line in "${links[@]}"; do
    read -r from to delay rate <<<"$line"
    bytes=$(bytes_in "$rate" $((2 * delay)))
    bytes=$((bytes < 64000 ? 64000 : bytes))
    option_of queue "$from" "$to"
    case $value in
    *k) bytes=$((${value%k} * 1024)) ;;
    *M) bytes=$((${value%M} * 1048576)) ;;
    ?*) bytes=$value ;;
    esac
    option_of loss "$from" "$to"
    millionths=0
    [ -z "$value" ] || millionths=$(awk -v p="${value%\%}" 'BEGIN { printf "%d", p * 10000 + 0.5 }')
    [ "$millionths" -le 1000000 ] || die 2 "found a loss of $value, expected up to 100%"
    echo "$from $to $delay $rate $bytes $millionths"
  done
}

# What grid-wan reads.
write_ways() { # FILE
  local from to delay rest
  wan_values | while read -r from to delay rest; do
    echo "${site_outer[from]} w$to ${site_outer[to]} w$from $delay $rest"
  done >"$1.new"
  mv "$1.new" "$1"
}

# netem counts its queue in packets, those on their way included.
set_netem() {
  local from to delay rate bytes millionths
  wan_values | while read -r from to delay rate bytes millionths; do
    tc -n "${site_outer[from]}" qdisc replace dev "w$to" root netem delay "$((delay / 1000))us" rate "${rate}bit" \
      loss "$(awk -v m="$millionths" 'BEGIN { print m / 10000 }')%" \
      limit $(((bytes + $(bytes_in "$rate" "$delay")) / 1514 + 1)) || exit 1
  done
}

has_netem() {
  tc -n "$control" qdisc add dev lo root netem delay 1ms 2>/dev/null && tc -n "$control" qdisc del dev lo root
}

# In the control namespace, so that grid-down finds it there. Until it is, it is a job of the shell, for who is interrupted.
start_ways() {
  local _ pid
  write_ways "$state/ways"
  ip netns exec "$control" setsid "$tools/grid-wan" "$state/ways" </dev/null >"$state/ways.log" 2>&1 &
  pid=$!
  for _ in {1..200}; do
    if grep -qs '^carrying' "$state/ways.log"; then
      disown # its end, by grid-down, is nothing to report
      return 0
    fi
    kill -0 $pid 2>/dev/null || break
    sleep 0.02
  done
  cat "$state/ways.log" >&2
  die 1 "the wide-area links do not start"
}

# Returns when they have changed.
change_ways() {
  local _ before pid
  before=$(grep -c '^changed' "$state/ways.log" || true)
  write_ways "$state/ways"
  pid=$(ip netns pids "$control" | while read -r pid; do
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != grid-wan ] || echo "$pid"
  done)
  [ -n "$pid" ] || die 1 "what carries the links has ended"
  kill -HUP "$pid"
  for _ in {1..200}; do
    [ "$(grep -c '^changed' "$state/ways.log" || true)" = "$before" ] || return 0
    sleep 0.02
  done
  die 1 "the links do not change: $(tail -n 1 "$state/ways.log")"
}
