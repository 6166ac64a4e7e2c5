// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <systemc>

// SystemC elaborates inside this call.
int sc_main(int argc, char* argv[]) { return Catch::Session().run(argc, argv); }
