! The explicit calls from Fortran, on a grid of the file that is the argument.
program calls
  use mpi
  use gbcast_mpi
  implicit none
  integer, parameter :: block = 500, most = 8
  integer :: rank, ranks, root, info, ierror, i
  integer(MPI_COUNT_KIND) :: counts(most)
  integer(MPI_ADDRESS_KIND) :: places(most)
  integer :: in(block * most), out(block * most)
  double precision :: field(10, 10)
  character(len=1000) :: path

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call get_command_argument(1, path)
  call MPI_Info_create(info, ierror)
  call MPI_Info_set(info, 'gbcast_map', 'order', ierror)
  call must(gbcast_setup(MPI_COMM_WORLD, path, info) == MPI_SUCCESS, 'gbcast_setup')
  call MPI_Info_free(info, ierror)
  do root = 0, ranks - 1
    out = [(mod(i * 7919 + root, 1009), i = 1, size(out))]

    in = -1
    if (rank == root) in = out
    call must(gbcast_bcast(in, int(size(in), MPI_COUNT_KIND), MPI_INTEGER, root, MPI_COMM_WORLD) == MPI_SUCCESS, 'bcast')
    call must(all(in == out), 'what gbcast_bcast brought')

    field = -1
    if (rank == root) field = 0.25d0 * root
    call must(gbcast(field, 800_8, root, MPI_COMM_WORLD) == MPI_SUCCESS, 'gbcast')
    call must(all(field == 0.25d0 * root), 'what gbcast brought')

    in = -1
    call must(gbcast_scatter(out, 500_8, MPI_INTEGER, in, 500_8, MPI_INTEGER, root, MPI_COMM_WORLD) == MPI_SUCCESS, &
              'scatter')
    call must(all(in(:block) == out(rank * block + 1:(rank + 1) * block)) .and. all(in(block + 1:) == -1), &
              'what gbcast_scatter brought')

    counts = [(int(10 * i, MPI_COUNT_KIND), i = 1, most)]
    places = [(int(block * (most - i), MPI_ADDRESS_KIND), i = 1, most)]
    in = -1
    call must(gbcast_scatterv(out, counts, places, MPI_INTEGER, in, counts(rank + 1), MPI_INTEGER, root, &
                              MPI_COMM_WORLD) == MPI_SUCCESS, 'scatterv')
    i = int(places(rank + 1))
    call must(all(in(:10 * (rank + 1)) == out(i + 1:i + 10 * (rank + 1))) .and. in(10 * (rank + 1) + 1) == -1, &
              'what gbcast_scatterv brought')

    in = -1
    call must(gbcast_gather(out, 500_8, MPI_INTEGER, in, 500_8, MPI_INTEGER, root, MPI_COMM_WORLD) == MPI_SUCCESS, 'gather')
    call must(rank /= root .or. all(in(:block * ranks) == [(out(mod(i - 1, block) + 1), i = 1, block * ranks)]), &
              'what gbcast_gather brought')

    in = -1
    call must(gbcast_gatherv(out, counts(rank + 1), MPI_INTEGER, in, counts, places, MPI_INTEGER, root, &
                             MPI_COMM_WORLD) == MPI_SUCCESS, 'gatherv')
    i = int(places(ranks))
    call must(rank /= root .or. all(in(i + 1:i + 10 * ranks) == out(:10 * ranks)), 'what gbcast_gatherv brought')
  end do

  out = rank
  in = -1
  call must(gbcast_allgather(out, 500_8, MPI_INTEGER, in, 500_8, MPI_INTEGER, MPI_COMM_WORLD) == MPI_SUCCESS, 'allgather')
  call must(all(in(:block * ranks) == [((i - 1) / block, i = 1, block * ranks)]), 'what gbcast_allgather brought')
  in = -1
  call must(gbcast_allgatherv(out, counts(rank + 1), MPI_INTEGER, in, counts, places, MPI_INTEGER, MPI_COMM_WORLD) &
            == MPI_SUCCESS, 'allgatherv')
  i = int(places(ranks))
  call must(all(in(i + 1:i + 10 * ranks) == ranks - 1), 'what gbcast_allgatherv brought')

  out = [(((i - 1) / block) * 100 + rank, i = 1, size(out))]
  in = -1
  call must(gbcast_alltoall(out, 500_8, MPI_INTEGER, in, 500_8, MPI_INTEGER, MPI_COMM_WORLD) == MPI_SUCCESS, 'alltoall')
  call must(all(in(:block * ranks) == [(rank * 100 + (i - 1) / block, i = 1, block * ranks)]), &
            'what gbcast_alltoall brought')
  counts = 200
  in = -1
  call must(gbcast_alltoallv(out, counts, places, MPI_INTEGER, in, counts, places, MPI_INTEGER, MPI_COMM_WORLD) &
            == MPI_SUCCESS, 'alltoallv')
  i = int(places(ranks))
  call must(all(in(i + 1:i + 200) == out(int(places(rank + 1)) + 1) - rank + ranks - 1), 'what gbcast_alltoallv brought')
  in = -1
  out = rank
  call must(gbcast_allreduce(out, in, 500_8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS, 'allreduce')
  call must(all(in(:block) == ranks * (ranks - 1) / 2) .and. in(block + 1) == -1, 'what gbcast_allreduce brought')
  in = -1
  call must(gbcast_reduce(out, in, 500_8, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD) == MPI_SUCCESS, 'reduce')
  call must(rank /= 0 .or. all(in(:block) == ranks - 1), 'what gbcast_reduce brought')
  out = [(((i - 1) / block) * 100 + rank, i = 1, size(out))]
  in = -1
  call must(gbcast_reduce_scatter_block(out, in, 500_8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS, &
            'reduce_scatter_block')
  call must(all(in(:block) == ranks * (rank * 100) + ranks * (ranks - 1) / 2) .and. in(block + 1) == -1, &
            'what gbcast_reduce_scatter_block brought')
  call must(gbcast_barrier(MPI_COMM_WORLD) == MPI_SUCCESS, 'barrier')
  call must(gbcast_refresh(MPI_COMM_WORLD) == MPI_SUCCESS, 'refresh')

  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  call must(gbcast_bcast(in, 1_8, MPI_INTEGER, ranks, MPI_COMM_WORLD) == MPI_ERR_ROOT, 'the error of a wrong root')
  call MPI_Finalize(ierror)

contains

  subroutine must(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    print '("rank ", i0, ": ", a, " is wrong")', rank, what
    call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  end subroutine

end program
