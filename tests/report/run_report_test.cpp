// SPDX-License-Identifier: Apache-2.0
#include "report/run_report.h"

#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "accelerators/stream/config/account.h"
#include "report/energy.h"
#include "report/table.h"

namespace fansim::run_report_test {

using nlohmann::json;

namespace {

report::RunReport example() {
  report::RunReport r;
  r.tool = {"0.1.0", "fansim run c.yaml n.yaml"};
  r.config = {"small", "0123456789abcdef"};
  r.network = {"net", "fedcba9876543210"};
  r.engine = "clocked";
  r.seed = 7;
  r.account = stream::account();
  r.design = {250e6, 576};
  contract::LayerResult a;
  a.name = "conv1";
  a.type = "conv";
  a.cycles = 1000;
  a.macs = 288000;
  a.bytes_read = 4000;
  a.bytes_written = 2000;
  a.buckets.resize(r.account.buckets.size());
  a.buckets[0] = 750;
  a.buckets[2] = 250;
  a.output_hash = "00000000000000aa";
  contract::LayerResult b = a;
  b.name = "fc1";
  b.type = "fc";
  b.cycles = 3000;
  b.macs = 144000;
  b.buckets.assign(a.buckets.size(), 0);
  b.buckets[5] = 3000;
  b.output_hash.clear();
  r.layers = {a, b};
  r.resources = {299, 1000, 2000, 43.5};
  r.device = {"zcu102", 274080, 548160, 912, 0, 0, 0, "xczu9eg"};
  r.device.dsp = 2520;
  r.device.lut = 274080;
  r.device.ff = 548160;
  r.device.bram36 = 912;
  r.timing = {250e6, 266e6, 250e6, 300e6, 0.15};
  r.power_w = 3.9;
  return r;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

TEST_CASE("rates follow from counts and clock") {
  const report::RunReport r = example();
  const auto rate = [&r](const char* key) { return contract::statistic(key).of(r.layers[0], r.design); };
  CHECK(rate("ops") == 576000);
  CHECK(rate("seconds") == 4e-6);
  CHECK(rate("gops") == Approx(144));
  CHECK(rate("mac_utilisation") == Approx(0.5));
  CHECK(rate("read_gb_per_s") == Approx(1.0));
  CHECK(rate("write_gb_per_s") == Approx(0.5));
}

TEST_CASE("the total is the sum of its layers") {
  const contract::LayerResult sum = report::total(example());
  CHECK(sum.cycles == 4000);
  CHECK(sum.macs == 432000);
  CHECK(sum.buckets[0] == 750);
  CHECK(sum.buckets[5] == 3000);
}

TEST_CASE("a layer without cycles divides by nothing") {
  report::RunReport r = example();
  r.layers = {contract::LayerResult{}};
  CHECK(contract::statistic("gops").of(r.layers[0], r.design) == 0);
  CHECK_NOTHROW(json::parse(report::json(r)));
}

TEST_CASE("the first line of the text is the answer") {
  report::RunReport r = example();
  CHECK(first_line(report::text(r)) ==
        "net on small (clocked): 4,000 cycles, 0.016 ms at 250 MHz, 54.0 GOPS, not verified");
  r.verified = true;
  CHECK_THAT(first_line(report::text(r)), Catch::EndsWith(", verified"));
  r.verified = false;
  CHECK_THAT(first_line(report::text(r)), Catch::EndsWith("VERIFICATION FAILED"));
}

TEST_CASE("the table has the largest two reasons of each layer where its columns do not fit") {
  report::RunReport r = example();
  CHECK(report::text(r, 500) == report::text(r));
  // Compute is the machine's work and no reason; of the others the largest come first.
  auto& buckets = r.layers[0].buckets;
  std::fill(buckets.begin(), buckets.end(), 0);
  buckets[0] = 400;
  buckets[1] = 100;
  buckets[2] = 200;
  buckets[3] = 300;
  const auto& names = r.account.buckets;
  const std::string narrow = report::text(r, 60);
  CHECK_THAT(narrow, Catch::Contains(std::string(names[3].name) + " 30.0 %, " + names[2].name + " 20.0 %\n") &&
                         Catch::Contains("all columns: --wide"));
  const std::size_t table = narrow.find("\nlayer"), end = narrow.find("all columns");
  REQUIRE(table != std::string::npos);
  CHECK(report::widest(narrow.substr(table, end - table)) <= 80);
}

TEST_CASE("the text says how sure the time is and what of the energy is a constant") {
  report::RunReport r = example();
  r.reach = report::Reach{3000, 10'000, {"ddr.read_latency", "host.interrupt", "host.dma_setup"}};
  r.processing_system_source = "a constant of a thesis";
  const estimate::Power power{0.3, 2.6, 0.5, 0.2, 0.2, 0.1};
  r.layers[0].mapping.emplace();
  r.layers[0].mapping->operands = {{"inputs", false, 4000, 9000, 20'000}, {"outputs", true, 2000, 2000, std::nullopt}};
  r.energy = report::energy_of(r.layers, 1, 16e-6, power, {});
  CHECK_THAT(report::text(r),
             Catch::Contains("\ntime: 0.012 to 0.040 ms by the ranges of 3 fitted or assumed constants "
                             "(ddr, host); --ranges: by which\n") &&
                 Catch::Contains("\nenergy: 0.0416 mJ of it the processing system's, a constant of a "
                                 "thesis; the memory takes 0.0004455 to 0.0039 mJ more\n"));
  const json j = json::parse(report::json(r));
  CHECK(j["time_range"]["least_cycles"] == 3000);
  CHECK(j["time_range"]["keys"].size() == 3);
  const json& energy = j["energy"];
  CHECK(energy["chip_mj"]["processing_system"].get<double>() == Approx(2.6 * 16e-3));
  CHECK(energy["ddr_mj"]["typical"].get<double>() == Approx(12'000 * 162.5e-9));
  CHECK(energy["with_ddr_mj"]["low"].get<double>() == Approx(3.9 * 16e-3 + 12'000 * 37.125e-9));
  std::map<std::string, std::int64_t> counts;
  for (const json& level : energy["levels"]) counts[level["level"]] = level["count"];
  CHECK(counts == std::map<std::string, std::int64_t>{
                      {"mac", 432'000}, {"registers", 20'000}, {"buffers", 11'000}, {"ddr", 12'000}});
  r.reach->keys.clear();
  CHECK_THAT(report::text(r), Catch::Contains("the configuration states no range\n"));
  CHECK_FALSE(json::parse(report::json(r)).contains("time_range"));
}

TEST_CASE("the text says what does not fit and only the buckets that hold cycles") {
  report::RunReport r = example();
  CHECK_THAT(report::text(r), !Catch::Contains("does not fit") && !Catch::Contains("ddr_refresh"));
  r.misfits = {"BRAM36 1024 of 912"};
  CHECK_THAT(report::text(r), Catch::Contains("does not fit: BRAM36 1024 of 912\n"));
}

TEST_CASE("the JSON is schema version 1 with whole numbers of blocks without a fraction") {
  const json j = json::parse(report::json(example()));
  CHECK(j["schema"] == 1);
  CHECK(j["tool"] == json{{"name", "fansim"}, {"version", "0.1.0"}, {"command", "fansim run c.yaml n.yaml"}});
  CHECK(j["config"]["name"] == "small");
  CHECK(j["network"]["hash"] == "fedcba9876543210");
  CHECK(j["seed"] == 7);
  CHECK(j["layers"][0]["cycles"] == 1000);
  CHECK(j["layers"][0]["buckets"].size() == stream::account().buckets.size());
  CHECK(j["layers"][0]["buckets"]["fill"] == 250);
  CHECK(j["layers"][0]["output_hash"] == "00000000000000aa");
  CHECK_FALSE(j["layers"][1].contains("output_hash"));
  CHECK(j["total"]["ops"] == 864000);
  CHECK_FALSE(j["total"].contains("name"));
  CHECK(j["resources"]["bram36"] == 43.5);
  CHECK(j["device"]["bram36"] == 912);
  CHECK(j["fits"] == true);
  report::RunReport whole = example();
  whole.resources.bram36 = 44;
  CHECK_THAT(report::json(whole), Catch::Contains("\"bram36\": 44,"));
  whole.misfits = {"DSP 3 of 2"};
  CHECK(json::parse(report::json(whole))["fits"] == false);
}

TEST_CASE("the CSV has one row per layer and one column per bucket") {
  report::RunReport r = example();
  r.layers[0].name = "a,\"b\"";
  const std::string csv = report::csv(r);
  CHECK_THAT(first_line(csv),
             Catch::StartsWith("name,type,cycles,macs,ops,seconds,gops,") &&
                 Catch::EndsWith(",compute,drain,fill,wait_output,wait_weights,wait_input,ddr_refresh,"
                                 "ddr_row_miss,ddr_turnaround,ddr_arbitration,dma_setup,host,idle,output_hash,timing"));
  CHECK_THAT(csv, Catch::Contains("\n\"a,\"\"b\"\"\",conv,1000,288000,576000,"));
  CHECK_THAT(csv, Catch::EndsWith(",fits\n"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 3);
}

TEST_CASE("a clock within the spread of Fmax and one above it are told in text and JSON and CSV") {
  report::RunReport r = example();
  const auto timing_of = [](const report::RunReport& one) { return json::parse(report::json(one))["timing"]; };
  CHECK(timing_of(r)["verdict"] == "fits");
  CHECK_THAT(report::text(r), !Catch::Contains("cannot tell"));
  r.timing.least_hz = 249e6;
  CHECK(timing_of(r)["verdict"] == "cannot_tell");
  CHECK(json::parse(report::json(r))["fits"] == true);
  CHECK_THAT(report::text(r),
             Catch::Contains("\ncannot tell whether it meets 250 MHz: Fmax 266 MHz +-15 % (249 to 300 MHz)\n"));
  r.timing = {250e6, 190e6, 161.5e6, 218.5e6, 0.15};
  CHECK(timing_of(r) == json{{"verdict", "does_not_fit"},
                             {"clock_hz", 250e6},
                             {"fmax_hz", 190e6},
                             {"fmax_least_hz", 161.5e6},
                             {"fmax_most_hz", 218.5e6},
                             {"slack_allowed", false}});
  CHECK(json::parse(report::json(r))["fits"] == false);
  CHECK_THAT(report::answer(r), Catch::Contains(" ms at 250 MHz ABOVE FMAX 190 MHz, "));
  CHECK_THAT(report::csv(r), Catch::EndsWith(",does_not_fit\n"));
  r.slack_allowed = true;
  CHECK_THAT(report::text(r),
             Catch::Contains("\nslack allowed: clock 250 MHz above Fmax 190 MHz +-15 % (161.5 to 218.5 MHz)\n"));
  CHECK(timing_of(r)["slack_allowed"] == true);
}

}  // namespace fansim::run_report_test
