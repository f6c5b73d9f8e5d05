# Flags that every target of ours compiles with, as an interface library. Symbols of the runtime are hidden by runtime/CMakeLists.txt; those of the
# compiler must not be: MLIR identifies traits by the addresses of inline statics, which have to be one with libMLIR's.

add_library(gnnc_options INTERFACE)
target_compile_options(gnnc_options INTERFACE -Wall -Wextra -Wno-unused-parameter)
# Clang warns of what libstdc++ 12's own std::stable_sort uses.
target_compile_options(gnnc_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>)
target_include_directories(gnnc_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
if(GNNC_SANITIZE)
  set(gnnc_sanitizers_address address,undefined)
  set(gnnc_sanitizers_thread thread)
  if(NOT DEFINED gnnc_sanitizers_${GNNC_SANITIZE})
    message(FATAL_ERROR "GNNC_SANITIZE is '${GNNC_SANITIZE}', expected address or thread")
  endif()
  set(gnnc_sanitizing -fsanitize=${gnnc_sanitizers_${GNNC_SANITIZE}})
  target_compile_options(gnnc_options INTERFACE ${gnnc_sanitizing} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gnnc_options INTERFACE ${gnnc_sanitizing})
endif()
if(GNNC_COVERAGE)
  # Every program adds what it runs to a file of its own, also when a test starts it in another environment.
  set(gnnc_profiling -fprofile-instr-generate=${PROJECT_BINARY_DIR}/profiles/%4m.profraw)
  target_compile_options(gnnc_options INTERFACE ${gnnc_profiling} -fcoverage-mapping)
  target_link_options(gnnc_options INTERFACE ${gnnc_profiling})
endif()
if(GNNC_FUZZ)
  # Without three checks a large file compiles in two thirds of the time. Nightly builds (preset `asan`) have them.
  target_compile_options(gnnc_options INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize=null,object-size,vptr)
endif()
