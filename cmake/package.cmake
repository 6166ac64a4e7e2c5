# SPDX-License-Identifier: Apache-2.0
# `cpack` makes a Debian package of what is installed; dpkg-shlibdeps determines the shared libraries that the program
# needs.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fansim)
set(CPACK_PACKAGE_CONTACT "fansim's maintainers <maintainers@users.noreply.fansim.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-accurate simulator of FPGA neural-network accelerators")
set(CPACK_PACKAGE_DESCRIPTION
    "Describe an accelerator in YAML, bring a network, and get every cycle accounted for, bytes and bandwidth,
resources against the device, a waveform, and every output byte compared with an independent reference.
With headers, archives and a CMake package for accelerators and test benches of one's own.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
configure_file(cmake/package_date.cmake.in ${PROJECT_BINARY_DIR}/package_date.cmake @ONLY)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/package_date.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_layout.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
# fansimConfig.cmake looks for these.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "libsystemc-dev, libfmt-dev, libyaml-cpp-dev, nlohmann-json3-dev, libboost-program-options-dev, libsqlite3-dev, libpng-dev, libprotobuf-dev, libonnx-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gtkwave, bash-completion")
include(CPack)
