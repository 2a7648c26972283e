! The Fortran module in a program of another MPI library than the one that it was built for.
program foreign
  use mpi
  use gbcast_mpi
  implicit none
  integer :: ierror, rank, size, root, i, bad
  integer :: numbers(10000), all(10000), part(100)

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  bad = gbcast_setup(MPI_COMM_WORLD, 'hosts.txt', MPI_INFO_NULL)
  do root = 0, size - 1
    numbers = -1
    if (rank == root) numbers = [(i + root, i = 1, 10000)]
    bad = bad + gbcast_bcast(numbers, 10000_MPI_COUNT_KIND, MPI_INTEGER, root, MPI_COMM_WORLD)
    if (any(numbers /= [(i + root, i = 1, 10000)])) bad = bad + 1
    if (rank == root) numbers = -numbers
    bad = bad + gbcast(numbers, 40000_8, root, MPI_COMM_WORLD)
    if (any(numbers /= [(-i - root, i = 1, 10000)])) bad = bad + 1
  end do
  all = [(i, i = 1, 10000)]
  bad = bad + gbcast_scatter(all, 100_MPI_COUNT_KIND, MPI_INTEGER, part, 100_MPI_COUNT_KIND, MPI_INTEGER, 0, MPI_COMM_WORLD)
  if (any(part /= [(100 * rank + i, i = 1, 100)])) bad = bad + 1
  if (bad /= 0) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  call MPI_Finalize(ierror)
end program foreign
