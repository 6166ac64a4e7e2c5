// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "program.h"

using namespace fansim;
using test::config;
using test::model;

TEST_CASE("an interrupted run ends with 130 and leaves no file") {
  for (const int milliseconds : {300, 1500}) {
    CAPTURE(milliseconds);
    const test::ScratchDirectory folder;
    const pid_t child = test::start_program({"run", config("zcu102_stream"), model("vgg16"), "--timing-only", "--set",
                                             "host.dma_setup=1000000", "--json", folder / "r.json", "--csv",
                                             folder / "r.csv", "--vcd", folder / "w.vcd", "--vcd-layer", "conv1_1"});
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    ::kill(child, SIGINT);
    CHECK(test::wait_for(child) == 130);
    CHECK(test::files_in(folder.path()).empty());
  }
}
