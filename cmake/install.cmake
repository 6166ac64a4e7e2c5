# SPDX-License-Identifier: Apache-2.0
# The program with its data, and the rooms as libraries for test benches of others: headers, archives, a CMake package.
include(CMakePackageConfigHelpers)

if(TARGET fansim)
  install(TARGETS fansim)
endif()
install(DIRECTORY configs models traces DESTINATION share/fansim)
install(DIRECTORY src/ DESTINATION include/fansim FILES_MATCHING PATTERN "*.h" PATTERN "cli" EXCLUDE)

set(package lib/cmake/fansim)
install(TARGETS fansim_options systemc EXPORT fansim)
install(EXPORT fansim NAMESPACE fansim:: FILE fansimTargets.cmake DESTINATION ${package})
configure_package_config_file(cmake/fansimConfig.cmake.in ${PROJECT_BINARY_DIR}/fansimConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fansimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fansimConfig.cmake ${PROJECT_BINARY_DIR}/fansimConfigVersion.cmake
        DESTINATION ${package})
