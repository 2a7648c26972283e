# Run between installing into CPack's folder and packing it: what Debian's policy asks of a package beyond what is installed.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
set(share ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
file(RENAME ${share}/doc/gbcast/LICENSE ${share}/doc/gbcast/copyright)
file(GLOB pages ${share}/man/man*/*)
execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
