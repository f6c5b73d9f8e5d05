# Parquet files are read by Apache Arrow, where it is found: by its CMake package (Apache's repositories and conda have it, Debian 12 does
# not), or in the folder of Python's package pyarrow, which has headers and libraries too:
#   cmake … -DGNNC_PYARROW=$(python3 -c "import pyarrow; print(pyarrow.__path__[0])")
# Programs then need Arrow's libraries where they run, so packages for others are better built with -DGNNC_PARQUET=OFF.
#
#   gnnc_parquet   a target to link, if there is one

option(GNNC_PARQUET "Read Parquet files, if Apache Arrow is found" ON)
set(GNNC_PYARROW "" CACHE PATH "Where Arrow is, if it is the one in Python's package pyarrow")

if(GNNC_PARQUET AND GNNC_PYARROW)
  file(GLOB arrow ${GNNC_PYARROW}/libarrow.so.*)
  file(GLOB parquet ${GNNC_PYARROW}/libparquet.so.*)
  if(NOT arrow OR NOT parquet)
    message(FATAL_ERROR "GNNC_PYARROW: there is no libarrow.so.* or libparquet.so.* in '${GNNC_PYARROW}'")
  endif()
  add_library(gnnc_parquet INTERFACE)
  target_include_directories(gnnc_parquet SYSTEM INTERFACE ${GNNC_PYARROW}/include)
  target_link_libraries(gnnc_parquet INTERFACE ${parquet} ${arrow})
elseif(GNNC_PARQUET)
  find_package(Parquet CONFIG QUIET)
  if(TARGET Parquet::parquet_shared)
    add_library(gnnc_parquet INTERFACE)
    target_link_libraries(gnnc_parquet INTERFACE Parquet::parquet_shared)
  endif()
endif()

# The headers of newer Arrows need C++20.
if(TARGET gnnc_parquet)
  target_compile_features(gnnc_parquet INTERFACE cxx_std_20)
endif()
