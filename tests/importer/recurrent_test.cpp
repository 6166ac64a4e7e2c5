// SPDX-License-Identifier: Apache-2.0
// These tests compute ONNX's formulas of LSTM and GRU, and compare them with the network that is made of them.
#include "small_model.h"
// This include must follow protobuf's headers.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "base/error.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "importer/convert.h"
#include "network/float/float_network.h"

namespace fansim::recurrent_test {

using Values = std::vector<double>;

namespace {

constexpr int kSteps = 5, kFeatures = 3, kHidden = 4;

struct Recurrent : test::SmallModel {
  bool lstm, batch_first;

  explicit Recurrent(bool is_lstm, bool batches_first = false) : lstm(is_lstm), batch_first(batches_first) {
    graph().clear_node();
    graph().clear_initializer();
    auto* shape = graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
    shape->clear_dim();
    for (const int dim : {batch_first ? 1 : kSteps, batch_first ? kSteps : 1, kFeatures})
      shape->add_dim()->set_dim_value(dim);
    const int rows = (lstm ? 4 : 3) * kHidden;
    weights("w", {1, rows, kFeatures});
    weights("u", {1, rows, kHidden});
    weights("b", {1, 2 * rows});
    integers("steps", {kSteps});
  }
  void cell(const std::string& in, const char* sequence, const char* last_step = "") {
    node(lstm ? "LSTM" : "GRU", {in, "w", "u", "b"}, sequence, "cell");
    last->add_output(last_step);
    integer("hidden_size", kHidden);
    if (!lstm) integer("linear_before_reset", 1);
  }
  void integer(const char* name, std::int64_t value) {
    auto* one = last->add_attribute();
    one->set_name(name);
    one->set_type(::onnx::AttributeProto::INT);
    one->set_i(value);
  }
  void squeeze(const char* in, const char* out, int axis) {
    integers((std::string(out) + "_axis").c_str(), {axis});
    node("Squeeze", {in, std::string(out) + "_axis"}, out);
  }
  double value(int initializer, int at) const {
    return static_cast<double>(proto.graph().initializer(initializer).float_data(at));
  }

  // Computes ONNX's formulas: h of each step.
  Values expected(const Values& x) const {
    Values h(kHidden), c(kHidden), all;
    const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
    for (int step = 0; step < kSteps; ++step) {
      const Values before = h;
      for (int u = 0; u < kHidden; ++u) {
        const auto of_x = [&](int gate) {
          double sum = value(2, gate * kHidden + u);
          for (int i = 0; i < kFeatures; ++i)
            sum += value(0, (gate * kHidden + u) * kFeatures + i) * x[static_cast<std::size_t>(step * kFeatures + i)];
          return sum;
        };
        const auto of_h = [&](int gate) {
          double sum = value(2, ((lstm ? 4 : 3) + gate) * kHidden + u);
          for (int i = 0; i < kHidden; ++i)
            sum += value(1, (gate * kHidden + u) * kHidden + i) * before[static_cast<std::size_t>(i)];
          return sum;
        };
        const auto at = static_cast<std::size_t>(u);
        if (lstm) {  // i, o, f, c
          const double i = sigmoid(of_x(0) + of_h(0)), o = sigmoid(of_x(1) + of_h(1)), f = sigmoid(of_x(2) + of_h(2));
          c[at] = f * c[at] + i * std::tanh(of_x(3) + of_h(3));
          h[at] = o * std::tanh(c[at]);
        } else {  // z, r, h
          const double z = sigmoid(of_x(0) + of_h(0)), r = sigmoid(of_x(1) + of_h(1));
          h[at] = (1 - z) * std::tanh(of_x(2) + r * of_h(2)) + z * before[at];
        }
      }
      all.insert(all.end(), h.begin(), h.end());
    }
    return all;
  }
};

importer::Imported imported(const Recurrent& model, const std::string& folder) {
  base::write_file(folder + "/m.onnx", model.bytes());
  return importer::convert(importer::read_model(folder + "/m.onnx"), {}, "m.onnx");
}

std::string error(const std::function<void(Recurrent&)>& change, bool lstm = true) {
  const base::TemporaryFolder folder;
  Recurrent model(lstm);
  model.cell("x", "y", "h");
  change(model);
  try {
    const importer::Imported network = imported(model, folder.path());
    return network.refused.empty() ? "" : network.refused[0].op + ": " + network.refused[0].reason;
  } catch (const base::UserError& wrong) {
    return wrong.what();
  }
}

// Holds a random sequence, and what the network of floats makes of it.
struct Run {
  Values x, y;
};
Run run(const Recurrent& model) {
  const base::TemporaryFolder folder;
  const importer::Imported network = imported(model, folder.path());
  for (const importer::Refusal& refusal : network.refused) FAIL(refusal.node << ": " << refusal.reason);
  importer::write(network, folder.path() + "/net");
  const network::FloatNetwork floats = network::load_float_network(folder.path() + "/net/network.yaml");
  network::Tensor input = floats.network.input;
  CHECK(input.shape == network::Shape::series(kSteps, kFeatures));
  input.resize(kSteps * kFeatures);
  base::Random random(3, "sequence");
  Run result;
  for (std::size_t i = 0; i < input.size(); ++i) {
    input.set_real(i, static_cast<float>(random.uniform(-1000, 1000)) / 500);
    result.x.push_back(static_cast<double>(input.real(i)));
  }
  const network::Tensor out = network::run_float(floats, input).back();
  for (std::size_t i = 0; i < out.size(); ++i) result.y.push_back(static_cast<double>(out.real(i)));
  return result;
}

void check(const Run& result, const Values& wanted) {
  REQUIRE(result.y.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(result.y[i] == Approx(wanted[i]).margin(1e-6));
}

}  // namespace

TEST_CASE("LSTM and GRU give every step or the last in ONNX's dimensions or turned as exporters do") {
  for (const bool lstm : {false, true}) {
    CAPTURE(lstm);
    Recurrent all(lstm);
    all.cell("x", "y");
    const Run whole = run(all);
    const Values wanted = all.expected(whole.x);
    check(whole, wanted);
    const Values end(wanted.end() - kHidden, wanted.end());

    Recurrent last(lstm);
    last.cell("x", "", "y");
    check(run(last), end);

    Recurrent turned(lstm, true);  // batch first; the last step picked out, and a matrix behind it
    turned.node("Transpose", {"x"}, "t");
    turned.ints("perm", {1, 0, 2});
    turned.cell("t", "s");
    turned.squeeze("s", "q", 1);
    turned.node("Transpose", {"q"}, "r");
    turned.ints("perm", {1, 0, 2});
    turned.integers("minus", {-1});
    turned.graph().mutable_initializer(turned.graph().initializer_size() - 1)->clear_dims();
    turned.node("Gather", {"r", "minus"}, "g");
    turned.integer("axis", 1);
    turned.weights("m", {kHidden, 2});
    turned.node("MatMul", {"g", "m"}, "y");
    const int m = turned.graph().initializer_size() - 1;
    Values product(2);
    for (int i = 0; i < kHidden; ++i)
      for (int unit = 0; unit < 2; ++unit)
        product[static_cast<std::size_t>(unit)] += end[static_cast<std::size_t>(i)] * turned.value(m, i * 2 + unit);
    check(run(turned), product);

    Recurrent layout(lstm, true);
    layout.proto.mutable_opset_import(0)->set_version(14);
    layout.cell("x", "y");
    layout.integer("layout", 1);
    check(run(layout), wanted);
  }
}

TEST_CASE("one recurrent layer reads another and what bends elements bends them") {
  Recurrent model(true);
  model.cell("x", "a");
  model.squeeze("a", "s", 1);
  model.node("Relu", {"s"}, "c");
  model.weights("w2", {1, 3 * kHidden, kHidden});
  model.node("GRU", {"c", "w2", "u2"}, "y", "second");
  model.weights("u2", {1, 3 * kHidden, kHidden});
  model.integer("linear_before_reset", 1);
  const base::TemporaryFolder folder;
  const importer::Imported network = imported(model, folder.path());
  REQUIRE(network.refused.empty());
  REQUIRE(network.layers.size() == 3);
  CHECK(network.layers[2].weight_dims == importer::Dims{3 * kHidden, 2 * kHidden});
  CHECK(network.layers[2].bias.empty());
  CHECK(run(model).y.size() == kSteps * kHidden);
}

TEST_CASE("a hidden state in other codes than its own is brought to them behind the layer") {
  Recurrent model(true);
  model.cell("x", "h");
  model.weights("step", {1}, 1);
  auto* zero = model.graph().add_initializer();
  zero->set_name("zero");
  zero->set_data_type(::onnx::TensorProto::UINT8);
  zero->add_int32_data(100);
  model.node("QuantizeLinear", {"h", "step", "zero"}, "q");
  model.node("DequantizeLinear", {"q", "step", "zero"}, "y");
  const base::TemporaryFolder folder;
  const importer::Imported network = imported(model, folder.path());
  REQUIRE(network.refused.empty());
  REQUIRE(network.layers.size() == 2);
  CHECK_FALSE(network.layers[0].codes);
  CHECK(network.layers[1].function == "clip");
  CHECK(network.layers[1].codes->zero_point == 100);
}

TEST_CASE("what no recurrent layer computes is refused with its reason") {
  using M = Recurrent;
  const auto word = [](const char* name, const char* value) {
    return [=](M& m) {
      auto* one = m.last->add_attribute();
      one->set_name(name);
      one->set_type(::onnx::AttributeProto::STRING);
      one->set_s(value);
    };
  };
  CHECK(error([](M&) {}) == "");
  CHECK(error(word("direction", "bidirectional")) ==
        "LSTM: it walks in both directions; no layer reads a sequence from its end, or joins two");
  CHECK(error(word("direction", "reverse")) == "LSTM: direction 'reverse'; no layer reads a sequence from its end");
  CHECK(error([](M& m) {
          auto* one = m.last->add_attribute();
          one->set_name("activations");
          one->set_type(::onnx::AttributeProto::STRINGS);
          for (const char* name : {"Sigmoid", "Relu", "Tanh"}) one->add_strings(name);
        }) == "LSTM: activations other than Sigmoid and Tanh in their places");
  CHECK(error([](M& m) { m.last->mutable_attribute(1)->set_i(0); }, false).find("linear_before_reset 0") !=
        std::string::npos);
  CHECK(error([](M& m) { m.integer("input_forget", 1); }) == "LSTM: its input and forget gates are one");
  CHECK(error([](M& m) {
          m.last->add_output("c");
          m.graph().add_output()->set_name("c");
        }) == "LSTM: its cell state is read");
  CHECK(error([](M& m) { m.last->add_input("steps"); }) == "");
  CHECK(error([](M& m) {
          m.integers("fewer", {kSteps - 1});
          m.last->add_input("fewer");
        }) == "LSTM: lengths other than that of the sequence");
  CHECK(error([](M& m) {
          m.weights("first", {1, 1, kHidden}, 1);
          m.last->add_input("");
          m.last->add_input("first");
        }) == "LSTM: a first state that is not 0");
  CHECK(error([](M& m) {
          m.last->mutable_attribute(0)->set_i(std::int64_t{1} << 40);
        }).find("a weight of 1 x 16 x 3") != std::string::npos);
  CHECK(error([](M& m) { m.graph().mutable_initializer(1)->set_dims(1, 15); }).find("initializer u: 60 elements") !=
        std::string::npos);
  CHECK(error([](M& m) { m.last->set_input(0, "w"); }).find("its input 0 is a constant") != std::string::npos);
  CHECK(error([](M& m) {
          m.last->set_output(0, "s");
          m.node("Transpose", {"s"}, "y");
          m.ints("perm", {3, 1, 2, 0});
        }) == "Transpose: 5 x 1 x 1 x 4 in the order 3 x 1 x 2 x 0; the steps of a sequence stay outermost");
  CHECK(error([](M& m) {
          m.last->set_output(0, "s");
          m.weights("k", {4, 1, 1, 1});
          m.node("Conv", {"s", "k"}, "y");
        }) == "Conv: its input is a sequence");
}

// FANSIM_RECURRENT=FOLDER writes models, to be run by other programs.
TEST_CASE("recurrent models for others", "[.write]") {
  const char* folder = std::getenv("FANSIM_RECURRENT");
  REQUIRE(folder);
  for (const bool lstm : {false, true})
    for (const bool last : {false, true}) {
      Recurrent model(lstm);
      model.cell("x", last ? "" : "y", last ? "y" : "");
      base::write_file(std::string(folder) + (lstm ? "/lstm" : "/gru") + (last ? "_last" : "") + ".onnx",
                       model.bytes());
    }
}

}  // namespace fansim::recurrent_test
