# Flags that every target of ours compiles with, as an interface library.

add_library(gnnc_options INTERFACE)
target_compile_options(gnnc_options INTERFACE -Wall -Wextra -Wno-unused-parameter -fvisibility=hidden
  $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
target_include_directories(gnnc_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
if(GNNC_SANITIZE)
  target_compile_options(gnnc_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gnnc_options INTERFACE -fsanitize=address,undefined)
endif()
if(GNNC_FUZZ)
  target_compile_options(gnnc_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
