// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "small_model.h"
// This include must follow protobuf's headers.
#include <catch2/catch.hpp>
#include <cmath>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "importer/convert.h"
#include "network/network.h"
#include "post_training/code_network.h"
#include "post_training/write_network.h"

namespace fansim::test {

// Parts of models whose maps and weights are in codes; the output is y.
struct ModelInCodes : SmallModel {
  ModelInCodes(int channels, int height, int width) {
    graph().clear_node();
    graph().clear_initializer();
    auto* shape = graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
    for (const auto& [at, dim] : {std::pair{1, channels}, {2, height}, {3, width}})
      shape->mutable_dim(at)->set_dim_value(dim);
  }

  ::onnx::TensorProto& tensor(const std::string& name, int type, const std::vector<int>& dims) {
    auto* one = graph().add_initializer();
    one->set_name(name);
    one->set_data_type(type);
    for (const int dim : dims) one->add_dims(dim);
    return *one;
  }
  void format(const std::string& name, float scale, int zero) {
    tensor(name + "_scale", ::onnx::TensorProto::FLOAT, {}).add_float_data(scale);
    tensor(name + "_zero", ::onnx::TensorProto::UINT8, {}).add_int32_data(zero);
  }
  // Adds int8 codes with a step for each of `outputs` outputs.
  void codes(const std::string& name, const std::vector<int>& dims, int outputs) {
    auto& values = tensor(name, ::onnx::TensorProto::INT8, dims);
    int count = 1;
    for (const int dim : dims) count *= dim;
    for (int i = 0; i < count; ++i) values.add_int32_data(random.uniform(-127, 127));
    auto& scale = tensor(name + "_scale", ::onnx::TensorProto::FLOAT, {outputs});
    auto& zero = tensor(name + "_zero", ::onnx::TensorProto::INT8, {outputs});
    for (int i = 0; i < outputs; ++i) {
      scale.add_float_data(static_cast<float>(random.uniform(500, 2000)) / 1e6F);
      zero.add_int32_data(0);
    }
  }
  void bias(const std::string& name, int outputs, float step, const std::string& of) {
    auto& values = tensor(name, ::onnx::TensorProto::INT32, {outputs});
    std::vector<float> scales;
    for (const auto& one : graph().initializer())
      if (one.name() == of) scales.assign(one.float_data().begin(), one.float_data().end());
    auto& scale = tensor(name + "_scale", ::onnx::TensorProto::FLOAT, {outputs});
    auto& zero = tensor(name + "_zero", ::onnx::TensorProto::INT32, {outputs});
    for (int i = 0; i < outputs; ++i) {
      values.add_int32_data(random.uniform(-9000, 9000));
      scale.add_float_data(step * scales[static_cast<std::size_t>(i)]);
      zero.add_int32_data(0);
    }
  }
  void pair(const std::string& name, const std::string& format) {
    node("QuantizeLinear", {name, format + "_scale", format + "_zero"}, (name + "_q").c_str());
    node("DequantizeLinear", {name + "_q", format + "_scale", format + "_zero"}, (name + "_dq").c_str());
  }
  using SmallModel::weights;
  void weights(const std::string& name) {
    node("DequantizeLinear", {name, name + "_scale", name + "_zero"}, (name + "_dq").c_str());
    last->add_attribute()->set_name("axis");
    last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
    last->mutable_attribute(0)->set_i(0);
  }
};

// As files of floats and of codes, read again.
struct ImportedCodes {
  base::TemporaryFolder folder;
  network::FloatNetwork floats;
  network::Network codes;

  explicit ImportedCodes(const SmallModel& model) {
    base::write_file(folder.path() + "/m.onnx", model.bytes());
    const importer::Imported imported =
        importer::convert(importer::read_model(folder.path() + "/m.onnx"), {}, "m.onnx");
    for (const importer::Refusal& refusal : imported.refused) FAIL(refusal.node << ": " << refusal.reason);
    importer::write(imported, folder.path());
    floats = network::load_float_network(folder.path() + "/network.yaml");
    REQUIRE(post_training::tensors_without_format(floats).empty());
    const arith::QuantisationMethods methods;
    const auto coded = post_training::code_networks(floats, {}, {{methods.find("linear"), 8, 8}});
    REQUIRE(coded[0].refusal == "");
    post_training::write_networks(folder.path(), folder.path() + "/network.yaml", coded);
    codes = network::load_network(folder.path() + "/linear/network.yaml");
  }
};

}  // namespace fansim::test
