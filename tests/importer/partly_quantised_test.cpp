// SPDX-License-Identifier: Apache-2.0
// These tests draw models that quantise some tensors, for some of their readers, and hold their codes to the floats.
#include "coded_model.h"
// This include must follow protobuf's headers.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <tuple>

#include "post_training/quality.h"

namespace fansim::partly_quantised_test {

namespace {

constexpr int kSide = 4, kCells = kSide * kSide, kInputs = 6;
using Map = std::vector<double>;  // channel by channel

// Holds a value of the model: what it is for each input, and the step and zero point of its pair, if it is to have one.
struct Value {
  std::string name;
  int channels = 0;
  std::vector<Map> maps;
  bool quantised = false, has_pair = false;
};

struct DrawnModel : test::ModelInCodes {
  explicit DrawnModel(std::uint64_t seed) : ModelInCodes(3, kSide, kSide), draw(seed, "model") {
    values.push_back({"x", 3, {}});
    for (int i = 0; i < kInputs; ++i) {
      values[0].maps.emplace_back();
      for (int k = 0; k < 3 * kCells; ++k) values[0].maps.back().push_back(draw.uniform(-1000, 1000) / 250.0);
    }
    values[0].quantised = true;
    convolve(values[0], "c0");
    for (int i = 1; i <= 7; ++i) add("v" + std::to_string(i));
    const Value second = values.back(), first = values[values.size() - 2];
    put("Concat", {&second, &first}, "joined", second.channels + first.channels, [](const Map& a, const Map& b) {
      Map all = a;
      all.insert(all.end(), b.begin(), b.end());
      return all;
    });
    attribute("axis", 1);
    convolve(values.back(), "end");
    values.back().quantised = true;
    graph().mutable_output(0)->set_name(read(values.back(), true));
  }

  base::Random draw;
  std::vector<Value> values;

 private:
  void attribute(const char* name, int value) {
    auto* one = last->add_attribute();
    one->set_name(name);
    one->set_type(::onnx::AttributeProto::INT);
    one->set_i(value);
  }

  // Returns the name under which a node reads the value, behind its pair or before it.
  std::string read(const Value& value, bool quantised) {
    Value& own = *std::find_if(values.begin(), values.end(), [&](const Value& one) { return one.name == value.name; });
    if (!own.quantised || !quantised) return own.name;
    if (!own.has_pair) {
      double low = 0, high = 1e-3;
      for (const Map& map : own.maps)
        for (const double one : map) std::tie(low, high) = std::pair(std::min(low, one), std::max(high, one));
      const double step = (high - low) / 240;
      format(own.name, static_cast<float>(step), static_cast<int>(std::lround(-low / step)) + 5);
      pair(own.name, own.name);
      own.has_pair = true;
    }
    return own.name + "_dq";
  }

  template <class Compute>
  void put(const char* op, const std::vector<const Value*>& from, const std::string& name, int channels,
           const Compute& compute, const std::vector<std::string>& more = {}) {
    std::vector<std::string> inputs;
    for (const Value* one : from) inputs.push_back(read(*one, draw.uniform(0, 9) < 7));
    inputs.insert(inputs.end(), more.begin(), more.end());
    Value made{name, channels, {}};
    for (std::size_t i = 0; i < kInputs; ++i) made.maps.push_back(compute(from[0]->maps[i], from.back()->maps[i]));
    made.quantised = draw.uniform(0, 1) == 0;
    node(op, inputs, name.c_str(), name.c_str());
    values.push_back(made);
  }

  void convolve(const Value from, const std::string& name) {
    const int outputs = draw.uniform(2, 4);
    codes(name + "_w", {outputs, from.channels, 1, 1}, outputs);
    auto& steps = *graph().mutable_initializer(graph().initializer_size() - 2);
    for (int i = 0; i < outputs; ++i) steps.set_float_data(i, steps.float_data(i) * 6);
    const auto& integers = graph().initializer(graph().initializer_size() - 3);
    Map taps;
    for (int i = 0; i < outputs * from.channels; ++i)
      taps.push_back(integers.int32_data(i) * static_cast<double>(steps.float_data(i / from.channels)));
    weights(name + "_w");
    put("Conv", {&from}, name, outputs,
        [&](const Map& x, const Map&) {
          Map out(static_cast<std::size_t>(outputs * kCells));
          for (std::size_t i = 0; i < out.size(); ++i)
            for (std::size_t c = 0; c < static_cast<std::size_t>(from.channels); ++c)
              out[i] += taps[i / kCells * static_cast<std::size_t>(from.channels) + c] * x[c * kCells + i % kCells];
          return out;
        },
        {name + "_w_dq"});
  }

  void window(const Value from, const std::string& name, bool average) {
    put(average ? "AveragePool" : "MaxPool", {&from}, name, from.channels, [&](const Map& x, const Map&) {
      Map out;
      for (int i = 0; i < from.channels * kCells; ++i) {
        double sum = 0, most = -1e9;
        for (int r = i / kSide % kSide - 1; r <= i / kSide % kSide + 1; ++r)
          for (int k = i % kSide - 1; k <= i % kSide + 1; ++k) {
            if (r < 0 || k < 0 || r >= kSide || k >= kSide) continue;
            const double one = x[static_cast<std::size_t>(i / kCells * kCells + r * kSide + k)];
            sum += one / 9;
            most = std::max(most, one);
          }
        out.push_back(average ? sum : most);
      }
      return out;
    });
    ints("kernel_shape", {3, 3});
    ints("pads", {1, 1, 1, 1});
    if (average) attribute("count_include_pad", 1);
  }

  void bend(const Value from, const std::string& name, bool leaky) {
    put(leaky ? "LeakyRelu" : "Relu", {&from}, name, from.channels, [&](Map x, const Map&) {
      for (double& one : x) one = one > 0 ? one : leaky ? one * 0.25 : 0;
      return x;
    });
    if (!leaky) return;
    auto* alpha = last->add_attribute();
    alpha->set_name("alpha");
    alpha->set_type(::onnx::AttributeProto::FLOAT);
    alpha->set_f(0.25F);
  }

  void add(const std::string& name) {
    const auto recent = [&] { return values[values.size() - static_cast<std::size_t>(draw.uniform(1, 3) % 3 + 1)]; };
    const Value a = values.size() > 3 ? recent() : values.back(), b = values.size() > 3 ? recent() : values.back();
    switch (draw.uniform(0, 6)) {
      case 0:
        return window(a, name, false);
      case 1:
        return window(a, name, true);
      case 2:
        return bend(a, name, false);
      case 3:
        return bend(a, name, true);
      case 4:
        if (a.channels != b.channels || a.name == b.name) break;
        return put("Add", {&a, &b}, name, a.channels, [](Map x, const Map& y) {
          for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
          return x;
        });
      case 5:
        if (a.channels + b.channels > 8 || a.name == b.name) break;
        put("Concat", {&a, &b}, name, a.channels + b.channels, [](Map x, const Map& y) {
          x.insert(x.end(), y.begin(), y.end());
          return x;
        });
        return attribute("axis", 1);
      default:
        break;
    }
    convolve(a, name);
  }
};

}  // namespace

TEST_CASE("codes of a partly quantised model are near its floats whatever of it is quantised") {
  const std::uint64_t seed = std::getenv("FANSIM_SEED") ? std::stoull(std::getenv("FANSIM_SEED")) : 1;
  const int models = std::getenv("FANSIM_MODELS") ? std::stoi(std::getenv("FANSIM_MODELS")) : 20;
  const arith::QuantisationMethods methods;
  for (std::uint64_t i = seed; i < seed + static_cast<std::uint64_t>(models); ++i) {
    CAPTURE(i);
    const DrawnModel model(i);
    const base::TemporaryFolder folder;
    base::write_file(folder.path() + "/m.onnx", model.bytes());
    const importer::Imported imported = importer::convert(importer::read_model(folder.path() + "/m.onnx"), {}, "m");
    for (const importer::Refusal& refusal : imported.refused) FAIL(refusal.node << ": " << refusal.reason);
    importer::write(imported, folder.path());
    const network::FloatNetwork floats = network::load_float_network(folder.path() + "/network.yaml");
    std::vector<network::Tensor> inputs;
    for (const Map& map : model.values[0].maps) {
      network::Tensor input{floats.network.input.shape, floats.network.input.format, {}};
      input.resize(map.size());
      for (std::size_t at = 0; at < map.size(); ++at) input.set_real(at, static_cast<float>(map[at]));
      inputs.push_back(std::move(input));
    }
    // The floats are the model's own but for the ends of its codes, which these steps do not reach.
    for (std::size_t at = 0; at < kInputs; ++at) {
      const network::Tensor end = network::run_float(floats, inputs[at]).back();
      for (std::size_t k = 0; k < end.size(); ++k)
        REQUIRE(end.real(k) == Approx(model.values.back().maps[at][k]).margin(1e-3));
    }
    const auto coded = post_training::code_networks(floats, inputs, {{methods.find("linear"), 8, 8}});
    REQUIRE(coded[0].refusal.empty());
    const auto quality = post_training::measure(floats, inputs, coded);
    CAPTURE(post_training::layers_text("drawn", quality[0]), base::read_file(folder.path() + "/network.yaml"));
    const std::optional<double> db = quality[0].layers.back().sqnr.db();
    CHECK(db.value_or(100) > 20);
  }
}

}  // namespace fansim::partly_quantised_test
