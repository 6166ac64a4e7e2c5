// SPDX-License-Identifier: Apache-2.0
// These tests show what single rules of the import make of small graphs.
#include "small_model.h"
// This include must follow protobuf's headers.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>

#include "base/error.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "importer/convert.h"

namespace fansim::convert_test {

using importer::Imported;
using importer::ImportedLayer;
using test::SmallModel;
using Type = ImportedLayer::Type;

namespace {

// Has an input [1, 4, 6, 6], and nodes that each test adds; its output is y.
struct Graph : SmallModel {
  Graph() {
    graph().clear_node();
    auto* shape = graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
    for (const auto& [at, dim] : {std::pair{1, 4}, {2, 6}, {3, 6}}) shape->mutable_dim(at)->set_dim_value(dim);
    weights("k", {4, 4, 1, 1});
  }
  void number(const char* name, float value) {
    weights(name, {1});
    graph().mutable_initializer(graph().initializer_size() - 1)->set_float_data(0, value);
  }
  Imported import() const {
    const base::TemporaryFolder folder;
    base::write_file(folder.path() + "/m.onnx", bytes());
    return importer::convert(importer::read_model(folder.path() + "/m.onnx"), {}, "m.onnx");
  }
  std::string error() const {
    try {
      const Imported imported = import();
      return imported.refused.empty() ? "" : imported.refused[0].op + ": " + imported.refused[0].reason;
    } catch (const base::UserError& error) {
      const std::string what = error.what();
      return what.substr(what.find(": ") + 2);
    }
  }
};

std::vector<std::string> kinds(const Imported& network) {
  static const std::map<Type, std::string> kWords{
      {Type::conv, "conv"}, {Type::fc, "fc"},     {Type::maxpool, "maxpool"}, {Type::avgpool, "avgpool"},
      {Type::add, "add"},   {Type::relu, "relu"}, {Type::flatten, "flatten"}, {Type::softmax, "softmax"}};
  std::vector<std::string> all;
  for (const ImportedLayer& layer : network.layers)
    all.push_back(layer.type == Type::function ? layer.function : kWords.at(layer.type) + (layer.relu ? "+relu" : ""));
  return all;
}
using Kinds = std::vector<std::string>;

}  // namespace

TEST_CASE("a ReLU is part of a layer only if nothing else reads that under any name") {
  Graph one;
  one.node("Conv", {"x", "k"}, "c");
  one.node("Identity", {"c"}, "i");
  one.node("Relu", {"i"}, "y");
  CHECK(kinds(one.import()) == Kinds{"conv+relu"});
  Graph two;
  two.node("Conv", {"x", "k"}, "c");
  two.node("Identity", {"c"}, "i");
  two.node("Relu", {"i"}, "r");
  two.node("Add", {"c", "r"}, "y");
  CHECK(kinds(two.import()) == Kinds{"conv", "relu", "add"});
}

TEST_CASE("factors of a flattened map's elements are a layer of their own behind its flattening") {
  Graph model;
  model.weights("f", {144});
  model.node("Conv", {"x", "k"}, "c");
  model.node("Flatten", {"c"}, "v");
  model.node("Mul", {"v", "f"}, "y");
  const Imported network = model.import();
  CHECK(kinds(network) == Kinds{"conv", "flatten", "conv"});
  CHECK(network.layers[2].groups == 144);
}

TEST_CASE("functions that exporters spell out are recognised and what nothing needs is left out") {
  for (const int way : {0, 1, 2, 3}) {
    Graph model;
    model.number("three", 3);
    model.number("six", 6);
    model.number("zero", 0);
    model.number("sixth", 1.0F / 6);
    model.node("Conv", {"x", "k"}, "c");
    if (way < 3) {
      model.node("Add", {"c", "three"}, "s");
      model.node("Clip", {"s", "zero", "six"}, "r");
    }
    if (way == 0) {
      model.node("Mul", {"c", "r"}, "p");
      model.node("Div", {"p", "six"}, "y");
    }
    if (way == 1) {
      model.node("Div", {"r", "six"}, "g");
      model.node("Mul", {"g", "c"}, "y");
    }
    if (way == 2) {
      model.node("Mul", {"r", "c"}, "p");
      model.node("Mul", {"p", "sixth"}, "y");
    }
    if (way == 3) {
      model.node("HardSigmoid", {"c"}, "g");
      model.last->add_attribute()->set_name("alpha");
      model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::FLOAT);
      model.last->mutable_attribute(0)->set_f(1.0F / 6);
      model.node("Mul", {"c", "g"}, "y");
    }
    model.node("Sigmoid", {"c"}, "unused", "dead");
    const Imported network = model.import();
    CAPTURE(way);
    CHECK(kinds(network) == Kinds{"conv", "hard_swish"});
    CHECK(network.notes == std::vector<std::string>{"left out, as no output needs it: dead"});
  }
}

TEST_CASE("a clip from 0 is a ReLU with a limit while any other is a function") {
  Graph model;
  model.number("zero", 0);
  model.number("six", 6);
  model.number("one", 1);
  model.node("Conv", {"x", "k"}, "c");
  model.node("Clip", {"c", "zero", "six"}, "r");
  model.node("Clip", {"r", "one", "six"}, "y");
  const Imported network = model.import();
  CHECK(kinds(network) == Kinds{"conv+relu", "clip"});
  CHECK(network.layers[0].limit == 6);
  CHECK(network.layers[1].numbers == std::map<std::string, double>{{"low", 1}, {"high", 6}});
}

TEST_CASE("windows that are no squares lie in squares and padding goes to the convolution behind it") {
  Graph model;
  model.weights("w", {2, 4, 1, 3});
  model.integers("pads", {0, 0, 1, 0, 0, 0, 0, 2});
  model.node("Pad", {"x", "pads"}, "p");
  model.node("Conv", {"p", "w"}, "y");
  model.ints("dilations", {1, 2});
  const Imported network = model.import();
  REQUIRE(kinds(network) == Kinds{"conv"});
  const ImportedLayer& layer = network.layers[0];
  CHECK(layer.kernel == 5);
  CHECK(layer.padding == std::array<int, 4>{1, 0, 4, 2});
  CHECK(layer.out == importer::Dims{2, 7, 4});
  const auto& given = model.graph().initializer(model.graph().initializer_size() - 2).float_data();
  for (int i = 0; i < 25; ++i)
    CHECK(layer.weights[static_cast<std::size_t>(i)] == (i < 5 && i % 2 == 0 ? given[i / 2] : 0.0F));
  Graph pooled;
  pooled.integers("pads", {0, 0, 1, 0, 0, 0, 0, 2});
  pooled.node("Pad", {"x", "pads"}, "p");
  pooled.node("Relu", {"p"}, "y");
  CHECK(pooled.error() == "Relu: its input is padded, which only a convolution takes in");
}

TEST_CASE("a slope for each channel is one function and so is one slope for all channels") {
  for (const bool alike : {false, true}) {
    Graph model;
    model.weights("slope", {4, 1, 1});
    auto* slopes = model.graph().mutable_initializer(model.graph().initializer_size() - 1);
    for (int i = 0; i < 4; ++i) slopes->set_float_data(i, alike ? 0.5F : 0.25F * static_cast<float>(i));
    model.node("PRelu", {"x", "slope"}, "y");
    const Imported network = model.import();
    CHECK(kinds(network) == Kinds{"leaky_relu"});
    const std::vector<double> wanted = alike ? std::vector<double>{0.5} : std::vector<double>{0, 0.25, 0.5, 0.75};
    CHECK(network.layers[0].lists == std::map<std::string, std::vector<double>>{{"alpha", wanted}});
  }
  Graph rows;
  rows.weights("slope", {6});
  rows.node("PRelu", {"x", "slope"}, "y");
  CHECK(rows.error() == "PRelu: a constant of 6 for a map of 1 x 4 x 6 x 6");
}

TEST_CASE("pools of squares are the array's and all others the host's") {
  const auto kind = [](const char* op, const std::vector<int>& kernel, const std::vector<int>& pads, bool counts) {
    Graph model;
    model.node(op, {"x"}, "y");
    model.ints("kernel_shape", kernel);
    model.ints("pads", pads);
    model.last->add_attribute()->set_name("count_include_pad");
    model.last->mutable_attribute(2)->set_type(::onnx::AttributeProto::INT);
    model.last->mutable_attribute(2)->set_i(counts);
    return kinds(model.import())[0];
  };
  CHECK(kind("AveragePool", {3, 3}, {0, 0, 0, 0}, false) == "avgpool");
  CHECK(kind("AveragePool", {3, 3}, {1, 1, 1, 1}, true) == "avgpool");
  CHECK(kind("AveragePool", {3, 3}, {1, 1, 1, 1}, false) == "window_mean");
  CHECK(kind("AveragePool", {3, 2}, {0, 0, 0, 0}, false) == "window_mean");
  CHECK(kind("MaxPool", {3, 3}, {1, 1, 1, 1}, false) == "maxpool");
  CHECK(kind("MaxPool", {1, 3}, {0, 1, 0, 1}, false) == "window_max");
  Graph wide;
  wide.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(3)->set_dim_value(
      9);
  wide.node("GlobalAveragePool", {"x"}, "y");
  const Imported network = wide.import();
  CHECK(kinds(network) == Kinds{"window_mean"});
  CHECK(network.layers[0].lists.at("kernel") == std::vector<double>{6, 9});
  CHECK(network.layers[0].out == importer::Dims{4, 1, 1});
}

TEST_CASE("a convolution with unequal strides computes with what they share and the host takes what is wanted") {
  Graph model;
  model.weights("w", {2, 4, 3, 3});
  model.number("factor", 2);
  model.node("Conv", {"x", "w"}, "c");
  model.ints("strides", {4, 2});
  model.ints("pads", {1, 1, 1, 1});
  model.node("Mul", {"c", "factor"}, "m");
  model.node("Relu", {"m"}, "y");
  const Imported network = model.import();
  CHECK(kinds(network) == Kinds{"conv+relu", "window_max"});  // what is behind it is done before
  CHECK(network.layers[0].stride == 2);
  CHECK(network.layers[0].out == importer::Dims{2, 3, 3});
  CHECK(network.layers[1].lists.at("stride") == std::vector<double>{2, 1});
  CHECK(network.layers[1].out == importer::Dims{2, 2, 3});
  CHECK(network.notes.size() == 1);
}

TEST_CASE("windows of one cell are none of a convolution's") {
  Graph model;
  model.node("MaxPool", {"x"}, "p");
  model.ints("kernel_shape", {1, 1});
  model.ints("strides", {2, 1});
  model.node("Relu", {"p"}, "y");
  CHECK(kinds(model.import()) == Kinds{"window_max", "relu"});
}

TEST_CASE("maps are joined two at a time and split and turned") {
  Graph model;
  model.node("Split", {"x"}, "a");
  model.last->add_output("b");
  model.last->add_attribute()->set_name("axis");
  model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
  model.last->mutable_attribute(0)->set_i(1);
  model.node("Concat", {"b", "a", "x"}, "y");
  model.last->add_attribute()->set_name("axis");
  model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
  model.last->mutable_attribute(0)->set_i(1);
  const Imported network = model.import();
  CHECK(kinds(network) == Kinds{"slice", "slice", "concat", "concat"});
  CHECK(network.layers[1].numbers == std::map<std::string, double>{{"first", 2}, {"channels", 2}});
  CHECK(network.layers[2].source == 1);
  CHECK(network.layers[2].with == 0);
  CHECK(network.layers[3].out == importer::Dims{8, 6, 6});
  Graph turned;
  turned.weights("w", {2, 6, 1, 1});
  turned.node("Transpose", {"x"}, "t");
  turned.ints("perm", {0, 3, 1, 2});
  turned.node("Conv", {"t", "w"}, "y");
  const Imported first = turned.import();
  CHECK(first.input == importer::Dims{6, 4, 6});
  CHECK(first.notes.size() == 1);
}

TEST_CASE("softmax is left out at the end alone: not where a node reads it too") {
  Graph end, read;
  for (Graph* model : {&end, &read}) {
    model->node("GlobalAveragePool", {"x"}, "p");
    model->node("Flatten", {"p"}, "f");
    model->node("Softmax", {"f"}, "y");
  }
  CHECK(kinds(end.import()) == Kinds{"avgpool"});
  read.node("Relu", {"y"}, "r");
  read.graph().add_output()->set_name("r");
  CHECK(kinds(read.import()) == Kinds{"avgpool", "softmax", "relu"});
}

TEST_CASE("an input is turned only where nothing reads it unturned under any name and a cast is one to floats") {
  Graph twice;
  twice.weights("w", {2, 6, 1, 1});
  twice.node("Identity", {"x"}, "i");
  twice.node("Transpose", {"i"}, "t");
  twice.ints("perm", {0, 3, 1, 2});
  twice.node("Conv", {"t", "w"}, "y");
  CHECK(twice.error().find("Transpose: 1 x 4 x 6 x 6 in the order 0 x 3 x 1 x 2") == 0);
  for (const int to : {1, 6}) {
    Graph model;
    model.node("Conv", {"x", "k"}, "c");
    model.node("Cast", {"c"}, "y");
    model.last->add_attribute()->set_name("to");
    model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
    model.last->mutable_attribute(0)->set_i(to);
    CHECK(model.error() == (to == 1 ? "" : "Cast: to elements of type 6"));
  }
}

TEST_CASE("graphs that are none are refused") {
  const auto error = [](const std::function<void(Graph&)>& build) {
    Graph model;
    build(model);
    return model.error();
  };
  CHECK(error([](Graph& m) {
          m.node("Relu", {"x"}, "y");
          m.node("Relu", {"x"}, "y");
        }) == "node Relu_1 computes 'y', which is there already");
  CHECK(error([](Graph& m) { m.node("Relu", {"x"}, "y").clear_output(); }) == "node Relu_0 computes nothing");
  CHECK(error([](Graph& m) { m.node("Relu", {"x"}, "z"); }) == "output 'y' is computed by nothing");
  CHECK(error([](Graph& m) {
          m.node("Clip", {}, "r");
          m.node("HardSigmoid", {}, "g");
          m.node("Mul", {"r", "g"}, "y");
        }) == "Clip: its input 0 is missing");
  CHECK(error([](Graph& m) {
          m.weights("w", {4, 4, 2, 2});
          m.node("Conv", {"x", "w"}, "y");
          m.ints("dilations", {4000, 4000});
          m.ints("pads", {4000, 4000, 4000, 4000});
        }).find("Conv: 2 x 2 taps in windows of 4001 x 4001") == 0);
  CHECK(error([](Graph& m) { m.node("Identity", {"x"}, "y"); }) == "no node of it becomes a layer");
  CHECK(error([](Graph& m) {
          m.node("Conv", {"x", "k"}, "y");
          m.last->add_attribute()->set_name("group");
          m.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
          m.last->mutable_attribute(0)->set_i(std::int64_t{1} << 62);
        }).find("in 4611686018427387904 groups") != std::string::npos);
  CHECK(error([](Graph& m) {
          m.integers("to", {1, 1 << 30, 1 << 30});
          m.node("Reshape", {"x", "to"}, "y");
        }) == "Reshape: 1 x 4 x 6 x 6 to a shape of more elements");
  CHECK(error([](Graph& m) {
          m.node("Dropout", {"x"}, "d").add_output("mask");
          m.node("Relu", {"mask"}, "y");
        }) == "Relu: it reads mask, which is not made");
  CHECK(error([](Graph& m) {
          m.node("Dropout", {"x"}, "d").add_output("y");
          m.node("Relu", {"d"}, "r");
          m.graph().add_output()->set_name("r");
        }) == "output 'y' is no map");
  CHECK(error([](Graph& m) {
          m.node("Softmax", {"x"}, "s");
          m.node("Relu", {"s"}, "y");
        }) == "Softmax: of a map of 1 x 4 x 6 x 6; vectors are taken");
}

// FANSIM_OPERATORS=FOLDER writes models of one operator each, to be run by other programs.
TEST_CASE("operators for others", "[.write]") {
  const char* folder = std::getenv("FANSIM_OPERATORS");
  REQUIRE(folder);
  const auto write = [&](const char* name, const std::function<void(Graph&)>& build) {
    Graph model;
    build(model);
    base::write_file(std::string(folder) + "/" + name + ".onnx", model.bytes());
  };
  const auto integer = [](Graph& m, const char* name, std::int64_t value) {
    auto* one = m.last->add_attribute();
    one->set_name(name);
    one->set_type(::onnx::AttributeProto::INT);
    one->set_i(value);
  };
  write("prelu", [](Graph& m) {
    m.weights("slope", {4, 1, 1});
    m.node("Conv", {"x", "k"}, "c");
    m.node("PRelu", {"c", "slope"}, "y");
  });
  for (const bool counts : {false, true})
    write(counts ? "average_counted" : "average", [&](Graph& m) {
      m.node("AveragePool", {"x"}, "y");
      m.ints("kernel_shape", {3, 2});
      m.ints("pads", {1, 0, 2, 1});
      m.ints("strides", {2, 1});
      integer(m, "count_include_pad", counts);
    });
  write("average_ceil", [&](Graph& m) {
    m.node("AveragePool", {"x"}, "y");
    m.ints("kernel_shape", {3, 3});
    m.ints("strides", {2, 2});
    integer(m, "ceil_mode", 1);
  });
  write("largest", [&](Graph& m) {
    m.node("Conv", {"x", "k"}, "c");
    m.node("MaxPool", {"c"}, "y");
    m.ints("kernel_shape", {2, 3});
    m.ints("pads", {0, 1, 1, 2});
    m.ints("strides", {1, 2});
  });
  write("strides", [](Graph& m) {
    m.weights("w", {8, 4, 3, 2});
    m.node("Conv", {"x", "w"}, "c");
    m.ints("strides", {3, 2});
    m.ints("pads", {1, 1, 1, 0});
    m.node("Relu", {"c"}, "y");
  });
  write("transposed", [](Graph& m) {
    m.weights("w", {4, 3, 3, 2});
    m.node("ConvTranspose", {"x", "w"}, "y");
    m.ints("strides", {3, 2});
  });
  for (const char* corners : {"half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners"})
    write(("resize_" + std::string(corners)).c_str(), [&](Graph& m) {
      m.weights("scales", {4});
      auto* scales = m.graph().mutable_initializer(m.graph().initializer_size() - 1);
      for (int i = 0; i < 4; ++i) scales->set_float_data(i, i < 2 ? 1.0F : static_cast<float>(i));
      m.node("Resize", {"x", "", "scales"}, "y");
      for (const auto& [name, value] : {std::pair{"mode", "linear"}, {"coordinate_transformation_mode", corners}}) {
        auto* one = m.last->add_attribute();
        one->set_name(name);
        one->set_type(::onnx::AttributeProto::STRING);
        one->set_s(value);
      }
    });
}

TEST_CASE("a vector's shape may be computed from its map's: cast and sliced and joined") {
  for (const int end : {1, -3}) {
    Graph model;
    model.node("Conv", {"x", "k"}, "c");
    model.node("GlobalAveragePool", {"c"}, "g");
    model.node("Shape", {"g"}, "s");
    model.node("Cast", {"s"}, "t");
    model.last->add_attribute()->set_name("to");
    model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
    model.last->mutable_attribute(0)->set_i(6);
    model.node("Slice", {"t"}, "u");
    model.ints("starts", {0});
    model.ints("ends", {end});
    model.ints("axes", {0});
    model.integers("rest", {-1});
    model.node("Concat", {"u", "rest"}, "v");
    model.last->add_attribute()->set_name("axis");
    model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
    model.last->mutable_attribute(0)->set_i(0);
    model.node("Reshape", {"g", "v"}, "y");
    CAPTURE(end);
    CHECK(kinds(model.import()) == Kinds{"conv", "avgpool"});
  }
  Graph model;  // of two steps nothing is reported
  model.node("Conv", {"x", "k"}, "c");
  model.node("Shape", {"c"}, "s");
  model.integers("zero", {0});
  model.integers("four", {4});
  model.integers("two", {2});
  model.node("Slice", {"s", "zero", "four", "zero", "two"}, "u");
  model.node("Reshape", {"c", "u"}, "y");
  CHECK_THAT(model.error(), Catch::StartsWith("Slice: "));
}

}  // namespace fansim::convert_test
