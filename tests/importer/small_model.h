// SPDX-License-Identifier: Apache-2.0
#pragma once

#define ONNX_ML 1
#define ONNX_NAMESPACE onnx
#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "base/random.h"

namespace fansim::test {

// Holds a small network as exporters write it: normalised convolutions, one of them depthwise, a shortcut, pools, a
// flattening that is spelled out with the input's shape, a fully connected layer, and softmax.
struct SmallModel {
  ::onnx::ModelProto proto;
  base::Random random{7, "onnx"};

  SmallModel() {
    proto.set_ir_version(7);
    proto.add_opset_import()->set_version(13);
    graph().set_name("small net");
    auto* input = graph().add_input();
    input->set_name("x");
    auto* type = input->mutable_type()->mutable_tensor_type();
    type->set_elem_type(::onnx::TensorProto::FLOAT);
    type->mutable_shape()->add_dim()->set_dim_param("batch");
    for (const int dim : {1, 12, 12}) type->mutable_shape()->add_dim()->set_dim_value(dim);
    graph().add_output()->set_name("y");

    weights("w1", {4, 1, 3, 3});
    weights("b1", {4});
    node("Conv", {"x", "w1", "b1"}, "c1", "stem/conv 1");
    ints("kernel_shape", {3, 3});
    ints("pads", {1, 1, 1, 1});
    for (const char* name : {"scale", "shift", "mean"}) weights(name, {4});
    weights("variance", {4}, 1);
    node("BatchNormalization", {"c1", "scale", "shift", "mean", "variance"}, "n1", "stem/bn");
    node("Relu", {"n1"}, "r1");
    node("MaxPool", {"r1"}, "p1", "../pool");
    ints("kernel_shape", {2, 2});
    ints("strides", {2, 2});
    weights("w2", {4, 1, 3, 3});
    node("Conv", {"p1", "w2"}, "c2", "depthwise");
    ints("kernel_shape", {3, 3});
    last->add_attribute()->set_name("group");
    last->mutable_attribute(1)->set_type(::onnx::AttributeProto::INT);
    last->mutable_attribute(1)->set_i(4);
    auto* same = last->add_attribute();
    same->set_name("auto_pad");
    same->set_type(::onnx::AttributeProto::STRING);
    same->set_s("SAME_UPPER");
    node("Add", {"c2", "p1"}, "a2", "shortcut");
    node("Relu", {"a2"}, "r2");
    node("GlobalAveragePool", {"r2"}, "g2", "pool");
    node("Shape", {"g2"}, "s");
    integers("zero", {0});
    integers("minus", {-1});
    node("Gather", {"s", "zero"}, "n");
    node("Concat", {"n", "minus"}, "to");
    node("Reshape", {"g2", "to"}, "flat");
    weights("w3", {10, 4});
    weights("b3", {10});
    node("Gemm", {"flat", "w3", "b3"}, "z", "classes");
    last->add_attribute()->set_name("transB");
    last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
    last->mutable_attribute(0)->set_i(1);
    node("Softmax", {"z"}, "y");
  }

  ::onnx::GraphProto& graph() { return *proto.mutable_graph(); }
  std::string bytes() const { return proto.SerializeAsString(); }

  ::onnx::NodeProto& node(const char* op, const std::vector<std::string>& inputs, const char* output,
                          const char* name = "") {
    last = graph().add_node();
    last->set_op_type(op);
    last->set_name(name);
    last->add_output(output);
    for (const std::string& input : inputs) last->add_input(input);
    return *last;
  }
  void ints(const char* name, const std::vector<int>& values) {
    auto* attribute = last->add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::INTS);
    for (const int value : values) attribute->add_ints(value);
  }
  // Draws weights within 0.5 of `middle`.
  void weights(const char* name, const std::vector<int>& dims, double middle = 0) {
    auto* tensor = graph().add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(::onnx::TensorProto::FLOAT);
    int count = 1;
    for (const int dim : dims) {
      tensor->add_dims(dim);
      count *= dim;
    }
    for (int i = 0; i < count; ++i)
      tensor->add_float_data(static_cast<float>(middle + random.uniform(-500, 500) / 1000.0));
  }
  void integers(const char* name, const std::vector<int>& values) {
    auto* tensor = graph().add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(::onnx::TensorProto::INT64);
    tensor->add_dims(static_cast<int>(values.size()));
    for (const int value : values) tensor->add_int64_data(value);
  }

  ::onnx::NodeProto* last = nullptr;
};

}  // namespace fansim::test
