# SPDX-License-Identifier: Apache-2.0
# A room is one folder of src/ and one static library of the same name. It links the rooms that it may include.

add_library(fansim_warnings INTERFACE)
target_compile_options(fansim_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(FANSIM_WARNINGS_AS_ERRORS)
  target_compile_options(fansim_warnings INTERFACE -Werror)
endif()
add_library(fansim_options INTERFACE)
target_compile_features(fansim_options INTERFACE cxx_std_17)
# Float products must be rounded before they are added, on every processor.
target_compile_options(fansim_options INTERFACE -ffp-contract=off)
# A build is identified by a hash of what it links (base/build_id.h).
target_link_options(fansim_options INTERFACE -Wl,--build-id=sha1)
if(FANSIM_CHECKED)
  # g++ documents that sanitizers cause false -Wmaybe-uninitialized warnings. Checks of every single pointer and virtual
  # table take half of the compile time, and what they find shows without them too: the address sanitizer stops where a
  # pointer is used that is null, past its object or wrapped around; only a cast can misalign a pointer, and
  # -Wcast-align refuses that.
  target_compile_options(fansim_options INTERFACE
                         -fsanitize=address,undefined -fno-sanitize=null,vptr,object-size,pointer-overflow,alignment
                         -fno-sanitize-recover=undefined -Wno-maybe-uninitialized -Wcast-align=strict -Werror=cast-align)
  target_link_options(fansim_options INTERFACE -fsanitize=address,undefined)
  target_compile_definitions(fansim_options INTERFACE FANSIM_CHECKED)
elseif(FANSIM_THREAD_CHECKED)
  target_compile_options(fansim_options INTERFACE -fsanitize=thread)
  target_link_options(fansim_options INTERFACE -fsanitize=thread)
endif()
target_include_directories(fansim_options INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/src>
                                                    $<INSTALL_INTERFACE:include/fansim>)

find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost REQUIRED COMPONENTS program_options)
find_package(SQLite3 REQUIRED)
find_package(PNG 1.6 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Protobuf 3 REQUIRED)
find_library(onnx_proto onnx_proto REQUIRED)

find_library(SYSTEMC_LIBRARY systemc REQUIRED)
find_path(SYSTEMC_INCLUDE systemc REQUIRED)
add_library(systemc INTERFACE)
find_package(Threads REQUIRED)
target_include_directories(systemc SYSTEM INTERFACE $<BUILD_INTERFACE:${SYSTEMC_INCLUDE}>)
target_link_libraries(systemc INTERFACE $<BUILD_INTERFACE:${SYSTEMC_LIBRARY}> $<INSTALL_INTERFACE:-lsystemc>
                                        Threads::Threads)
if(NOT FANSIM_CHECKED)
  target_compile_definitions(systemc INTERFACE SC_DEFAULT_WRITER_POLICY=SC_UNCHECKED_WRITERS)
endif()

# fansim_rooms(FILE) adds every room of the plan as a library, in the plan's order. `base` precompiles the headers that
# most pure rooms include, `sim` these and SystemC; the other rooms reuse them. A file must still include what it uses,
# since the lint compiles without precompiled headers.
set(fansim_common_headers <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <string> <vector>
                          <fmt/format.h>)

# In these rooms several sources use the same names for different things, so their sources are compiled separately.
set(fansim_apart kernels stream_estimate)
# In these rooms at most eight sources are compiled together, for the same reason.
set(fansim_in_eights benches decoupled_compile stream_timing)

# No run and no search spends its time in these rooms, so they use -O1, which compiles in two thirds of the time of -O3.
set(fansim_cold benches cli cli_describe cli_drive cli_explore cli_models cli_options
                cli_results decoupled decoupled_bounds decoupled_estimate explore_shards importer importer_file
                importer_scale_sim inject openvx papers pictures post_training registry report report_pages runs stream tiled trainer
                trainer_compile trainer_config trainer_estimate training training_data training_formats vision vision_bounds
                vision_compile vision_config vision_estimate)

# These are libraries that rooms link besides other rooms.
set(fansim_base_LINK fmt::fmt yaml-cpp nlohmann_json::nlohmann_json)
set(fansim_pictures_LINK PNG::PNG)
set(fansim_waveforms_LINK ZLIB::ZLIB)
set(fansim_importer_file_LINK ${onnx_proto} protobuf::libprotobuf)
set(fansim_sim_LINK systemc)
set(fansim_explore_LINK SQLite::SQLite3 Threads::Threads)
set(fansim_cli_options_LINK Boost::program_options)

# Returns the name of a room's library: "stream_timing" for accelerators/stream/timing.
function(fansim_target room out)
  string(REGEX REPLACE "^accelerators/" "" name "${room}")
  string(REPLACE "/" "_" name "${name}")
  set(${out} ${name} PARENT_SCOPE)
endfunction()

function(fansim_room room kind links)
  fansim_target(${room} name)
  file(GLOB sources CONFIGURE_DEPENDS ${room}/*.cpp)
  if(room STREQUAL "primitives" OR room STREQUAL "axi" OR room STREQUAL "memory" OR room STREQUAL "estimate")
    file(GLOB deeper CONFIGURE_DEPENDS ${room}/*/*.cpp)
    list(APPEND sources ${deeper})
  endif()
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(NOT sources)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE fansim_options ${links} ${fansim_${name}_LINK})
    install(TARGETS ${name} EXPORT fansim)
    return()
  endif()
  # The registry is a library of objects, so that a program chooses a registry by linking its objects.
  set(type STATIC)
  if(name STREQUAL "registry")
    set(type OBJECT)
  endif()
  add_library(${name} ${type} ${sources})
  target_link_libraries(${name} PUBLIC fansim_options ${links} ${fansim_${name}_LINK}
                                PRIVATE $<BUILD_INTERFACE:fansim_warnings>)
  if(FANSIM_COVERAGE)
    target_compile_options(${name} PRIVATE -fsanitize-coverage=trace-pc -fsanitize=float-cast-overflow
                                           -fno-sanitize-recover=float-cast-overflow)
  endif()
  set(batch 16)
  if(name IN_LIST fansim_in_eights)
    set(batch 8)
  endif()
  set_target_properties(${name} PROPERTIES OUTPUT_NAME fansim_${name} UNITY_BUILD_BATCH_SIZE ${batch})
  if(FANSIM_UNITY AND NOT name IN_LIST fansim_apart)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON)
  endif()
  if(name IN_LIST fansim_cold)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(NOT name STREQUAL "registry")
    install(TARGETS ${name} EXPORT fansim)
  endif()
  if(name STREQUAL "base")
    target_precompile_headers(base PRIVATE ${fansim_common_headers})
  elseif(name STREQUAL "sim")
    target_precompile_headers(sim PRIVATE ${fansim_common_headers} <systemc> <tlm>)
  elseif(kind STREQUAL "systemc")
    target_precompile_headers(${name} REUSE_FROM sim)
  else()
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:fmt::fmt>)  # its definitions are those of the headers
    target_precompile_headers(${name} REUSE_FROM base)
  endif()
endfunction()

function(fansim_rooms plan)
  file(STRINGS ${plan} lines REGEX "^[a-z]")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${plan})
  # A room that may include all rooms links those before it.
  set(before "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " *\\| *" ";" cells "${line}")
    list(GET cells 0 room)
    list(GET cells 1 kind)
    list(GET cells 3 links)
    set(targets "")
    if(links STREQUAL "*")
      set(targets ${before})
    else()
      separate_arguments(links)
      list(FILTER links EXCLUDE REGEX "\\.h$")  # single headers
      foreach(link IN LISTS links)
        fansim_target(${link} target)
        list(APPEND targets ${target})
      endforeach()
    endif()
    fansim_room(${room} ${kind} "${targets}")
    set_property(GLOBAL APPEND PROPERTY fansim_rooms ${room})
    fansim_target(${room} name)
    if(NOT name STREQUAL "registry")
      list(APPEND before ${name})
    endif()
  endforeach()
endfunction()
