// SPDX-License-Identifier: Apache-2.0
// These tests show what another clock does to a run as a user sees it.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <sstream>

#include "small_network.h"

namespace fansim::clock_test {

using namespace test;

namespace {

nlohmann::json shipped(const std::string& machine, const std::string& network, std::vector<std::string> more) {
  const ScratchDirectory scratch;
  std::vector<std::string> arguments{"run", machine, network, "--timing-only", "--json", scratch / "r.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = run_program(arguments);
  REQUIRE(outcome.code == 0);
  return nlohmann::json::parse(base::read_file(scratch / "r.json"));
}

double ms(const nlohmann::json& report) { return report["total"]["seconds"].get<double>() * 1e3; }

}  // namespace

// Until host and memory followed the clock, AlexNet took 174.1 ms and VGG-16 792.7.
TEST_CASE("at another clock a network takes what the board's constants take there") {
  const nlohmann::json alexnet = shipped("zcu102_stream", "alexnet", {"--set", "clock_mhz=100"});
  CHECK(std::abs(ms(alexnet) - 131) < 1);
  CHECK(alexnet["total"]["cycles"] != 17412075);
  CHECK(std::abs(ms(shipped("zcu102_stream", "vgg16", {"--set", "clock_mhz=100"})) - 567.7) < 1);
  CHECK(shipped("zcu102_stream", "alexnet", {})["total"]["cycles"] == 17412075);
}

TEST_CASE("a layer on the host takes its time at every clock on every machine") {
  const SmallNetwork net(
      "  - {name: c, type: conv, filters: 8, kernel: 1, step: 0.05}\n  - {name: h, type: multiply, with: c}\n"
      "  - {name: d, type: conv, filters: 4, kernel: 3}\n");
  for (const char* machine : {"zcu102_stream", "faq_zcu102_dorefa8", "tiny_decoupled"})
    for (const char* clock : {"50", "100", "400/3", "250", "300"})
      for (const char* engine : {"fast", "clocked"}) {
        CAPTURE(machine, clock, engine);
        const nlohmann::json report = net.json(
            machine, {"--timing-only", "--allow-slack", "--engine", engine, "--set", std::string("clock_mhz=") + clock,
                      "--set", "host.layer_setup=10us", "--set", "host.cycles_per_value=7 ns"});
        const double seconds = report["layers"][1]["seconds"], period = 1 / report["clock_hz"].get<double>();
        // 480 values are read and 240 written.
        CHECK(seconds > 10e-6 + 720 * 7e-9 - 1e-12);
        CHECK(seconds < 10e-6 + 720 * 7e-9 + 2 * period);
      }
}

TEST_CASE("a report tells fabric and host apart") {
  const nlohmann::json report = shipped("zcu102_stream", "lenet5", {});
  const nlohmann::json& total = report["total"];
  CHECK(total["host_cycles"] == total["buckets"]["host"].get<int>() + total["buckets"]["dma_setup"].get<int>());
  CHECK(total["host_cycles"].get<int>() + total["fabric_cycles"].get<int>() == total["cycles"]);
  CHECK(total["host_seconds"].get<double>() + total["fabric_seconds"].get<double>() ==
        Approx(total["seconds"].get<double>()));
  int sum = 0;
  for (const nlohmann::json& layer : report["layers"]) sum += layer["host_cycles"].get<int>();
  CHECK(sum == total["host_cycles"]);
  CHECK(report["config"]["costs"]["host.dma_setup"]["cycles"] == 1000);
  CHECK(report["config"]["costs"]["host.dma_setup"]["ns"] == 4000);
  CHECK(report["config"]["resolved"]["host"]["dma_setup"] == "4 us");
  const Outcome outcome = run_program({"run", "zcu102_stream", "lenet5", "--timing-only"});
  CHECK_THAT(outcome.out, Catch::Contains("\nfabric ") && Catch::Contains(" ms; waiting for the host "));
  // With a host that costs nothing the fabric alone is left.
  std::vector<std::string> free;
  for (const char* key : {"register_write=0", "register_read=1", "interrupt=0", "dma_setup=0", "layer_setup=0"})
    free.insert(free.end(), {"--set", std::string("host.") + key});
  const nlohmann::json alone = shipped("zcu102_stream", "lenet5", free);
  CHECK(ms(alone) < 0.6 * ms(report));
}

TEST_CASE("a plain number stays a number of cycles and a time follows the clock in a sweep") {
  const ScratchDirectory scratch;
  const Outcome outcome = run_program({"sweep", "tiny_stream", "tiny_conv", "--vary", "clock_mhz=50,100,200", "--vary",
                                       "host.interrupt=40,400ns", "--csv", scratch / "s.csv"});
  REQUIRE(outcome.code == 0);
  std::map<std::string, double> cycles;
  const std::string csv = base::read_file(scratch / "s.csv");
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string clock, interrupt, count;
    std::getline(cells, clock, ',');
    std::getline(cells, interrupt, ',');
    std::getline(cells, count, ',');
    cycles[clock + " " + interrupt] = std::stod(count);
  }
  REQUIRE(cycles.size() == 6);
  CHECK(cycles["100 40"] == cycles["100 400ns"]);
  CHECK(cycles["50 40"] > cycles["50 400ns"]);
  CHECK(cycles["200 40"] < cycles["200 400ns"]);
}

TEST_CASE("costs are described with their unit and wrong ones are refused at their place") {
  const Outcome key = run_program({"describe", "host.dma_setup"});
  CHECK_THAT(key.out, Catch::Contains("time, or fabric cycles") && Catch::Contains("default 4 us") &&
                          Catch::Contains("follows the clock"));
  const Outcome whole = run_program({"describe", "zcu102_stream", "--set", "clock_mhz=100"});
  CHECK_THAT(whole.out, Catch::Contains("dma_setup: 4 us  # 400 cycles") &&
                            Catch::Contains("read_latency: 110 ns - 2 cycles  # 9 cycles"));
  for (const auto& [setting, message] : std::vector<std::pair<std::string, std::string>>{
           {"host.interrupt=2 uss",
            "--set host.interrupt=2 uss: host: interrupt '2 uss': unit 'uss' unknown; did you mean 'us'?"},
           {"host.interrupt=-1", "--set host.interrupt=-1: host: interrupt -1 is out of range"},
           {"host.interrupt=-1 us", "is negative"},
           {"host.interrupt=10 s", "10 s is 2500000000 cycles at 250 MHz; allowed: 0..1000000"},
           {"host.interrupt=99999999999999999999 s", "expected cycles or a time"},
           {"ddr.data_bits=17 GBs", "did you mean 'GB/s'?"}}) {
    CAPTURE(setting);
    const Outcome refused = run_program({"run", "zcu102_stream", "lenet5", "--set", setting});
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Catch::Contains(message));
  }
}

TEST_CASE("a host of each kind of driver ships and says where its costs come from") {
  double before = 0;
  for (const char* part : {"zynq_ps_bare_metal", "zynq_ps_linux_user_space", "zynq_ps_preloaded"}) {
    CAPTURE(part);
    const nlohmann::json report =
        shipped("zcu102_stream", "lenet5", {"--set", std::string("host=../parts/") + part + ".yaml", "--ranges"});
    CHECK(report["ranges"]["least_cycles"] < report["total"]["cycles"]);
    CHECK(report["ranges"]["most_cycles"] > report["total"]["cycles"]);
    CHECK((before == 0 || ms(report) != before));
    before = ms(report);
  }
}

}  // namespace fansim::clock_test
