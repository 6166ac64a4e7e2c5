// SPDX-License-Identifier: Apache-2.0
#include "coded_model.h"
// Behind protobuf's headers.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "importer/convert.h"
#include "network/float/float_network.h"

using namespace fansim;
using importer::ImportedLayer;
using test::SmallModel;
using Type = ImportedLayer::Type;

namespace {

struct Folder : base::TemporaryFolder {
  std::string file() const { return path() + "/m.onnx"; }
  importer::Imported import(const std::string& bytes, const importer::Dims& shape = {}) const {
    base::write_file(file(), bytes);
    return importer::convert(importer::read_model(file()), shape, file());
  }
  // Without the file's name.
  std::string message(const std::string& bytes, const importer::Dims& shape = {}) const {
    try {
      const importer::Imported imported = import(bytes, shape);
      return imported.refused.empty() ? "" : imported.refused[0].node + ": " + imported.refused[0].reason;
    } catch (const base::UserError& error) {
      const std::string what = error.what();
      return what.rfind(file() + ": ", 0) == 0 ? what.substr(file().size() + 2) : what;
    }
  }
};

}  // namespace

TEST_CASE("what exporters spell out becomes layers: normalisation and ReLU folded, shortcuts kept, softmax left out") {
  const Folder folder;
  const importer::Imported network = folder.import(SmallModel().bytes());
  REQUIRE(network.refused.empty());
  std::vector<Type> types;
  for (const ImportedLayer& layer : network.layers) types.push_back(layer.type);
  CHECK(types == std::vector<Type>{Type::conv, Type::maxpool, Type::conv, Type::add, Type::avgpool, Type::fc});
  CHECK(network.layers[0].name == "stem_conv_1");
  CHECK(network.layers[0].relu);
  CHECK(network.layers[1].name == "pool");
  CHECK(network.layers[2].groups == 4);
  CHECK(network.layers[2].padding == std::array<int, 4>{1, 1, 1, 1});
  CHECK(network.layers[3].with == 1);
  CHECK(network.layers[3].relu);
  CHECK(network.layers[4].name == "pool_2");
  CHECK(network.layers[4].kernel == 6);
  CHECK(network.notes.size() == 1);
}

TEST_CASE("the files that are written hold the network that computes the model, its weights normalised") {
  const Folder folder;
  SmallModel model;
  const importer::Imported imported = folder.import(model.bytes());
  importer::write(imported, folder.path() + "/out");
  const network::FloatNetwork network = network::load_float_network(folder.path() + "/out/network.yaml");
  REQUIRE(network.network.layers.size() == 6);
  // Normalisation by hand, of the first filter.
  const auto value = [&](int initializer, int at) {
    return double{model.graph().initializer(initializer).float_data(at)};
  };
  const double factor = value(2, 1) / std::sqrt(value(5, 1) + 1e-5);
  CHECK(network.weights[0].weights[9] == Approx(value(0, 9) * factor).epsilon(1e-6));
  CHECK(network.weights[0].bias[1] == Approx((value(1, 1) - value(4, 1)) * factor + value(3, 1)).epsilon(1e-5));
}

TEST_CASE("a model that cannot be read, or is not whole, is refused with its reason") {
  const Folder folder;
  const auto changed = [&](const std::function<void(SmallModel&)>& change, const importer::Dims& shape = {}) {
    SmallModel model;
    change(model);
    return folder.message(model.bytes(), shape);
  };
  using M = SmallModel;
  CHECK(folder.message("") == "no ONNX model: it is cut off, damaged, or something else");
  CHECK(folder.message("version: 1\nname: a\n") == "no ONNX model: it is cut off, damaged, or something else");
  CHECK(changed([](M& m) { m.proto.mutable_opset_import(0)->set_version(18); }) == "opset 18; allowed: 6..17");
  CHECK(changed([](M& m) { m.graph().mutable_initializer(0)->set_dims(0, 5); }) ==
        "initializer w1: 45 elements, but 36 of data");
  CHECK(changed([](M& m) { m.graph().mutable_initializer(0)->set_dims(0, -4); }).find("a dimension of -4") !=
        std::string::npos);
  CHECK(changed([](M& m) {
          m.graph().mutable_initializer(0)->set_dims(0, std::int64_t{1} << 60);
        }).find("more than 1073741824 elements") != std::string::npos);
  CHECK(changed([](M& m) { m.graph().mutable_initializer(0)->set_float_data(0, NAN); }) ==
        "initializer w1: a value is NaN or infinite");
  CHECK(changed([](M& m) { m.graph().mutable_node(0)->set_input(0, "r2"); }).find("nothing computes, or itself") !=
        std::string::npos);
  CHECK(changed([](M& m) { m.graph().mutable_node(0)->set_domain("com.microsoft"); }) ==
        "stem/conv 1: no layer computes it");
  CHECK(changed([](M& m) {
          *m.graph().add_input() = m.graph().input(0);
          m.graph().mutable_input(1)->set_name("x2");
        }).rfind("2 inputs (x, x2)", 0) == 0);
  CHECK(changed([](M& m) {
          m.graph()
              .mutable_input(0)
              ->mutable_type()
              ->mutable_tensor_type()
              ->mutable_shape()
              ->mutable_dim(2)
              ->set_dim_param("h");
        }) == "input x has a dimension that the file leaves open; give it by --shape 1,C,H,W");
  CHECK(changed([](M&) {}, {1, 3, 12, 12}) == "--shape has 3 where input x has 1");
  CHECK(changed([](M&) {}, {1, 1, 12}) == "--shape has 3 dimensions, input x has 4");
  for (const char* where : {"../w.bin", "/etc/passwd", ""})
    CHECK(changed([&](M& m) {
            auto* tensor = m.graph().mutable_initializer(0);
            tensor->set_data_location(::onnx::TensorProto::EXTERNAL);
            auto* entry = tensor->add_external_data();
            entry->set_key("location"), entry->set_value(where);
          }).find("is outside of the model's folder") != std::string::npos);
  CHECK(changed([](M& m) {
          m.last = m.graph().mutable_node(3);
          m.ints("dilations", {1, 2});
        }) == "../pool: a window of 2 x 2 with gaps between its cells");
}

TEST_CASE("external data is read from beside the model") {
  const Folder folder;
  SmallModel model;
  auto* tensor = model.graph().mutable_initializer(0);
  std::string data = "head";
  for (const float value : tensor->float_data()) data.append(reinterpret_cast<const char*>(&value), sizeof value);
  const float second = tensor->float_data(1);
  tensor->clear_float_data();
  tensor->set_data_location(::onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] :
       {std::pair{"location", std::string("w.bin")}, {"offset", "4"}, {"length", std::to_string(data.size() - 4)}}) {
    auto* entry = tensor->add_external_data();
    entry->set_key(key), entry->set_value(value);
  }
  base::write_file(folder.path() + "/w.bin", data);
  base::write_file(folder.file(), model.bytes());
  CHECK(importer::read_model(folder.file()).constants.at("w1").floats[1] == second);
  base::write_file(folder.path() + "/w.bin", data.substr(0, 100));
  CHECK(folder.message(model.bytes()) == "initializer w1: w.bin has 100 bytes, not 144 from 4 on");
}

namespace {

// Every operator that moves, joins, cuts and bends maps, one behind the other.
std::string crowded() {
  SmallModel model;
  model.graph().clear_node();
  const auto attribute = [&](const char* name, std::int64_t value) {
    auto* one = model.last->add_attribute();
    one->set_name(name), one->set_type(::onnx::AttributeProto::INT), one->set_i(value);
  };
  model.weights("k", {4, 1, 1, 3}), model.weights("t", {4, 2, 2, 2}), model.weights("slope", {2, 1, 1}, 1);
  model.weights("n", {2, 2, 3, 3});
  model.integers("pads", {0, 0, 1, 1, 0, 0, 1, 1}), model.integers("parts", {2, 2});
  model.integers("from", {1}), model.integers("to", {3}), model.integers("axis", {1});
  model.weights("scales", {4});
  for (int i = 0; i < 4; ++i)
    model.graph().mutable_initializer(model.graph().initializer_size() - 1)->set_float_data(i, i < 2 ? 1 : 2);
  model.node("Pad", {"x", "pads"}, "a");
  model.node("Conv", {"a", "k"}, "b");
  model.ints("dilations", {1, 2});
  model.node("HardSwish", {"b"}, "c");
  model.node("Split", {"c", "parts"}, "d");
  model.last->add_output("e");
  attribute("axis", 1);
  model.node("Concat", {"e", "d", "c"}, "f");
  attribute("axis", 1);
  model.node("Slice", {"f", "from", "to", "axis"}, "g");
  model.node("LRN", {"g"}, "h");
  attribute("size", 2);
  model.node("Concat", {"h", "h"}, "i");
  attribute("axis", -3);
  model.node("ConvTranspose", {"i", "t"}, "j");
  model.ints("strides", {2, 2});
  model.node("PRelu", {"j", "slope"}, "l");
  model.node("Resize", {"l", "", "scales"}, "m");
  const auto word = [&](const char* name, const char* value) {
    auto* one = model.last->add_attribute();
    one->set_name(name), one->set_type(::onnx::AttributeProto::STRING), one->set_s(value);
  };
  model.node("AveragePool", {"m"}, "m1");
  model.ints("kernel_shape", {3, 2}), model.ints("pads", {1, 1, 0, 0}), attribute("ceil_mode", 1);
  model.node("Resize", {"m1", "", "scales"}, "m2");
  word("mode", "linear"), word("coordinate_transformation_mode", "align_corners");
  model.node("Conv", {"m2", "n"}, "m3");
  model.ints("strides", {2, 1});
  model.node("Sigmoid", {"m3"}, "n1");
  model.node("Mul", {"n1", "m3"}, "o");
  model.node("Clip", {"o"}, "p");
  model.node("Sub", {"p", "o"}, "q");
  model.node("Flatten", {"q"}, "u");
  model.node("Softmax", {"u"}, "v");
  model.node("Tanh", {"v"}, "y");
  return model.bytes();
}

// Of the operators of codes, dynamic ones at the end.
std::string crowded_codes() {
  test::ModelInCodes model(4, 6, 6);
  model.format("x", 0.02F, 120), model.format("y", 0.015F, 90), model.codes("w", {4, 8, 3, 3}, 4);
  model.codes("m", {4, 3}, 1), model.weights("factor", {4, 1, 1}, 1), model.weights("slope", {1}, 1);
  const auto fused = [&](const char* op, const std::vector<std::string>& inputs, const char* output) {
    model.node(op, inputs, output).set_domain("com.microsoft");
  };
  model.pair("x", "x");
  model.node("MaxPool", {"x_dq"}, "p");
  model.ints("kernel_shape", {3, 3}), model.ints("pads", {1, 1, 1, 1});
  model.pair("p", "y");
  fused("QLinearConcat", {"y_scale", "y_zero", "x_q", "x_scale", "x_zero", "p_q", "y_scale", "y_zero"}, "c_q");
  model.last->add_attribute()->set_name("axis");
  model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT), model.last->mutable_attribute(0)->set_i(1);
  model.node("ConvInteger", {"c_q", "w", "y_zero", "w_zero"}, "i");
  model.ints("pads", {1, 1, 1, 1});
  model.node("Cast", {"i"}, "f");
  model.last->add_attribute()->set_name("to");
  model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT), model.last->mutable_attribute(0)->set_i(1);
  model.node("Mul", {"f", "factor"}, "s");
  model.pair("s", "y");
  fused("QLinearAdd", {"s_q", "y_scale", "y_zero", "p_q", "y_scale", "y_zero", "x_scale", "x_zero"}, "a_q");
  fused("QLinearLeakyRelu", {"a_q", "x_scale", "x_zero", "y_scale", "y_zero"}, "l_q");
  fused("QLinearAveragePool", {"l_q", "y_scale", "y_zero", "x_scale", "x_zero"}, "v_q");
  model.ints("kernel_shape", {2, 2});
  fused("QLinearGlobalAveragePool", {"v_q", "x_scale", "x_zero", "y_scale", "y_zero"}, "g_q");
  model.node("DequantizeLinear", {"g_q", "y_scale", "y_zero"}, "g");
  model.node("Flatten", {"g"}, "h");
  model.node("DynamicQuantizeLinear", {"h"}, "d", "dynamic");
  model.last->add_output("d_scale"), model.last->add_output("d_zero");
  model.node("MatMulInteger", {"d", "m", "d_zero", "m_zero"}, "j");
  model.node("Cast", {"j"}, "k");
  model.node("Mul", {"d_scale", "m_scale"}, "both");
  model.node("Mul", {"k", "both"}, "y");
  return model.bytes();
}

std::string recurrent() {
  SmallModel model;
  model.graph().clear_node();
  auto* shape = model.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape->clear_dim();
  for (const int dim : {1, 4, 3}) shape->add_dim()->set_dim_value(dim);
  model.weights("w", {1, 20, 3}), model.weights("u", {1, 20, 5}), model.weights("b", {1, 40});
  model.weights("v", {1, 15, 5}), model.weights("t", {1, 15, 5}), model.weights("m", {5, 2});
  model.integers("axes", {1}), model.integers("minus", {-1});
  model.node("Transpose", {"x"}, "a");
  model.ints("perm", {1, 0, 2});
  model.node("LSTM", {"a", "w", "u", "b"}, "c");
  model.node("Squeeze", {"c", "axes"}, "d");
  model.node("GRU", {"d", "v", "t"}, "e");
  model.last->add_attribute()->set_name("linear_before_reset");
  model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT), model.last->mutable_attribute(0)->set_i(1);
  model.node("Squeeze", {"e", "axes"}, "f");
  model.node("Add", {"f", "d"}, "s");
  model.node("Transpose", {"s"}, "g");
  model.ints("perm", {1, 0, 2});
  model.node("Gather", {"g", "minus"}, "h");
  model.last->add_attribute()->set_name("axis");
  model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT), model.last->mutable_attribute(0)->set_i(1);
  model.node("Squeeze", {"h", "axes"}, "i");
  model.node("MatMul", {"i", "m"}, "y");
  return model.bytes();
}

// Of `count`; how many were refused.
int refused_mutants(const Folder& folder, const std::string& whole, std::uint64_t seed, int count) {
  base::Random random(seed, "mutants");
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    std::string bytes = whole;
    if (random.chance(20))
      bytes.resize(static_cast<std::size_t>(random.uniform(0, static_cast<int>(bytes.size()) - 1)));
    for (int changes = random.uniform(1, 6); changes > 0 && !bytes.empty(); --changes) {
      const auto at = static_cast<std::size_t>(random.uniform(0, static_cast<int>(bytes.size()) - 1));
      if (random.chance(70))
        bytes[at] = static_cast<char>(random.uniform(0, 255));
      else
        bytes.insert(at,
                     bytes.substr(static_cast<std::size_t>(random.uniform(0, static_cast<int>(bytes.size()) - 1)), 9));
    }
    refused += !folder.message(bytes).empty();
  }
  return refused;
}

}  // namespace

TEST_CASE("mutants of models are imported or refused, whatever they are") {
  const Folder folder;
  constexpr std::uint64_t kSeed = 29;
  INFO("seed " << kSeed);
  CHECK(folder.message(crowded()) == "");
  CHECK(refused_mutants(folder, SmallModel().bytes(), kSeed, 600) > 100);
  CHECK(refused_mutants(folder, crowded(), kSeed, 1500) > 100);
  for (const std::string& model : {crowded_codes(), recurrent()}) {
    CHECK(folder.message(model) == "");
    CHECK(refused_mutants(folder, model, kSeed, 1000) > 100);
  }
}

// FANSIM_FUZZ="FIRST N": seeds of a thousand mutants of each.
TEST_CASE("many mutants of models are imported or refused", "[.onnxfuzz]") {
  const Folder folder;
  const char* given = std::getenv("FANSIM_FUZZ");
  REQUIRE(given);
  std::istringstream range(given);
  std::uint64_t first = 0, count = 0;
  range >> first >> count;
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    for (const std::string& model : {SmallModel().bytes(), crowded(), crowded_codes(), recurrent()})
      CHECK(refused_mutants(folder, model, seed, 1000) > 0);
}
