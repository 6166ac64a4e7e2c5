// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "base/file.h"
#include "program.h"

namespace fansim::other_commands_test {

using test::config;
using test::model;
using test::Outcome;
using test::run_program;

TEST_CASE("help and version are on standard output with exit code 0") {
  const Outcome version = run_program({"--version"});
  CHECK(version.first_line() == "fansim 0.1.0");
  CHECK_THAT(version.out, Catch::Matches("fansim 0.1.0\nbuild [0-9a-f]{40}\n"));
  CHECK_THAT(run_program({"--help"}).out, Catch::Contains("reproduce"));
  const Outcome help = run_program({"run", "--help"});
  CHECK(help.code == 0);
  CHECK_THAT(help.out, Catch::Contains("usage: fansim run CONFIG NETWORK") && Catch::Contains("--vcd-window"));
  CHECK(run_program({}).code == 2);
}

TEST_CASE("the help of every subcommand fits a screen and ends with examples") {
  const auto require_screen = [](const std::vector<std::string>& words, const std::string& example) {
    constexpr int kLines = 51, kColumns = 80;
    const Outcome help = run_program(words);
    INFO(help.out);
    CHECK(help.code == 0);
    CHECK_THAT(help.out, Catch::Contains("\nExamples:\n  fansim " + example));
    std::istringstream lines(help.out);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) CHECK(line.size() <= kColumns);
    CHECK(count <= kLines);
  };
  require_screen({"--help"}, "list");
  const auto all = nlohmann::json::parse(run_program({"--help-json"}).out);
  REQUIRE(all["subcommands"].size() > 10);
  for (const auto& subcommand : all["subcommands"]) require_screen({subcommand["name"], "--help"}, subcommand["name"]);
}

TEST_CASE("the help says the same as JSON for man pages and completion") {
  const auto run = nlohmann::json::parse(run_program({"run", "--help-json"}).out);
  CHECK(run["usage"] == "fansim run CONFIG NETWORK [options]");
  CHECK(run["positionals"] == nlohmann::json{"CONFIG", "NETWORK"});
  CHECK(run["groups"][0]["options"][0] == nlohmann::json{{"name", "set"},
                                                         {"letter", ""},
                                                         {"placeholder", "key.path=value"},
                                                         {"help", "override a configuration key; may repeat"},
                                                         {"repeats", true}});
  CHECK(run["examples"].size() == 2);
  const auto words = nlohmann::json::parse(run_program({"--help-json"}).out)["words"];
  const auto has = [&](const char* kind, const char* word) {
    return std::count(words[kind].begin(), words[kind].end(), word) == 1;
  };
  CHECK(has("CONFIG", "zcu102_stream"));
  CHECK(has("NETWORK", "alexnet"));
  CHECK(has("SPACE", "tiny_stream"));
  CHECK(has("PAPER", "uestc"));
  CHECK(has("PRIMITIVE", "DSP48E2"));
  CHECK(has("METRIC", "gops"));
}

TEST_CASE("an estimate shows every block and the device and Fmax and power") {
  const Outcome outcome = run_program({"estimate", config("zcu102_stream"), model("lstm256")});
  CHECK(outcome.code == 0);
  CHECK(outcome.first_line() == "zcu102_stream fits zcu102");
  for (const char* part :
       {"mac_array", "weight_buffer", "274,080", "Fmax", "mW", "solved from the UESTC thesis", "lstm256: "})
    CHECK_THAT(outcome.out, Catch::Contains(part));
}

TEST_CASE("an estimate as JSON names the limiting path and adds up") {
  const test::ScratchDirectory folder;
  const std::string file = folder / "estimate.json";
  REQUIRE(run_program({"estimate", config("zcu102_stream"), "--json", file}).code == 0);
  const auto json = nlohmann::json::parse(base::read_file(file));
  CHECK(json["fmax"]["limit"] == "end of the loop nest");
  CHECK(json["fmax"]["block"] == "control");
  double ns = 0, watts = 0;
  for (const auto& part : json["fmax"]["parts_ns"]) ns += part.get<double>();
  CHECK(ns == Approx(json["fmax"]["ns"].get<double>()));
  for (const auto& [name, w] : json["power_w"].items()) watts += name == "total" ? 0 : w.get<double>();
  CHECK(watts == Approx(json["power_w"]["total"].get<double>()));
  int lut = 0, lutram = 0;
  for (const auto& block : json["blocks"]) {
    lut += block["lut"].get<int>();
    lutram += block["lutram"].get<int>();
  }
  CHECK(lut == json["total"]["lut"]);
  CHECK(lutram == json["total"]["lutram"]);
  CHECK(json["device"]["uram"] == 0);
  const Outcome piped = run_program({"estimate", config("zcu102_stream"), model("lenet5"), "--json", "-"});
  CHECK(nlohmann::json::parse(piped.out) == json);
  CHECK_THAT(piped.err, Catch::Contains("set by control: end of the loop nest") && Catch::Contains("lenet5: "));
}

TEST_CASE(
    "describe float_operators has each width's area and delay and energy and power and what is assumed or fitted") {
  const Outcome all = run_program({"describe", "float_operators"});
  CHECK(all.code == 0);
  for (const char* part : {"adder                             (1,8,7)", "reciprocal divider, 2 iterations  (1,8,23)",
                           "um2: 1.17 a gate, assumed", "ns: 27.5 ps a level, assumed", "switches, fitted"})
    CHECK_THAT(all.out, Catch::Contains(part));
  CHECK(run_program({"describe", "float_operator"}).err ==
        "describe: 'float_operator' unknown; did you mean 'float_operators'?\n");
}

TEST_CASE("describe device lists the devices and shows one by name or file and a wrong name has its nearest") {
  const Outcome all = run_program({"describe", "device"});
  CHECK(all.code == 0);
  for (const char* name : {"kv260", "vu9p", "xc7z020", "zcu102", "zu28dr"}) CHECK_THAT(all.out, Catch::Contains(name));
  const Outcome one = run_program({"describe", "device", "xc7z020"});
  CHECK(one.code == 0);
  CHECK_THAT(one.out, Catch::Contains("zynq_7000") && Catch::Contains("17,400") &&
                          Catch::Contains("DSP48E1 slices, 25 x 18 bits"));
  CHECK(run_program({"describe", "device", std::string(FANSIM_SOURCE_DIR) + "/configs/devices/xc7z020.yaml"}).out ==
        one.out);
  const Outcome wrong = run_program({"describe", "device", "zu9g"});
  CHECK(wrong.code == 2);
  CHECK(wrong.err == "describe: device 'zu9g' unknown; did you mean 'zu9eg'?\n");
  const Outcome missing = run_program({"describe", "device", "no/such.yaml"});
  CHECK(missing.code == 2);
  CHECK_THAT(missing.err, Catch::StartsWith("no/such.yaml: ") && Catch::Contains("No such file"));
  CHECK(run_program({"describe", "array", "zcu102"}).code == 2);
  CHECK_THAT(run_program({"describe", "devise"}).err, Catch::Contains("did you mean 'device'?"));
}

TEST_CASE("a device whose DSP slices cannot hold a packed pair refuses it with exit code 3 and says what to use") {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"estimate", config("tiny_stream")},
                                                  {"run", config("tiny_stream"), model("lenet5"), "--timing-only"}}) {
    std::vector<std::string> arguments = command;
    for (const char* set : {"device=xc7z045", "array.multiplier=dsp48e2_dual_int8"})
      arguments.insert(arguments.end(), {"--set", set});
    const Outcome outcome = run_program(arguments);
    CAPTURE(command.front(), outcome.out, outcome.err);
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.out, Catch::Contains("the DSP48E1 has 25; use dsp48e2"));
  }
}

TEST_CASE("describe knows every block of a configuration and every bucket") {
  const Outcome overview = run_program({"describe"});
  CHECK(overview.code == 0);
  CHECK_THAT(overview.out, Catch::Contains("array quantiser pooling buffers dma axi ddr host schedule"));
  CHECK_THAT(run_program({"describe", "array"}).out,
             Catch::Contains("array.rows") && Catch::Contains("1..12") && Catch::Contains("tap rows of the array"));
  CHECK_THAT(run_program({"describe", "wait_input"}).out, Catch::StartsWith("wait_input [cycles]: "));
  CHECK_THAT(run_program({"describe", "command"}).out, Catch::Contains("receive_input"));
}

TEST_CASE("describe knows every key and layer type and metric and device and space and the nearest of all") {
  const auto said = [](const std::string& word) {
    const Outcome outcome = run_program({"describe", word});
    CAPTURE(word, outcome.err);
    CHECK(outcome.code == 0);
    return outcome.out;
  };
  CHECK_THAT(said("axi.outstanding"), Catch::Contains("bursts in flight") && Catch::Contains("1..32"));
  CHECK_THAT(said("ddr.part.data_bits"), Catch::Contains("ddr.part.data_bits: "));
  CHECK_THAT(said("bandwidth_gb_per_s"), Catch::Contains("of searches and sweeps"));
  CHECK_THAT(said("maxpool"), Catch::Contains("kernel, stride (the kernel)") && Catch::Contains("output: map"));
  CHECK_THAT(said("zu9eg"), Catch::Contains("DSP48E2 slices"));
  CHECK_THAT(said("uestc_stream"), Catch::Contains("array.output_channels") && Catch::Contains("objective: least"));
  CHECK_THAT(said("trainer_formats"), Catch::Contains("parts of one format"));
  // The word names a block of the tiled accelerator and a layer type, or a configuration and a space.
  CHECK_THAT(said("conv"), Catch::Contains("conv.tm") && Catch::Contains("keys (default): filters"));
  CHECK_THAT(said("tiny_stream"), Catch::StartsWith("version: 1"));
  CHECK_THAT(run_program({"describe", "space", "tiny_stream"}).out, Catch::StartsWith("tiny_stream: 432 points"));
  const auto nearest = [](const std::string& word) { return run_program({"describe", word}).err; };
  CHECK(nearest("axi.outstandin") == "describe: 'axi.outstandin' unknown; did you mean 'axi.outstanding'?\n");
  for (const char* word : {"maxpool", "latency_ms", "zu9eg", "uestc_stream", "zcu102_stream", "DSP48E2"})
    CHECK_THAT(nearest(std::string(word) + "x"), Catch::Contains(std::string("did you mean '") + word));
}

TEST_CASE("every layer type that the program reads is described and none else") {
  // Unknown words are told with the nearest; a described one is none.
  const test::ScratchDirectory folder;
  const std::string overview = run_program({"describe"}).out;
  const std::size_t from = overview.find("layer types:") + 12;
  std::istringstream words(overview.substr(from, overview.find('\n', from) - from));
  int described = 0;
  for (std::string word; words >> word; ++described) {
    base::write_file(folder / "n.yaml",
                     "version: 1\nname: n\ninput: {shape: [1, 8, 8]}\nlayers:\n- {name: a, type: " + word + "}\n");
    CAPTURE(word);
    CHECK_THAT(run_program({"run", "tiny_stream", folder / "n.yaml", "--timing-only", "--strict"}).err,
               !Catch::Contains("type '" + word + "'"));
  }
  CHECK(described == 28);
  base::write_file(folder / "n.yaml",
                   "version: 1\nname: n\ninput: {shape: [1, 8, 8]}\nlayers:\n- {name: a, type: window}\n");
  CHECK_THAT(run_program({"run", "tiny_stream", folder / "n.yaml"}).err, Catch::Contains("type 'window'"));
}

TEST_CASE("describe knows the tiled accelerator's blocks and instruction while estimate and list know its machines") {
  CHECK_THAT(run_program({"describe"}).out,
             Catch::Contains("quantisation quantiser conv first fc weights load store clock_converter port ddr host"));
  CHECK_THAT(run_program({"describe", "conv"}).out, Catch::Contains("conv.tm") && Catch::Contains("1..512"));
  CHECK_THAT(run_program({"describe", "load"}).out, Catch::Contains("serial | parallel"));
  CHECK_THAT(run_program({"describe", "instruction"}).out,
             Catch::Contains("in_channels") && Catch::Contains("fc_block"));
  CHECK_THAT(run_program({"describe", "host"}).out,
             Catch::Contains("(without effect on tiled: the host waits for an interrupt, it polls nothing)"));
  CHECK_THAT(run_program({"describe", "ddr"}).out,
             Catch::Contains("(without effect on stream: the memory has one port)"));
  CHECK_THAT(run_program({"describe", "weigths"}).err, Catch::Contains("did you mean 'weights'?"));
  CHECK_THAT(run_program({"list", "configs"}).out,
             Catch::Contains("faq_zcu102_dorefa8") && Catch::Contains("faq_zcu102_kmeans"));
}

TEST_CASE("every FAQ-CNN build fits the device and AlexNet can be scheduled on it") {
  for (const char* build : {"dorefa8", "dorefa8_dsp", "dorefa8_lut", "dorefa16", "dorefa2", "bnn", "tnn", "pot", "vecq",
                            "mul2q", "kmeans"}) {
    const Outcome outcome = run_program({"estimate", config(std::string("faq_zcu102_") + build), model("alexnet")});
    CAPTURE(build, outcome.out, outcome.err);
    CHECK(outcome.code == 0);
  }
}

TEST_CASE("an estimate of the tiled accelerator shows its boxes and what a network asks at least") {
  const Outcome outcome = run_program({"estimate", config("faq_zcu102_dorefa8"), model("alexnet")});
  CHECK(outcome.code == 0);
  CHECK(outcome.first_line() == "faq_zcu102_dorefa8 fits zcu102");
  for (const char* part :
       {"conv_weight_level1", "first_engine", "fc_sums_store", "2,490", "82.4 %", "at least 1,599,666"})
    CHECK_THAT(outcome.out, Catch::Contains(part));
  const Outcome large = run_program({"estimate", config("faq_zcu102_dorefa8_dsp"), "--set", "conv.tn=24"});
  CHECK(large.code == 3);
  CHECK(large.first_line() == "faq_zcu102_dorefa8_dsp does not fit zcu102: DSP 3538 of 2520");
  const Outcome word = run_program({"estimate", config("faq_zcu102_dorefa8"), "--set", "quantisation.method=dorfa"});
  CHECK(word.code == 2);
  CHECK_THAT(word.err, Catch::Contains("did you mean 'dorefa'?"));
}

TEST_CASE("list names what comes with the program") {
  CHECK_THAT(run_program({"list"}).out,
             Catch::Contains("zcu102_stream") && Catch::Contains("vgg16") && Catch::Contains("kv260"));
  CHECK_THAT(run_program({"list", "models"}).out, Catch::Contains("vgg16") && !Catch::Contains("kv260"));
}

namespace {

// Runs `reproduce PAPER` and holds its rows to the golden file; returns their statuses by quantity.
std::map<std::string, std::string> reproduced(const std::string& paper) {
  const test::ScratchDirectory folder;
  const Outcome outcome = run_program({"reproduce", paper, "--json", folder / "r.json"});
  const auto rows = nlohmann::json::parse(base::read_file(folder / "r.json"))["rows"];
  const auto golden =
      nlohmann::json::parse(base::read_file(std::string(FANSIM_SOURCE_DIR) + "/tests/cli/reproduce_golden.json"))
          .at(paper);
  std::map<std::string, std::string> statuses;
  bool outside = false;
  for (const auto& row : rows) {
    const std::string quantity = row["quantity"], status = row["status"];
    CAPTURE(quantity);
    CHECK(row["paper"] == paper);
    REQUIRE(golden.contains(quantity));
    const auto& committed = golden[quantity]["simulated"];
    CHECK(row["simulated"].is_null() == committed.is_null());
    if (!committed.is_null()) CHECK(row["simulated"].get<double>() == Approx(committed.get<double>()).epsilon(1e-12));
    CHECK(status == golden[quantity]["status"]);
    CHECK(row["claim"] == golden[quantity]["claim"]);
    CHECK_FALSE(row["source"].get<std::string>().empty());
    outside = outside || status == "outside";
    statuses[quantity] = status;
  }
  CHECK(rows.size() == golden.size());
  CHECK(outcome.code == (outside ? 1 : 0));
  return statuses;
}

}  // namespace

TEST_CASE("the float trainer is reproduced: counts and accuracy hold while the dividers are named as missed") {
  const auto statuses = reproduced("float-trainer");
  for (const char* promised : {"multiply-accumulates forward", "multiply-accumulates back", "weights updated"})
    CHECK(statuses.at(promised) == "exact");
  CHECK(statuses.at("dynamic power of custom-24 above brain-16's") == "outside");
  CHECK(statuses.at("custom-16: bits of the exponent (Table 1)") == "lost");
}

TEST_CASE("the thesis is reproduced: times and DSP within their tolerance and misses named") {
  const auto statuses = reproduced("uestc");
  for (const char* promised : {"VGG-16 time", "LSTM-256 time", "DSP"}) {
    CAPTURE(promised);
    CHECK((statuses.at(promised) == "within" || statuses.at(promised) == "exact"));
  }
  CHECK(statuses.at("power, static") == "exact");
  for (const char* beside :
       {"VGG-16 throughput per watt, operations as stated", "LSTM-256 throughput per watt of the E5-2665",
        "VGG-16 throughput per DSP beside [51], Arria-10, 150 MHz", "worst slack, setup"}) {
    CAPTURE(beside);
    CHECK(statuses.at(beside) == "info");
  }
}

TEST_CASE("the headlines are turned with the constants that their papers leave open") {
  const test::ScratchDirectory folder;
  const Outcome outcome = run_program({"reproduce", "uestc", "--sensitivity", "--json", folder / "s.json"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Catch::Contains("host.dma_setup=2000"));
  const auto turns = nlohmann::json::parse(base::read_file(folder / "s.json"))["turns"];
  REQUIRE(turns.size() > 8);
  CHECK(turns[0]["setting"] == "");
  CHECK(turns[0]["change_percent"] == 0);
  CHECK(turns[1]["setting"] == "host.dma_setup=0");
  CHECK(turns[1]["simulated"].get<double>() < turns[0]["simulated"].get<double>());
  CHECK(run_program({"reproduce", "wp490", "--sensitivity"}).code == 2);
  CHECK(run_program({"reproduce", "--sensitivity", "--html", folder / "s.html"}).code == 2);
}

TEST_CASE("a run and the headlines say what the constants that nobody published leave open") {
  const test::ScratchDirectory folder;
  const Outcome run =
      run_program({"run", "zcu102_stream", "lenet5", "--timing-only", "--ranges", "--json", folder / "r"});
  CHECK(run.code == 0);
  CHECK_THAT(run.out, Catch::Contains("constants that nobody published") && Catch::Contains("host.dma_setup"));
  const auto report = nlohmann::json::parse(base::read_file(folder / "r"));
  CHECK(report["ranges"]["least_cycles"] < report["total"]["cycles"]);
  CHECK(report["ranges"]["most_cycles"] > report["total"]["cycles"]);
  const Outcome heads = run_program({"reproduce", "faq", "--ranges", "--json", folder / "h"});
  CHECK(heads.code == 0);
  for (const auto& head : nlohmann::json::parse(base::read_file(folder / "h"))["ranges"]) {
    CHECK(head["from"] <= head["simulated"]);
    CHECK(head["simulated"] <= head["to"]);
  }
  CHECK(run_program({"reproduce", "wp490", "--ranges"}).code == 2);
}

TEST_CASE("a run says in one line what its open constants leave of its time as its ranges do in full") {
  const test::ScratchDirectory folder;
  for (const char* network : {"lenet5", "alexnet"}) {
    CAPTURE(network);
    const Outcome plain = run_program({"run", "zcu102_stream", network, "--timing-only", "--json", folder / "p"});
    const Outcome full =
        run_program({"run", "zcu102_stream", network, "--timing-only", "--ranges", "--json", folder / "f"});
    REQUIRE(plain.code == 0);
    REQUIRE(full.code == 0);
    const auto range = nlohmann::json::parse(base::read_file(folder / "p"))["time_range"];
    const auto spans = nlohmann::json::parse(base::read_file(folder / "f"))["ranges"];
    CHECK(range["least_cycles"] == spans["least_cycles"]);
    CHECK(range["most_cycles"] == spans["most_cycles"]);
    CHECK(range["keys"].size() == spans["keys"].size());
    const std::string second = plain.out.substr(plain.out.find('\n') + 1);
    CHECK_THAT(second.substr(0, second.find("mJ a frame")), Catch::Contains("\ntime: ") || Catch::StartsWith("time: "));
    CHECK_THAT(plain.out, Catch::Contains("fitted or assumed constants"));
  }
  CHECK_THAT(run_program({"run", "tiny_decoupled", "lenet5", "--timing-only"}).out,
             Catch::Contains("\ntime: for its fitted and assumed constants the configuration states no range\n"));
  CHECK_THAT(run_program({"run", "zcu102_stream", "lenet5", "--timing-only", "-q"}).out, !Catch::Contains("time: "));
}

TEST_CASE("energy has every level of a machine that has a mapping and the memory of one that has none") {
  const test::ScratchDirectory folder;
  const auto energy = [&](const char* machine, const char* network) {
    const Outcome outcome = run_program({"run", machine, network, "--timing-only", "--json", folder / "e"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("\nenergy: "));
    return nlohmann::json::parse(base::read_file(folder / "e"));
  };
  for (const auto& [machine, network, levels] :
       {std::tuple<const char*, const char*, std::size_t>{"zcu102_stream", "alexnet", 4},
        {"faq_zcu102_dorefa8", "lenet5", 4},
        {"float_trainer", "digits", 2}}) {
    CAPTURE(machine);
    const nlohmann::json report = energy(machine, network);
    const nlohmann::json& of = report["energy"];
    CHECK(of["levels"].size() == levels);
    CHECK(of["levels"][0]["count"] == report["total"]["macs"]);
    CHECK(of["levels"].back()["count"] ==
          report["total"]["bytes_read"].get<std::int64_t>() + report["total"]["bytes_written"].get<std::int64_t>());
    double chip = 0;
    for (const auto& [part, mj] : of["chip_mj"].items()) chip += mj.get<double>();
    CHECK(chip == Approx(report["energy_mj"].get<double>()));
    CHECK(of["with_ddr_mj"]["low"].get<double>() == Approx(chip + of["ddr_mj"]["low"].get<double>()));
    for (const auto& level : of["levels"]) {
      CHECK(level["mj"]["low"] <= level["mj"]["typical"]);
      CHECK(level["mj"]["typical"] <= level["mj"]["high"]);
    }
  }
}

TEST_CASE("FAQ-CNN's headlines are turned with the clock of the memory port because that paper leaves it open") {
  const test::ScratchDirectory folder;
  CHECK(run_program({"reproduce", "faq", "--sensitivity", "--json", folder / "s.json"}).code == 0);
  const auto turns = nlohmann::json::parse(base::read_file(folder / "s.json"))["turns"];
  std::map<std::string, std::map<std::string, double>> at;  // by headline: "", and port clocks
  for (const auto& turn : turns) {
    const std::string setting = turn["setting"];
    at[turn["quantity"]][setting.substr(0, setting.find(','))] = turn["simulated"];
  }
  auto& weights = at["best fully connected layer, weights read"];
  REQUIRE(weights.count("port_mhz=200") == 1);
  // The bandwidth is limited by the port: 16 bytes per cycle, less what refresh and latency take.
  for (const int mhz : {200, 250, 300, 400}) {
    const double most = 16e6 * mhz / (1024.0 * 1024 * 1024);
    CAPTURE(mhz);
    CHECK(weights["port_mhz=" + std::to_string(mhz)] < most);
    CHECK(weights["port_mhz=" + std::to_string(mhz)] > 0.9 * most);
  }
  CHECK(weights["port_mhz=300"] < weights[""]);
  CHECK(weights[""] < weights["port_mhz=400"]);
  for (const char* headline : {"average of five convolutions", "conv1 throughput"}) {
    CAPTURE(headline);
    CHECK(at[headline]["port_mhz=200"] < at[headline][""]);
    CHECK(at[headline][""] < at[headline]["port_mhz=400"]);
  }
}

TEST_CASE("PG021's latencies are reproduced exactly and its throughputs within their tolerance") {
  const auto statuses = reproduced("pg021");
  for (const auto& [quantity, status] : statuses) {
    CAPTURE(quantity);
    CHECK((status == "exact" || status == "within" || status == "info"));
    if (quantity.find("valid") != std::string::npos) CHECK(status == "exact");
  }
}

TEST_CASE("FAQ-CNN is reproduced: computing and loads exactly and rates within their tolerance with misses named") {
  const auto statuses = reproduced("faq");
  std::set<std::string> outside;
  for (const auto& [quantity, status] : statuses) {
    CAPTURE(quantity);
    for (const char* part : {"LI of a tile", "LW of a tile", "smallest sufficient", "peak, 8-bit"})
      if (quantity.rfind(part, 0) == 0) CHECK(status == "exact");
    if (quantity.find(" computing") == 5) CHECK(status == "exact");
    if (status == "outside") outside.insert(quantity);
  }
  for (const char* promised : {"average of five convolutions", "conv1 throughput", "fc6 time", "fc7 time", "fc8 time",
                               "best fully connected layer, weights read", "LUT, MACs on slices", "LUT, BNN"}) {
    CAPTURE(promised);
    CHECK(statuses.at(promised) == "within");
  }
  CHECK(statuses.at("conv4 throughput") == "lost");
  CHECK(outside == std::set<std::string>{"LUT of the convolution engine", "resources of the FC engine, LUT"});
  for (const char* found :
       {"search space, points", "search space, power of ten", "search space after eq. (14), power of ten",
        "best factors, output channels", "best factors, input channels", "best factors, alpha"}) {
    CAPTURE(found);
    CHECK(statuses.at(found) == "exact");
  }
  for (const char* bars : {"conv1 throughput, 16 bit", "conv5 throughput, 16 bit", "peak, tnn", "peak, mul2q"}) {
    CAPTURE(bars);
    CHECK(statuses.at(bars) == "lost");
  }
}

TEST_CASE("FAQ-CNN's bandwidths are within their tolerance with a table and a plot over width and burst") {
  for (const auto& [quantity, status] : reproduced("faq-bandwidth")) {
    CAPTURE(quantity);
    if (quantity.find("each burst waiting") != std::string::npos) {
      CHECK(status == (quantity.rfind("gain from", 0) == 0 ? "lost" : "exact"));
      continue;
    }
    if (quantity == "the same, sixteen bursts in flight") continue;
    const bool judged = quantity.find("decimal") == std::string::npos && quantity.find("ZCU102") == std::string::npos;
    CHECK(status == (judged ? "within" : "info"));
  }
  const test::ScratchDirectory folder;
  const Outcome outcome = run_program({"reproduce", "faq-bandwidth", "--html", folder / "p.html"});
  CHECK_THAT(outcome.out, Catch::Contains("Sixteen bursts in flight") &&
                              Catch::Contains("Each burst waiting for the one before") && Catch::Contains("512 bit"));
  CHECK_THAT(base::read_file(folder / "p.html"),
             Catch::Contains("Published beside simulated") && Catch::Contains("512 bit"));
  CHECK(run_program({"reproduce", "pg021", "--html", folder / "q.html"}).code == 0);
  CHECK_THAT(base::read_file(folder / "q.html"), Catch::Contains("pg021"));
}

TEST_CASE("the reconfigurable-LUT kernel is reproduced: tables and reload exactly with the lost table named") {
  auto statuses = reproduced("kassel");
  for (const char* promised : {"table LUTs, N=9, B=8, full", "table LUTs, N=49, B=16, faithful",
                               "table LUTs, N=3, B=12, faithful", "reload without shadow LUTs"})
    CHECK(statuses[promised] == "exact");
  CHECK(statuses["LUTs with compressor tree, N=25, B=12, faithful, shadow"] == "lost");
}

TEST_CASE("WP490 is reproduced: 14 multiply-accumulates on 8 slices come out of the slices") {
  auto statuses = reproduced("wp490");
  CHECK(statuses["INT8 multiply-accumulates per slice"] == "exact");
}

}  // namespace fansim::other_commands_test
