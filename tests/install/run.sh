#!/usr/bin/env bash
# Installs a build into a folder and moves that elsewhere; unpacks its packages. What is there runs, and programs are built
# with it as users would build them. Then uninstalls.
#
#   tests/install/run.sh BUILD-FOLDER SOURCE-FOLDER MPICC MPIEXEC C++-COMPILER
# shellcheck source=scripts/help.sh
. "$(dirname "$0")/../../scripts/help.sh"
set -euo pipefail

build=$1
source=$2
mpicc=$3
mpiexec=$4
cxx=$5
# shellcheck source=tests/support/command.sh
. "$source/tests/support/command.sh"
sites=$source/examples/three-sites.txt
version=$(sed -n 's/^#define GBCAST_VERSION_.* //p' "$source/include/gbcast/gbcast.h" | paste -sd.)
hash=$("$build/tools/gbcast-plan" "$sites" | sed -n 's/.*; plan //p')
unset LD_LIBRARY_PATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH DESTDIR

# What somebody installed from this build folder before stays what its target uninstall removes.
record=$build/installed.txt
[ ! -e "$record" ] || mv "$record" "$work/record"
trap 'rm -f "$record"; [ ! -e "$work/record" ] || mv "$work/record" "$record"; rm -rf "$work"' EXIT

says() { # WHAT EXPECTED COMMAND...
  local what=$1 expected=$2
  shift 2
  expect 0 "$what" timeout 100 "$@"
  [ "$(cat "$work/out")" = "$expected" ] || fail "$what: '$(cat "$work/out")' instead of '$expected'"
}

# tree PREFIX: all is there, and runs
tree() {
  local prefix=$1 tool page installed library
  for tool in gbcast-plan gbcast-probe gbcast-bench gbcast-nws gbcast-doctor gbcast-import gbcast-cp; do
    expect 0 "$tool" "$prefix/bin/$tool" --version
    grep -qxE "$tool ${version//./[.]}(, (MPICH|Open MPI) .*)?" "$work/out" || fail "$tool --version: $(cat "$work/out")"
  done
  expect 0 'gbcast-plan' "$prefix/bin/gbcast-plan" "$sites"
  grep -q "; plan $hash\$" "$work/out" || fail "$prefix/bin/gbcast-plan: another plan"
  printf 'cluster here\n%s:2\n' "$(hostname)" >"$work/here.txt"
  expect 0 'gbcast-doctor' timeout 100 "$prefix/bin/gbcast-doctor" --hosts="$work/here.txt" -- "$mpiexec" -n 2
  grep -q '^ok    broadcast ' "$work/out" || fail "gbcast-doctor: $(cat "$work/out")"
  for page in "$source"/docs/man/*.[1-8]; do
    installed=$prefix/share/man/man${page##*.}/$(basename "$page")
    [ -s "$installed" ] || [ -s "$installed.gz" ] || fail "$prefix: no manual page $page"
  done
  expect 0 "documents in $prefix" python3 "$source/tests/install/documents.py" "$prefix"
  [ ! -s "$work/out" ] || grep -q '^[0-9]* documents$' "$work/out" || cat "$work/out"
  if command -v man >/dev/null; then
    expect 0 'man' man -M "$prefix/share/man" -w 1 gbcast-plan
  fi
  for library in gbcast gbcast-plan gbcast-pmpi; do
    grep -q "SONAME.*\[lib$library.so.0\]" <(readelf -d "$prefix/lib/lib$library.so") || fail "lib$library: no SONAME"
  done
  for library in gbcast gbcast-plan; do
    nm -D --defined-only "$prefix/lib/lib$library.so" | sed 's/.* //' >"$work/symbols"
    grep -q '^gbcast_platform_read@@GBCAST_0$' "$work/symbols" || fail "lib$library: gbcast_platform_read() has no version"
    ! grep -Ev '^gbcast(_[a-z_]*@@GBCAST_0|@@GBCAST_0)$|^GBCAST_0$' "$work/symbols" || fail "lib$library: other symbols"
  done
}

# flags PREFIX ARGUMENT...: of pkg-config
flags() {
  PKG_CONFIG_PATH=$1/lib/pkgconfig pkg-config "${@:2}"
}

# by_pkg_config PREFIX: programs in C and C++, by mpicc and by compilers that know nothing of MPI
by_pkg_config() {
  local prefix=$1 program=$source/tests/install/consumer plain strict='-Wall -Wextra -Wpedantic -Werror'
  says 'pkg-config' "$version" env PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --modversion gbcast
  plain="$strict -Wl,-rpath,$prefix/lib"
  # shellcheck disable=SC2046,SC2086
  {
    expect 0 'mpicc' "$mpicc" $plain "$program/broadcast.c" -o "$work/mpicc" $(flags "$prefix" --cflags --libs gbcast)
    expect 0 'cc' cc $plain "$program/broadcast.c" -o "$work/cc" $(flags "$prefix" --cflags --libs gbcast)
    expect 0 'C++' "$cxx" $plain -DMPICH_SKIP_MPICXX -DOMPI_SKIP_MPICXX -x c++ "$program/broadcast.c" \
      -o "$work/c++" $(flags "$prefix" --cflags --libs gbcast)
    expect 0 'cc, planner' cc $plain "$program/plan.c" -o "$work/cc-plan" $(flags "$prefix" --cflags --libs gbcast-plan)
    expect 0 'C++, planner' "$cxx" $plain -x c++ "$program/plan.c" -o "$work/c++-plan" \
      $(flags "$prefix" --cflags --libs gbcast-plan)
    expect 0 'cc, static planner' cc $strict "$program/plan.c" -o "$work/static-plan" $(flags "$prefix" --cflags gbcast-plan) \
      -Wl,-Bstatic $(flags "$prefix" --static --libs gbcast-plan) -Wl,-Bdynamic
  }
  for program in mpicc cc c++; do
    says "$program" "gbcast $version: right" "$mpiexec" -n 2 "$work/$program"
  done
  for program in cc-plan c++-plan static-plan; do
    says "$program" "$hash" "$work/$program" "$sites"
  done
}

# by_loader PREFIX: the three ways to find the library that the documents tell, with the installed examples
by_loader() {
  local prefix=$1 examples=$1/share/doc/gbcast/examples example found
  # shellcheck disable=SC2046
  for example in demo kmeans overlap; do
    expect 0 "$example" "$mpicc" "$examples/$example.c" -o "$work/$example" $(flags "$prefix" --cflags --libs gbcast)
    found=$(ldd "$work/$example" | grep 'libgbcast.so.0 => ' || true)
    [[ $found = *'not found' ]] || fail "$example: the loader finds the library unasked: $found"
    expect 0 "$example, -rpath" "$mpicc" "$examples/$example.c" -o "$work/$example-rpath" \
      $(flags "$prefix" --cflags --libs gbcast) -Wl,-rpath,"$prefix/lib"
  done
  local few=(100 10 2)
  expect 0 '-rpath' timeout 100 "$mpiexec" -n 2 "$work/kmeans-rpath" "${few[@]}"
  expect 0 'LD_LIBRARY_PATH' env LD_LIBRARY_PATH="$prefix/lib" timeout 100 "$mpiexec" -n 2 "$work/kmeans" "${few[@]}"
  expect 0 'kmeans-mpi' "$mpicc" -DKMEANS_MPI "$examples/kmeans.c" -o "$work/kmeans-mpi"
  expect 0 'LD_PRELOAD' env LD_PRELOAD="$prefix/lib/libgbcast-pmpi.so" GBCAST_HOSTS="$examples/three-sites.txt" GBCAST_MAP=order \
    GBCAST_VERBOSE=1 timeout 100 "$mpiexec" -n 2 "$work/kmeans-mpi" "${few[@]}"
  grep -q '^gbcast: rank 0 made [0-9]* collective call' "$work/err" || fail "LD_PRELOAD: $(cat "$work/err")"
  expect 0 'gbcast-bench' timeout 100 "$mpiexec" -n 2 "$prefix/bin/gbcast-bench" real -o bcast --max=4 --rounds=3 --seconds=0
}

# by_fortran PREFIX: the program of README.md, and the same with the module mpi_f08
by_fortran() {
  local prefix=$1 mpifort=${mpicc/%mpicc*/mpifort${mpicc##*mpicc}} module
  if ! command -v "$mpifort" >/dev/null; then
    echo "no $mpifort: Fortran is left out"
    return
  fi
  sed -n '/^```fortran$/,/^```$/p' "$prefix/share/doc/gbcast/README.md" | sed '/^```/d' >"$work/mpi.f90"
  sed -e 's/use mpi$/use mpi_f08/' -e 's/MPI_DOUBLE_PRECISION\|MPI_COMM_WORLD/&%MPI_VAL/g' "$work/mpi.f90" >"$work/mpi_f08.f90"
  grep -q 'MPI_COMM_WORLD%MPI_VAL' "$work/mpi_f08.f90" || fail 'README.md has no program in Fortran'
  for module in mpi mpi_f08; do
    # shellcheck disable=SC2046
    expect 0 "Fortran, $module" "$mpifort" -J "$work" "$prefix/include/gbcast/gbcast.f90" "$work/$module.f90" -o "$work/$module" \
      $(flags "$prefix" --libs gbcast) -Wl,-rpath,"$prefix/lib"
    expect 0 "Fortran, $module, run" timeout 100 "$mpiexec" -n 2 "$work/$module"
  done
}

# by_cmake PREFIX
by_cmake() {
  local program other
  expect 0 'find_package' cmake -G Ninja -S "$source/tests/install/consumer" -B "$work/consumer" \
    -DCMAKE_PREFIX_PATH="$1" -DMPI_C_COMPILER="$mpicc"
  expect 0 'a CMake project' cmake --build "$work/consumer"
  expect 0 'cmake --install of it' cmake --install "$work/consumer" --prefix "$work/consumer/installed"
  for program in broadcast broadcast-static installed/bin/broadcast; do
    says "$program" "gbcast $version: right" "$mpiexec" -n 2 "$work/consumer/$program"
  done
  for program in plan plan-static; do
    says "$program" "$hash" "$work/consumer/$program" "$sites"
  done
  expect 0 'find_package of the planner' cmake -G Ninja -S "$source/tests/install/consumer" -B "$work/planner" \
    -DCMAKE_PREFIX_PATH="$1" -DPLAN_ONLY=ON
  for other in mpicc.mpich mpicc.openmpi; do # one program cannot hold two MPI libraries
    if command -v $other >/dev/null && [ "$(readlink -f "$(command -v $other)")" != "$(readlink -f "$mpicc")" ]; then
      expect 1 "find_package with $other" cmake -G Ninja -S "$source/tests/install/consumer" -B "$work/other" \
        -DCMAKE_PREFIX_PATH="$1" -DMPI_C_COMPILER=$other
      grep -q 'this gbcast was built with lib.*, but MPI here is lib' <(tr -s ' \n' ' ' <"$work/err") ||
        fail "find_package with $other: $(cat "$work/err")"
    fi
  done
  ! grep -q '^MPI_' "$work/planner/CMakeCache.txt" || fail 'the planner alone looks for MPI'
}

# Some folders are there before, and a file of somebody else's.
mkdir -p "$work/first/share/man" "$work/first/lib"
touch "$work/first/lib/other.so"
expect 0 'cmake --install' cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/moved"
tree "$work/moved"
by_cmake "$work/moved"
by_pkg_config "$work/moved"
by_fortran "$work/moved"
by_loader "$work/moved"
mv "$work/moved" "$work/first"

# Packages: the archive in one folder, and Debian's.
expect 0 'cpack' cpack --config "$build/CPackConfig.cmake" -B "$work/packages"
mkdir "$work/archive" "$work/debian"
tar -xzf "$work"/packages/gbcast-*.tar.gz -C "$work/archive"
archive=$(echo "$work"/archive/*)
[ -d "$archive" ] || fail "the archive has not one folder: $archive"
tree "$archive"
dpkg-deb -x "$work"/packages/gbcast_*.deb "$work/debian"
dpkg-deb -f "$work"/packages/gbcast_*.deb Depends >"$work/depends"
grep -qE 'lib(mpich|openmpi)' "$work/depends" || fail "the package does not depend on MPI: $(cat "$work/depends")"
[ -s "$work/debian/usr/share/doc/gbcast/copyright" ] || fail 'the package has no copyright'
tree "$work/debian/usr"
by_pkg_config "$work/debian/usr"

expect 0 'uninstall' cmake --build "$build" --target uninstall
(cd "$work/first" && find . | sort) >"$work/left"
[ "$(paste -sd' ' "$work/left")" = '. ./lib ./lib/other.so ./share ./share/man' ] || fail "left: $(cat "$work/left")"
expect 1 'uninstall again' cmake --build "$build" --target uninstall
grep -q 'is uninstalled already' "$work/out" "$work/err" || fail "uninstall again: $(cat "$work/out" "$work/err")"
finish 'an installation'
