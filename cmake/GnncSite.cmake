# The site: `cmake --build build/release --target site` writes build/release/site/html (scripts/site). Where Sphinx and Doxygen are found, the
# site is in a package, gnnc-doc, too.

find_program(GNNC_SPHINX_BUILD sphinx-build)
find_program(GNNC_DOXYGEN doxygen)
mark_as_advanced(GNNC_SPHINX_BUILD GNNC_DOXYGEN)
set(GNNC_HAS_SITE OFF)
if(GNNC_SPHINX_BUILD AND GNNC_DOXYGEN AND TARGET gnnc)
  set(GNNC_HAS_SITE ON)
  add_custom_target(site COMMAND ${PROJECT_SOURCE_DIR}/scripts/site ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${PROJECT_BINARY_DIR}/site
    DEPENDS gnnc gnn-train gnn-data gnn-interp COMMENT "Writing ${PROJECT_BINARY_DIR}/site/html" USES_TERMINAL VERBATIM)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/site/html DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/gnnc-doc
    COMPONENT documentation EXCLUDE_FROM_ALL)
else()
  add_custom_target(site COMMAND ${CMAKE_COMMAND} -E echo "no Sphinx or no Doxygen: run scripts/install-deps --site, and configure again"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endif()
