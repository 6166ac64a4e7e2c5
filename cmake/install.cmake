# SPDX-License-Identifier: Apache-2.0
# This file installs the program with its data, pages and completion. It also installs the rooms as libraries for other
# accelerators and test benches: headers, archives, a CMake package, and examples.
include(CMakePackageConfigHelpers)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

install(TARGETS fansim)
install(DIRECTORY configs models traces DESTINATION share/fansim)
install(DIRECTORY docs/ DESTINATION share/doc/fansim)
install(FILES README.md CONTRIBUTING.md DESTINATION share/doc/fansim)
install(FILES LICENSE DESTINATION share/doc/fansim RENAME copyright)

# Man pages and completion are made from what the program prints about its options.
set(pages ${PROJECT_BINARY_DIR}/command_pages)
add_custom_command(
  OUTPUT ${pages}/done
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${pages}
  COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/scripts/command_pages.py $<TARGET_FILE:fansim> ${pages}
  COMMAND ${CMAKE_COMMAND} -E touch ${pages}/done
  DEPENDS fansim scripts/command_pages.py
  VERBATIM)
add_custom_target(command_pages ALL DEPENDS ${pages}/done)
install(DIRECTORY ${pages}/man/ DESTINATION share/man/man1)
install(FILES ${pages}/bash/fansim DESTINATION share/bash-completion/completions)
install(FILES ${pages}/zsh/_fansim DESTINATION share/zsh/site-functions)
install(FILES ${pages}/fish/fansim.fish DESTINATION share/fish/vendor_completions.d)

install(DIRECTORY src/ DESTINATION include/fansim FILES_MATCHING PATTERN "*.h" PATTERN "cli" EXCLUDE)
set(package lib/cmake/fansim)
install(TARGETS fansim_options systemc program EXPORT fansim)
install(EXPORT fansim NAMESPACE fansim:: FILE fansimTargets.cmake DESTINATION ${package})
configure_package_config_file(cmake/fansimConfig.cmake.in ${PROJECT_BINARY_DIR}/fansimConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fansimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fansimConfig.cmake ${PROJECT_BINARY_DIR}/fansimConfigVersion.cmake
        DESTINATION ${package})

# These examples are projects outside the tree; seen from them, ../../configs holds the configurations that come with
# the program.
install(DIRECTORY tests/install/outside/ DESTINATION share/fansim/examples/bench)
install(DIRECTORY tests/toy/ DESTINATION share/fansim/examples/toy PATTERN "*.txt" EXCLUDE PATTERN "*.cmake" EXCLUDE
        PATTERN "toy_test.cpp" EXCLUDE)
install(FILES tests/toy/example.cmake DESTINATION share/fansim/examples/toy RENAME CMakeLists.txt)
