// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.h"
#include "cli/explore/explore_report.h"
#include "program.h"

namespace fansim::explore_test {

using test::model;
using test::Outcome;
using test::run_program;
using Json = nlohmann::json;

namespace {

// Starts the program with its diagnostics in a file.
pid_t start_with_errors(const std::vector<std::string>& arguments, const std::string& file) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  std::vector<std::string> words{"fansim"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (std::freopen("/dev/null", "w", stdout) && std::freopen(file.c_str(), "w", stderr))
    ::execv(FANSIM_PROGRAM, argv.data());
  ::_exit(127);
}

// Waits for a process other than `but` in which a search runs; 0: there is none.
pid_t await_child(pid_t parent, pid_t but = 0) {
  const std::string number = std::to_string(parent);
  for (int i = 0; i < 1000; ++i, ::usleep(10'000)) {
    std::ifstream children("/proc/" + number + "/task/" + number + "/children");
    pid_t child = 0;
    if (children >> child && child != but) return child;
  }
  return 0;
}

const std::string kSpace = std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/tiny_tiled.yaml";
const std::string kNet = model("lenet5");

Json explored(const std::vector<std::string>& more, const std::string& space = kSpace, int code = 0) {
  const test::ScratchDirectory folder;
  std::vector<std::string> arguments{"explore", space, kNet, "--json", folder / "e.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = run_program(arguments);
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == code);
  return Json::parse(base::read_file(folder / "e.json"));
}

// Writes a space file that needs no other file, on the same configuration.
std::string space_file(const test::ScratchDirectory& folder, const std::string& yaml) {
  base::write_file(folder / "space.yaml", "version: 1\nname: s\nconfig: " + std::string(FANSIM_SOURCE_DIR) +
                                              "/configs/systems/faq_zcu102_dorefa8_dsp.yaml\n" + yaml);
  return folder / "space.yaml";
}

void refuses(const std::vector<std::string>& arguments, const std::string& message, int lines = 1) {
  const Outcome outcome = run_program(arguments);
  CAPTURE(arguments, outcome.err);
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains(message));
  CHECK(outcome.out.empty());
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == lines);
}

void refuses_space(const std::string& yaml, const std::string& message) {
  const test::ScratchDirectory folder;
  refuses({"explore", space_file(folder, yaml), kNet}, message);
}

}  // namespace

TEST_CASE("the command of a point of the front reproduces its cycles and traffic and resources and power") {
  const std::string space = GENERATE(as<std::string>{}, "tiny_tiled", "tiny_stream");
  CAPTURE(space);
  const Json result = explored({}, std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/" + space + ".yaml");
  CHECK(result["proven"] == true);
  REQUIRE(result["front"].size() > 3);
  for (const std::size_t i : {std::size_t{0}, result["front"].size() - 1}) {
    const Json point = result["front"][i];
    std::istringstream words(point["command"].get<std::string>());
    std::vector<std::string> arguments;
    for (std::string word; words >> word;) arguments.push_back(word);
    REQUIRE(arguments.size() > 4);
    REQUIRE(arguments[0] == "fansim");
    arguments.erase(arguments.begin());
    const test::ScratchDirectory folder;
    arguments.insert(arguments.end(), {"--json", folder / "r.json"});
    REQUIRE(run_program(arguments).code == 0);
    const Json run = Json::parse(base::read_file(folder / "r.json"));
    const Json metrics = point["metrics"];
    CHECK(metrics["cycles"] == run["total"]["cycles"]);
    CHECK(metrics["latency_ms"].get<double>() == Approx(run["total"]["seconds"].get<double>() * 1e3));
    CHECK(metrics["gops"].get<double>() == Approx(run["total"]["gops"].get<double>()));
    CHECK(metrics["read_mb"].get<double>() * 1e6 == Approx(run["total"]["bytes_read"].get<double>()));
    CHECK(metrics["written_mb"].get<double>() * 1e6 == Approx(run["total"]["bytes_written"].get<double>()));
    for (const char* resource : {"dsp", "lut", "ff", "bram36"}) CHECK(metrics[resource] == run["resources"][resource]);
    CHECK(metrics["power_w"] == run["power_w"]);
    CHECK(metrics["fmax_mhz"].get<double>() * 1e6 == Approx(run["fmax_hz"].get<double>()));
  }
}

TEST_CASE("explore gives the same front for any number of jobs and every exact method") {
  const Json one = explored({"--jobs", "1"});
  CHECK(explored({"--jobs", "4"})["front"] == one["front"]);
  CHECK(explored({"--jobs", "4"})["counts"]["evaluated"] == one["counts"]["evaluated"]);
  const test::ScratchDirectory folder;
  const std::string yaml = base::read_file(kSpace);
  const std::string rest = yaml.substr(yaml.find("set:"));
  const Json exhaustive = explored({}, space_file(folder, rest + "search: {method: exhaustive}\n"));
  CHECK(exhaustive["front"].size() == one["front"].size());
  for (std::size_t i = 0; i < one["front"].size(); ++i)
    CHECK(exhaustive["front"][i]["parameters"] == one["front"][i]["parameters"]);
}

TEST_CASE("the methods that draw give the same front for one seed") {
  const test::ScratchDirectory folder;
  const std::string yaml = base::read_file(kSpace);
  const std::string rest = yaml.substr(yaml.find("set:"));
  for (const char* method : {"nsga2, population: 8, generations: 4", "annealing, chains: 3, steps: 20"}) {
    CAPTURE(method);
    const std::string space = space_file(folder, rest + "search: {method: " + method + "}\n");
    const Json one = explored({"--seed", "7", "--jobs", "1"}, space);
    CHECK(one["proven"] == false);
    CHECK(one["seed"] == 7);
    CHECK(explored({"--seed", "7", "--jobs", "3"}, space)["front"] == one["front"]);
  }
}

TEST_CASE("the answer comes first and then how many points were ruled out and then the commands") {
  const test::ScratchDirectory folder;
  const Outcome outcome = run_program({"explore", kSpace, kNet, "--html", folder / "e.html"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.first_line(), Catch::StartsWith("lenet5 over tiny_tiled (branch and bound): ") &&
                                       Catch::EndsWith(" points on the front, proven"));
  for (const char* words : {"raw points", "after least_waste_of", "pruned: break constraints", "evaluated",
                            "reproduce a point:", "fansim run "})
    CHECK_THAT(outcome.out, Catch::Contains(words));
  const std::string page = base::read_file(folder / "e.html");
  for (const char* words : {"<title>lenet5 over tiny_tiled</title>", "latency_ms", "fansim run"})
    CHECK_THAT(page, Catch::Contains(words));
  CHECK_THAT(page, !Catch::Contains("http-equiv") && !Catch::Contains("src=\"http"));
}

TEST_CASE("the command of a point is words for a shell whatever the space's file says") {
  explore::Space space;
  space.config = "it's.yaml";
  space.set = {"name='; touch x; '"};
  CHECK(cli::run_command(space, {}, {}, "$(net)\x1b.yaml") ==
        R"(fansim run 'it'\''s.yaml' $'$(net)\x1b.yaml' --timing-only --set 'name='\''; touch x; '\''')");
}

TEST_CASE("the command of a point leaves out what the configuration says and nothing that the space changes twice") {
  explore::Space space;
  space.config = "c.yaml";
  space.set = {"axi.outstanding=4", "dma.mm2s_start=9", "axi.outstanding=2"};
  const cli::Settings said{{"axi.outstanding", "4"}, {"dma.mm2s_start", "9"}};
  CHECK(cli::run_command(space, said, {}, "n.yaml") ==
        "fansim run c.yaml n.yaml --timing-only --set axi.outstanding=2");
}

TEST_CASE("a front as CSV has a row a point with numbers as the JSON has them") {
  const test::ScratchDirectory folder;
  const std::string csv = folder / "f.csv", json = folder / "f.json";
  REQUIRE(run_program({"explore", kSpace, kNet, "--csv", csv, "--json", json}).code == 0);
  const Json front = Json::parse(base::read_file(json))["front"];
  std::istringstream lines(base::read_file(csv));
  std::string line;
  std::getline(lines, line);
  const std::size_t columns = static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
  CHECK(columns == front[0]["parameters"].size() + front[0]["metrics"].size() + 2);
  for (const Json& point : front) {
    REQUIRE(std::getline(lines, line));
    CHECK(line.size() > point["command"].get<std::string>().size());
    CHECK_THAT(line, Catch::Contains(point["command"].get<std::string>()));
    for (const Json& value : point["parameters"]) CHECK_FALSE(value.is_null());
  }
  CHECK_FALSE(std::getline(lines, line));
}

TEST_CASE("a search killed at any time continues from its store with the same front") {
  const Json whole = explored({});
  const test::ScratchDirectory folder;
  for (const int milliseconds : {30, 60, 150, 300}) {
    const pid_t child = test::start_program({"explore", kSpace, kNet, "--resume", folder / "s.db"});
    ::usleep(static_cast<unsigned>(milliseconds) * 1000);
    ::kill(child, SIGKILL);
    test::wait_for(child);
  }
  const Json resumed = explored({"--resume", folder / "s.db"});
  CHECK(resumed["front"] == whole["front"]);
  const Json again = explored({"--resume", folder / "s.db"});
  CHECK(again["front"] == whole["front"]);
  CHECK(again["counts"]["from_store"] == again["counts"]["evaluated"]);
  CHECK(again["counts"]["layers_simulated"] == 0);
}

TEST_CASE("a search whose process a signal ends goes on in another and says what it lost") {
  const std::string space = std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/uestc_stream.yaml";
  const test::ScratchDirectory folder;
  const pid_t program =
      start_with_errors({"explore", space, kNet, "--json", folder / "e.json", "--jobs", "1"}, folder / "err");
  pid_t child = 0;
  for (int crashes = 0; crashes < 2; ++crashes) {
    child = await_child(program, child);
    REQUIRE(child != 0);
    ::usleep(20'000);  // the search takes 150,000 or more
    ::kill(child, SIGSEGV);
  }
  REQUIRE(test::wait_for(program) == 0);
  const std::string said = base::read_file(folder / "err");
  CHECK_THAT(said, Catch::Contains("SIGSEGV") && Catch::Contains("; the search goes on without it"));
  const Json whole = explored({}, space), crashed = Json::parse(base::read_file(folder / "e.json"));
  CHECK(crashed["counts"]["raw"] == whole["counts"]["raw"]);
  for (const Json& failure : crashed["failures"])
    CHECK_THAT(failure["reason"].get<std::string>(), Catch::Contains("SIGSEGV ended its process"));
  CHECK(crashed["proven"] == crashed["failures"].empty());
  if (crashed["failures"].empty()) CHECK(crashed["front"] == whole["front"]);
}

TEST_CASE("an interrupt of the program alone ends its search with 130 and the front so far in its files") {
  const std::string space = std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/faq_alexnet.yaml";
  const test::ScratchDirectory folder;
  const pid_t program = start_with_errors(
      {"explore", space, model("alexnet"), "--json", folder / "e.json", "--html", folder / "e.html"}, folder / "err");
  const pid_t child = await_child(program);
  REQUIRE(child != 0);
  ::usleep(300'000);
  ::kill(program, SIGINT);
  CHECK(test::wait_for(program) == 130);
  CHECK(::kill(child, 0) != 0);
  CHECK_THAT(base::read_file(folder / "err"), Catch::Contains("interrupted"));
  CHECK(Json::parse(base::read_file(folder / "e.json"))["interrupted"] == true);
  CHECK_THAT(base::read_file(folder / "e.html"), Catch::Contains("</html>"));
}

TEST_CASE("a store of another space or network or kind is refused") {
  const test::ScratchDirectory folder;
  const std::string store = folder / "s.db";
  explored({"--resume", store});
  refuses({"explore", kSpace, model("alexnet"), "--resume", store}, store + ": is the store of another network");
  const std::string other = space_file(folder, "parameters: {conv.tm: [8, 16]}\nobjectives: [lut]\n");
  refuses({"explore", other, kNet, "--resume", store}, store + ": is the store of another space");
  base::write_file(folder / "text.db", "this is no database, however one looks at it, and never was one before\n");
  refuses({"explore", kSpace, kNet, "--resume", folder / "text.db"}, "text.db: file is not a database");
  refuses({"explore", kSpace, kNet, "--resume", folder / "no/s.db"},
          "no/s.db: cannot write: No such file or directory");
}

TEST_CASE("a constraint that no point meets is a result with exit code 3 and leaves no store that blocks its mending") {
  const test::ScratchDirectory folder;
  const std::string store = folder / "s.db", shared = folder / "shared", out = folder / "e.json";
  const auto space = [&](const std::string& parameters, const std::string& constraint) {
    return space_file(folder,
                      "parameters: {" + parameters + "}\nobjectives: [lut]\nconstraints: [" + constraint + "]\n");
  };
  const std::string message = "space.yaml:6:15: constraint 'lut < 100' holds for no point of the space\n";
  for (const char* method : {"branch_and_bound", "exhaustive", "nsga2", "annealing"}) {
    CAPTURE(method);
    space("conv.tm: [8, 16]", "lut < 100");
    base::write_file(folder / "space.yaml",
                     base::read_file(folder / "space.yaml") + "search: {method: " + method + "}\n");
    const Outcome none = run_program({"explore", folder / "space.yaml", kNet, "--resume", store, "--json", out});
    CHECK(none.code == 3);
    CHECK_THAT(none.err, Catch::EndsWith(message));
    CHECK_THAT(none.out, Catch::Contains("no point meets the constraints, proven"));
    CHECK(Json::parse(base::read_file(out))["front"].empty());
    CHECK(Json::parse(base::read_file(out))["proven"] == true);
    CHECK_FALSE(base::exists(store));
  }
  const std::vector<std::string> share{
      "explore", space("conv.tm: [8, 16]", "lut < 100"), kNet, "--shard", "1/1", "--dir", shared};
  const Outcome task = run_program(share);
  CHECK(task.code == 3);
  CHECK_THAT(task.err, Catch::EndsWith(message));
  CHECK_FALSE(base::exists(shared));
  const std::string mended = space("conv.tm: [8, 16], conv.tn: [4, 8]", "lut > 100");
  CHECK(run_program({"explore", mended, kNet, "--resume", store}).code == 0);
  CHECK(run_program(share).code == 0);
  CHECK(run_program({"explore", "merge", shared}).code == 0);
}

TEST_CASE("stores and a shared folder of another build of the program are refused with both builds' ids") {
  const test::ScratchDirectory folder;
  const std::string store = folder / "s.db", shared = folder / "shared", other = folder / "fansim";
  explored({"--resume", store});
  REQUIRE(run_program({"explore", kSpace, kNet, "--shard", "1/2", "--dir", shared}).code == 0);
  const std::string ours = run_program({"--version"}).out.substr(std::string("fansim 0.1.0\nbuild ").size(), 40);
  test::copy_of_another_build(ours, other);
  const std::vector<std::string> faults{"inject",       test::config("tiny_stream"), kNet, "--count", "1", "--resume",
                                        folder / "i.db"};
  REQUIRE(run_program(faults).code == 0);
  const auto refused = [&](const std::string& words) {
    const std::string command = other + " " + words + " 2> " + folder / "err";
    CHECK(WEXITSTATUS(std::system(command.c_str())) == 2);
    CHECK_THAT(base::read_file(folder / "err"),
               Catch::Contains("another build: '" + ours + "', not '") && Catch::Contains("name another place"));
  };
  const std::string search = "explore " + kSpace + " " + kNet;
  refused(search + " --resume " + store);
  refused(search + " --shard 1/2 --dir " + shared);
  refused("inject " + faults[1] + " " + kNet + " --count 1 --resume " + faults.back());
  // Stripped it is the same build.
  REQUIRE(std::system(("strip -o " + other + " " FANSIM_PROGRAM).c_str()) == 0);
  CHECK(std::system(
            (other + " explore " + kSpace + " " + kNet + " --resume " + store + " > " + folder / "out").c_str()) == 0);
}

TEST_CASE("a value that the machine refuses is told and its neighbours are searched") {
  const test::ScratchDirectory folder;
  base::write_file(folder / "space.yaml", "version: 1\nname: s\nconfig: " + test::config("tiny_stream") +
                                              "\nparameters: {array.operand_bits: [8, 16], axi.data_bits: [64, 128]}\n"
                                              "objectives: [latency_ms]\n");
  const Json json = explored({}, folder / "space.yaml");
  CHECK(json["front"].size() == 1);
  REQUIRE(json["refused"].size() == 1);
  CHECK(json["refused"][0]["parameter"] == "array.operand_bits");
  CHECK(json["refused"][0]["values"] == Json{"16"});
  CHECK_THAT(json["refused"][0]["reason"].get<std::string>(), Catch::Contains("this multiplier is one of 8 bits"));
  CHECK_THAT(run_program({"explore", folder / "space.yaml", kNet}).out, Catch::Contains("refused values"));
}

TEST_CASE("a space is refused with the place and the nearest word") {
  refuses_space("parameters: {host.dma_setup: [8, 16]}\nobjectives: [lut]\n",
                "space.yaml:4:14: host.dma_setup would not act: the accelerator moves its data itself");
  refuses_space("parameters: {conv.tmm: [8, 16]}\nobjectives: [lut]\n",
                "space.yaml:4:14: 'conv.tmm' is no key of the configuration; did you mean 'conv.tm'?");
  refuses_space("parameters: {conv.tm: [8, 16]}\nderived: {conv.tnn: conv.tm}\nobjectives: [lut]\n",
                "space.yaml:5:11: 'conv.tnn' is no key of the configuration; did you mean 'conv.tn'?");
  refuses_space("parameters: {conv.tm: [8, 16]}\nobjectives: [lut]\nconstraints: [luts < 100]\n",
                "space.yaml:6:15: constraint 'luts < 100': 'luts' is not known; did you mean 'lut'?");
  refuses_space("parameters: {conv.tm: [8, 16]}\nobjectives: [lut]\nallow_slack: maybe\n",
                "space.yaml:6:14: allow_slack: expected true or false, found text 'maybe'");
  refuses_space("parameters: {conv.tm: [8, 600]}\nobjectives: [lut]\n",
                "space.yaml:4:27: conv: tm 600 is out of range; allowed: an integer 1..512");
  refuses_space("parameters: {conv.tm: [0, 8]}\nobjectives: [lut]\n",
                "space.yaml:4:24: conv: tm 0 is out of range; allowed: an integer 1..512");
  refuses_space("parameters: {quantisation.method: [dorefa, dorefaa]}\nobjectives: [lut]\n",
                "space.yaml:4:44: quantisation 'dorefaa' unknown; did you mean 'dorefa'?");
  refuses_space("parameters: {load.order: [serial, paralel]}\nobjectives: [lut]\n",
                "space.yaml:4:35: load: order 'paralel'; allowed: serial, parallel; did you mean 'parallel'?");
  refuses_space("parameters: {}\nobjectives: [lut]\n", "space.yaml:4:13: parameters: the space is empty");
  refuses_space("parameters: {conv.tm: [8]}\nset: {conv.tnn: 4}\nobjectives: [lut]\n", "tnn");
  const test::ScratchDirectory folder;
  base::write_file(folder / "stream.yaml", "version: 1\nname: s\nconfig: " + test::config("tiny_stream") +
                                               "\nparameters: {axi.data_bit: [64]}\nobjectives: [lut]\n");
  refuses({"explore", folder / "stream.yaml", kNet},
          "stream.yaml:4:14: 'axi.data_bit' is no key of the configuration; did you mean 'axi.data_bits'?");
  refuses({"explore", "no.yaml", kNet}, "no.yaml");
  refuses({"explore", kSpace}, "explore: NETWORK is missing");
  refuses({"explore", kSpace, kNet, "--jobs", "0"}, "explore: --jobs 0: allowed: 1..1024");
  refuses({"explore", kSpace, kNet, "--resme", "s.db"}, "did you mean '--resume'?");
  refuses({"explore", kSpace, kNet, "--json", "/no/such/folder/e.json"}, "/no/such/folder/e.json");
}

TEST_CASE("points that the configuration refuses are neither bounded nor simulated") {
  for (const char* refused : {"ddr.refresh_cycles: [87, 10000]", "first.tm: [0, 8]"}) {
    CAPTURE(refused);
    const test::ScratchDirectory folder;
    base::write_file(folder / "space.yaml", "version: 1\nname: s\nconfig: " + test::config("faq_zcu102_dorefa8_dsp") +
                                                "\nparameters: {" + refused + ", conv.tn: [4, 8, 24]}\n" +
                                                "objectives: [cycles]\nsearch: {method: branch_and_bound}\n");
    const test::Outcome run = test::run_program({"explore", folder / "space.yaml", kNet});
    CHECK(run.code == 0);
    CHECK(run.err == "");
    CHECK_THAT(run.out, Catch::Contains("proven") && !Catch::Contains("not proven"));
  }
}

TEST_CASE("a space none of whose points meets the constraints ends with 3 and says so") {
  const test::ScratchDirectory folder;
  const Outcome outcome =
      run_program({"explore",
                   space_file(folder,
                              "parameters: {conv.tm: [8, 512]}\nobjectives: [lut]\nconstraints: [latency_ms < "
                              "0.0001 or conv.tm > 500]\n"),
                   kNet});
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.first_line(), Catch::Contains("no point meets the constraints, proven"));
}

}  // namespace fansim::explore_test
