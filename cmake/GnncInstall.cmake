# What `cmake --install` writes: tools, what editors read, libgnnrt (shared and static) with its headers, the standard library of layers, and how CMake and pkg-config find them.
# A build without the compiler installs the runtime and the CMake package without gnnc::gnnc.

include(CMakePackageConfigHelpers)

set(gnnc_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gnnc)

set_target_properties(gnnrt PROPERTIES EXPORT_NAME runtime)
set_target_properties(gnnrt_static PROPERTIES EXPORT_NAME runtime_static)
install(TARGETS gnnrt gnnrt_static gnnrt_headers EXPORT gnnc
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/gnn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(tool IN ITEMS gnnc gnn-train gnn-data gnn-interp)
  if(TARGET ${tool})
    install(TARGETS ${tool} EXPORT gnnc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    set_target_properties(${tool} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
endforeach()
install(EXPORT gnnc NAMESPACE gnnc:: FILE gnncTargets.cmake DESTINATION ${gnnc_package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/package/gnncConfig.cmake.in ${PROJECT_BINARY_DIR}/package/gnncConfig.cmake
  INSTALL_DESTINATION ${gnnc_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/gnncConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/gnncConfig.cmake ${PROJECT_BINARY_DIR}/package/gnncConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/package/GnncAddModel.cmake DESTINATION ${gnnc_package_dir})

file(RELATIVE_PATH gnnc_prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/package/gnnc.pc.in ${PROJECT_BINARY_DIR}/package/gnnc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/gnnc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# What editors read.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/editors DESTINATION ${CMAKE_INSTALL_DATADIR}/gnnc)

# The standard library of layers; the build tree has it at the same place relative to the tools.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/stdlib DESTINATION ${CMAKE_INSTALL_DATADIR}/gnnc)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/gnnc)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/stdlib ${PROJECT_BINARY_DIR}/share/gnnc/stdlib SYMBOLIC)
