# What `cmake --install` writes: tools with their manuals and completion, what editors read, libgnnrt (shared and static) with its headers, the
# standard library of layers, the Python package, and how CMake and pkg-config find them. A build without the compiler installs the runtime alone,
# and its tools.
#
# Components: runtime, development, tools, python; linked_tools, the programs that use the LLVM of this machine, in whose place others are packed
# (GnncPackage.cmake); and mpi, a package of its own, as it is of one MPI.

include(CMakePackageConfigHelpers)

set(gnnc_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gnnc)

# gnnc_set_rpath(RPATH targets...): where installed targets find libraries. They are linked with it at once, as the build tree has the layout of an
# installation. Otherwise CMake rewrites the RPATH when it installs, and makes room for that by colons: empty elements, for which the dynamic linker
# searches the current directory.
function(gnnc_set_rpath rpath)
  set_target_properties(${ARGN} PROPERTIES INSTALL_RPATH "${rpath}" BUILD_WITH_INSTALL_RPATH ON)
endfunction()

set_target_properties(gnnrt PROPERTIES EXPORT_NAME runtime)
gnnc_set_rpath("$ORIGIN" gnnrt)
set_target_properties(gnnrt_static PROPERTIES EXPORT_NAME runtime_static)
install(TARGETS gnnrt gnnrt_static gnnrt_headers EXPORT gnnc
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/gnn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT gnnc NAMESPACE gnnc:: FILE gnncTargets.cmake DESTINATION ${gnnc_package_dir} COMPONENT development)

if(TARGET gnnrt-mpi)
  gnnc_set_rpath("" gnnrt-mpi)
  set_target_properties(gnnrt-mpi PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS gnnrt-mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT mpi)
endif()

# Targets of the tools are a file of their own: whoever has the runtime's package need not have them.
foreach(tool IN ITEMS gnnc gnn-train gnn-data gnn-interp)
  if(NOT TARGET ${tool})
    continue()
  endif()
  set(component tools)
  if(TARGET ${tool}-packaged) # which is packed in its place
    set(component linked_tools)
  endif()
  install(TARGETS ${tool} EXPORT gnncTools RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component})
  gnnc_set_rpath("$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" ${tool})
  set_target_properties(${tool} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  foreach(page IN ITEMS man=man/man1/${tool}.1 bash=bash-completion/completions/${tool}
      zsh=zsh/vendor-completions/_${tool} fish=fish/vendor_completions.d/${tool}.fish)
    string(REGEX MATCH "([a-z]+)=(.*)/(.*)" matched ${page})
    set(written ${PROJECT_BINARY_DIR}/pages/${CMAKE_MATCH_1}/${CMAKE_MATCH_3})
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/pages/${CMAKE_MATCH_1})
    add_custom_command(OUTPUT ${written} COMMAND ${tool} --write-page ${CMAKE_MATCH_1} > ${written} DEPENDS ${tool} VERBATIM)
    install(FILES ${written} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/${CMAKE_MATCH_2} COMPONENT tools)
    list(APPEND gnnc_pages ${written})
  endforeach()
endforeach()
add_custom_target(gnnc-pages ALL DEPENDS ${gnnc_pages})
install(EXPORT gnncTools NAMESPACE gnnc:: FILE gnncToolsTargets.cmake DESTINATION ${gnnc_package_dir} COMPONENT tools)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/package/gnncConfig.cmake.in ${PROJECT_BINARY_DIR}/package/gnncConfig.cmake
  INSTALL_DESTINATION ${gnnc_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/gnncConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/gnncConfig.cmake ${PROJECT_BINARY_DIR}/package/gnncConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/package/GnncAddModel.cmake DESTINATION ${gnnc_package_dir} COMPONENT development)

file(RELATIVE_PATH gnnc_prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/package/gnnc.pc.in ${PROJECT_BINARY_DIR}/package/gnnc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/gnnc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# What editors read, and models and data to begin with.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/editors ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/gnnc COMPONENT tools)

# The standard library of layers; the build tree has it at the same place relative to the tools.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/stdlib DESTINATION ${CMAKE_INSTALL_DATADIR}/gnnc COMPONENT tools)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/gnnc)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/stdlib ${PROJECT_BINARY_DIR}/share/gnnc/stdlib SYMBOLIC)

# The Python package, where Debian's Python looks. It finds the programs by PATH.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/gnnc DESTINATION lib/python3/dist-packages COMPONENT python
  FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
