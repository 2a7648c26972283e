! gbcast/gbcast.f90: the module gbcast_mpi, the blocking calls of gbcast/gbcast.h for Fortran. Compile it along with the program:
!
!   mpifort /opt/gbcast/include/gbcast/gbcast.f90 program.f90 $(pkg-config --libs gbcast) -Wl,-rpath,/opt/gbcast/lib
!
! Each is a function that returns the error class. Counts are of kind MPI_COUNT_KIND, displacements of kind MPI_ADDRESS_KIND, and the
! bytes of gbcast() of kind c_size_t; roots, communicators, types and operators are integers of kind c_int (of mpi_f08: their MPI_VAL).
! MPI_IN_PLACE and MPI_BOTTOM cannot be given: Fortran has variables for them that only the MPI library knows. The preloaded library
! takes them.
module gbcast_mpi
  use, intrinsic :: iso_c_binding, only: c_int, c_size_t, c_char, c_null_char
  use mpi, only: MPI_COUNT_KIND, MPI_ADDRESS_KIND
  implicit none
  private
  public :: gbcast, gbcast_bcast, gbcast_scatter, gbcast_scatterv, gbcast_gather, gbcast_gatherv
  public :: gbcast_allgather, gbcast_allgatherv, gbcast_alltoall, gbcast_alltoallv, gbcast_reduce, gbcast_allreduce
  public :: gbcast_reduce_scatter_block, gbcast_barrier
  public :: gbcast_setup, gbcast_refresh

  interface
    integer(c_int) function gbcast(buf, n, root, comm) bind(C, name='gbcast_f')
      import
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
      type(*) :: buf
      integer(c_size_t), value :: n
      integer(c_int), value :: root, comm
    end function

    integer(c_int) function gbcast_bcast(buf, count, datatype, root, comm) bind(C, name='gbcast_bcast_f')
      import
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
      type(*) :: buf
      integer(MPI_COUNT_KIND), value :: count
      integer(c_int), value :: datatype, root, comm
    end function

    integer(c_int) function gbcast_scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm) &
      bind(C, name='gbcast_scatter_f')
      import
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      type(*) :: sendbuf, recvbuf
      integer(MPI_COUNT_KIND), value :: sendcount, recvcount
      integer(c_int), value :: sendtype, recvtype, root, comm
    end function

    integer(c_int) function gbcast_scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, &
                                            comm) bind(C, name='gbcast_scatterv_f')
      import
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      type(*) :: sendbuf, recvbuf
      integer(MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(MPI_ADDRESS_KIND), intent(in) :: displs(*)
      integer(MPI_COUNT_KIND), value :: recvcount
      integer(c_int), value :: sendtype, recvtype, root, comm
    end function

    integer(c_int) function gbcast_gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm) &
      bind(C, name='gbcast_gather_f')
      import
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      type(*) :: sendbuf, recvbuf
      integer(MPI_COUNT_KIND), value :: sendcount, recvcount
      integer(c_int), value :: sendtype, recvtype, root, comm
    end function

    integer(c_int) function gbcast_gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm) &
      bind(C, name='gbcast_gatherv_f')
      import
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      type(*) :: sendbuf, recvbuf
      integer(MPI_COUNT_KIND), value :: sendcount
      integer(MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(MPI_ADDRESS_KIND), intent(in) :: displs(*)
      integer(c_int), value :: sendtype, recvtype, root, comm
    end function

    integer(c_int) function gbcast_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm) &
      bind(C, name='gbcast_allgather_f')
      import
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      type(*) :: sendbuf, recvbuf
      integer(MPI_COUNT_KIND), value :: sendcount, recvcount
      integer(c_int), value :: sendtype, recvtype, comm
    end function

    integer(c_int) function gbcast_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm) &
      bind(C, name='gbcast_allgatherv_f')
      import
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      type(*) :: sendbuf, recvbuf
      integer(MPI_COUNT_KIND), value :: sendcount
      integer(MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(MPI_ADDRESS_KIND), intent(in) :: displs(*)
      integer(c_int), value :: sendtype, recvtype, comm
    end function

    integer(c_int) function gbcast_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm) &
      bind(C, name='gbcast_alltoall_f')
      import
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      type(*) :: sendbuf, recvbuf
      integer(MPI_COUNT_KIND), value :: sendcount, recvcount
      integer(c_int), value :: sendtype, recvtype, comm
    end function

    integer(c_int) function gbcast_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, &
                                             comm) bind(C, name='gbcast_alltoallv_f')
      import
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      type(*) :: sendbuf, recvbuf
      integer(MPI_COUNT_KIND), intent(in) :: sendcounts(*), recvcounts(*)
      integer(MPI_ADDRESS_KIND), intent(in) :: sdispls(*), rdispls(*)
      integer(c_int), value :: sendtype, recvtype, comm
    end function

    integer(c_int) function gbcast_reduce(sendbuf, recvbuf, count, datatype, op, root, comm) bind(C, name='gbcast_reduce_f')
      import
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      type(*) :: sendbuf, recvbuf
      integer(MPI_COUNT_KIND), value :: count
      integer(c_int), value :: datatype, op, root, comm
    end function

    integer(c_int) function gbcast_allreduce(sendbuf, recvbuf, count, datatype, op, comm) bind(C, name='gbcast_allreduce_f')
      import
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      type(*) :: sendbuf, recvbuf
      integer(MPI_COUNT_KIND), value :: count
      integer(c_int), value :: datatype, op, comm
    end function

    integer(c_int) function gbcast_reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm) &
      bind(C, name='gbcast_reduce_scatter_block_f')
      import
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      type(*) :: sendbuf, recvbuf
      integer(MPI_COUNT_KIND), value :: recvcount
      integer(c_int), value :: datatype, op, comm
    end function

    integer(c_int) function gbcast_barrier(comm) bind(C, name='gbcast_barrier_f')
      import
      integer(c_int), value :: comm
    end function

    integer(c_int) function gbcast_refresh(comm) bind(C, name='gbcast_refresh_f')
      import
      integer(c_int), value :: comm
    end function

    integer(c_int) function setup(comm, hosts_path, info) bind(C, name='gbcast_setup_f')
      import
      integer(c_int), value :: comm, info
      character(kind=c_char), intent(in) :: hosts_path(*)
    end function
  end interface

contains

  integer(c_int) function gbcast_setup(comm, hosts_path, info)
    integer(c_int), intent(in) :: comm, info
    character(len=*), intent(in) :: hosts_path
    gbcast_setup = setup(comm, trim(hosts_path)//c_null_char, info)
  end function

end module gbcast_mpi
