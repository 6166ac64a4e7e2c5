// SPDX-License-Identifier: Apache-2.0
// Models in codes: formats and steps come from the file, and the network computes what ONNX says.
#include "coded_model.h"
// This include must follow protobuf's headers.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>

#include "base/error.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "importer/convert.h"
#include "network/reference/reference.h"
#include "post_training/code_network.h"
#include "post_training/write_network.h"

namespace fansim::coding_test {

using Imported = test::ImportedCodes;

namespace {

constexpr arith::QuantiserFormat kExact{48, 48, arith::Rounding::half_up};

// Has an input [1, 4, 6, 6], a convolution, a pooling, a shortcut whose sum has a format of its own, and a classifier.
struct CodedModel : test::ModelInCodes {
  explicit CodedModel(bool spelt = true) : ModelInCodes(4, 6, 6) {
    format("x", 0.02F, 120);
    format("c", 0.015F, 0);
    format("d", 0.03F, 100);
    format("s", 0.04F, 0);
    format("y", 0.05F, 128);
    codes("w1", {6, 4, 3, 3}, 6);
    codes("w2", {6, 6, 1, 1}, 1);
    codes("w3", {10, 54}, 10);
    bias("b1", 6, 0.02F, "w1_scale");
    bias("b3", 10, 0.04F, "w3_scale");
    pair("x", "x");
    if (spelt) {
      weights("w1");
      weights("b1");
      node("Conv", {"x_dq", "w1_dq", "b1_dq"}, "c0", "first");
      ints("pads", {1, 1, 1, 1});
      node("Relu", {"c0"}, "c");
      pair("c", "c");
    } else {
      node("QLinearConv", {"x_q", "x_scale", "x_zero", "w1", "w1_scale", "w1_zero", "c_scale", "c_zero", "b1"}, "c_q",
           "first");
      ints("pads", {1, 1, 1, 1});
      node("DequantizeLinear", {"c_q", "c_scale", "c_zero"}, "c_dq");
    }
    node("MaxPool", {"c_dq"}, "p", "pool");
    ints("kernel_shape", {2, 2});
    ints("strides", {2, 2});
    pair("p", "c");
    weights("w2");
    node("Conv", {"p_dq", "w2_dq"}, "d", "second");
    pair("d", "d");
    node("Add", {"d_dq", "p_dq"}, "a", "shortcut");
    node("Relu", {"a"}, "s");
    pair("s", "s");
    node("Flatten", {"s_dq"}, "f");
    weights("w3");
    weights("b3");
    node("Gemm", {"f", "w3_dq", "b3_dq"}, "g", "classes");
    last->add_attribute()->set_name("transB");
    last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
    last->mutable_attribute(0)->set_i(1);
    node("QuantizeLinear", {"g", "y_scale", "y_zero"}, "g_q");
    node("DequantizeLinear", {"g_q", "y_scale", "y_zero"}, "y");
  }
};

struct Wanted {
  int code;
  double beyond;  // how far what it is rounded from lies from half-way between two codes
};

// Returns what ONNX defines for a layer: the codes nearest to the result for its inputs' floats, where ties go to the
// even code.
std::vector<Wanted> wanted(const Imported& net, std::size_t index, const std::vector<network::Result>& results) {
  const auto floats_of = [&](int producer) {
    const network::Tensor& codes = producer < 0 ? net.codes.input : results[static_cast<std::size_t>(producer)].out;
    network::Tensor floats{codes.shape, network::NumberFormat::of(network::DataType::float32), {}};
    floats.resize(codes.size());
    const double step = net.codes.step(producer);
    for (std::size_t i = 0; i < codes.size(); ++i)
      floats.set_real(i, static_cast<float>((codes.at(i) - codes.format.zero_point) * step));
    return floats;
  };
  const network::Layer& layer = net.floats.network.layers[index];
  const network::Tensor with = floats_of(layer.with);
  const network::Tensor out = network::run_float(layer, net.floats.weights[index], floats_of(layer.source), &with);
  const network::NumberFormat& format = net.codes.layers[index].out_format;
  std::vector<Wanted> codes;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double exact = static_cast<double>(out.real(i)) / net.codes.layers[index].step;
    const int code = static_cast<int>(std::nearbyint(exact)) + format.zero_point;
    codes.push_back(
        {std::clamp(code, format.lowest(), format.highest()), std::abs(std::abs(exact - std::floor(exact)) - 0.5)});
  }
  return codes;
}

}  // namespace

TEST_CASE("a model in codes keeps its formats and its weights' integers and its biases") {
  const CodedModel model;
  const Imported net(model);
  REQUIRE(net.codes.layers.size() == 5);
  const network::Addition& sum = net.codes.layers[3].addition();
  CHECK(sum.weights == std::array<int, 2>{2, 1});  // 0.03 and 0.015
  CHECK(std::ldexp(sum.scales.scale[0], -sum.scales.shift[0]) == Approx(0.015 / 0.04));
  CHECK(net.codes.input.format == network::NumberFormat::codes(8, true, 120));
  CHECK(net.codes.input_step == Approx(0.02));
  CHECK(net.codes.layers[0].step == Approx(0.015));
  CHECK(net.codes.layers[2].out_format.zero_point == 100);
  const auto given = [&](const std::string& name) {
    for (const auto& one : model.proto.graph().initializer())
      if (one.name() == name) return std::vector<int>(one.int32_data().begin(), one.int32_data().end());
    return std::vector<int>{};
  };
  for (const auto& [layer, weights, bias] : {std::tuple{0, "w1", "b1"}, {2, "w2", ""}, {4, "w3", "b3"}}) {
    const network::Layer& coded = net.codes.layers[static_cast<std::size_t>(layer)];
    const std::vector<int> integers = given(weights), biases = given(bias);
    for (std::size_t i = 0; i < integers.size(); ++i) REQUIRE(coded.parameters().integer(i) == integers[i]);
    for (std::size_t i = 0; i < biases.size(); ++i) REQUIRE(coded.parameters().bias[i] == biases[i]);
    CHECK(coded.scales().scale.size() == (layer == 2 ? 1 : static_cast<std::size_t>(coded.outputs())));
  }
}

TEST_CASE("formats and steps of 8 bits are none of other widths") {
  const Imported net{CodedModel()};
  const arith::QuantisationMethods methods;
  std::vector<network::Tensor> inputs(2, net.floats.network.input);
  for (network::Tensor& input : inputs) {
    input.resize(static_cast<std::size_t>(input.shape.elements()));
    for (std::size_t i = 0; i < input.size(); ++i) input.set_real(i, static_cast<float>(i % 7) / 7 - 0.4F);
  }
  const auto coded = post_training::code_networks(net.floats, inputs, {{methods.find("linear"), 4, 4}});
  REQUIRE(coded[0].network);
  CHECK(coded[0].network->input.format.bits == 4);
  int largest = 0;
  for (std::size_t i = 0; i < 54; ++i)
    largest = std::max(largest, std::abs(coded[0].network->layers[0].parameters().integer(i)));
  CHECK(largest <= 8);
  CHECK(largest >= 4);  // not the same steps cut off: those leave 8 everywhere
  std::size_t ends = 0;
  for (std::size_t i = 0; i < 54; ++i) ends += std::abs(coded[0].network->layers[0].parameters().integer(i)) >= 7;
  CHECK(ends < 27);
}

// M has 15 bits, so a scale is off by 2^-15 of itself at most, and a code by 2^-7; sums are in real numbers.
TEST_CASE("every layer of a network of codes is what ONNX says of what it reads but near half-way") {
  for (const bool spelt : {true, false}) {
    Imported net{CodedModel(spelt)};
    base::Random random(5, "inputs");
    std::size_t values = 0, differing = 0;
    for (int input = 0; input < 20; ++input) {
      for (std::size_t i = 0; i < net.codes.input.size(); ++i) net.codes.input.set(i, random.uniform(0, 255));
      const std::vector<network::Result> results = network::run_reference(net.codes, kExact);
      for (std::size_t layer = 0; layer < results.size(); ++layer) {
        const double near = net.codes.layers[layer].computes() ? 1.0 / 128 : 1e-4;
        const std::vector<Wanted> expected = wanted(net, layer, results);
        for (std::size_t i = 0; i < expected.size(); ++i, ++values) {
          const int off = std::abs(results[layer].out.at(i) - expected[i].code);
          if (off == 0) continue;
          ++differing;
          CAPTURE(layer, i, expected[i].beyond);
          CHECK(off == 1);
          CHECK(expected[i].beyond <= near);
        }
      }
    }
    CAPTURE(spelt, values, differing);
    CHECK(differing < values / 50);
  }
}

TEST_CASE("codes that are none or not one format are refused") {
  const auto error = [](const std::function<void(CodedModel&)>& change) -> std::string {
    CodedModel model;
    change(model);
    const base::TemporaryFolder folder;
    base::write_file(folder.path() + "/m.onnx", model.bytes());
    try {
      const importer::Imported imported = importer::convert(importer::read_model(folder.path() + "/m.onnx"), {}, "m");
      return imported.refused.empty() ? "" : imported.refused[0].node + ": " + imported.refused[0].reason;
    } catch (const base::UserError& wrong) {
      return wrong.what();
    }
  };
  const auto initializer = [](CodedModel& model, const std::string& name) -> ::onnx::TensorProto& {
    for (auto& one : *model.graph().mutable_initializer())
      if (one.name() == name) return one;
    throw std::out_of_range(name);
  };
  CHECK(error([](CodedModel&) {}) == "");
  CHECK(error([&](CodedModel& m) { initializer(m, "c_scale").set_float_data(0, 0); }).find("not positive") !=
        std::string::npos);
  CHECK(error([&](CodedModel& m) {
          initializer(m, "w1_zero").set_int32_data(2, 100);
        }).find("weights of more than 8 bits about their zero point") != std::string::npos);
  CHECK(error([&](CodedModel& m) {
          m.graph().mutable_node(6)->set_input(1, "d_scale");
        }).find("it has codes of step 0.03, zero point 0 already") != std::string::npos);
  CHECK(error([&](CodedModel& m) {  // the steps of a convolution spelt in one node, computed by another
          m = CodedModel(false);
          initializer(m, "w1_scale").set_name("other");
          m.node("Identity", {"other"}, "w1_scale");
        })
            .find("_DequantizeLinear: it reads first/bias scale, which is not made") != std::string::npos);
}

// FANSIM_CODED=FILE writes the model, to be run by other programs.
TEST_CASE("a model in codes for others", "[.write]") {
  const char* file = std::getenv("FANSIM_CODED");
  REQUIRE(file);
  base::write_file(file, CodedModel().bytes());
}

}  // namespace fansim::coding_test
