# Compiles a model as part of the application's build.
#
#   gnnc_add_model(gcn models/gcn.gnn [STATIC] [DIMS in=1433 classes=7 ...] [ISAS x86-64-v3 ...] [REAL f32|f64] [OPTIONS ...])
#
# defines the imported library `gcn`: link it, and `#include "gcn.h"` (C) or `"gcn.hpp"` (C++). It is a shared library, which comes
# with gnnc::runtime, or with STATIC an archive, which comes with gnnc::runtime_static. A program may link any number of models.
# The model is compiled again when the source, a file that the source imports, or gnnc changes. The files are in the target's
# property GNNC_DIRECTORY: gcn.so (libgcn.a), gcn.h, gcn.hpp, gcn.json.
# DIMS fixes dimensions (-D); the others stay open and are bound when the library is loaded.

function(gnnc_add_model name source)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "STATIC" "REAL" "DIMS;ISAS;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gnnc_add_model(${name}): unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET gnnc::gnnc)
    message(FATAL_ERROR "gnnc_add_model(${name}): the compiler is not part of the gnnc package in ${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  endif()

  get_filename_component(source ${source} ABSOLUTE)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${name}.gnnc)
  set(flags ${ARG_OPTIONS})
  foreach(dim IN LISTS ARG_DIMS)
    list(APPEND flags -D ${dim})
  endforeach()
  if(ARG_ISAS)
    list(JOIN ARG_ISAS "," isas)
    list(APPEND flags --target=${isas})
  endif()
  if(ARG_REAL)
    list(APPEND flags --real=${ARG_REAL})
  endif()
  if(ARG_STATIC)
    set(kind STATIC)
    set(runtime gnnc::runtime_static)
    set(library ${directory}/lib${name}.a)
    set(compiled ${directory}/${name}.o)
    list(APPEND flags --emit=obj)
    add_custom_command(
      OUTPUT ${library}
      COMMAND ${CMAKE_COMMAND} -E rm -f ${library}
      COMMAND ${CMAKE_AR} qc ${library} ${compiled}
      COMMAND ${CMAKE_RANLIB} ${library}
      DEPENDS ${compiled}
      COMMENT "Archiving lib${name}.a"
      VERBATIM)
  else()
    set(kind SHARED)
    set(runtime gnnc::runtime)
    set(library ${directory}/${name}.so)
    set(compiled ${library})
  endif()
  get_filename_component(file ${compiled} NAME)

  file(MAKE_DIRECTORY ${directory})
  add_custom_command(
    OUTPUT ${compiled}
    BYPRODUCTS ${directory}/${name}.h ${directory}/${name}.hpp ${directory}/${name}.json
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
