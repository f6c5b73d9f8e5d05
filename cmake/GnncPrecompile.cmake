# Headers that are parsed once for many files. Each file still includes what it needs: with CMAKE_DISABLE_PRECOMPILE_HEADERS there is none of this.
#
#   gnnc_add_precompiled(NAME headers... LINK_LIBS libs...)   C++ headers, parsed with what these libraries say of flags and folders
#   gnnc_precompile(TARGET NAME)   the C++ files of TARGET, a library or a program, begin with them

function(gnnc_add_precompiled name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  file(WRITE ${PROJECT_BINARY_DIR}/${name}.cpp "")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} gnnc_options)
  foreach(header IN LISTS ARG_UNPARSED_ARGUMENTS)
    if(header MATCHES "^<(.*)>$") # inside of a generator expression
      set(header "<${CMAKE_MATCH_1}$<ANGLE-R>")
    endif()
    target_precompile_headers(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${header}>)
  endforeach()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp") # ccache does not keep times
  endif()
endfunction()

function(gnnc_precompile target name)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE") # compiled as libraries are, -fPIC and not -fPIE: the headers are parsed for one of them
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()
