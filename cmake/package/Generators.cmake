# What each generator of CPack packs (GnncPackage.cmake).

if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_COMPONENTS_ALL tools runtime development)
else()
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
  set(CPACK_PACKAGE_FILE_NAME "gnnc-${CPACK_PACKAGE_VERSION}-x86_64")
endif()
