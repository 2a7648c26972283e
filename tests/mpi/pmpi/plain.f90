! A program that has never heard of gbcast, in Fortran; takes and says what plain.c does. Built three times: MPI through
! mpif.h, the module mpi and the module mpi_f08, which differ in the types of their handles only.
program plain
#if defined(USE_F08)
  use mpi_f08
#define COMM type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#else
#if defined(USE_MODULE)
  use mpi
#endif
#define COMM integer
#define DATATYPE integer
#endif
  implicit none
#if !defined(USE_F08) && !defined(USE_MODULE)
  include 'mpif.h'
#endif
  integer, parameter :: block = 1000, most = 8
  integer :: rank, ranks, half_ranks, root, calls, ierror, i
  integer(kind=MPI_ADDRESS_KIND) :: address(1)
  integer, volatile :: in(most * block) ! MPI_BOTTOM reaches it by its address
  integer :: out(most * block), counts(most), places(most)
  double precision :: field(20, 30)
  DATATYPE :: column, there
  COMM :: half
  character(len=1000) :: folder, path

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call get_command_argument(1, folder)
  write (path, '(a, "/", i0)') trim(folder), rank
  open (unit=10, file=path, access='stream', form='unformatted', status='replace')
  calls = 0
  out = [(mod(i * 7919 + rank * 104729, 1000003), i = 1, size(out))]

  call all_on(MPI_COMM_WORLD, ranks)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, ierror)
  call MPI_Comm_size(half, half_ranks, ierror)
  if (ranks == 1 .or. half_ranks > 1) call all_on(half, half_ranks)

  ! a row of a matrix: columns lie together
  call MPI_Type_vector(30, 1, 20, MPI_DOUBLE_PRECISION, column, ierror)
  call MPI_Type_commit(column, ierror)
  field = rank
  if (rank == 0) field(1, :) = [(i * 0.5d0, i = 1, 30)]
  call MPI_Bcast(field, 1, column, 0, MPI_COMM_WORLD, ierror)
  calls = calls + 1
  write (10) ierror, field
  call MPI_Type_free(column, ierror)

  ! absolute addresses
  call MPI_Get_address(in, address(1), ierror)
  call MPI_Type_create_hindexed(1, [block], address, MPI_INTEGER, there, ierror)
  call MPI_Type_commit(there, ierror)
  if (rank == 0) in(1:block) = out(1:block)
  call MPI_Bcast(MPI_BOTTOM, 1, there, 0, MPI_COMM_WORLD, ierror)
  call record()
  call MPI_Type_free(there, ierror)

  close (10)
  if (rank == 0 .and. ranks > 1) print '(i0, " ", i0)', calls, 0
  if (rank == 0 .and. ranks == 1) print '(i0, " ", i0)', 0, calls
  call MPI_Comm_free(half, ierror)
  call MPI_Finalize(ierror)

contains

  subroutine record()
    calls = calls + 1
    write (10) ierror, in
    in = -1
  end subroutine

  subroutine all_on(comm, n)
    COMM, intent(in) :: comm
    integer, intent(in) :: n
    integer :: me
    call MPI_Comm_rank(comm, me, ierror)
    in = -1
    do root = 0, n - 1
      if (me == root) in(1:block) = out(1:block)
      call MPI_Bcast(in, block, MPI_INTEGER, root, comm, ierror)
      call record()
      call MPI_Scatter(out, block, MPI_INTEGER, in, block, MPI_INTEGER, root, comm, ierror)
      call record()
      if (me == root) then
        call MPI_Scatter(out, block, MPI_INTEGER, MPI_IN_PLACE, block, MPI_INTEGER, root, comm, ierror)
      else
        call MPI_Scatter(out, block, MPI_INTEGER, in, block, MPI_INTEGER, root, comm, ierror)
      end if
      call record()
      do i = 1, n
        counts(i) = 100 * i
        places(i) = 500 * (n - i)
      end do
      call MPI_Scatterv(out, counts, places, MPI_INTEGER, in, counts(me + 1), MPI_INTEGER, root, comm, ierror)
      call record()
      call MPI_Gather(out, block, MPI_INTEGER, in, block, MPI_INTEGER, root, comm, ierror)
      call record()
      call MPI_Gatherv(out, counts(me + 1), MPI_INTEGER, in, counts, places, MPI_INTEGER, root, comm, ierror)
      call record()
    end do
    call MPI_Barrier(comm, ierror)
    call record()
    call MPI_Allgather(out, block, MPI_INTEGER, in, block, MPI_INTEGER, comm, ierror)
    call record()
    call MPI_Allgatherv(out, counts(me + 1), MPI_INTEGER, in, counts, places, MPI_INTEGER, comm, ierror)
    call record()
    call MPI_Alltoall(out, block, MPI_INTEGER, in, block, MPI_INTEGER, comm, ierror)
    call record()
    counts = 50 ! to all ranks, and from all
    call MPI_Alltoallv(out, counts, places, MPI_INTEGER, in, counts, places, MPI_INTEGER, comm, ierror)
    call record()
    call MPI_Reduce_scatter_block(out, in, 50, MPI_INTEGER, MPI_SUM, comm, ierror)
    call record()
    call MPI_Reduce(out, in, block, MPI_INTEGER, MPI_SUM, n - 1, comm, ierror)
    call record()
    call MPI_Allreduce(out, in, 2 * block, MPI_INTEGER, MPI_MAX, comm, ierror)
    call record()
    in = out
    call MPI_Allreduce(MPI_IN_PLACE, in, block, MPI_INTEGER, MPI_MIN, comm, ierror)
    call record()
    in = out
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, block, MPI_INTEGER, comm, ierror)
    call record()
  end subroutine

end program
