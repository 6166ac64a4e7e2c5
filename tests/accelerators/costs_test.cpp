// SPDX-License-Identifier: Apache-2.0
// These tests show that what the host and the memory cost takes the same time at every clock, on every machine.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "accelerators/decoupled/config/config.h"
#include "accelerators/registry.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/tiled/config/config.h"
#include "accelerators/trainer/config/config.h"
#include "accelerators/vision/config/config.h"
#include "contract/load_config.h"

namespace fansim::costs_test {

namespace {

const std::string kConfigs = FANSIM_SOURCE_DIR "/configs/";
constexpr const char* kClocks[] = {"50", "100", "400/3", "190", "200", "250", "1000/3", "500"};

// Returns every shipped configuration of an accelerator.
std::vector<std::string> shipped() {
  std::vector<std::string> files;
  for (const char* folder : {"systems", "boards"})
    for (const auto& entry : std::filesystem::directory_iterator(kConfigs + folder)) {
      if (entry.path().extension() != ".yaml") continue;
      const base::YamlNode document = base::load_yaml(entry.path().string());
      if (document.find("system")) files.push_back(entry.path().string());
    }
  std::sort(files.begin(), files.end());
  return files;
}

bool has_port(const std::string& file) { return base::load_yaml(file).find("port_mhz") != nullptr; }

std::vector<std::string> at_clock(const std::string& file, const std::string& mhz) {
  std::vector<std::string> settings{"clock_mhz=" + mhz};
  if (has_port(file)) settings.push_back("port_mhz=" + mhz);
  return settings;
}

// Returns the costs of a configuration: the key, what the file says, and what engines see.
std::vector<base::FieldRow> costs_of(const accelerators::Accelerator& accelerator) {
  std::vector<base::FieldRow> costs;
  for (const auto& block : accelerator.resolved().top.blocks)
    for (const auto& value : block.values) {
      if (value.type != "cost") continue;
      base::FieldRow row;
      row.name = block.key + "." + value.key;
      row.fallback = value.text;
      row.counted = value.counted.empty() ? value.text : value.counted;
      costs.push_back(row);
    }
  return costs;
}

// Holds a configuration as a file gives it to the one that is made of another by setting its clock.
template <class Config>
void check_set_clock(const std::string& name) {
  const std::string file = kConfigs + "systems/" + name + ".yaml";
  for (const char* mhz : kClocks) {
    CAPTURE(name, mhz);
    Config set = Config::read(file, {});
    for (const std::string& setting : at_clock(file, mhz)) {
      const std::size_t equals = setting.find('=');
      REQUIRE(contract::set_field(set, setting.substr(0, equals), setting.substr(equals + 1)) == "");
    }
    Config read = Config::read(file, at_clock(file, mhz));
    CHECK(contract::hash_of(set) == read.hash);
    std::vector<std::string> theirs, ours;
    const auto list = [](std::vector<std::string>& all) {
      return [&all](const char* key, auto& block) {
        for (const base::FieldRow& row : base::field_rows(block))
          all.push_back(fmt::format("{}.{}={} {}", key, row.name, row.fallback, row.counted));
      };
    };
    read.visit_blocks(list(theirs));
    set.visit_blocks(list(ours));
    CHECK(ours == theirs);
  }
}

}  // namespace

TEST_CASE("every cost of a shipped configuration takes its time at every clock and is rounded up") {
  const std::vector<std::string> files = shipped();
  REQUIRE(files.size() > 25);
  for (const std::string& file : files)
    for (const char* mhz : kClocks) {
      const auto accelerator = accelerators::read_accelerator(file, at_clock(file, mhz));
      const double period = 1e6 / base::parse_rational(mhz)->value();
      for (const base::FieldRow& row : costs_of(*accelerator)) {
        CAPTURE(file, mhz, row.name, row.fallback, row.counted);
        base::Cost cost;
        REQUIRE(base::read_cost(row.fallback, cost) == "");
        if (!cost.is_timed()) {
          CHECK(cost <= 1);  // nothing, or one cycle of what is hidden
          continue;
        }
        const double time = static_cast<double>(cost.picoseconds()) + cost.edges() * period,
                     taken = std::stod(row.counted) * period;
        CHECK(taken > time - 1e-3);
        if (taken >= 2 * period) CHECK(taken < time + period + 1e-3);
      }
    }
}

TEST_CASE("parts serve all clocks and each has the constants that were fitted at its own") {
  const auto ddr = [](const std::string& part, const std::string& mhz) {
    const stream::Config c = stream::Config::read(kConfigs + "systems/zcu102_stream.yaml",
                                                  {"clock_mhz=" + mhz, "ddr=../parts/" + part + ".yaml"});
    return std::vector<int>{c.ddr.data_bits,       c.ddr.read_latency,     c.ddr.write_latency,
                            c.ddr.turnaround,      c.ddr.refresh_interval, c.ddr.refresh_cycles,
                            c.ddr.request_latency, c.ddr.response_latency};
  };
  CHECK(ddr("zcu102_ps_ddr4", "250") == std::vector<int>{546, 26, 20, 0, 1950, 70, 10, 11});
  CHECK(ddr("zcu102_ps_ddr4", "100") == std::vector<int>{1365, 9, 7, 0, 780, 0, 3, 4});
  CHECK(ddr("zcu102_ps_ddr4_deep", "1000/3") == std::vector<int>{409, 35, 27, 0, 2600, 48, 14, 16});
  CHECK(ddr("round_numbers_ddr", "250") == std::vector<int>{0, 40, 20, 8, 1950, 65, 14, 15});
  CHECK(ddr("round_numbers_ddr", "1000/3") == std::vector<int>{0, 53, 27, 11, 2600, 87, 19, 20});
  const auto host = [](const std::string& mhz) {
    const stream::Config c = stream::Config::read(kConfigs + "systems/zcu102_stream.yaml", {"clock_mhz=" + mhz});
    return std::vector<int>{c.host.register_write, c.host.register_read, c.host.interrupt, c.host.dma_setup,
                            c.host.layer_setup};
  };
  CHECK(host("250") == std::vector<int>{25, 35, 500, 1000, 2500});
  CHECK(host("200") == std::vector<int>{20, 28, 400, 800, 2000});
  CHECK(host("100") == std::vector<int>{10, 14, 200, 400, 1000});
}

TEST_CASE("a search that sets a clock counts costs as a file with that clock does") {
  check_set_clock<stream::Config>("zcu102_stream");
  check_set_clock<stream::Config>("tiny_stream");
  check_set_clock<tiled::Config>("faq_zcu102_dorefa8");
  check_set_clock<decoupled::Config>("tiny_decoupled");
  check_set_clock<vision::Config>("vision_zcu102");
  check_set_clock<trainer::Config>("float_trainer");
}

TEST_CASE("a time that leaves its limits at a new clock refuses the point and not the key") {
  stream::Config config = stream::Config::read(kConfigs + "systems/tiny_stream.yaml", {});
  REQUIRE(contract::set_field(config, "host.register_write", "900 us") == "");  // 90,000 cycles of 100 MHz
  CHECK(stream::refusal(config).empty());
  REQUIRE(contract::set_field(config, "clock_mhz", "200") == "");
  CHECK_THAT(stream::refusal(config), Catch::Contains("host: register_write: 900 us is 180000 cycles at 200 MHz; "
                                                      "allowed: 0..100000"));
  REQUIRE(contract::set_field(config, "host.register_write", "400 us") == "");
  CHECK(stream::refusal(config).empty());
  CHECK(config.host.register_write == 80000);
}

}  // namespace fansim::costs_test
