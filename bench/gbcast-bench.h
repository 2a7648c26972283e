/* The commands of gbcast-bench, called between MPI_Init() and MPI_Finalize(). Each returns the exit status.
 */
#ifndef GB_BENCH_GBCAST_BENCH_H
#define GB_BENCH_GBCAST_BENCH_H

int bench_real(int argc, char **argv); /* argv[0]: its name in messages */
int bench_edges(int argc, char **argv);

#endif
