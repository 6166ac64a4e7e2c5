// SPDX-License-Identifier: Apache-2.0
// These tests take models that quantise some of their tensors through the real binary. Expected codes are ONNX's.
#include "importer/coded_model.h"
// This include must follow protobuf's headers.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/npy.h"
#include "program.h"

namespace fansim::import_codes_test {

using test::Outcome;
using test::run_program;

namespace {

// Holds a model with an input of 1 or 2 channels of 2 x 2 in steps of 1 about 128.
struct CodedFile : test::ScratchDirectory, test::ModelInCodes {
  explicit CodedFile(int channels = 1) : ModelInCodes(channels, 2, 2) {
    format("x", 1, 128);
    format("y", 0.25F, 0);
    pair("x", "x");
  }
  // Adds int8 codes, with a step for each index of `axis`.
  void given(const std::string& name, const std::vector<int>& dims, const std::vector<int>& values,
             const std::vector<float>& steps, int axis) {
    auto& codes = tensor(name, ::onnx::TensorProto::INT8, dims);
    for (const int value : values) codes.add_int32_data(value);
    auto& scale = tensor(name + "_scale", ::onnx::TensorProto::FLOAT, {static_cast<int>(steps.size())});
    for (const float step : steps) scale.add_float_data(step);
    node("DequantizeLinear", {name, name + "_scale"}, (name + "_dq").c_str());
    last->add_attribute()->set_name("axis");
    last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
    last->mutable_attribute(0)->set_i(axis);
  }
  void end(const char* name) {
    node("QuantizeLinear", {name, "y_scale", "y_zero"}, "y_q");
    node("DequantizeLinear", {"y_q", "y_scale", "y_zero"}, "y");
  }
  Outcome import(const std::vector<std::string>& more = {}) const {
    base::write_file(*this / "m.onnx", bytes());
    std::vector<std::string> arguments{"import", *this / "m.onnx", "-o", *this / "net"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
  // Returns the codes of the network's last layer for one input.
  std::vector<int> run(const std::vector<float>& x, const std::string& last_layer) const {
    base::write_npy(*this / "one.npy", {1, static_cast<std::int64_t>(x.size()) / 4, 2, 2}, x);
    const Outcome outcome =
        run_program({"run", test::config("tiny_stream"), *this / "net/linear/network.yaml", "--inputs",
                     *this / "one.npy", "--verify", "--dump", *this / "dump", "--set", "quantiser.operand_bits=24",
                     "--set", "quantiser.accumulator_bits=32", "--set", "quantiser.rounding=half_up"});
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    const std::string bytes = base::read_file(*this / "dump/" + last_layer + ".npy");
    std::vector<int> codes;
    for (std::size_t i = 128; i < bytes.size(); ++i) codes.push_back(static_cast<unsigned char>(bytes[i]));
    return codes;
  }
};

// The convolution's output has no step of its own: of x = 100, -80, 4, -4 the average is 5, which is 20 steps.
struct AverageOfUnquantised : CodedFile {
  AverageOfUnquantised() {
    given("w", {1, 1, 1, 1}, {1}, {1}, 0);
    node("Conv", {"x_dq", "w_dq"}, "c", "conv");
    node("GlobalAveragePool", {"c"}, "a", "mean");
    end("a");
  }
};

}  // namespace

TEST_CASE("an average behind a layer without a step does not give that layer its own") {
  const AverageOfUnquantised file;
  const Outcome bare = file.import();
  CHECK(bare.code == 0);
  CHECK_THAT(bare.out,
             Catch::Contains("no codes are written, for the model gives no step to 1 of 3 tensors: 'conv'; give "
                             "--calibrate X.npy"));
  CHECK(!base::exists(file / "net/linear"));

  base::write_npy(file / "x.npy", {2, 1, 2, 2}, std::vector<float>{100, -80, 4, -4, -100, 90, 50, 20});
  REQUIRE(file.import({"--calibrate", file / "x.npy", "--method", "linear"}).code == 0);
  const std::vector<int> codes = file.run({100, -80, 4, -4}, "mean");
  REQUIRE(codes.size() == 1);
  CHECK(std::abs(codes[0] - 20) <= 1);
  CHECK(file.run({-100, 90, 50, 20}, "mean")[0] == Approx(60).margin(1));
}

TEST_CASE("a model without codes of its own exits with 2 where they are asked for and writes nothing") {
  const AverageOfUnquantised file;
  const Outcome asked = file.import({"--method", "linear"});
  CHECK(asked.code == 2);
  CHECK_THAT(asked.err, Catch::StartsWith(file / "m.onnx: no codes are written, ") && Catch::Contains("'conv'"));
  CHECK(!base::exists(file / "net"));
  CHECK_THAT(file.import({"--method", "dorefa"}).err, Catch::Contains("no --calibrate"));

  CodedFile whole;
  whole.node("GlobalAveragePool", {"x_dq"}, "a", "mean");
  whole.end("a");
  CHECK(whole.import({"--method", "linear"}).code == 0);
  CHECK(whole.run({100, -80, 4, -4}, "mean")[0] == 20);
}

TEST_CASE("what a shortcut or a gate reads without a step takes none from a layer beside it") {
  CodedFile gate;
  gate.given("w", {1, 1, 1, 1}, {1}, {1}, 0);
  gate.node("Conv", {"x_dq", "w_dq"}, "c", "conv");
  gate.node("MaxPool", {"c"}, "p", "pool");  // its codes end at 0
  gate.ints("kernel_shape", {1, 1});
  gate.pair("p", "y");
  gate.node("LeakyRelu", {"c"}, "s", "bends");
  gate.pair("s", "x");
  gate.node("Add", {"p_dq", "s_dq"}, "a", "sum");
  gate.end("a");
  CHECK_THAT(gate.import().out, Catch::Contains("no step to 2 of 6 tensors: 'conv', 'pool';"));

  // A sum of two maps with one step goes further than that step's codes.
  CodedFile sum;
  sum.given("w", {1, 1, 1, 1}, {1}, {1}, 0);
  sum.node("Add", {"x_dq", "x_dq"}, "a", "sum");
  sum.node("Conv", {"a", "w_dq"}, "c", "conv");
  sum.end("c");
  CHECK_THAT(sum.import().out, Catch::Contains("no step to 1 of 3 tensors: 'sum'"));
}

TEST_CASE("a step given later in the file than that of a layer behind is still the tensor's own") {
  CodedFile file;
  file.given("w", {1, 1, 1, 1}, {2}, {1}, 0);
  file.node("Conv", {"x_dq", "w_dq"}, "c", "conv");
  file.node("MaxPool", {"c"}, "p", "pool");
  file.ints("kernel_shape", {2, 2});
  file.end("p");
  file.format("c", 2, 100);
  file.pair("c", "c");
  file.node("Sigmoid", {"c_dq"}, "s", "bends");
  file.node("QuantizeLinear", {"s", "y_scale", "y_zero"}, "z");
  file.graph().add_output()->set_name("z");
  const Outcome outcome = file.import();
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  REQUIRE(base::exists(file / "net/linear"));
  CHECK(file.run({10, 7, -3, 20}, "pool_codes")[0] == 160);
}

TEST_CASE("a transposed convolution keeps a step for each output") {
  CodedFile file(2);
  file.given("w", {2, 3, 1, 1}, {127, -5, 90, 33, 127, -128}, {0.001F, 0.01F, 1}, 1);
  file.node("ConvTranspose", {"x_dq", "w_dq"}, "c", "up");
  file.ints("kernel_shape", {1, 1});
  file.end("c");
  REQUIRE(file.import().code == 0);
  const std::vector<int> codes = file.run({100, 0, 0, 0, 50, 0, 0, 0}, "up");
  REQUIRE(codes.size() == 12);
  CHECK(codes[0] == 57);   // (127 * 100 + 33 * 50) / 1000 / 0.25 = 57.4
  CHECK(codes[4] == 234);  // (-500 + 127 * 50) / 100 / 0.25
  CHECK(codes[8] == 255);  // 2600 / 0.25
  const std::string steps = base::read_file(file / "net/up.weight_steps.npy");
  CHECK(steps.size() == 128 + 12);
}

TEST_CASE("weights keep their steps turned and as floats before their quantiser and under a negative factor") {
  CodedFile file;
  for (const auto& [name, values] : {std::pair{"step", std::vector<float>{0.5F, 0.01F}}}) {
    auto& scale = file.tensor(name, ::onnx::TensorProto::FLOAT, {2});
    for (const float value : values) scale.add_float_data(value);
  }
  auto& zero = file.tensor("zero", ::onnx::TensorProto::INT8, {2});
  for (int i = 0; i < 2; ++i) zero.add_int32_data(0);
  auto& w = file.tensor("w", ::onnx::TensorProto::FLOAT, {2, 4});
  for (const float value : {0.75F, 63.5F, -0.2F, 1.0F, 0.014F, -1.28F, 0.5F, 9.0F}) w.add_float_data(value);
  for (const char* op : {"QuantizeLinear", "DequantizeLinear"}) {
    const bool first = op[0] == 'Q';
    file.node(op, {first ? "w" : "w_q", "step", "zero"}, first ? "w_q" : "w_dq");
    file.last->add_attribute()->set_name("axis");
    file.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
    file.last->mutable_attribute(0)->set_i(0);
  }
  file.node("Transpose", {"w_dq"}, "w_t");
  file.ints("perm", {1, 0});
  file.node("Flatten", {"x_dq"}, "v");
  file.node("MatMul", {"v", "w_t"}, "m", "dense");
  auto& factor = file.tensor("factor", ::onnx::TensorProto::FLOAT, {1, 2});
  for (const float value : {-1.0F, 2.0F}) factor.add_float_data(value);
  file.node("Mul", {"m", "factor"}, "s", "scaled");
  file.end("s");
  const Outcome outcome = file.import();
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  // Codes 2 (of 1.5), 127, 0, 2 and 1, -128, 50, 127: halves go to the even code, and the first row changes its sign.
  const std::string codes = base::read_file(file / "net/linear/dense.weights.npy").substr(128);
  const std::vector<int> found(reinterpret_cast<const signed char*>(codes.data()),
                               reinterpret_cast<const signed char*>(codes.data()) + codes.size());
  CHECK(found == std::vector<int>{-2, -127, 0, -2, 1, -128, 50, 127});
}

TEST_CASE("a limit inside the codes of its layer is kept") {
  CodedFile file;
  file.given("w", {1, 1, 1, 1}, {1}, {1}, 0);
  file.node("Conv", {"x_dq", "w_dq"}, "c", "conv");
  file.tensor("six", ::onnx::TensorProto::FLOAT, {}).add_float_data(6);
  file.tensor("none", ::onnx::TensorProto::FLOAT, {}).add_float_data(0);
  file.node("Clip", {"c", "none", "six"}, "r", "relu6");
  file.end("r");  // codes to 63.75
  const Outcome outcome = file.import();
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK(file.run({100, -80, 4, 6}, "conv_codes") == std::vector<int>{24, 0, 16, 24});
}

TEST_CASE("steps that belong to no output are named and nothing is said of those that do") {
  CodedFile file(2);
  file.given("w", {1, 2, 1, 1}, {127, -5}, {0.001F, 0.01F}, 1);
  file.node("Conv", {"x_dq", "w_dq"}, "c", "conv");
  file.end("c");
  CHECK_THAT(file.import().out, Catch::Contains("conv: no output has all its weights in one step"));
}

}  // namespace fansim::import_codes_test
