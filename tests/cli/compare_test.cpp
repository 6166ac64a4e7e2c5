// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "program.h"

namespace fansim::compare_test {

using nlohmann::json;
using test::Outcome;
using test::run_program;

namespace {

void write_report(const std::string& file, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run", "zcu102_stream", "lenet5", "--timing-only", "--json", file};
  arguments.insert(arguments.end(), more.begin(), more.end());
  REQUIRE(run_program(arguments).code == 0);
}

json row(const json& rows, const std::string& name) {
  for (const json& one : rows)
    if (one["name"] == name) return one;
  return {};
}

}  // namespace

TEST_CASE("compare says what differs with the largest first and nothing else") {
  const test::ScratchDirectory folder;
  const std::string a = folder / "a.json", b = folder / "b.json", out = folder / "c.json";
  write_report(a);
  write_report(b, {"--set", "axi.outstanding=1", "--set", "dma.mm2s_start=20"});
  const Outcome same = run_program({"compare", a, a});
  CHECK(same.code == 0);
  CHECK_THAT(same.out, Catch::Contains("nothing differs"));
  const Outcome outcome = run_program({"compare", a, b, "--json", out});
  CHECK(outcome.code == 0);
  const json differences = json::parse(base::read_file(out));
  REQUIRE(differences["configuration"].size() == 2);
  CHECK(row(differences["configuration"], "axi.outstanding")["values"] == json({4.0, 1.0}));
  CHECK(differences["resources"].empty());
  const json first = json::parse(base::read_file(a)), second = json::parse(base::read_file(b));
  const double change = second["total"]["cycles"].get<double>() - first["total"]["cycles"].get<double>();
  CHECK(row(differences["total"], "cycles")["change"] == change);
  double by_layer = 0, last = 1e18;
  for (const json& layer : differences["layers"]) {
    by_layer += layer["change"].get<double>();
    CHECK(std::abs(layer["change"].get<double>()) <= last);
    last = std::abs(layer["change"].get<double>());
  }
  CHECK(by_layer == change);
  double by_bucket = 0;
  for (const json& bucket : differences["buckets"]) by_bucket += bucket["change"].get<double>();
  CHECK(by_bucket == change);
}

TEST_CASE("compare takes several reports of different networks and machines") {
  const test::ScratchDirectory folder;
  const std::string a = folder / "a.json", b = folder / "b.json", c = folder / "c.json";
  write_report(a);
  REQUIRE(run_program({"run", "faq_zcu102_dorefa8", "lenet5", "--timing-only", "--json", b}).code == 0);
  REQUIRE(run_program({"run", "tiny_stream", "tiny_conv", "--timing-only", "--json", c}).code == 0);
  const Outcome outcome = run_program({"compare", a, b, c});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Catch::Contains("system  stream  tiled  stream") || Catch::Contains("tiled"));
  CHECK_THAT(outcome.out, Catch::Contains("network") && Catch::Contains("tiny_conv"));
}

TEST_CASE("compare refuses what is no report") {
  const test::ScratchDirectory folder;
  const std::string a = folder / "a.json", bad = folder / "bad.json";
  write_report(a);
  const auto refused = [&](const std::string& text, const std::string& why) {
    base::write_file(bad, text);
    const Outcome outcome = run_program({"compare", a, bad});
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Catch::Contains(bad + ": " + why));
  };
  refused("{", "is no JSON");
  refused("[1]", "is no report");
  refused("{\"config\": {\"name\": 3}, \"network\": {\"name\": \"n\"}, \"total\": {}, \"layers\": []}", "is no report");
  json other = json::parse(base::read_file(a));
  other["schema"] = 99;
  refused(other.dump(), "has schema 99");
  other["layers"][0].erase("cycles");
  refused(other.dump(), "is no report");
  CHECK_THAT(run_program({"compare", a}).err, Catch::Contains("two reports"));
  CHECK(run_program({"compare", a, folder / "none.json"}).code == 2);
}

TEST_CASE("compare exits 1 if a figure is worse than the first report's by more than the limit") {
  const test::ScratchDirectory folder;
  const std::string a = folder / "a.json", b = folder / "b.json", out = folder / "c.json";
  write_report(a);
  write_report(b, {"--set", "axi.outstanding=1", "--set", "dma.mm2s_start=20"});
  const double first = json::parse(base::read_file(a))["total"]["cycles"],
               second = json::parse(base::read_file(b))["total"]["cycles"];
  REQUIRE(second > first);
  const auto gate = [&](const std::vector<std::string>& limits, const std::string& from, const std::string& to) {
    std::vector<std::string> arguments{"compare", from, to, "--json", out};
    for (const std::string& limit : limits) arguments.insert(arguments.end(), {"--fail-above", limit});
    return run_program(arguments);
  };
  const double percent = 100 * (second - first) / first;
  const std::string below = std::to_string(percent - 0.01) + "%", above = std::to_string(percent + 0.01) + "%";
  const Outcome failed = gate({"cycles=" + below}, a, b);
  CHECK(failed.code == 1);
  CHECK_THAT(failed.err, Catch::StartsWith(b + ": cycles ") && Catch::Contains("; allowed: +"));
  CHECK_THAT(failed.out, Catch::Contains("cycles by layer"));
  const json row = json::parse(base::read_file(out))["gated"][0];
  CHECK(row["failed"] == true);
  CHECK(row["first"] == first);
  CHECK(row["value"] == second);
  CHECK(gate({"cycles=" + above}, a, b).code == 0);
  CHECK(gate({below}, a, b).code == 1);
  CHECK(gate({above}, a, b).code == 0);
  CHECK(gate({"cycles=0"}, b, a).code == 0);  // fewer are no failure
  CHECK(gate({"cycles=0"}, a, a).code == 0);
  CHECK(gate({"cycles=" + std::to_string(second - first)}, a, b).code == 0);
  CHECK(gate({"cycles=" + std::to_string(second - first - 1)}, a, b).code == 1);
  CHECK(gate({"lut=0", "bytes_read=0%"}, a, b).code == 0);
  CHECK(gate({"gops=0%"}, a, b).code == 1);  // of which more is better
  CHECK(gate({"gops=0%"}, b, a).code == 0);
  const Outcome layers = gate({"layer_cycles=0"}, a, b);
  CHECK(layers.code == 1);
  CHECK_THAT(layers.err, Catch::Contains(": conv1: cycles "));
}

TEST_CASE("compare refuses a limit that is none and a figure or a network that is not there") {
  const test::ScratchDirectory folder;
  const std::string a = folder / "a.json", b = folder / "b.json", other = folder / "c.json";
  write_report(a);
  write_report(b, {"--layers", "conv1"});
  REQUIRE(run_program({"run", "tiny_stream", "tiny_conv", "--timing-only", "--json", other}).code == 0);
  const auto refused = [&](const std::string& limit, const std::string& to, const std::string& why) {
    const Outcome outcome = run_program({"compare", a, to, "--fail-above", limit});
    CAPTURE(limit);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Catch::Contains(why));
    CHECK(outcome.out.empty());
  };
  for (const char* limit :
       {"", "=1", "cycles", "cycles=", "cycles=%", "cycles=-1%", "cycles=1x", "cycles=nan", "cycles=inf%", "5"})
    refused(limit, a, "compare: --fail-above: expected FIGURE=LIMIT or FIGURE=LIMIT%, as in cycles=1%, found '");
  refused("cycle=1%", a, a + ": has no figure 'cycle'; did you mean 'cycles'?");
  refused("energy_mj=1%", b, b + ": has no figure 'energy_mj'");
  refused("cycles=1%", other, other + ": is of the network 'tiny_conv', not of 'lenet5'");
}

TEST_CASE("sweep runs every combination and says why one does not run") {
  const test::ScratchDirectory folder;
  const std::string out = folder / "s.json", csv = folder / "s.csv";
  const Outcome outcome = run_program({"sweep", "zcu102_stream", "lenet5", "--vary", "axi.outstanding=1,4,99", "--vary",
                                       "buffers.weight_kib=96,192", "--json", out, "--csv", csv});
  CHECK(outcome.code == 0);
  const json points = json::parse(base::read_file(out))["points"];
  REQUIRE(points.size() == 6);
  CHECK(points[1]["values"] == json({{"axi.outstanding", "1"}, {"buffers.weight_kib", "192"}}));
  const std::string report = folder / "r.json";
  write_report(report, {"--set", "axi.outstanding=1", "--set", "buffers.weight_kib=192"});
  const json run = json::parse(base::read_file(report));
  CHECK(points[1]["cycles"] == run["total"]["cycles"].get<double>());
  CHECK(points[1]["energy_mj"].get<double>() == Approx(run["energy_mj"].get<double>()));
  CHECK_THAT(points[5]["reason"].get<std::string>(), Catch::Contains("allowed: an integer 1..32"));
  CHECK_FALSE(points[5].contains("cycles"));
  const std::string table = base::read_file(csv);
  CHECK(std::count(table.begin(), table.end(), '\n') == 7);
}

TEST_CASE("sweep of nothing but values that are refused is the user's error while one of what does not fit is not") {
  CHECK(run_program({"sweep", "zcu102_stream", "lenet5", "--vary", "axi.outstanding=99,x"}).code == 2);
  CHECK(run_program({"sweep", "zcu102_stream", "alexnet", "--vary", "array.line_columns=32,64"}).code == 3);
}

TEST_CASE("sweep refuses what it cannot vary") {
  const auto refused = [](const std::vector<std::string>& more, const std::string& why) {
    std::vector<std::string> arguments{"sweep", "tiny_stream", "tiny_conv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_program(arguments);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Catch::Contains(why));
    CHECK(outcome.out.empty());
  };
  refused({}, "--vary KEY=a,b,c is missing");
  refused({"--vary", "axi.outstandin=1"}, "did you mean 'axi.outstanding'?");
  refused({"--vary", "axi.outstanding="}, "expected KEY=a,b,c");
  refused({"--vary", "axi.outstanding=1,,2"}, "expected KEY=a,b,c");
  refused({"--vary", "axi.outstanding=1", "--vary", "axi.outstanding=2"}, "twice");
  std::string many = "axi.outstanding=1", more = "axi.burst_beats=1";
  for (int i = 2; i <= 400; ++i) {
    many += "," + std::to_string(i);
    more += "," + std::to_string(i);
  }
  refused({"--vary", many, "--vary", more}, "more than 100000 points");
}

}  // namespace fansim::compare_test
