"""The recipe of gbcast for Spack 1.0 or newer. The source is the branch main of the clone that this file is in:

spack repo add scripts/packaging/spack/spack_repo/gbcast && spack install gbcast ^mpich
"""

from pathlib import Path

from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

CLONE = Path(__file__).resolve().parents[7]


class Gbcast(CMakePackage):
    """Grid-aware MPI collectives: in jobs that span several clusters each byte crosses every slow link as few times as
    possible, in the best order and in segments of the right size."""

    git = CLONE.as_uri()

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("nws", default=True, description="Build gbcast-nws, which measures, stores and forecasts what links are like")

    generator("ninja")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("mpi@3:")
    depends_on("expat")
    depends_on("jansson")
    depends_on("libyaml")
    depends_on("xxhash")
    depends_on("zstd")
    depends_on("libevent", when="+nws")
    depends_on("iperf3", when="+nws")

    def cmake_args(self):
        # The tests of the source need Criterion, which Spack does not have.
        return [
            self.define("GBCAST_TESTS", False),
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define_from_variant("GBCAST_NWS", "nws"),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def plan(self):
        hosts = self.prefix.share.doc.gbcast.examples.join("three-sites.txt")
        Executable(self.prefix.bin.join("gbcast-plan"))(hosts)
