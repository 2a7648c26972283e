# What `cmake --install` installs, all in one place. Manual pages, documents and completions are whatever is there.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/gbcast-mpi-library.cmake)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/gbcast)
set(pkgconfig ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/gbcast)
set(completions ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
set(documents ${CMAKE_INSTALL_DOCDIR})

# The target uninstall removes these folders again if they were not there before: noted first of all.
set(GBCAST_INSTALL_DIRECTORIES ${CMAKE_INSTALL_BINDIR} ${package} ${pkgconfig} ${headers} ${completions}
  ${CMAKE_INSTALL_LIBEXECDIR}/gbcast
  ${documents}/docs/performance ${documents}/docs/pictures ${documents}/examples)
foreach(section 1 3 5 7)
  list(APPEND GBCAST_INSTALL_DIRECTORIES ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
configure_file(cmake/note_directories.cmake.in ${PROJECT_BINARY_DIR}/note_directories.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/note_directories.cmake)

# The planner needs no MPI: it is an export of its own, so that its users need none either.
set_target_properties(gbcast_plan PROPERTIES EXPORT_NAME plan)
set_target_properties(gbcast_plan_static PROPERTIES EXPORT_NAME plan_static)
install(TARGETS gbcast_plan gbcast_plan_static EXPORT gbcast-plan-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS gbcast gbcast_static EXPORT gbcast-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(tools gbcast-plan gbcast-probe gbcast-bench gbcast-doctor gbcast-import gbcast-cp)
if(GBCAST_NWS)
  list(APPEND tools gbcast-nws)
endif()
install(TARGETS gbcast_pmpi ${tools})
install(TARGETS gbcast-doctor-job DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/gbcast)
# An MPI library outside the system's folders is found where it was.
set_property(TARGET gbcast gbcast_pmpi gbcast-probe gbcast-bench gbcast-cp gbcast-doctor-job PROPERTY INSTALL_RPATH_USE_LINK_PATH ON)

foreach(part gbcast-plan gbcast)
  install(EXPORT ${part}-targets NAMESPACE gbcast:: DESTINATION ${package})
endforeach()
gbcast_mpi_library(GBCAST_MPI_LIBRARY)
configure_package_config_file(cmake/gbcast-config.cmake.in ${PROJECT_BINARY_DIR}/gbcast-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gbcast-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gbcast-config.cmake ${PROJECT_BINARY_DIR}/gbcast-config-version.cmake
  cmake/gbcast-mpi-library.cmake DESTINATION ${package})

# pkg-config: folders are told from where the file itself is. What gbcast.h and its users need of MPI comes along, so that
# any compiler will do, not only mpicc.
file(RELATIVE_PATH GBCAST_PC_INCLUDEDIR ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
set(GBCAST_PC_MPI_CFLAGS)
foreach(folder IN LISTS MPI_C_INCLUDE_DIRS)
  string(APPEND GBCAST_PC_MPI_CFLAGS " -I${folder}")
endforeach()
set(GBCAST_PC_MPI_LIBS)
foreach(library IN LISTS MPI_C_LIBRARIES)
  cmake_path(GET library PARENT_PATH folder)
  cmake_path(GET library STEM name)
  string(REGEX REPLACE "^lib" "" name ${name})
  string(APPEND GBCAST_PC_MPI_LIBS " -L${folder} -l${name}")
endforeach()
foreach(part gbcast-plan gbcast)
  configure_file(cmake/${part}.pc.in ${PROJECT_BINARY_DIR}/${part}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${part}.pc DESTINATION ${pkgconfig})
endforeach()

file(GLOB files CONFIGURE_DEPENDS include/gbcast/*.h include/gbcast/*.f90)
install(FILES ${files} DESTINATION ${headers})
foreach(section 1 3 5 7)
  file(GLOB files CONFIGURE_DEPENDS docs/man/*.${section})
  if(NOT GBCAST_NWS)
    list(FILTER files EXCLUDE REGEX gbcast-nws)
  endif()
  install(FILES ${files} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()

install(FILES CHANGELOG.md CONTRIBUTING.md LICENSE README.md DESTINATION ${documents})
file(GLOB files CONFIGURE_DEPENDS docs/*.md)
install(FILES ${files} DESTINATION ${documents}/docs)
install(DIRECTORY docs/performance docs/pictures DESTINATION ${documents}/docs)
file(GLOB files CONFIGURE_DEPENDS examples/*.c examples/*.txt examples/*.xml)
list(FILTER files EXCLUDE REGEX CMakeLists)
install(FILES ${files} examples/hostfile DESTINATION ${documents}/examples)

# bash looks for a file with the name of the command.
file(GLOB file CONFIGURE_DEPENDS tools/completion/gbcast.bash)
if(file)
  foreach(tool ${tools})
    install(FILES ${file} DESTINATION ${completions} RENAME ${tool})
  endforeach()
endif()

install(SCRIPT cmake/note_files.cmake)
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR} COMMENT "Removing what was installed" USES_TERMINAL VERBATIM)
