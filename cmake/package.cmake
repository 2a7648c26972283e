# The target package: an archive that runs from wherever it is unpacked and, on Debian, a package. Both hold what is
# installed, and are for the MPI library that this was built with.
set(CPACK_PACKAGE_VENDOR "The gbcast authors")
set(CPACK_PACKAGE_CONTACT "The gbcast authors <gbcast@localhost>" CACHE STRING "Maintainer of packages: Name <address>")
set(CPACK_PACKAGE_DESCRIPTION "Broadcast, scatter and all-to-all for MPI jobs that span several clusters: each byte
crosses every slow link as few times as possible, in the best order and in
segments of the right size. The package holds the libraries, the headers, a
library to preload for programs that do not know of gbcast, and the commands
gbcast-plan, gbcast-probe, gbcast-cp, gbcast-nws, gbcast-doctor and gbcast-import.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_RESOURCE_FILE_README ${PROJECT_SOURCE_DIR}/README.md)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)
set(CPACK_GENERATOR TGZ)

find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(DPKG_SHLIBDEPS)
if(DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
endif()

set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_IGNORE_FILES ${PROJECT_SOURCE_DIR}/build/ /\\.git/)
include(CPack)
