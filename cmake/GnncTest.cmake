# How tests join `ctest`; labels are unit, lit, exec and fuzz (docs/dev/testing.md).
#
#   gnnc_add_unit_test(NAME sources... [LINK_LIBS libs...] [PRECOMPILED headers] [COST seconds])   a Catch2 program; each of its cases is one
#                      ctest entry, label `unit`. PRECOMPILED are those that its files begin with (GnncPrecompile.cmake), gnnc_test_headers
#                      without. COST: about what its longest cases take, as ctest starts those first.
#
# Cases are discovered when ctest runs, so that a program that cannot start fails a test and not the build.

find_package(Catch2 2.13 REQUIRED)
include(Catch)
add_custom_target(gnnc-unit-tests)
gnnc_add_precompiled(gnnc_test_headers
  <catch2/catch.hpp> <algorithm> <filesystem> <fstream> <functional> <map> <memory> <numeric> <optional> <random> <string> <thread> <vector>
  LINK_LIBS Catch2::Catch2)

function(gnnc_add_unit_test name)
  cmake_parse_arguments(ARG "" "PRECOMPILED;COST" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  if(NOT ARG_COST)
    set(ARG_COST 1)
  endif()
  if(NOT ARG_PRECOMPILED)
    set(ARG_PRECOMPILED gnnc_test_headers)
  endif()
  gnnc_precompile(${name} ${ARG_PRECOMPILED})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} Catch2::Catch2WithMain gnnc_options)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/bin)
  add_dependencies(gnnc-unit-tests ${name})
  catch_discover_tests(${name} TEST_PREFIX "${name}: " DISCOVERY_MODE PRE_TEST PROPERTIES LABELS unit TIMEOUT 300 COST ${ARG_COST})
endfunction()

set(gnnc_default_shared_data "")
if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/../shared/data)
  get_filename_component(gnnc_default_shared_data ${PROJECT_SOURCE_DIR}/../shared/data REALPATH)
endif()
set(GNNC_SHARED_DATA "${gnnc_default_shared_data}" CACHE PATH "Folder of real graphs and reference results; tests that need it skip without")
