# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # the parts of a command share variables
# From the lines of grid-layout to what ip and tc are told in each network namespace. Nothing is done here.
#
#   host: eth0 === h3 [bridge b0] u0 === d0 [bridge core] (router)--out === in (gate)--w1 ~~~ w0 ... another site
#         ctl0 === c3 [bridge ctl] (mpiexec)
#
# Bridges, router and their ports are in the namespace of the site; the gate, a namespace of its own, exists only where the
# site has wan-bandwidth: then all that enters, leaves or crosses the site goes through the cable out === in.
# Site s is 10.(s+1).0.0/16. All neighbours are permanent: the kernel has one ARP table for all namespaces.

control_prefix=172.31

# All by index, as grid-layout numbers them; `spaces` in the order in which they are configured.
spaces=()
declare -A make configure shape forward # by namespace: lines for ip, ip and tc; and whether it forwards
declare -a site_name site_rate site_space site_outer
declare -a host_site host_switch host_rate host_slots host_name host_space
declare -a links=() paths=() switches=() # the rest of the line
streams=''                               # what one TCP stream gets where it is limited: lines to tell
declare -A loss queue                    # by name of a link, from the options

read_layout() { # FILE
  local kind index rest
  while read -r kind index rest; do
    case $kind in
    site) read -r 'site_rate[index]' 'site_name[index]' <<<"$rest" ;;
    host)
      read -r 'host_site[index]' 'host_switch[index]' 'host_rate[index]' 'host_slots[index]' 'host_name[index]' <<<"$rest"
      ;;
    switch) switches+=("$index $rest") ;;
    link) links+=("$index $rest") ;;
    path) paths+=("$index $rest") ;;
    esac
  done <"$1"
  [ ${#site_name[@]} -le 200 ] || die 1 "${#site_name[@]} sites; at most 200 can be emulated"
  [ ${#host_name[@]} -le 1000 ] || die 1 "${#host_name[@]} hosts; at most 1000 can be emulated"
}

name_spaces() {
  local s h
  control=$GRID_NAME-ctl
  spaces=("$control")
  for s in "${!site_name[@]}"; do
    site_space[s]=$GRID_NAME-s$s
    site_outer[s]=${site_space[s]}
    spaces+=("${site_space[s]}")
    if [ "${site_rate[s]}" != - ]; then
      site_outer[s]=$GRID_NAME-g$s
      spaces+=("${site_outer[s]}")
    fi
    forward[${site_space[s]}]=1 forward[${site_outer[s]}]=1
  done
  for h in "${!host_name[@]}"; do
    host_space[h]=$GRID_NAME-h$h
    spaces+=("${host_space[h]}")
  done
}

mac() { # NETWORK HOST: sets `mac`
  printf -v mac '02:67:%02x:%02x:%02x:%02x' $(($1 >> 8)) $(($1 & 255)) $(($2 >> 8)) $(($2 & 255))
}
gateway=65534
no_site=65535                             # the control network's, in a MAC address
site_address() { # SITE HOST: sets `address`
  address=10.$(($1 + 1)).$((($2 + 1) >> 8)).$((($2 + 1) & 255))
}
control_address_of() { # HOST: sets `address`
  address=$control_prefix.$((($1 + 1) >> 8)).$((($1 + 1) & 255))
}

# Packets go one by one, as on a wire.
whole='gso_max_segs 1'

shape_port() { # NAMESPACE DEVICE RATE QUEUE
  [ "$3" != - ] || return 0
  local burst=$(($3 / 80000)) # what 0.1 ms brings
  shape[$1]+="qdisc add dev $2 root tbf rate ${3}bit burst $((burst < 3200 ? 3200 : burst)) limit $4"$'\n'
}
# A host's own queue is long, so that TCP there waits and loses nothing; a switch's port has what switches have.
host_queue=1500000
port_queue=256000

lay_control() {
  make[$control]+="link add ctl type bridge forward_delay 0 mcast_snooping 0"$'\n'
  mac $no_site $gateway
  configure[$control]+="link set ctl address $mac up"$'\n'"addr add $control_address/16 dev ctl"$'\n'
}

lay_site() { # SITE
  local space=${site_space[$1]} outer=${site_outer[$1]} rate=${site_rate[$1]} other
  make[$space]+="link add core type bridge forward_delay 0 mcast_snooping 0"$'\n'
  mac "$1" $gateway
  site_address "$1" $((gateway - 1))
  configure[$space]+="link set core address $mac up"$'\n'"addr add $address/16 dev core"$'\n'
  [ "$outer" != "$space" ] || return 0
  # Without addresses and ARP: both ends have the same MAC address.
  local end="address 02:67:ff:ff:00:01 arp off $whole"
  make[$space]+="link add out $end type veth peer name in $end netns $outer"$'\n'
  configure[$space]+="link set out up"$'\n'
  configure[$outer]+="link set in up"$'\n'"route add 10.$(($1 + 1)).0.0/16 dev in"$'\n'
  configure[$outer]+="route add default dev in table 100"$'\n'
  local bytes=$((rate / 8 / 20)) # 50 ms
  bytes=$((bytes < port_queue ? port_queue : bytes))
  shape_port "$space" out "$rate" $bytes
  shape_port "$outer" in "$rate" $bytes
  for other in "${!site_name[@]}"; do
    [ "$other" = "$1" ] || configure[$space]+="route add 10.$((other + 1)).0.0/16 dev out"$'\n'
  done
}

bytes_in() { # RATE TIME: what bit/s bring in ns; in steps that do not overflow
  # shellcheck disable=SC2017
  echo $(($1 / 8 * ($2 / 1000) / 1000000))
}

bridge() { # SWITCH: sets `bridge`
  bridge=core
  [ "$1" = - ] || bridge=b$1
}

lay_switch() { # SWITCH SITE UPLINK RATE
  local space=${site_space[$2]} bridge
  bridge "$3"
  make[$space]+="link add b$1 type bridge forward_delay 0 mcast_snooping 0"$'\n'
  make[$space]+="link add u$1 $whole type veth peer name d$1 $whole"$'\n'
  configure[$space]+="link set b$1 up"$'\n'"link set u$1 master b$1 up"$'\n'"link set d$1 master $bridge up"$'\n'
  shape_port "$space" "u$1" "$4" $port_queue
  shape_port "$space" "d$1" "$4" $port_queue
}

lay_host() { # HOST
  local site=${host_site[$1]} rate=${host_rate[$1]} space=${host_space[$1]} bridge mac address
  local switch=${site_space[$site]}
  bridge "${host_switch[$1]}"
  mac "$site" "$1"
  site_address "$site" "$1"
  make[$switch]+="link add h$1 $whole type veth peer name eth0 address $mac $whole netns $space"$'\n'
  configure[$switch]+="link set h$1 master $bridge up"$'\n'"neigh add $address lladdr $mac nud permanent dev core"$'\n'
  configure[$space]+="link set lo up"$'\n'"addr add $address/16 dev eth0"$'\n'"link set eth0 up"$'\n'
  configure[$space]+="route change 10.$((site + 1)).0.0/16 dev eth0 src $address congctl $congestion"$'\n'
  shape_port "$switch" "h$1" "$rate" $port_queue
  shape_port "$space" eth0 "$rate" $host_queue
  mac $no_site "$1"
  control_address_of "$1"
  make[$control]+="link add c$1 type veth peer name ctl0 address $mac netns $space"$'\n'
  configure[$control]+="link set c$1 master ctl up"$'\n'"neigh add $address lladdr $mac nud permanent dev ctl"$'\n'
  configure[$space]+="addr add $address/16 dev ctl0"$'\n'"link set ctl0 up"$'\n'
  mac $no_site $gateway
  configure[$space]+="neigh add $control_address lladdr $mac nud permanent dev ctl0"$'\n'
}

lay_neighbours() {
  local h site mac address
  local -a all
  for site in "${!site_name[@]}"; do
    mac "$site" $gateway
    site_address "$site" $((gateway - 1))
    all[site]="neigh add $address lladdr $mac nud permanent dev eth0"$'\n'
  done
  for h in "${!host_name[@]}"; do
    mac "${host_site[h]}" "$h"
    site_address "${host_site[h]}" "$h"
    all[host_site[h]]+="neigh add $address lladdr $mac nud permanent dev eth0"$'\n'
  done
  for h in "${!host_name[@]}"; do
    configure[${host_space[h]}]+=${all[host_site[h]]}
  done
}

# One TCP stream gets the window by the round trip. What the receiver's route to the sender says about the window decides by
# how much TCP scales it, and thus the largest: 64 KiB, twice or four times that ...
stream_window() { # RATE ROUND-TRIP: sets `window` to the nearest
  local wanted
  wanted=$(bytes_in "$1" "$2")
  for ((window = 65535; window < wanted * 100 / 141; window *= 2)); do :; done
}

lay_paths() {
  local from to next delay rate line path h window address
  local -A delay_of rate_of option
  for line in "${paths[@]}"; do
    read -r from to next delay rate <<<"$line"
    delay_of[$from-$to]=$delay rate_of[$from-$to]=$rate
    configure[${site_outer[from]}]+="route add 10.$((to + 1)).0.0/16 dev w$next"$'\n'
  done
  for path in "${!rate_of[@]}"; do
    rate=${rate_of[$path]} from=${path%-*} to=${path#*-}
    [ "$rate" != - ] || continue
    delay=$((delay_of[$from-$to] + delay_of[$to-$from]))
    stream_window "$rate" $delay
    option[$to-$from]="window $window"
    streams+="one TCP stream from ${site_name[from]} to ${site_name[to]}: a window of $((window / 1024 + 1)) KiB, "
    streams+="$((8 * window * 1000 / (delay / 1000 + 1))) kbit/s; asked for $((rate / 1000))"$'\n'
  done
  for h in "${!host_name[@]}"; do
    from=${host_site[h]}
    site_address "$from" $((gateway - 1))
    for to in "${!site_name[@]}"; do
      [ "$to" != "$from" ] || continue
      line="route add 10.$((to + 1)).0.0/16 via $address congctl $congestion ${option[$from-$to]-}"
      configure[${host_space[h]}]+=$line$'\n'
    done
  done
}

lay_wan() { # tun|netem
  local from to delay rate line space end="address 02:67:ff:ff:00:02 arp off $whole"
  local -A laid
  for line in "${links[@]}"; do
    read -r from to delay rate <<<"$line"
    [ -z "${laid[$from-$to]-}" ] || continue
    laid[$from-$to]=1 laid[$to-$from]=1
    if [ "$1" = netem ]; then
      make[${site_outer[from]}]+="link add w$to $end type veth peer name w$from $end netns ${site_outer[to]}"$'\n'
    else
      make[${site_outer[from]}]+="tuntap add mode tun name w$to"$'\n'
      make[${site_outer[to]}]+="tuntap add mode tun name w$from"$'\n'
    fi
    for space in "$from $to" "$to $from"; do
      read -r from to <<<"$space"
      configure[${site_outer[from]}]="link set w$to mtu 1500 up"$'\n'${configure[${site_outer[from]}]-}
      [ "${site_rate[from]}" = - ] ||
        configure[${site_outer[from]}]+="rule add iif w$to lookup 100"$'\n'
    done
  done
}

lay_out() { # tun|netem
  local s h line
  name_spaces
  lay_control
  for s in "${!site_name[@]}"; do lay_site "$s"; done
  for line in "${switches[@]}"; do
    # shellcheck disable=SC2086 # fields
    lay_switch $line
  done
  for h in "${!host_name[@]}"; do lay_host "$h"; done
  lay_neighbours
  lay_wan "$1"
  lay_paths
}
