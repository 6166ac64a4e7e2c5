// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/file.h"
#include "program.h"

namespace fansim::interrupt_test {

using test::config;
using test::model;

namespace {

// Waits until the program catches SIGINT, however long it takes to start on a busy machine. Until it is loaded the
// child is a copy of this test, which catches SIGINT too.
void wait_until_it_catches(pid_t child) {
  const auto program_of = [](const std::string& process) {
    return std::filesystem::read_symlink("/proc/" + process + "/exe");
  };
  while (program_of(std::to_string(child)) == program_of("self"))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const std::string status = "/proc/" + std::to_string(child) + "/status", key = "SigCgt:";
  for (int tries = 0; tries < 6000; ++tries) {
    std::ifstream lines(status);
    for (std::string line; std::getline(lines, line);) {
      if (line.compare(0, key.size(), key) != 0) continue;
      if ((std::stoull(line.substr(key.size()), nullptr, 16) >> (SIGINT - 1) & 1) != 0) return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  FAIL("the program does not catch SIGINT within a minute");
}

}  // namespace

TEST_CASE("an interrupted run ends with 130 and leaves no file") {
  for (const int milliseconds : {300, 1500}) {
    CAPTURE(milliseconds);
    const test::ScratchDirectory folder;
    const pid_t child = test::start_program({"run", config("zcu102_stream"), model("vgg16"), "--timing-only", "--set",
                                             "host.dma_setup=1000000", "--json", folder / "r.json", "--csv",
                                             folder / "r.csv", "--vcd", folder / "w.vcd", "--vcd-layer", "conv1_1"});
    wait_until_it_catches(child);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    ::kill(child, SIGINT);
    CHECK(test::wait_for(child) == 130);
    CHECK(test::files_in(folder.path()).empty());
  }
}

TEST_CASE("an interrupted bench or paper ends with 130 and leaves no file") {
  const test::ScratchDirectory folder, outputs;
  base::write_file(folder / "dma.csv", "op,address,cycle\nread,4,1000000000\n");
  std::string rows = "I0,I1,I2,I3,I4,I5\n";
  for (int i = 0; i < 200'000; ++i) rows += "0,1,0,1,0,1\n";
  base::write_file(folder / "lut.csv", rows);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"drive", "dma", folder / "dma.csv", "--out", outputs / "o.csv"},
        {"drive", "LUT6_2", folder / "lut.csv", "--out", outputs / "o.csv", "--vcd", outputs / "w.vcd"},
        {"reproduce", "faq-bandwidth", "--json", outputs / "r.json", "--html", outputs / "r.html"}}) {
    CAPTURE(words);
    const pid_t child = test::start_program(words);
    wait_until_it_catches(child);
    ::kill(child, SIGINT);
    CHECK(test::wait_for(child) == 130);
    CHECK(test::files_in(outputs.path()).empty());
  }
}

TEST_CASE("an interrupted sweep ends with 130 and writes the points that it has") {
  const test::ScratchDirectory folder;
  std::string values = "host.dma_setup=0";
  for (int i = 1; i < 5000; ++i) values += "," + std::to_string(i);
  const pid_t child = test::start_program({"sweep", config("zcu102_stream"), model("lenet5"), "--vary", values,
                                           "--json", folder / "s.json", "--csv", folder / "s.csv"});
  wait_until_it_catches(child);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  ::kill(child, SIGINT);
  CHECK(test::wait_for(child) == 130);
  const auto points = nlohmann::json::parse(base::read_file(folder / "s.json"))["points"];
  CHECK(points.size() > 0);
  CHECK(points.size() < 5000);
  const std::string csv = base::read_file(folder / "s.csv");
  CHECK(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) == points.size() + 1);
}

}  // namespace fansim::interrupt_test
