# Defines TBB::tbb as PlainThreads.h under the names of oneTBB's headers, for builds with ThreadSanitizer.

find_package(Threads REQUIRED)
add_library(gnnc_plain_threads INTERFACE)
add_library(TBB::tbb ALIAS gnnc_plain_threads)
foreach(header IN ITEMS blocked_range enumerable_thread_specific global_control info parallel_for parallel_reduce parallel_sort task_arena)
  foreach(folder IN ITEMS tbb oneapi/tbb)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/plain-threads/${folder}/${header}.h CONTENT "#include \"test/Sanitizers/PlainThreads.h\"\n")
  endforeach()
endforeach()
target_include_directories(gnnc_plain_threads BEFORE INTERFACE ${PROJECT_BINARY_DIR}/plain-threads)
target_compile_definitions(gnnc_plain_threads INTERFACE GNNC_PLAIN_THREADS)
target_link_libraries(gnnc_plain_threads INTERFACE Threads::Threads)
