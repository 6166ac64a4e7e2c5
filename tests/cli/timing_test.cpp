// SPDX-License-Identifier: Apache-2.0
// A clock above the estimated Fmax is a misfit in every command that says what fits.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "program.h"

namespace fansim::timing_test {

using nlohmann::json;
using test::Outcome;
using test::run_program;

namespace {

json read_json(const std::string& file) { return json::parse(base::read_file(file)); }

Outcome run_lenet(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"run", "zcu102_stream", "lenet5", "--timing-only"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments);
}

// Writes a space of the streaming accelerator on a device in which its clock of 250 MHz cannot be met.
std::string small_device(const test::ScratchDirectory& folder, const std::string& more) {
  base::write_file(folder / "space.yaml", "version: 1\nname: s\nconfig: " + test::config("zcu102_stream") +
                                              "\nset: {device: zu3eg}\nobjectives: [latency_ms]\n" + more);
  return folder / "space.yaml";
}

const std::string kClocks = "parameters: {clock_mhz: [150, 180, 200, 250], axi.outstanding: [4, 8]}\n";

}  // namespace

TEST_CASE("estimate says with both figures whether the clock fits and exits 3 where it does not") {
  const test::ScratchDirectory folder;
  const std::string out = folder / "e.json";
  const Outcome missed = run_program({"estimate", "zcu102_stream", "--set", "device=zu3eg", "--json", out});
  CHECK(missed.code == 3);
  CHECK(missed.first_line() ==
        "zcu102_stream does not fit zu3eg: clock 250 MHz above Fmax 190 MHz +-15 % (161.2 to 218 MHz)");
  CHECK(read_json(out)["fits"] == false);
  CHECK(read_json(out)["misfits"].size() == 1);
  CHECK(read_json(out)["timing"]["verdict"] == "does_not_fit");

  const Outcome unsure = run_program({"estimate", "zcu102_stream", "--json", out});
  CHECK(unsure.code == 0);
  CHECK_THAT(unsure.out,
             Catch::StartsWith("zcu102_stream fits zcu102\ncannot tell whether it meets 250 MHz: Fmax 253 MHz "
                               "+-15 % (214.7 to 290.4 MHz)\n"));
  CHECK(read_json(out)["timing"]["verdict"] == "cannot_tell");
  CHECK(read_json(out)["fits"] == true);

  const Outcome met = run_program({"estimate", "zcu102_stream", "--set", "clock_mhz=200", "--json", out});
  CHECK(met.code == 0);
  CHECK_THAT(met.out, Catch::StartsWith("zcu102_stream fits zcu102\n\nblock"));
  CHECK(read_json(out)["timing"]["verdict"] == "fits");
}

TEST_CASE("the ends of the spread decide and slack is allowed only if it is asked for") {
  const test::ScratchDirectory folder;
  const std::string out = folder / "e.json";
  REQUIRE(run_program({"estimate", "zcu102_stream", "--json", out}).code == 0);
  const json timing = read_json(out)["timing"];
  const double least = timing["fmax_least_hz"].get<double>(), most = timing["fmax_most_hz"].get<double>();
  const auto verdict_at = [&](double hz, int code, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{
        "estimate", "zcu102_stream", "--set", fmt::format("clock_mhz={:.2f}", hz / 1e6), "--json", out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    CHECK(run_program(arguments).code == code);
    return read_json(out)["timing"]["verdict"].get<std::string>();
  };
  CHECK(verdict_at(least - 2e4, 0) == "fits");
  CHECK(verdict_at(least + 2e4, 0) == "cannot_tell");
  CHECK(verdict_at(most - 2e4, 0) == "cannot_tell");
  CHECK(verdict_at(most + 2e4, 3) == "does_not_fit");
  CHECK(verdict_at(most + 2e4, 0, {"--allow-slack"}) == "does_not_fit");
  CHECK(read_json(out)["fits"] == false);
  CHECK(read_json(out)["misfits"].empty());
  CHECK(read_json(out)["timing"]["slack_allowed"] == true);
}

TEST_CASE("run exits 3 above Fmax and marks the result everywhere even where slack is allowed") {
  const test::ScratchDirectory folder;
  const std::vector<std::string> files{"--json",         folder / "r.json", "--csv",
                                       folder / "r.csv", "--html",          folder / "r.html"};
  std::vector<std::string> arguments{"--set", "clock_mhz=500"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  for (const bool allowed : {false, true}) {
    CAPTURE(allowed);
    if (allowed) arguments.emplace_back("--allow-slack");
    const Outcome run = run_lenet(arguments);
    CHECK(run.code == (allowed ? 0 : 3));
    CHECK_THAT(run.first_line(), Catch::Contains(" ms at 500 MHz ABOVE FMAX 253 MHz, "));
    CHECK_THAT(run.out, Catch::Contains(std::string("\n") + (allowed ? "slack allowed" : "does not fit") +
                                        ": clock 500 MHz above Fmax 253 MHz +-15 % ("));
    const json report = read_json(folder / "r.json");
    CHECK(report["fits"] == false);
    CHECK(report["timing"]["verdict"] == "does_not_fit");
    CHECK(report["timing"]["slack_allowed"] == allowed);
    CHECK_THAT(base::read_file(folder / "r.csv"), Catch::EndsWith(",does_not_fit\n"));
    CHECK_THAT(base::read_file(folder / "r.html"), Catch::Contains(": clock 500 MHz above Fmax 253 MHz"));
  }
  const Outcome unsure = run_lenet({});
  CHECK(unsure.code == 0);
  CHECK_THAT(unsure.out, Catch::Contains("\ncannot tell whether it meets 250 MHz: Fmax 253 MHz"));
  CHECK_THAT(run_lenet({"--set", "clock_mhz=200"}).out, !Catch::Contains("cannot tell") && !Catch::Contains("slack"));
}

TEST_CASE("a sweep over the clock marks each row and fails only if no row fits") {
  const test::ScratchDirectory folder;
  const auto sweep = [&](const std::string& clocks, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"sweep",  "zcu102_stream",   "lenet5", "--vary",        "clock_mhz=" + clocks,
                                       "--json", folder / "s.json", "--csv",  folder / "s.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  };
  const Outcome all = sweep("200,250,500");
  CHECK(all.code == 0);
  CHECK_THAT(all.out, Catch::Contains("does not fit: clock 500 MHz above Fmax 253 MHz"));
  const json points = read_json(folder / "s.json")["points"];
  CHECK(points[0]["timing"] == "fits");
  CHECK(points[1]["timing"] == "cannot_tell");
  CHECK_FALSE(points[1].contains("reason"));
  CHECK(points[2]["timing"] == "does_not_fit");
  CHECK(points[2]["cycles"] > 0);
  CHECK_THAT(points[2]["reason"].get<std::string>(), Catch::StartsWith("does not fit: clock 500 MHz above"));
  CHECK_THAT(base::read_file(folder / "s.csv"),
             Catch::Contains(",timing,reason\n") && Catch::Contains(",cannot_tell,\n"));
  CHECK(sweep("400,500").code == 3);
  const Outcome slack = sweep("400,500", {"--allow-slack"});
  CHECK(slack.code == 0);
  CHECK_THAT(slack.out, Catch::Contains("slack allowed: clock 400 MHz above Fmax"));
}

TEST_CASE("a training exits 3 above Fmax and goes on if slack is allowed") {
  std::vector<std::string> arguments{"train", "float_trainer", "digits", "--images", "2", "--set", "clock_mhz=400"};
  const std::string figures = "clock 400 MHz above Fmax 289 MHz +-15 % (";
  const Outcome missed = run_program(arguments);
  CHECK(missed.code == 3);
  CHECK_THAT(missed.err, Catch::StartsWith("does not fit: " + figures));
  arguments.emplace_back("--allow-slack");
  const Outcome slack = run_program(arguments);
  CHECK(slack.code == 0);
  CHECK_THAT(slack.err, Catch::StartsWith("slack allowed: " + figures));
  CHECK(slack.out == missed.out);
}

TEST_CASE("compare marks each report whose clock is not met") {
  const test::ScratchDirectory folder;
  REQUIRE(run_lenet({"--set", "clock_mhz=200", "--json", folder / "a.json"}).code == 0);
  REQUIRE(run_lenet({"--set", "clock_mhz=500", "--allow-slack", "--json", folder / "b.json"}).code == 0);
  const Outcome compared = run_program(
      {"compare", folder / "a.json", folder / "b.json", "--json", folder / "c.json", "--html", folder / "c.html"});
  CHECK(compared.code == 0);
  CHECK_THAT(compared.out, Catch::Contains("b.json; clock 500 MHz above Fmax 253 MHz\n") &&
                               Catch::Contains("a.json\n") && Catch::Contains("does_not_fit"));
  CHECK(read_json(folder / "c.json")["timing"][0] == "");
  CHECK_THAT(base::read_file(folder / "c.html"), Catch::Contains("clock 500 MHz above Fmax 253 MHz"));
}

TEST_CASE("a search takes no point whose clock is above Fmax unless it is told to whatever the method") {
  const test::ScratchDirectory folder;
  const std::string out = folder / "e.json";
  const auto search = [&](const std::string& more, int code, const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments{"explore", small_device(folder, more), "lenet5", "--json", out};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run_program(arguments);
    CAPTURE(more, outcome.err);
    CHECK(outcome.code == code);
    return read_json(out);
  };
  for (const char* method : {"branch_and_bound", "exhaustive"}) {
    CAPTURE(method);
    const std::string by = std::string("search: {method: ") + method + "}\n";
    const json timed = search(kClocks + by, 0);
    CHECK(timed["proven"] == true);
    CHECK(timed["front"][0]["metrics"]["clock_mhz"] == 180);
    CHECK(timed["front"][0]["timing"] == "cannot_tell");
    CHECK(timed["slack_allowed"] == false);
    // The space file and the command line both allow slack; the point is marked, and its command goes on.
    for (const json& loose :
         {search(kClocks + by, 0, {"--allow-slack"}), search(kClocks + by + "allow_slack: true\n", 0)}) {
      CHECK(loose["front"][0]["metrics"]["clock_mhz"] == 250);
      CHECK(loose["front"][0]["timing"] == "does_not_fit");
      CHECK(loose["slack_allowed"] == true);
      CHECK_THAT(loose["front"][0]["command"].get<std::string>(), Catch::EndsWith(" --allow-slack"));
    }
    // A constraint of the file's own that names both takes the place of the usual one.
    const json own = search(kClocks + by + "constraints: [fits, 1.15 * fmax_mhz >= clock_mhz]\n", 0);
    CHECK(own["front"][0]["metrics"]["clock_mhz"] == 200);
  }
  const json none = search("parameters: {clock_mhz: [250, 300], axi.outstanding: [4, 8]}\n", 3);
  CHECK(none["front"].empty());
  CHECK(none["proven"] == true);
}

TEST_CASE("a store is used with and without slack and the tasks of a search must agree on it") {
  const test::ScratchDirectory folder;
  const std::string space = small_device(folder, kClocks), out = folder / "e.json";
  std::vector<std::string> stored{"explore", space, "lenet5", "--json", out, "--resume", folder / "s.db"};
  REQUIRE(run_program(stored).code == 0);
  CHECK(read_json(out)["front"][0]["metrics"]["clock_mhz"] == 180);
  stored.emplace_back("--allow-slack");
  REQUIRE(run_program(stored).code == 0);
  CHECK(read_json(out)["front"][0]["metrics"]["clock_mhz"] == 250);
  stored.pop_back();
  REQUIRE(run_program(stored).code == 0);
  CHECK(read_json(out)["front"][0]["metrics"]["clock_mhz"] == 180);

  const auto share = [&](const char* part, const std::string& dir, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"explore", space, "lenet5", "--shard", part, "--dir", folder / dir};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  };
  for (const bool slack : {false, true}) {
    CAPTURE(slack);
    const std::string dir = slack ? "loose" : "tight";
    const std::vector<std::string> more =
        slack ? std::vector<std::string>{"--allow-slack"} : std::vector<std::string>{};
    REQUIRE(share("1/2", dir, more).code == 0);
    const Outcome other =
        share("2/2", dir, slack ? std::vector<std::string>{} : std::vector<std::string>{"--allow-slack"});
    CHECK(other.code == 2);
    CHECK_THAT(other.err, Catch::Contains("plan.json: is of another set of constraints"));
    REQUIRE(share("2/2", dir, more).code == 0);
    REQUIRE(run_program({"explore", "merge", folder / dir, "--json", out}).code == 0);
    CHECK(read_json(out)["front"][0]["metrics"]["clock_mhz"] == (slack ? 250 : 180));
    CHECK(read_json(out)["proven"] == true);
  }
}

TEST_CASE("every system that ships fits its device at its clock or cannot be told") {
  for (const char* folder : {"systems", "boards"})
    for (const std::string& file : test::files_in(std::string(FANSIM_SOURCE_DIR) + "/configs/" + folder)) {
      CAPTURE(file);
      const std::string path = std::string(FANSIM_SOURCE_DIR) + "/configs/" + folder + "/" + file;
      if (base::read_file(path).find("\nsystem: ") == std::string::npos) continue;
      CHECK_THAT(run_program({"estimate", path}).first_line(), !Catch::Contains("above Fmax"));
    }
}

}  // namespace fansim::timing_test
