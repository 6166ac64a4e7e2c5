// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "base/file.h"
#include "base/npy.h"
#include "program.h"

namespace fansim::errors_test {

using test::config;
using test::model;
using test::Outcome;
using test::run_program;

namespace {

const std::string kTiny = config("tiny_stream");
const std::string kStream = config("zcu102_stream");
const std::string kNet = model("tiny_conv");

// Checks that the command is refused with exit code 2 and this message, and prints nothing on standard output.
void refuses(const std::vector<std::string>& arguments, const std::string& message) {
  CAPTURE(arguments);
  const Outcome outcome = run_program(arguments);
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains(message));
  CHECK(outcome.out.empty());
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
}

void refuses_network(const std::string& yaml, const std::string& message) {
  const test::ScratchDirectory folder;
  base::write_file(folder / "net.yaml", yaml);
  refuses({"run", kTiny, folder / "net.yaml"}, folder / "net.yaml" + message);
}

}  // namespace

TEST_CASE("an unknown subcommand or option or word is refused with the nearest known one") {
  refuses({"rnu"}, "subcommand 'rnu' unknown; did you mean 'run'?");
  refuses({"run", kTiny, kNet, "--verfy"}, "run: option '--verfy' unknown; did you mean '--verify'?");
  refuses({"run", kTiny, kNet, "-v"}, "option '-v' unknown");
  refuses({"run", kTiny, kNet, "--engine", "cloked"}, "--engine 'cloked' unknown; did you mean 'clocked'?");
  refuses({"run", kTiny, kNet, "--layers", "conv9"}, "--layers: no layer 'conv9' in tiny_conv; did you mean 'conv1'?");
  refuses({"describe", "aray"}, "describe: 'aray' unknown; did you mean 'array'?");
  refuses({"list", "model"}, "list: 'model' unknown; did you mean 'models'?");
  refuses({"reproduce", "uestk"}, "paper 'uestk' unknown; did you mean 'uestc'?");
}

TEST_CASE("missing and superfluous and malformed arguments are refused") {
  refuses({"run"}, "run: CONFIG is missing");
  refuses({"run", kTiny}, "run: NETWORK is missing");
  refuses({"run", kTiny, kNet, "more"}, "run: too many arguments");
  refuses({"run", kTiny, kNet, "--seed", "-1"}, "--seed");
  refuses({"run", kTiny, kNet, "--seed", "one"}, "--seed: expected a number of at least 0, found 'one'");
  refuses({"run", kTiny, kNet, "--json"}, "--json");
  refuses({"run", kTiny, kNet, "--set", "array.rows"}, "expected key.path=value");
  refuses({"run", kTiny, kNet, "--layers", "conv2..conv1"}, "runs backwards");
  refuses({"run", kTiny, kNet, "--layers", "conv1,"}, "no layer ''");
  refuses({"run", kTiny, kNet, "--vcd-window", "1:2"}, "--vcd-window needs --vcd");
  refuses({"run", kTiny, kNet, "--vcd", "w.vcd", "--vcd-window", "5"}, "expected FROM:TO");
  refuses({"run", kTiny, kNet, "--vcd", "w.vcd", "--vcd-window", "5:5"}, "FROM below TO");
  refuses({"run", kTiny, kNet, "--vcd", "w.vcd", "--vcd-layer", "conv11"}, "no layer 'conv11' runs on the machine");
  refuses({"run", kTiny, kNet, "--vcd", "w.vcd", "--engine", "fast"}, "--vcd records the clocked engine");
  refuses({"run", kTiny, kNet, "--timing-only", "--verify"}, "--timing-only computes no values, --verify needs them");
}

TEST_CASE("settings that a machine has not are refused with what there is") {
  refuses({"run", kTiny, kNet, "--set", "system=trainer"}, "system 'trainer' is 'float_trainer'");
  refuses({"run", kTiny, kNet, "--set", "dma.mode=scatter_gather"},
          "the streaming core's output writer programs DA and LENGTH; allowed: direct");
  refuses({"run", kTiny, kNet, "--set", "ddr.fidelity=banked"}, "ddr: fidelity: banked needs a part");
}

TEST_CASE("a setting that would change nothing is refused with the reason") {
  const auto idle = [](const std::string& machine, const std::string& setting, const std::string& why,
                       std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"run", config(machine), kNet, "--timing-only"};
    for (const std::string& one : more) arguments.insert(arguments.end(), {"--set", one});
    arguments.insert(arguments.end(), {"--set", setting});
    refuses(arguments,
            "--set " + setting + ": " + setting.substr(0, setting.find('=')) + " would not act here: " + why);
  };
  const std::vector<std::string> banked{"ddr.fidelity=banked", "ddr.part=../parts/ddr3_1066_x16.yaml"};
  idle("zcu102_stream", "ddr.request_latency=9", "only fidelity banked");
  idle("zcu102_stream", "ddr.part=../parts/ddr3_1066_x16.yaml", "only fidelity banked");
  idle("zcu102_stream", "ddr.part.cl=16", "only fidelity banked");
  idle("zcu102_stream", "ddr.data_bits=16", "the width of a banked memory is its part's", banked);
  idle("zcu102_stream", "ddr.read_latency=9", "a banked memory has its part's times", banked);
  idle("zcu102_stream", "ddr.arbitration=priority", "the memory has one port", banked);
  idle("zcu102_stream", "ddr.part.write_run=9", "part.write_starve is 0", banked);
  idle("zcu102_stream", "ddr.turnaround=9", "fidelity ideal answers in the next cycle", {"ddr.fidelity=ideal"});
  idle("zcu102_stream", "ddr.refresh_interval=900", "refresh_cycles is 0", {"ddr.refresh_cycles=0"});
  idle("zcu102_stream", "dma.sg_start=9", "the host writes LENGTH, it makes no descriptors");
  idle("zcu102_stream", "array.terms=7", "only 'multiplier: dsp48e2_int8_chain' has chains");
  idle("faq_zcu102_dorefa8", "host.dma_setup=9", "the accelerator moves its data itself");
  idle("faq_zcu102_dorefa8", "first.macs=lut", "first.tm is 0: there is no such engine", {"first.tm=0", "first.tn=0"});
  idle("tiny_decoupled", "post.passes=2", "only 'where: array' has passes");
  idle("tiny_decoupled", "load.weight_ports=2", "only 'order: parallel' has a second unit");
  idle("vision_zcu102", "filter.banks=1", "filter.kernel is 0: there is no engine", {"filter.kernel=0"});
  idle("float_trainer", "softmax.iterations=2", "only 'divider: reciprocal' iterates");
}

TEST_CASE("a memory that a port does not fit is refused with what it takes") {
  refuses({"run", kStream, kNet, "--set", "ddr.share=0"}, "share");
  refuses({"run", kStream, kNet, "--set", "ddr.share=1.5"}, "share");
  refuses({"run", kStream, kNet, "--set", "ddr.share=0.009"}, "share");
  refuses({"run", kStream, kNet, "--set", "ddr.data_bits=4"},
          "data_bits 4 is no data path; allowed: 0 (as wide as a port), 8 and more");
  refuses({"run", kStream, kNet, "--set", "ddr.share=0.33333"}, "share 0.33333 is no whole number of ten-thousandths");
  refuses({"run", kStream, kNet, "--set", "axi.data_bits=16"}, "allowed");
  refuses({"run", kStream, kNet, "--set", "axi.data_bits=256"}, "allowed: 32, 64 or 128");
  refuses({"run", config("tiny_decoupled"), kNet, "--set", "axi.data_bits=512", "--set", "ddr.fidelity=banked", "--set",
           "ddr.part=../parts/ddr3_1066_x16.yaml"},
          "axi: data_bits 512 is wider than a column access of ddr3_1066_x16: 256 bits");
  refuses({"run", config("tiny_decoupled"), kNet, "--set", "load.order=parallel", "--set", "ddr.data_bits=100"},
          "ddr: data_bits 100: 2 ports of 64 bits have a lane each, or one together; allowed: 64 at most, or 128 and "
          "more");
}

TEST_CASE("steps of a recurrent block that the machine does not hold are refused with those that it does") {
  for (const char* steps : {"17", "20", "32"}) {
    const Outcome outcome = run_program({"run", kStream, model("lstm256"), "--timing-only", "--set",
                                         std::string("schedule.lstm_block_steps=") + steps});
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, Catch::Contains(fmt::format("schedule.lstm_block_steps {}: array.accumulator_depth 2048 "
                                                        "holds 16 of this layer's steps; allowed: 1..16",
                                                        steps)));
  }
  const auto first_line = [](const char* steps) {
    const Outcome outcome = run_program({"run", kStream, model("lstm256"), "--timing-only", "--set",
                                         std::string("schedule.lstm_block_steps=") + steps});
    CHECK(outcome.code == 0);
    return outcome.out.substr(0, outcome.out.find('\n'));
  };
  CHECK(first_line("15") != first_line("16"));
}

TEST_CASE("a wrong configuration is refused with its place") {
  const test::ScratchDirectory folder;
  std::string text = base::read_file(kTiny);
  text.replace(text.find("rows: 3"), 7, "rws: 3");
  base::write_file(folder / "c.yaml", text);
  refuses({"run", folder / "c.yaml", kNet, "--set",
           "device=" + std::string(FANSIM_SOURCE_DIR) + "/configs/devices/zcu102.yaml"},
          "array: key 'rws' unknown; did you mean 'rows'?");
  refuses({"run", kTiny, kNet, "--set", "array.rows=three"},
          "--set array.rows=three: array: rows: expected an integer 1..12, found text 'three'");
  refuses({"run", kTiny, kNet, "--set", "array.rows=99"}, "rows 99 is out of range; allowed: an integer 1..12");
  refuses({"run", folder / "none.yaml", kNet}, "none.yaml: cannot read: No such file or directory");
  refuses({"estimate", folder.path()}, "cannot read: Is a directory");
  base::write_file(folder / "bad.yaml", "a: [1, 2\n");
  refuses({"run", folder / "bad.yaml", kNet}, "bad.yaml:2:1: ");
  base::write_file(folder / "empty.yaml", "");
  refuses({"run", folder / "empty.yaml", kNet}, "empty.yaml");
}

TEST_CASE("a wrong network is refused with its place") {
  const std::string head = "version: 1\nname: n\ninput: {shape: [3, 8, 8]}\nlayers:\n";
  refuses({"run", kTiny, "none.yaml"}, "none.yaml: cannot read");
  refuses_network(head + "  - {name: a, type: convolution, filters: 2, kernel: 3}\n", ":5:21: ");
  refuses_network(head + "  - {name: a, type: conv, filters: 2, kernel: 3, strid: 2}\n", ":5:50: ");
  refuses_network(head + "  - {name: a, type: conv, filters: two, kernel: 3}\n",
                  ":5:36: a: filters: expected an integer");
  refuses_network(head + "  - {name: a, type: conv, filters: 2, kernel: 9}\n", ":5:");  // larger than its input
  refuses_network(head + "  - {name: a, type: conv, filters: 2, kernel: 3, weights: none.npy}\n", ":5:");
}

TEST_CASE("tensors that are missing or cut short or of another shape or no tensors at all are refused") {
  const test::ScratchDirectory folder;
  const std::string file = folder / "in.npy";
  refuses({"run", kTiny, kNet, "--input", file}, "in.npy: cannot read");
  base::write_npy(file, {3, 24, 21}, std::vector<std::int8_t>(3 * 24 * 21));
  refuses({"run", kTiny, kNet, "--input", file}, "(3, 24, 20)");
  base::write_npy(file, {3, 24, 20}, std::vector<std::int32_t>(3 * 24 * 20));
  refuses({"run", kTiny, kNet, "--input", file}, "int32");
  base::write_npy(file, {3, 24, 20}, std::vector<std::int8_t>(3 * 24 * 20));
  base::write_file(file, base::read_file(file).substr(0, 500));
  refuses({"run", kTiny, kNet, "--input", file}, "truncated");
  base::write_file(file, "no tensor");
  refuses({"run", kTiny, kNet, "--input", file}, "not an .npy file");
  refuses({"run", kTiny, kNet, "--input", "/dev/zero"}, "/dev/zero: has more than 1050016 bytes");
}

TEST_CASE("an output that cannot be written is refused before anything is simulated") {
  const test::ScratchDirectory folder;
  const std::vector<std::string> run{"run", kTiny, kNet};
  for (const char* option : {"--json", "--csv", "--vcd"}) {
    std::vector<std::string> arguments = run;
    arguments.insert(arguments.end(), {option, folder / "none/file"});
    refuses(arguments, "none/file: cannot write: No such file or directory");
    arguments.back() = folder.path();
    refuses(arguments, "cannot write: Is a directory");
  }
  base::write_file(folder / "file", "");
  refuses({"run", kTiny, kNet, "--dump", folder / "file"}, "cannot write");
  refuses({"reproduce", "uestc", "--json", folder / "none/file"}, "cannot write");
  CHECK(test::files_in(folder.path()) == std::vector<std::string>{"file"});
}

TEST_CASE("a design that does not fit its device runs and prints everything and then exits 3") {
  const test::ScratchDirectory folder;
  const std::vector<std::string> small{"--set", "device=kv260", "--set", "buffers.weight_kib=4000"};
  std::vector<std::string> arguments{"run", kTiny, kNet, "--verify", "--json", folder / "r.json"};
  arguments.insert(arguments.end(), small.begin(), small.end());
  const Outcome run = run_program(arguments);
  CHECK(run.code == 3);
  CHECK_THAT(run.first_line(), Catch::EndsWith(", verified"));
  CHECK_THAT(run.out, Catch::Contains("does not fit: BRAM36 "));
  CHECK_THAT(base::read_file(folder / "r.json"), Catch::Contains("\"fits\": false"));

  arguments = {"estimate", kTiny};
  arguments.insert(arguments.end(), small.begin(), small.end());
  const Outcome estimate = run_program(arguments);
  CHECK(estimate.code == 3);
  CHECK_THAT(estimate.first_line(), Catch::StartsWith("tiny_stream does not fit kv260: BRAM36 "));
}

TEST_CASE("a network that cannot be scheduled in the buffers exits 3 without simulating") {
  const test::ScratchDirectory folder;
  const Outcome run = run_program({"run", kTiny, model("vgg16"), "--timing-only", "--json", folder / "r.json"});
  CHECK(run.code == 3);
  CHECK(run.out.empty());
  CHECK_THAT(run.err, Catch::Contains("vgg16.yaml:") && Catch::Contains("conv1_1: does not fit: array.line_columns "));
  CHECK(test::files_in(folder.path()).empty());
  const Outcome estimate = run_program({"estimate", kTiny, model("vgg16")});
  CHECK(estimate.code == 3);
  CHECK_THAT(estimate.out, Catch::Contains("vgg16 cannot be scheduled: conv1_1: array.line_columns"));

  base::write_file(folder / "pool.yaml",
                   "version: 1\nname: pool\ninput: {shape: [64, 224, 224]}\nlayers:\n"
                   "  - {name: pool, type: maxpool, kernel: 7, stride: 1}\n");
  const Outcome pool = run_program({"run", kStream, folder / "pool.yaml", "--timing-only"});
  CHECK(pool.code == 3);
  CHECK_THAT(pool.err, Catch::Contains("pool: does not fit: pooling.kernel: windows of 7 x 7 need 7 of 3"));
}

}  // namespace fansim::errors_test
