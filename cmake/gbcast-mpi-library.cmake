# gbcast_mpi_library(OUT): file names of the MPI library that FindMPI found, with the number of its ABI, like libmpich.so.12 or
# libmpi.so.40. Empty where that cannot be told: the compiler knows by itself what to link, or the library is static.
function(gbcast_mpi_library out)
  set(names)
  foreach(library IN LISTS MPI_C_LIBRARIES)
    file(REAL_PATH ${library} file)
    if(file MATCHES "/(lib[^/]*mpi[^/]*\\.so\\.[0-9]+)[^/]*$")
      list(APPEND names ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(${out} ${names} PARENT_SCOPE)
endfunction()
