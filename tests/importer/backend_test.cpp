// SPDX-License-Identifier: Apache-2.0
// ONNX's own backend tests (Debian's libonnx-testdata): what is imported computes what they expect, and which those are
// stands in supported.csv. FANSIM_WRITE_SUPPORTED writes it anew.
#define ONNX_ML 1
#define ONNX_NAMESPACE onnx
#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "importer/convert.h"
#include "network/float/float_network.h"

namespace fansim::backend_test {

namespace fs = std::filesystem;

namespace {

const fs::path kData = "/usr/share/libonnx-testdata/data";
const std::string kTable = FANSIM_SOURCE_DIR "/tests/importer/supported.csv";

::onnx::TensorProto tensor_of(const fs::path& path) {
  ::onnx::TensorProto tensor;
  if (!tensor.ParseFromString(base::read_file(path.string(), std::size_t{1} << 30)))
    throw std::runtime_error("damaged " + path.string());
  return tensor;
}

template <class T>
std::vector<float> raw(const ::onnx::TensorProto& tensor) {
  std::vector<T> values(tensor.raw_data().size() / sizeof(T));
  std::memcpy(values.data(), tensor.raw_data().data(), values.size() * sizeof(T));
  return {values.begin(), values.end()};
}

std::vector<float> floats_of(const ::onnx::TensorProto& tensor) {
  using T = ::onnx::TensorProto;
  const bool integer = tensor.data_type() != T::FLOAT;
  if (!tensor.has_raw_data())
    return integer ? std::vector<float>(tensor.int32_data().begin(), tensor.int32_data().end())
                   : std::vector<float>(tensor.float_data().begin(), tensor.float_data().end());
  switch (tensor.data_type()) {
    case T::UINT8:
      return raw<std::uint8_t>(tensor);
    case T::INT8:
      return raw<std::int8_t>(tensor);
    case T::INT32:
      return raw<std::int32_t>(tensor);
    default:
      return raw<float>(tensor);
  }
}

// Returns the model with all inputs but the first as constants.
std::string with_constants(const fs::path& test) {
  ::onnx::ModelProto model;
  if (!model.ParseFromString(base::read_file((test / "model.onnx").string(), std::size_t{1} << 30)))
    throw std::runtime_error("damaged");
  for (int i = 1; i < model.graph().input_size(); ++i) {
    const std::string name = model.graph().input(i).name();
    const bool given = std::any_of(model.graph().initializer().begin(), model.graph().initializer().end(),
                                   [&](const auto& one) { return one.name() == name; });
    const fs::path file = test / "test_data_set_0" / fmt::format("input_{}.pb", i);
    if (given || !fs::exists(file)) continue;
    ::onnx::TensorProto tensor = tensor_of(file);
    tensor.set_name(name);
    *model.mutable_graph()->add_initializer() = tensor;
  }
  return model.SerializeAsString();
}

// Returns "equal", or the reason why not.
std::string outcome(const fs::path& test, const base::TemporaryFolder& folder) {
  const std::string model = folder.path() + "/model.onnx", out = folder.path() + "/out";
  fs::remove_all(out);
  base::write_file(model, with_constants(test));
  importer::Imported imported;
  try {
    imported = importer::convert(importer::read_model(model), {}, "");
  } catch (const base::UserError& error) {
    std::string what = error.what();
    if (what.rfind(model + ": ", 0) == 0) what.erase(0, model.size() + 2);
    return "refused: " + what;
  }
  if (!imported.refused.empty())
    return fmt::format("refused: {}: {}", imported.refused[0].op, imported.refused[0].reason);
  importer::write(imported, out);
  network::FloatNetwork network;
  try {
    network = network::load_float_network(out + "/network.yaml");
  } catch (const base::UserError& error) {
    const std::string what = error.what();
    return "refused: the network: " + what.substr(what.find(": ") + 2);
  }
  const std::vector<float> inputs = floats_of(tensor_of(test / "test_data_set_0/input_0.pb"));
  // If there are several outputs, the network has the last one.
  int last_output = 0;
  while (fs::exists(test / fmt::format("test_data_set_0/output_{}.pb", last_output + 1))) ++last_output;
  const std::vector<float> expected =
      floats_of(tensor_of(test / fmt::format("test_data_set_0/output_{}.pb", last_output)));
  const auto each = static_cast<std::size_t>(network.network.input.shape.elements());
  if (each == 0 || inputs.size() % each != 0) return "differs: inputs of another size";
  std::vector<float> found;
  for (std::size_t at = 0; at < inputs.size(); at += each) {
    network::Tensor input = network.network.input;
    input.bytes.resize(each * sizeof(float));
    const network::GivenFormat& given = network.given.front();  // for a model that takes codes
    const auto zero = static_cast<float>(given.format.zero_point), step = static_cast<float>(given.step);
    for (std::size_t i = 0; i < each; ++i)
      input.set_real(i, step > 0 ? (inputs[at + i] - zero) * step : inputs[at + i]);
    const network::Tensor last = network::run_float(network, input).back();
    const network::GivenFormat& made = network.given.back();  // for a model that gives codes
    for (std::size_t i = 0; i < last.size(); ++i)
      found.push_back(made.step > 0 ? static_cast<float>(made.format.code_of(last.real(i), made.step)) : last.real(i));
  }
  if (found.size() != expected.size())
    return fmt::format("differs: {} values, expected {}", found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!(std::abs(found[i] - expected[i]) <= 1e-5 + 1e-3 * std::abs(expected[i])))
      return fmt::format("differs: value {} is {}, expected {}", i, found[i], expected[i]);
  return "equal";
}

// Tests whose operators a network could have at all.
bool is_of_interest(const std::string& name) {
  static const char* const kParts[] = {"conv",
                                       "Conv",
                                       "pool",
                                       "Pool",
                                       "gemm",
                                       "matmul_2d",
                                       "relu",
                                       "ReLU",
                                       "batchnorm",
                                       "BatchNorm",
                                       "flatten",
                                       "Linear",
                                       "reshape",
                                       "test_add",
                                       "test_mul",
                                       "dropout",
                                       "identity",
                                       "softmax",
                                       "Softmax",
                                       "reduce_mean",
                                       "squeeze",
                                       "operator_addconstant",
                                       "operator_mm",
                                       "operator_view",
                                       "clip",
                                       "sigmoid",
                                       "Sigmoid",
                                       "concat",
                                       "resize",
                                       "lrn",
                                       "leakyrelu",
                                       "prelu",
                                       "PReLU",
                                       "hardswish",
                                       "tanh",
                                       "Tanh",
                                       "split",
                                       "test_sub",
                                       "test_div",
                                       "slice",
                                       "test_pad",
                                       "_pad",
                                       "Pad",
                                       "upsample",
                                       "LeakyReLU",
                                       "Hardtanh",
                                       "chunk",
                                       "test_transpose",
                                       "PixelShuffle",
                                       "test_lstm",
                                       "test_gru",
                                       "qlinear",
                                       "quantizelinear",
                                       "integer"};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](const char* part) { return name.find(part) != std::string::npos; });
}

std::map<std::string, std::string> outcomes() {
  const base::TemporaryFolder folder;
  std::map<std::string, std::string> all;
  for (const char* group : {"node", "pytorch-converted", "pytorch-operator", "simple"})
    for (const auto& entry : fs::directory_iterator(kData / group)) {
      const std::string name = entry.path().filename().string();
      if (is_of_interest(name) && fs::exists(entry.path() / "model.onnx") &&
          fs::exists(entry.path() / "test_data_set_0/output_0.pb"))
        all[std::string(group) + "/" + name] = outcome(entry.path(), folder);
    }
  return all;
}

}  // namespace

TEST_CASE("ONNX's backend tests give what they expect or are refused for the reason in the table") {
  REQUIRE(fs::exists(kData));  // scripts/install.sh
  const std::map<std::string, std::string> found = outcomes();
  if (std::getenv("FANSIM_WRITE_SUPPORTED")) {
    std::string text = "# ONNX's backend tests (libonnx-testdata), and what becomes of each\n";
    for (const auto& [name, result] : found) text += name + "," + result + "\n";
    base::write_file(kTable, text);
  }
  std::istringstream lines(base::read_file(kTable));
  std::size_t rows = 0, equal = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t comma = line.find(',');
    const std::string name = line.substr(0, comma);
    CAPTURE(name);
    REQUIRE(found.count(name) == 1);
    CHECK(found.at(name) == line.substr(comma + 1));
    CHECK(found.at(name).rfind("differs", 0) == std::string::npos);
    ++rows;
    equal += found.at(name) == "equal";
  }
  CHECK(rows == found.size());
  CHECK(equal >= 110);
}

}  // namespace fansim::backend_test
