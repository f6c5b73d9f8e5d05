# Finds Debian's MLIR 19 and LLVM 19 and defines how our compiler libraries are built against them.
#
#   gnnc_add_library(NAME sources... [LINK_LIBS libs...] [DEPENDS targets...])   a static library of the compiler
#   gnnc_add_tool(NAME sources... LINK_LIBS libs...)   a program, and NAME-packaged, the same with LLVM in it (GnncPackage.cmake)
#   gnnc_mlir_headers   most of the time that a file takes to compile goes into them (GnncPrecompile.cmake)
#
# Everything links the shared libMLIR and libLLVM; programs with the property GNNC_PACKAGED, which are packed, their archives, of which the linker
# takes what is used. Static MLIR targets are never named: they would bring the shared libLLVM along, and something would be in a process twice.

# Debian builds libMLIR with Clang, and MLIR tells traits apart by their names as the compiler spells them: objects of another compiler would
# link, and then disagree with libMLIR on which ops are terminators or symbol tables.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "The compiler of gnnc is built with Clang 19, as Debian's libMLIR is: configure with CMAKE_CXX_COMPILER=clang++-19, "
                      "or with GNNC_BUILD_COMPILER=OFF for the runtime alone.")
endif()

find_program(LLVM_CONFIG NAMES llvm-config-19 llvm-config REQUIRED)
execute_process(COMMAND ${LLVM_CONFIG} --prefix OUTPUT_VARIABLE GNNC_LLVM_PREFIX OUTPUT_STRIP_TRAILING_WHITESPACE)
find_package(MLIR 19.1 REQUIRED CONFIG HINTS ${GNNC_LLVM_PREFIX}/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(gnnc_llvm INTERFACE)
target_include_directories(gnnc_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
file(GLOB archives ${GNNC_LLVM_PREFIX}/lib/libMLIR*.a ${GNNC_LLVM_PREFIX}/lib/libLLVM*.a)
list(JOIN archives "," archives)
find_package(ZLIB REQUIRED)
# lld initializes every target that LLVM was built with. These stand in for the targets that gnnc does not compile for, whose archives would make the
# program half as large again.
set(stubs "")
foreach(llvm_target IN LISTS LLVM_TARGETS_TO_BUILD)
  if(NOT llvm_target MATCHES "^(X86|NVPTX)$")
    foreach(part IN ITEMS TargetInfo Target TargetMC AsmPrinter AsmParser Disassembler)
      string(APPEND stubs "void LLVMInitialize${llvm_target}${part}(void);\nvoid LLVMInitialize${llvm_target}${part}(void) {}\n")
    endforeach()
  endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/llvm/OtherTargets.c CONTENT "${stubs}")
add_library(gnnc_llvm_stubs STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/NoPolly.cpp ${PROJECT_BINARY_DIR}/llvm/OtherTargets.c)
target_include_directories(gnnc_llvm_stubs SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
set(is_packaged $<BOOL:$<TARGET_PROPERTY:GNNC_PACKAGED>>)
target_link_libraries(gnnc_llvm INTERFACE
  "$<${is_packaged}:$<LINK_GROUP:RESCAN,gnnc_llvm_stubs,${archives}>>" "$<$<NOT:${is_packaged}>:MLIR;LLVM>"
  ZLIB::ZLIB zstd ${CMAKE_DL_LIBS})

gnnc_add_precompiled(gnnc_mlir_headers
  $<$<NOT:$<CONFIG:Release>>:${CMAKE_CURRENT_LIST_DIR}/StatisticsOfLibMLIR.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/GPU/IR/GPUDialect.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>
  <mlir/IR/BuiltinOps.h>
  <mlir/IR/PatternMatch.h>
  <mlir/Pass/PassManager.h>
  <mlir/Transforms/DialectConversion.h>
  <mlir/Transforms/GreedyPatternRewriteDriver.h>
  LINK_LIBS gnnc_llvm)

function(gnnc_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} gnnc_llvm PRIVATE gnnc_options)
  gnnc_precompile(${name} gnnc_mlir_headers)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

function(gnnc_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  add_executable(${name}-packaged EXCLUDE_FROM_ALL ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name}-packaged PROPERTIES
    GNNC_PACKAGED ON OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/packages/bin)
  target_link_options(${name}-packaged PRIVATE -Wl,--gc-sections)
  foreach(target IN ITEMS ${name} ${name}-packaged)
    target_link_libraries(${target} PRIVATE ${ARG_LINK_LIBS} gnnc_options)
    gnnc_precompile(${target} gnnc_mlir_headers)
  endforeach()
endfunction()
