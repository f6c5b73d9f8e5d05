# The site: `cmake --build build/release --target site` writes build/release/site/html, all of the documentation as pages that can be searched
# without a server and without a network. Needs Sphinx, Furo, MyST, Breathe and Doxygen (scripts/install-deps --site); where they are, there is
# a package gnnc-doc, too.

find_program(GNNC_SPHINX_BUILD sphinx-build)
find_program(GNNC_DOXYGEN doxygen)
mark_as_advanced(GNNC_SPHINX_BUILD GNNC_DOXYGEN)
set(GNNC_HAS_SITE OFF)
if(GNNC_SPHINX_BUILD AND GNNC_DOXYGEN AND TARGET gnnc)
  set(GNNC_HAS_SITE ON)
endif()

set(site ${PROJECT_BINARY_DIR}/site)
if(NOT GNNC_HAS_SITE)
  add_custom_target(site
    COMMAND ${CMAKE_COMMAND} -E echo "the site needs Sphinx and Doxygen: scripts/install-deps --site, then configure anew"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()

# The same sources give the same bytes: no dates, and no order of hashes.
set(reproducibly ${CMAKE_COMMAND} -E env SOURCE_DATE_EPOCH=0 PYTHONHASHSEED=0)
set(source ${PROJECT_SOURCE_DIR}/docs/site)
add_custom_target(site
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${site}
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/reference-pages ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${site}/reference
  COMMAND python3 ${source}/collect.py ${site}/reference ${site}/pages
  COMMAND ${CMAKE_COMMAND} -E make_directory ${site}/headers
  COMMAND ${CMAKE_COMMAND} -E env SOURCE=${PROJECT_SOURCE_DIR} OUT=${site}/headers ${GNNC_DOXYGEN} ${source}/Doxyfile
  COMMAND ${reproducibly} ${GNNC_SPHINX_BUILD} -q -W --keep-going -c ${source} -d ${site}/doctrees -D release=${PROJECT_VERSION}
    -D breathe_projects.gnnc=${site}/headers/xml ${site}/pages ${site}/html
  COMMAND ${CMAKE_COMMAND} -E rm -f ${site}/html/.buildinfo ${site}/html/objects.inv
  DEPENDS gnnc gnn-train gnn-data gnn-interp
  COMMENT "Writing ${site}/html" USES_TERMINAL VERBATIM)
install(DIRECTORY ${site}/html DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/gnnc-doc COMPONENT documentation EXCLUDE_FROM_ALL)
