// SPDX-License-Identifier: Apache-2.0
#include "coded_model.h"
// This include must follow protobuf's headers.
#include <catch2/catch.hpp>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "importer/convert.h"
#include "network/float/float_network.h"

namespace fansim::import_test {

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
  // Returns the message without the file's name.
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

TEST_CASE("what exporters spell out becomes layers: normalisation and ReLU folded while shortcuts stay") {
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

TEST_CASE("the files that are written hold the network that computes the model with its weights normalised") {
  const Folder folder;
  SmallModel model;
  const importer::Imported imported = folder.import(model.bytes());
  importer::write(imported, folder.path() + "/out");
  const network::FloatNetwork network = network::load_float_network(folder.path() + "/out/network.yaml");
  REQUIRE(network.network.layers.size() == 6);
  // The first filter is normalised by hand.
  const auto value = [&](int initializer, int at) {
    return double{model.graph().initializer(initializer).float_data(at)};
  };
  const double factor = value(2, 1) / std::sqrt(value(5, 1) + 1e-5);
  CHECK(network.weights[0].weights[9] == Approx(value(0, 9) * factor).epsilon(1e-6));
  CHECK(network.weights[0].bias[1] == Approx((value(1, 1) - value(4, 1)) * factor + value(3, 1)).epsilon(1e-5));
}

TEST_CASE("a model that cannot be read or is not whole is refused with its reason") {
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
            entry->set_key("location");
            entry->set_value(where);
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
    entry->set_key(key);
    entry->set_value(value);
  }
  base::write_file(folder.path() + "/w.bin", data);
  base::write_file(folder.file(), model.bytes());
  CHECK(importer::read_model(folder.file()).constants.at("w1").floats[1] == second);
  base::write_file(folder.path() + "/w.bin", data.substr(0, 100));
  CHECK(folder.message(model.bytes()) == "initializer w1: w.bin has 100 bytes, not 144 from 4 on");
}

}  // namespace fansim::import_test
