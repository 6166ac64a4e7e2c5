# SPDX-License-Identifier: Apache-2.0
# Somebody else's project: fansim with an accelerator of their own, which is a folder and a line of a registry
# (docs/architecture.md tells its story), and a program of their own that runs it.
cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(fansim 0.1 REQUIRED)

file(GLOB sources CONFIGURE_DEPENDS copy/*.cpp)
add_library(copy OBJECT registry.cpp ${sources})
target_include_directories(copy PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/..)
target_compile_options(copy PRIVATE -Wall -Wextra -Werror)
target_link_libraries(copy PUBLIC fansim::accelerators fansim::platform fansim::stream fansim::tiled)

# The command line, with every subcommand.
add_executable(toy_fansim)
target_link_libraries(toy_fansim PRIVATE copy fansim::program)
set_target_properties(toy_fansim PROPERTIES LINKER_LANGUAGE CXX)

# A run as a function.
add_executable(toy_run own_run.cpp)
target_link_libraries(toy_run PRIVATE copy fansim::runs)
