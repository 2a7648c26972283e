#!/usr/bin/env bash
# Tests of gbcast-nws forecast: what it prints, how it refuses, and that rows leave as lines come.
#
#   tests/tools/forecast.sh GBCAST-NWS SOURCE-FOLDER            compares
#   tests/tools/forecast.sh GBCAST-NWS SOURCE-FOLDER --update   writes the golden file anew
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../scripts/help.sh"
set -euo pipefail

tool=$1
source=$2
update=${3:-}
. "$source/tests/tools/common.sh"
goldens=$source/tests/data/goldens
cd "$source/tests/data/nws"

golden weather.out forecast weather.txt
golden weather.out forecast - <weather.txt
golden weather.out forecast <weather.txt
golden weather-none.out forecast /dev/null

# the vectors of the protocol's description, to the byte
for series in $(sed '1d; s/,.*//' forecasts.csv | uniq); do
  grep "^$series," forecasts.csv | cut -d, -f2- >"$work/expected"
  grep "^$series," forecasts.csv | awk -F, '{ print 1795228000 + 5 * $2, $3 }' >"$work/in"
  run 0 forecast "$work/in"
  sed 1d "$work/out" | diff - "$work/expected" || fail "the series $series of forecasts.csv"
done

# refuse PLACE TEXT LINE...: the lines from stdin; the rows before the mistake are there
refuse() {
  local place=$1 text=$2
  shift 2
  printf '%s\n' "$@" >"$work/in"
  run 1 forecast - <"$work/in"
  [ "$(wc -l <"$work/err")" = 1 ] || fail "$*: $(wc -l <"$work/err") lines on stderr, expected 1"
  grep -q "^stdin:$place: found" "$work/err" || fail "$*: '$(cat "$work/err")' is not at $place"
  grep -qF -- "$text" "$work/err" || fail "$*: '$(cat "$work/err")' lacks '$text'"
  [ "$(wc -l <"$work/out")" = "${place%%:*}" ] || fail "$*: $(wc -l <"$work/out") lines on stdout"
}

number='a number without a unit, from -1e100 to 1e100, such as 12.5'
refuse 1:1 "'x', expected a timestamp: $number" 'x'
refuse 1:2 'the end of the line, expected a measurement' '7'
refuse 1:3 "'3,5', expected a measurement: $number" '7 3,5'
refuse 1:3 "'12ms'" '7 12ms'
refuse 1:3 "'0x10'" '7 0x10'
refuse 1:3 "'nan'" '7 nan'
refuse 1:3 "'-inf'" '7 -inf'
refuse 1:3 "'1e101'" '7 1e101'
refuse 1:3 "'1e999999'" '7 1e999999'
refuse 2:5 "'8', expected the end of the line" '6 5' '7 9 8'
refuse 2:2 "'6.9', expected a timestamp that is not before" '7 1' ' 6.9 1'
refuse 1:4 'a carriage return' $'7 3\r'
refuse 1:4097 'at most 4096 bytes' "7 $(printf '%04100d' 3)"
run 0 forecast <<<"# $(printf '%04000d' 3)"

wrong 1 'missing.txt:1:1: cannot open: No such file' forecast missing.txt
run 1 forecast .
grep -q '^\.:1:1: cannot read: Is a directory' "$work/err" || fail "a folder: '$(cat "$work/err")'"
head -c 1000000 /dev/zero >"$work/zeros"
run 1 forecast "$work/zeros"
run 2 forecast one two
grep -q "^gbcast-nws forecast: .*'two' is another" "$work/err" || fail "two files: '$(head -1 "$work/err")'"
full_disk forecast weather.txt

# a row comes before the next line does
mkfifo "$work/lines" "$work/rows"
timeout 60 "$tool" forecast <"$work/lines" >"$work/rows" &
exec 8>"$work/lines" 9<"$work/rows"
checks=$((checks + 1))
read -r -u 9 -t 30 _ || fail "no titles before the first line"
for row in 0 1 2; do
  echo "$row 4.5" >&8
  read -r -u 9 -t 30 line || fail "no row before line $((row + 2))"
  [ "${line%%,*}" = "$row" ] || fail "row $row is '$line'"
done
exec 8>&- 9<&-
wait $! || fail "the command that read line by line failed"

finish 'gbcast-nws forecast'
