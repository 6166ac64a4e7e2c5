// SPDX-License-Identifier: Apache-2.0
// These tests take ONNX files through the real binary, to cycles and accuracy.
#include "importer/small_model.h"
// This include must follow protobuf's headers.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/file.h"
#include "base/npy.h"
#include "program.h"

namespace fansim::import_test {

using test::Outcome;
using test::run_program;

namespace {

struct ModelFile : test::ScratchDirectory {
  test::SmallModel model;
  static constexpr int kInputs = 6;

  void write() const {
    base::write_file(*this / "m.onnx", model.bytes());
    base::Random random(3, "inputs");
    std::vector<float> values;
    for (int i = 0; i < kInputs * 144; ++i) values.push_back(static_cast<float>(random.uniform(-1000, 1000)) / 1000);
    base::write_npy(*this / "x.npy", {kInputs, 1, 12, 12}, values);
  }
  Outcome import(const std::vector<std::string>& more) const {
    write();
    std::vector<std::string> arguments{"import", *this / "m.onnx", "-o", *this / "net"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
};

}  // namespace

TEST_CASE("a model is imported and calibrated and run: from its file to verified cycles") {
  const ModelFile file;
  const Outcome imported = file.import({"--calibrate", file / "x.npy", "--method", "dorefa"});
  INFO(imported.err);
  REQUIRE(imported.code == 0);
  CHECK_THAT(imported.out, Catch::Contains("6 layers of 14 nodes, 126 weights") && Catch::Contains("left to the host"));
  for (const char* config : {"tiny_stream", "zcu102_stream"}) {
    const Outcome run = run_program({"run", test::config(config), file / "net/dorefa/network.yaml", "--input",
                                     file / "net/dorefa/input.npy", "--verify", "--cross-check"});
    INFO(run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Catch::Contains(", verified"));
    // The batch runs the floats themselves; the first input is the one that the calibration left in codes.
    const Outcome batch = run_program({"run", test::config(config), file / "net/dorefa/network.yaml", "--inputs",
                                       file / "x.npy", "--verify", "--dump", file / "dump"});
    INFO(batch.err);
    CHECK(batch.code == 0);
    CHECK_THAT(batch.out, Catch::Contains("batch of 6: "));
    REQUIRE(run_program({"run", test::config(config), file / "net/dorefa/network.yaml", "--input",
                         file / "net/dorefa/input.npy", "--dump", file / "one"})
                .code == 0);
    const std::string all = base::read_file(file / "dump/classes.npy"), one = base::read_file(file / "one/classes.npy");
    CHECK(all.substr(128, one.size() - 128) == one.substr(128));
  }
}

TEST_CASE("quality sets the codes beside the floats that they were made of with the worst layer first") {
  const ModelFile file;
  REQUIRE(file.import({"--calibrate", file / "x.npy", "--method", "dorefa,vecq"}).code == 0);
  for (const char* method : {"dorefa", "vecq"}) {
    const std::string codes = file / "net/" + std::string(method) + "/network.yaml";
    const Outcome outcome = run_program({"quality", codes, "--input", file / "x.npy", "--csv", file / "q.csv"});
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("of 6 inputs") && Catch::Contains("stem_conv_1"));
    // The figures are those of the command that made them.
    const Outcome made = run_program({"quantise", file / "net/network.yaml", "--calibrate", file / "x.npy", "-o",
                                      file / "again", "--method", method, "--csv", file / "m.csv"});
    REQUIRE(made.code == 0);
    CHECK(base::read_file(file / "q.csv") == base::read_file(file / "m.csv"));
  }
  CHECK(run_program({"quality", test::model("lenet5"), "--input", file / "x.npy"})
            .err.find("key 'quantised' is missing") != std::string::npos);
  CHECK(run_program({"quality", file / "net/dorefa/network.yaml"}).err == "quality: --input is missing\n");
}

TEST_CASE("every node that has no layer is listed with its reason and nothing is written") {
  ModelFile file;
  file.model.graph().mutable_node(3)->set_op_type("MaxUnpool");
  file.model.graph().mutable_node(12)->set_op_type("Einsum");
  const Outcome outcome = file.import({});
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains("MaxUnpool") && Catch::Contains("no layer computes it") &&
                              Catch::Contains("Einsum") && Catch::Contains(", which is not made"));
  CHECK(!base::exists(file / "net"));
  CHECK(run_program({"import", file / "m.onnx"}).code == 2);
  CHECK(run_program({"import", file / "none.onnx", "-o", file / "net"}).code == 2);
  CHECK_THAT(file.import({"--shape", "1,1,twelve"}).err, Catch::Contains("expected N,C,H,W, found 'twelve'"));
}

}  // namespace fansim::import_test
