# Packages: `cmake --build --preset release --target packages` writes to build/release/packages/
#
#   gnnc_VERSION_amd64.deb libgnnrt0_VERSION_amd64.deb libgnnrt-dev_VERSION_amd64.deb   for Debian 12
#   libgnnrt-mpi_VERSION_amd64.deb   the same, for ranks of Debian's Open MPI
#   python3-gnnc_VERSION_all.deb   the Python package
#   gnnc-doc_VERSION_all.deb   the site, where it can be built (GnncSite.cmake)
#   gnnc-VERSION-x86_64.tar.xz   for other systems with glibc 2.36 and libstdc++ 12 or later: unpacked anywhere, with the other libraries
#
# LLVM is in the programs (gnnc_add_tool), so none of them needs packages of it. The target `wheel` writes what pip installs:
#
#   gnnc-VERSION-py3-none-manylinux_2_36_x86_64.whl   the Python package, the programs and their libraries (scripts/wheel)

set(packaged_tools gnnc-packaged gnn-interp-packaged)
install(TARGETS ${packaged_tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT packaged_tools EXCLUDE_FROM_ALL)
add_custom_target(packaged-parts DEPENDS ${packaged_tools} gnn-train gnn-data gnnrt gnnrt_static gnnc-pages)
if(TARGET gnnrt-mpi)
  add_dependencies(packaged-parts gnnrt-mpi)
  set(CPACK_GNNC_HAS_MPI ON) # for Generators.cmake
endif()
if(GNNC_HAS_SITE)
  add_dependencies(packaged-parts site)
  set(CPACK_GNNC_HAS_SITE ON)
endif()
add_custom_target(packages COMMAND ${CMAKE_CPACK_COMMAND} WORKING_DIRECTORY ${PROJECT_BINARY_DIR} DEPENDS packaged-parts USES_TERMINAL VERBATIM)

# The components `tools`, `runtime` and `bundled`, and the compiler.
install(TARGETS gnnc-packaged RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT wheel EXCLUDE_FROM_ALL)
add_custom_target(wheel
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/wheel ${PROJECT_BINARY_DIR} ${CMAKE_INSTALL_LIBDIR} ${PROJECT_VERSION} ${PROJECT_BINARY_DIR}/packages
  DEPENDS gnnc-packaged gnn-train gnn-data gnnrt gnnrt_static gnnc-pages USES_TERMINAL VERBATIM)

set(gnnc_doc_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc)
foreach(package IN ITEMS tools=gnnc runtime=libgnnrt0 development=libgnnrt-dev mpi=libgnnrt-mpi python=python3-gnnc documentation=gnnc-doc)
  string(REGEX MATCH "(.*)=(.*)" matched ${package})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${gnnc_doc_dir}/${CMAKE_MATCH_2} RENAME copyright COMPONENT ${CMAKE_MATCH_1})
endforeach()

# Licences of what is compiled or linked into ours, as Debian's packages state them.
function(install_licence package destination component)
  set(text /usr/share/doc/${package}/copyright)
  if(NOT EXISTS ${text})
    install(CODE "message(FATAL_ERROR \"${text} is missing: packages state the licences of what is in them, and are made on Debian\")"
      COMPONENT packaged_tools EXCLUDE_FROM_ALL)
    return()
  endif()
  install(FILES ${text} DESTINATION ${gnnc_doc_dir}/${destination}/licences RENAME ${package} COMPONENT ${component})
endfunction()
foreach(package IN ITEMS llvm-19-dev libcli11-dev nlohmann-json3-dev libxxhash-dev)
  install_licence(${package} gnnc tools)
endforeach()
foreach(package IN ITEMS nlohmann-json3-dev libxxhash-dev)
  install_licence(${package} libgnnrt0 runtime)
endforeach()
if(GNNC_HAS_SITE)
  foreach(package IN ITEMS sphinx-common furo libjs-jquery libjs-underscore node-normalize.css)
    install_licence(${package} gnnc-doc documentation)
  endforeach()
endif()
if(GNNRT_IO_URING_FOUND)
  install_licence(liburing-dev libgnnrt0 runtime)
endif()

# The archive brings libraries along, but not the C++ runtime, which a program has once. Those that they need in turn are found by the same path,
# which is why it is an RPATH and no RUNPATH.
gnnc_set_rpath("$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" ${packaged_tools})
foreach(target IN ITEMS gnnrt gnn-train gnn-data ${packaged_tools})
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
endforeach()
install(CODE "
  file(GET_RUNTIME_DEPENDENCIES LIBRARIES $<TARGET_FILE:gnnrt> EXECUTABLES $<TARGET_FILE:gnnc-packaged> $<TARGET_FILE:gnn-data>
    RESOLVED_DEPENDENCIES_VAR libraries POST_EXCLUDE_REGEXES \"/(ld-linux|libc\\\\.|libm\\\\.|libdl|libpthread|libgcc_s|libstdc|libgnnrt)\")
  foreach(library IN LISTS libraries)
    file(INSTALL \${library} DESTINATION \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR} FOLLOW_SYMLINK_CHAIN)
    file(REAL_PATH \${library} real)
    cmake_path(GET real FILENAME name)
    execute_process(COMMAND dpkg-query -S */\${name} OUTPUT_VARIABLE owner COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE \":.*\" \"\" owner \${owner})
    file(INSTALL /usr/share/doc/\${owner}/copyright DESTINATION \${CMAKE_INSTALL_PREFIX}/${gnnc_doc_dir}/gnnc/licences RENAME \${owner})
  endforeach()" COMPONENT bundled EXCLUDE_FROM_ALL)

set(CPACK_PACKAGE_NAME gnnc)
set(CPACK_PACKAGE_CONTACT "the authors of gnnc <none@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler for graph neural networks")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB TXZ)
set(CPACK_THREADS 0)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package/Generators.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}) # libgnnrt, of which no package is installed
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME gnnc)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS "libgnnrt0 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS libgnnrt-dev)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS "libgnnrt-mpi, libmetis5") # libmetis5 is opened for an order that is asked for
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libgnnrt0)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS libmetis5)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/package/triggers)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libgnnrt-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libgnnrt0 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libdnnl-dev, libtbb-dev, libzip-dev")
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_NAME gnnc-doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-gnnc)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "gnnc (>= ${PROJECT_VERSION}), python3 (>= 3.10)")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME libgnnrt-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "gnnc (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS openmpi-bin)

include(CPack)
cpack_add_component_group(programs DESCRIPTION "gnnc compiles models of graph neural networks to shared libraries; gnn-train trains them, gnn-data handles data sets.")
cpack_add_component(runtime DESCRIPTION "What a program that has such a model in it loads at run time.")
cpack_add_component(development DESCRIPTION "Headers, archive and CMake package for programs that have such a model in them.")
cpack_add_component(mpi DESCRIPTION "Ranks of gnn-train that mpirun starts send by this library over Open MPI.")
cpack_add_component(python DESCRIPTION "Compile, run and differentiate models in Python; modules for PyTorch.")
cpack_add_component(documentation DESCRIPTION "The manual of gnnc as pages for a browser: file:///usr/share/doc/gnnc-doc/html/index.html")
cpack_add_component(bundled)
cpack_add_component(tools GROUP programs)
cpack_add_component(packaged_tools GROUP programs)
