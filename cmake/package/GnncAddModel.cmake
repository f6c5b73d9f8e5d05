# Compiles a model as part of the application's build.
#
#   gnnc_add_model(gcn models/gcn.gnn
#     [STATIC]                            an archive instead of a shared library
#     [DEFINES in=1433 classes=7 ...]     dimensions that are fixed (-D); others stay open and are bound when the library is loaded
#     [TARGETS x86-64-v3 sm_90 ...]       instruction sets and devices (--target)
#     [NAMESPACE name]                    of the headers, which are called so too; without it, that of the target
#     [TUNING models/gcn.tuning | none]   schedules (--tuning); without it, the .tuning file beside the source, if there is one
#     [REAL f32|f64]
#     [OPTIONS ...])                      anything else that gnnc takes
#
# defines the imported library `gcn`: link it, and `#include "gcn.h"` (C) or `"gcn.hpp"` (C++). It is a shared library, which comes
# with gnnc::runtime, or with STATIC an archive, which comes with gnnc::runtime_static. A program may link any number of models.
# The model is compiled again when the source, a file that the source imports, or gnnc changes. The files are in the target's
# property GNNC_DIRECTORY: gcn.so (libgcn.a), gcn.h, gcn.hpp, gcn.json.

function(gnnc_add_model name source)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "STATIC" "REAL;NAMESPACE;TUNING" "DEFINES;TARGETS;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gnnc_add_model(${name}): unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET gnnc::gnnc)
    message(FATAL_ERROR "gnnc_add_model(${name}): the compiler is not part of the gnnc package in ${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  endif()

  get_filename_component(source ${source} ABSOLUTE)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${name}.gnnc)
  set(stem ${name})
  if(ARG_NAMESPACE)
    set(stem ${ARG_NAMESPACE})
  endif()
  set(flags ${ARG_OPTIONS})
  foreach(dim IN LISTS ARG_DEFINES)
    list(APPEND flags -D ${dim})
  endforeach()
  if(ARG_TARGETS)
    list(JOIN ARG_TARGETS "," targets)
    list(APPEND flags --target=${targets})
  endif()
  if(ARG_TUNING AND NOT ARG_TUNING STREQUAL "none")
    get_filename_component(ARG_TUNING ${ARG_TUNING} ABSOLUTE)
  endif()
  if(ARG_TUNING)
    list(APPEND flags --tuning=${ARG_TUNING})
  endif()
  if(ARG_REAL)
    list(APPEND flags --real=${ARG_REAL})
  endif()
  if(ARG_STATIC)
    set(kind STATIC)
    set(runtime gnnc::runtime_static)
    set(library ${directory}/lib${stem}.a)
    set(compiled ${directory}/${stem}.o)
    list(APPEND flags --emit=obj)
    add_custom_command(
      OUTPUT ${library}
      COMMAND ${CMAKE_COMMAND} -E rm -f ${library}
      COMMAND ${CMAKE_AR} qc ${library} ${compiled}
      COMMAND ${CMAKE_RANLIB} ${library}
      DEPENDS ${compiled}
      COMMENT "Archiving lib${stem}.a"
      VERBATIM)
  else()
    set(kind SHARED)
    set(runtime gnnc::runtime)
    set(library ${directory}/${stem}.so)
    set(compiled ${library})
  endif()
  get_filename_component(file ${compiled} NAME)

  file(MAKE_DIRECTORY ${directory})
  add_custom_command(
    OUTPUT ${compiled}
    BYPRODUCTS ${directory}/${stem}.h ${directory}/${stem}.hpp ${directory}/${stem}.json
    COMMAND gnnc::gnnc ${source} ${flags} -o ${compiled} --depfile=${compiled}.d
    DEPENDS ${source} gnnc::gnnc
    DEPFILE ${compiled}.d
    COMMENT "Compiling ${file}"
    VERBATIM)
  add_custom_target(${name}-compile DEPENDS ${library})

  add_library(${name} ${kind} IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${library} GNNC_DIRECTORY ${directory})
  target_include_directories(${name} INTERFACE ${directory})
  target_link_libraries(${name} INTERFACE ${runtime})
  add_dependencies(${name} ${name}-compile)
endfunction()
