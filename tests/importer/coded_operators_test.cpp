// SPDX-License-Identifier: Apache-2.0
// Operators of models in codes, one at a time: what ONNX says of the input's codes, but where that is half-way.
#include "coded_model.h"
// This include must follow protobuf's headers.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "base/error.h"
#include "network/reference/reference.h"

namespace fansim::coded_operators_test {

using Values = std::vector<double>;

namespace {

constexpr int kChannels = 4, kSide = 6;
constexpr float kIn = 5.0F / 256, kOut = 4.0F / 256;  // steps of what is read and made: a quarter of codes are half-way
constexpr int kInZero = 120, kOutZero = 90;

double at(const Values& x, int c, int row, int column) {
  return x[static_cast<std::size_t>((c * kSide + row) * kSide + column)];
}

// Has an input [1, 4, 6, 6] in codes of format x, and y in codes of format y.
struct Operator : test::ModelInCodes {
  Operator() : ModelInCodes(kChannels, kSide, kSide) {
    auto* set = proto.add_opset_import();
    set->set_domain("com.microsoft");
    set->set_version(1);
    format("x", kIn, kInZero);
    format("y", kOut, kOutZero);
    format("z", 0.031F, 7);
    integers("axis", {1});
    pair("x", "x");
  }
  void end(const char* name) {
    node("QuantizeLinear", {name, "y_scale", "y_zero"}, "y_q");
    give();
  }
  // Adds an operator that com.microsoft computes on codes.
  void fused(const char* op, const std::vector<std::string>& inputs) {
    node(op, inputs, "y_q").set_domain("com.microsoft");
  }
  void give() { node("DequantizeLinear", {"y_q", "y_scale", "y_zero"}, "y"); }
  void integer(const char* name, std::int64_t value) {
    auto* one = last->add_attribute();
    one->set_name(name);
    one->set_type(::onnx::AttributeProto::INT);
    one->set_i(value);
  }
  void slice(const char* output, int from, int to) {
    const std::string name = output;
    integers((name + "_from").c_str(), {from});
    integers((name + "_to").c_str(), {to});
    node("Slice", {"x_dq", name + "_from", name + "_to", "axis"}, output);
  }
};

// FANSIM_CODED_OPERATORS=FOLDER writes the models, to be run by other programs.
void write(const Operator& model) {
  static int written = 0;
  if (const char* folder = std::getenv("FANSIM_CODED_OPERATORS"))
    base::write_file(fmt::format("{}/{}.onnx", folder, written++), model.bytes());
}

// Compares, over 20 inputs, the network's codes with those nearest to `expected`, where ties go to the even code. They
// may differ only by one step where the value is half-way. Counts all codes and those that differ.
struct Count {
  int values = 0, differing = 0;
};
Count compare(const Operator& model, const std::function<Values(const Values&)>& expected) {
  write(model);
  test::ImportedCodes net(model);
  base::Random random(5, "inputs");
  Count count;
  for (int input = 0; input < 20; ++input) {
    Values x;
    for (std::size_t i = 0; i < net.codes.input.size(); ++i) {
      net.codes.input.set(i, random.uniform(0, 255));
      x.push_back((net.codes.input.at(i) - kInZero) * static_cast<double>(kIn));
    }
    const Values wanted = expected(x);
    const network::Tensor found = network::run_reference(net.codes, {48, 48, arith::Rounding::half_up}).back().out;
    REQUIRE(found.size() == wanted.size());
    CHECK(found.format.zero_point == kOutZero);
    for (std::size_t i = 0; i < wanted.size(); ++i, ++count.values) {
      const double exact = wanted[i] / static_cast<double>(kOut);
      const int code = static_cast<int>(std::clamp(std::nearbyint(exact) + kOutZero, 0.0, 255.0));
      const int off = std::abs(found.at(i) - code);
      if (off == 0) continue;
      ++count.differing;
      CAPTURE(i, exact);
      CHECK(off == 1);
      CHECK(std::abs(std::abs(exact - std::floor(exact)) - 0.5) < 1e-9);
    }
  }
  return count;
}

Values each(const std::function<double(int, int, int)>& value, int channels, int height, int width) {
  Values all;
  for (int c = 0; c < channels; ++c)
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < width; ++column) all.push_back(value(c, row, column));
  return all;
}

// Returns the mean of the cells of a 3 x 3 window around a place that lie in the map.
double mean_about(const Values& x, int c, int row, int column) {
  double sum = 0;
  int cells = 0;
  for (int r = std::max(row - 1, 0); r <= std::min(row + 1, kSide - 1); ++r)
    for (int k = std::max(column - 1, 0); k <= std::min(column + 1, kSide - 1); ++k, ++cells) sum += at(x, c, r, k);
  return sum / cells;
}

}  // namespace

TEST_CASE("pools and slices and larger maps may be in other codes than what they read") {
  Operator pool;
  pool.node("MaxPool", {"x_dq"}, "p");
  pool.ints("kernel_shape", {2, 2});
  pool.ints("strides", {2, 2});
  pool.end("p");
  Count count = compare(pool, [](const Values& x) {
    return each(
        [&](int c, int row, int column) {
          return std::max(std::max(at(x, c, 2 * row, 2 * column), at(x, c, 2 * row, 2 * column + 1)),
                          std::max(at(x, c, 2 * row + 1, 2 * column), at(x, c, 2 * row + 1, 2 * column + 1)));
        },
        kChannels, 3, 3);
  });
  CHECK(count.values == 720);
  CHECK(count.differing < count.values / 6);

  Operator cut;
  cut.slice("s", 1, 3);
  cut.end("s");
  CHECK(compare(cut, [](const Values& x) { return Values(x.begin() + 36, x.begin() + 108); }).values == 1440);

  for (const bool linear : {false, true}) {
    Operator larger;
    auto& scales = larger.tensor("scales", ::onnx::TensorProto::FLOAT, {4});
    for (const float scale : {1.0F, 1.0F, 1.0F, 2.0F}) scales.add_float_data(scale);
    larger.node("Resize", {"x_dq", "", "scales"}, "r");
    auto* mode = larger.last->add_attribute();
    mode->set_name("mode");
    mode->set_type(::onnx::AttributeProto::STRING);
    mode->set_s(linear ? "linear" : "nearest");
    larger.end("r");
    count = compare(larger, [&](const Values& x) {
      return each(
          [&](int c, int row, int column) {
            const int near = column / 2, beside = std::clamp(near + (column % 2 == 0 ? -1 : 1), 0, kSide - 1);
            const double share = linear ? 0.25 : 0;
            return (1 - share) * at(x, c, row, near) + share * at(x, c, row, beside);
          },
          kChannels, kSide, 2 * kSide);
    });
    CHECK(count.values == 20 * kChannels * kSide * 2 * kSide);
    CHECK(count.differing < count.values / 6);
  }
}

TEST_CASE("averages in codes of their own are rounded once and leave out their padding unless told to count it") {
  for (const bool fused : {false, true}) {
    Operator model;
    if (fused)
      model.fused("QLinearAveragePool", {"x_q", "x_scale", "x_zero", "y_scale", "y_zero"});
    else
      model.node("AveragePool", {"x_dq"}, "p");
    model.ints("kernel_shape", {3, 3});
    model.ints("pads", {1, 1, 1, 1});
    if (fused)
      model.give();
    else
      model.end("p");
    const Count count = compare(model, [](const Values& x) {
      return each([&](int c, int row, int column) { return mean_about(x, c, row, column); }, kChannels, kSide, kSide);
    });
    CHECK(count.values == 2880);
    CHECK(count.differing < count.values / 6);
  }
  Operator whole;
  whole.fused("QLinearGlobalAveragePool", {"x_q", "x_scale", "x_zero", "y_scale", "y_zero"});
  whole.give();
  CHECK(compare(whole, [](const Values& x) {
          Values means(kChannels);
          for (std::size_t i = 0; i < x.size(); ++i) means[i / 36] += x[i] / 36;
          return means;
        }).values == 80);
}

TEST_CASE("maps of several formats are joined in that of all and added and multiplied in one of their own") {
  Operator joined;
  joined.slice("a", 0, 1);
  joined.slice("b", 2, 4);
  joined.node("QuantizeLinear", {"b", "y_scale", "y_zero"}, "b_q");
  joined.node("QuantizeLinear", {"a", "x_scale", "x_zero"}, "a_q");
  joined.fused("QLinearConcat", {"y_scale", "y_zero", "x_q", "x_scale", "x_zero", "b_q", "y_scale", "y_zero", "a_q",
                                 "x_scale", "x_zero"});
  joined.integer("axis", 1);
  joined.give();
  const Count count = compare(joined, [](Values x) {
    const Values all = x;
    x.insert(x.end(), all.begin() + 72, all.end());  // in codes of y already: a rounding changes nothing
    x.insert(x.end(), all.begin(), all.begin() + 36);
    return x;
  });
  CHECK(count.values == 20 * 7 * 36);
  CHECK(count.differing < count.values / 6);

  for (const bool product : {false, true}) {
    Operator model;
    model.slice("a", 0, 2);
    model.slice("b", 2, 4);
    model.node("QuantizeLinear", {"a", "x_scale", "x_zero"}, "a_q");
    model.node("QuantizeLinear", {"b", "x_scale", "x_zero"}, "b_q");
    model.fused(product ? "QLinearMul" : "QLinearAdd",
                {"a_q", "x_scale", "x_zero", "b_q", "x_scale", "x_zero", "y_scale", "y_zero"});
    model.give();
    const Count both = compare(model, [&](const Values& x) {
      Values out;
      for (std::size_t i = 0; i < 72; ++i) out.push_back(product ? x[i] * x[72 + i] : x[i] + x[72 + i]);
      return out;
    });
    CHECK(both.values == 1440);
    CHECK(both.differing < both.values / 6);
  }
}

TEST_CASE("functions of codes are those of what they stand for") {
  Operator sigmoid;
  sigmoid.fused("QLinearSigmoid", {"x_q", "x_scale", "x_zero", "y_scale", "y_zero"});
  sigmoid.give();
  CHECK(compare(sigmoid, [](Values x) {
          for (double& one : x) one = 1 / (1 + std::exp(-one));
          return x;
        }).differing < 20);
  Operator leaky;
  leaky.fused("QLinearLeakyRelu", {"x_q", "x_scale", "x_zero", "y_scale", "y_zero"});
  auto* alpha = leaky.last->add_attribute();
  alpha->set_name("alpha");
  alpha->set_type(::onnx::AttributeProto::FLOAT);
  alpha->set_f(0.25F);
  leaky.give();
  CHECK(compare(leaky, [](Values x) {
          for (double& one : x) one = one < 0 ? one / 4 : one;
          return x;
        }).differing < 480);
}

TEST_CASE("products of integers are a convolution or matrix product of the floats they stand for") {
  Operator conv;
  conv.codes("w", {4, 4, 3, 3}, 1);
  conv.tensor("factor", ::onnx::TensorProto::FLOAT, {1, 4, 1, 1});
  auto& factor = *conv.graph().mutable_initializer(conv.graph().initializer_size() - 1);
  for (const float value : {0.00002F, 0.00003F, 0.00001F, 0.00004F}) factor.add_float_data(value);
  conv.node("ConvInteger", {"x_q", "w", "x_zero", "w_zero"}, "sum");
  conv.node("Cast", {"sum"}, "f");
  conv.integer("to", 1);
  conv.node("Mul", {"f", "factor"}, "p");
  conv.end("p");
  std::vector<int> weights;
  for (const auto& one : conv.graph().initializer())
    if (one.name() == "w") weights.assign(one.int32_data().begin(), one.int32_data().end());
  write(conv);
  const test::ImportedCodes net(conv);
  REQUIRE(net.codes.layers.size() == 1);
  for (std::size_t i = 0; i < weights.size(); ++i) REQUIRE(net.codes.layers[0].parameters().integer(i) == weights[i]);
  // The scale M / 2^n has 15 bits, so half-way is accurate within 2^-7.
  network::Network codes = net.codes;
  base::Random random(6, "inputs");
  for (std::size_t i = 0; i < codes.input.size(); ++i) codes.input.set(i, random.uniform(0, 255));
  const network::Tensor found = network::run_reference(codes, {48, 48, arith::Rounding::half_up}).back().out;
  for (int filter = 0; filter < 4; ++filter)
    for (int row = 0; row < 4; ++row)
      for (int column = 0; column < 4; ++column) {
        int sum = 0;
        for (int c = 0; c < 4; ++c)
          for (int r = 0; r < 3; ++r)
            for (int k = 0; k < 3; ++k)
              sum += weights[static_cast<std::size_t>(((filter * 4 + c) * 3 + r) * 3 + k)] *
                     (codes.input.at(static_cast<std::size_t>((c * 6 + row + r) * 6 + column + k)) - kInZero);
        const double exact = std::clamp<double>(
            sum * static_cast<double>(factor.float_data(filter)) / static_cast<double>(kOut) + kOutZero, 0, 255);
        CHECK(found.at(static_cast<std::size_t>((filter * 4 + row) * 4 + column)) == Approx(exact).margin(0.51));
      }
}

TEST_CASE("codes are moved as floats are and multiplied with a bias by QGemm") {
  Operator model;
  model.codes("w", {10, 36}, 10);
  model.bias("b", 10, kIn, "w_scale");
  model.node("MaxPool", {"x_q"}, "p");
  model.ints("kernel_shape", {2, 2});
  model.ints("strides", {2, 2});
  model.node("Flatten", {"p"}, "v");
  model.fused("QGemm", {"v", "x_scale", "x_zero", "w", "w_scale", "w_zero", "b", "y_scale", "y_zero"});
  model.integer("transB", 1);
  model.give();
  write(model);
  test::ImportedCodes net(model);
  REQUIRE(net.codes.layers.size() == 2);
  CHECK(net.codes.layers[0].out_format == net.codes.input.format);
  const auto& floats = net.floats.weights[1];
  base::Random random(8, "inputs");
  for (std::size_t i = 0; i < net.codes.input.size(); ++i) net.codes.input.set(i, random.uniform(0, 255));
  const auto results = network::run_reference(net.codes, {48, 48, arith::Rounding::half_up});
  for (std::size_t unit = 0; unit < 10; ++unit) {
    double sum = static_cast<double>(floats.bias[unit]);
    for (std::size_t i = 0; i < 36; ++i)
      sum += static_cast<double>(floats.weights[unit * 36 + i]) * (results[0].out.at(i) - kInZero) *
             static_cast<double>(kIn);
    const double exact = std::clamp<double>(sum / static_cast<double>(kOut) + kOutZero, 0, 255);
    CHECK(results[1].out.at(unit) == Approx(exact).margin(0.51));
  }
  Operator mixed;
  mixed.node("Concat", {"x_q", "x_dq"}, "y");
  mixed.integer("axis", 1);
  const base::TemporaryFolder folder;
  base::write_file(folder.path() + "/m.onnx", mixed.bytes());
  const auto imported = importer::convert(importer::read_model(folder.path() + "/m.onnx"), {}, "m");
  REQUIRE(imported.refused.size() == 1);
  CHECK(imported.refused[0].reason == "codes and floats");
}

TEST_CASE("steps that follow each input become one for all by calibration while the weights keep theirs") {
  test::SmallModel model;
  model.graph().clear_node();
  auto* w = model.graph().add_initializer();
  w->set_name("w");
  w->set_data_type(::onnx::TensorProto::INT8);
  w->add_dims(144);
  w->add_dims(3);
  for (int i = 0; i < 432; ++i) w->add_int32_data(model.random.uniform(-127, 127));
  auto* zero = model.graph().add_initializer();
  zero->set_name("w_zero");
  zero->set_data_type(::onnx::TensorProto::INT8);
  zero->add_int32_data(0);
  model.weights("w_scale", {1}, 1);
  model.node("Flatten", {"x"}, "v");
  model.node("DynamicQuantizeLinear", {"v"}, "q", "dynamic");
  model.last->add_output("s");
  model.last->add_output("z");
  model.node("MatMulInteger", {"q", "w", "z", "w_zero"}, "i");
  model.node("Cast", {"i"}, "f");
  model.node("Mul", {"s", "w_scale"}, "both");
  model.node("Mul", {"f", "both"}, "y");
  const base::TemporaryFolder folder;
  base::write_file(folder.path() + "/m.onnx", model.bytes());
  const auto convert = [&] { return importer::convert(importer::read_model(folder.path() + "/m.onnx"), {}, "m"); };
  const importer::Imported imported = convert();
  REQUIRE(imported.refused.empty());
  REQUIRE(imported.layers.size() == 1);
  CHECK(imported.notes.size() == 1);
  REQUIRE(imported.layers[0].weight_steps.size() == 1);
  const float step = model.graph().initializer(model.graph().initializer_size() - 1).float_data(0);
  CHECK(imported.layers[0].weight_steps[0] == step);
  for (std::size_t i = 0; i < 432; ++i)  // inputs by units here, units by inputs there
    CHECK(imported.layers[0].weights[i % 3 * 144 + i / 3] ==
          Approx(static_cast<float>(w->int32_data(static_cast<int>(i))) * step).epsilon(1e-6));
}

TEST_CASE("products of integers about another zero point than their codes' are refused") {
  Operator model;
  model.codes("w", {4, 4, 1, 1}, 4);
  model.node("ConvInteger", {"x_q", "w", "z_zero"}, "y");
  const base::TemporaryFolder folder;
  base::write_file(folder.path() + "/m.onnx", model.bytes());
  const auto imported = importer::convert(importer::read_model(folder.path() + "/m.onnx"), {}, "m");
  REQUIRE(imported.refused.size() == 1);
  CHECK(imported.refused[0].reason == "its zero point is 7, that of its codes 120");
}

}  // namespace fansim::coded_operators_test
