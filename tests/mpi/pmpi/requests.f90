! Non-blocking collectives of a Fortran program that has never heard of gbcast. Built three times, as plain.f90.
program requests
#if defined(USE_F08)
  use mpi_f08
#define REQUEST type(MPI_Request)
#else
#if defined(USE_MODULE)
  use mpi
#endif
#define REQUEST integer
#endif
  implicit none
#if !defined(USE_F08) && !defined(USE_MODULE)
  include 'mpif.h'
#endif
  integer, parameter :: block = 1000, most = 8
  integer :: rank, ranks, root, ierror, i, wrong
  integer, asynchronous :: out(most * block), in(most * block, 4), counts(most), places(most)
  REQUEST :: all(5)

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  root = ranks - 1
  out = [(value(rank, i), i = 1, size(out))]
  in = -1
  if (rank == root) in(1:block, 1) = out(1:block)
  counts = [(100 * i, i = 1, most)]
  places = [(500 * (most - i), i = 1, most)]
  call MPI_Ibcast(in(:, 1), block, MPI_INTEGER, root, MPI_COMM_WORLD, all(1), ierror)
  call MPI_Iscatter(out, block, MPI_INTEGER, in(:, 2), block, MPI_INTEGER, root, MPI_COMM_WORLD, all(2), ierror)
  call MPI_Iscatterv(out, counts, places, MPI_INTEGER, in(:, 3), counts(rank + 1), MPI_INTEGER, root, MPI_COMM_WORLD, &
    all(3), ierror)
  call MPI_Ialltoall(out, block, MPI_INTEGER, in(:, 4), block, MPI_INTEGER, MPI_COMM_WORLD, all(4), ierror)
  call MPI_Ibarrier(MPI_COMM_WORLD, all(5), ierror)
  call MPI_Waitall(5, all, MPI_STATUSES_IGNORE, ierror)

  wrong = count(in(1:block, 1) /= [(value(root, i), i = 1, block)]) &
    + count(in(1:block, 2) /= [(value(root, rank * block + i), i = 1, block)]) &
    + count(in(1:counts(rank + 1), 3) /= [(value(root, places(rank + 1) + i), i = 1, counts(rank + 1))]) &
    + count(in(counts(rank + 1) + 1:, 3) /= -1)
  do i = 1, ranks * block
    if (in(i, 4) /= value((i - 1) / block, rank * block + mod(i - 1, block) + 1)) wrong = wrong + 1
  end do
  if (ierror /= MPI_SUCCESS .or. wrong > 0) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  call MPI_Finalize(ierror)

contains

  integer function value(from, place)
    integer, intent(in) :: from, place
    value = mod(place * 7919 + from * 104729, 1000003)
  end function

end program
