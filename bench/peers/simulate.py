"""Runs the benchmark program in SimGrid's simulator, and gbcast-plan for its prediction."""
import json
import subprocess

import platforms
import simgrid

# Up to this size [B] a call that is not timed comes first: some peers make communicators for their leaders in it.
# Larger messages are timed at their first call, gbcast's agreement on a plan included. So were the recorded peers.
WARM = 262144

SELECTORS = ["mpich", "ompi", "mvapich2", "impi"]
# What SimGrid 3.32 has of MPICH, Open MPI, MVAPICH2, Intel MPI and STAR-MPI, but for SMP_linear, which ends in an
# error, and pair_rma, which leaves wrong data.
PEERS = {
    "bcast": SELECTORS + """default arrival_pattern_aware arrival_pattern_aware_wait arrival_scatter binomial_tree
 flattree flattree_pipeline NTSB NTSL NTSL_Isend scatter_LR_allgather scatter_rdb_allgather SMP_binary SMP_binomial
 ompi_split_bintree ompi_pipeline mvapich2_inter_node mvapich2_intra_node
 mvapich2_knomial_intra_node""".split(),
    "scatter": SELECTORS + """default ompi_basic_linear ompi_binomial ompi_linear_nb mvapich2_two_level_binomial
 mvapich2_two_level_direct""".split(),
    "gather": SELECTORS + """default ompi_basic_linear ompi_binomial ompi_linear_sync mvapich2_two_level""".split(),
    "allgather": SELECTORS + """default 2dmesh 3dmesh bruck GB loosely_lr NTSLR NTSLR_NB pair rdb rhv ring SMP_NTS
 smp_simple spreading_simple ompi_neighborexchange mvapich2_smp""".split(),
    "alltoall": SELECTORS + """default 2dmesh 3dmesh basic_linear bruck mvapich2_scatter_dest pair pair_light_barrier
 pair_mpi_barrier pair_one_barrier rdb ring ring_light_barrier ring_mpi_barrier ring_one_barrier""".split(),
    "alltoallv": SELECTORS + """default bruck ompi_basic_linear pair pair_light_barrier pair_mpi_barrier
 pair_one_barrier ring ring_light_barrier ring_mpi_barrier ring_one_barrier""".split(),
    "reduce": SELECTORS + """default arrival_pattern_aware binomial flat_tree NTSL scatter_gather ompi_chain
 ompi_pipeline ompi_basic_linear ompi_in_order_binary ompi_binary ompi_binomial mvapich2_knomial
 mvapich2_two_level""".split(),
    "allreduce": SELECTORS + """default lr rab1 rab2 rab_rdb rdb smp_binomial smp_binomial_pipeline smp_rdb smp_rsag
 smp_rsag_lr smp_rsag_rab redbcast ompi_ring_segmented mvapich2_rs mvapich2_two_level rab""".split(),
    "reduce-scatter": SELECTORS + """default mpich_noncomm mpich_pair mpich_rdb ompi_basic_recursivehalving
 ompi_butterfly ompi_ring""".split(),
    "barrier": SELECTORS + """default ompi_basic_linear ompi_tree ompi_bruck ompi_recursivedoubling ompi_doublering
 mpich_smp mvapich2_pair""".split(),
}
# MPI's own collective, where gbcast leaves a call to it: MPICH's, not SimGrid's, which are all linear. For reduce-scatters of up to
# 512 KiB MPICH runs recursive halving, which SimGrid's selector "mpich" does not. An alltoallv is MPI_Alltoallw() there, which has no choice.
OWN = {"reduce": "mpich", "allreduce": "mpich", "allgather": "mpich", "barrier": "mpich",
       "reduce-scatter": "ompi_basic_recursivehalving"}
UNROOTED = ("allgather", "alltoallv", "allreduce", "reduce-scatter", "barrier")


class Folder(simgrid.Folder):
    def hosts(self, name):
        return self.file(name + ".hosts", platforms.hosts_file(platforms.PLATFORMS[name], name))


def write_all(folder, name, place):
    """The platform's files: (xml, hostfile, hosts file of gbcast, number of ranks)."""
    platform = platforms.PLATFORMS[name]
    order = [platforms.host(*h) for h in platforms.ranks(platform, place)]
    return (folder.file(name + ".xml", platforms.xml(platform)),
            folder.file(f"{name}.{place}.hostfile", "\n".join(order) + "\n"), folder.hosts(name), len(order))


def simulate(program, folder, name, place, operation, algorithm, roots, sizes, seconds=None, warm=WARM,
             sync=None, more=()):
    """{(root, size): (time, errors)} of one algorithm ("gbcast", or one of PEERS); stops after `seconds` of processor
    time with what there is by then. sync: how gbcast keeps an all-to-all's phases apart. more: settings of the simulator.
    The second value says what went wrong, or is empty."""
    xml, hostfile, hosts, ranks = write_all(folder, name, place)
    own = algorithm == "gbcast"
    theirs = operation.replace("-", "_")  # in SimGrid's settings
    settings = [*more, f"smpi/{theirs}:{algorithm}"]
    if own:  # MPI's own
        settings = [*more, *([f"smpi/{theirs}:{OWN[operation]}"] if operation in OWN else [])]
    environment = {"GBCAST_HOSTS": hosts} if own else {}
    if sync:
        environment["GBCAST_SYNC"] = sync
    return simgrid.run(program, folder, (xml, hostfile, ranks), "gbcast" if own else "mpi", operation, roots, sizes, warm,
                       settings, environment, seconds)


def plan(planner, folder, name, operation, size, *options):
    """gbcast-plan's plan; a barrier has no size."""
    sized = [] if operation == "barrier" else [f"--size={size}"]
    out = subprocess.run([planner, "--format=json", f"--operation={operation}", *sized, *options, folder.hosts(name)],
                         capture_output=True, text=True, check=True).stdout
    return json.loads(out)


def predict(planner, folder, name, operation, root, size):
    """What gbcast-plan predicts for a root (a host's name) and size: (seconds, hash of the plan). Nothing of an alltoallv,
    for whose lengths there is no plan."""
    if operation == "alltoallv":
        return None, None
    if operation in ("allgather", "reduce-scatter"):  # planned for the blocks of all ranks
        size *= len(platforms.ranks(platforms.PLATFORMS[name], "c"))
    made = plan(planner, folder, name, operation, size, *([f"--root={root}"] if operation not in UNROOTED else []))
    return made["predicted_seconds"], made["hash"]
