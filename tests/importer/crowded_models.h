// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "importer/coded_model.h"

namespace fansim::test {

// Chains every operator that moves, joins, cuts and transforms maps.
inline std::string crowded_model() {
  SmallModel model;
  model.graph().clear_node();
  const auto attribute = [&](const char* name, std::int64_t value) {
    auto* one = model.last->add_attribute();
    one->set_name(name);
    one->set_type(::onnx::AttributeProto::INT);
    one->set_i(value);
  };
  model.weights("k", {4, 1, 1, 3});
  model.weights("t", {4, 2, 2, 2});
  model.weights("slope", {2, 1, 1}, 1);
  model.weights("n", {2, 2, 3, 3});
  model.integers("pads", {0, 0, 1, 1, 0, 0, 1, 1});
  model.integers("parts", {2, 2});
  model.integers("from", {1});
  model.integers("to", {3});
  model.integers("axis", {1});
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
    one->set_name(name);
    one->set_type(::onnx::AttributeProto::STRING);
    one->set_s(value);
  };
  model.node("AveragePool", {"m"}, "m1");
  model.ints("kernel_shape", {3, 2});
  model.ints("pads", {1, 1, 0, 0});
  attribute("ceil_mode", 1);
  model.node("Resize", {"m1", "", "scales"}, "m2");
  word("mode", "linear");
  word("coordinate_transformation_mode", "align_corners");
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

// Does the same for operators on codes, with dynamic ones at the end.
inline std::string crowded_codes() {
  ModelInCodes model(4, 6, 6);
  model.format("x", 0.02F, 120);
  model.format("y", 0.015F, 90);
  model.codes("w", {4, 8, 3, 3}, 4);
  model.codes("m", {4, 3}, 1);
  model.weights("factor", {4, 1, 1}, 1);
  model.weights("slope", {1}, 1);
  const auto fused = [&](const char* op, const std::vector<std::string>& inputs, const char* output) {
    model.node(op, inputs, output).set_domain("com.microsoft");
  };
  model.pair("x", "x");
  model.node("MaxPool", {"x_dq"}, "p");
  model.ints("kernel_shape", {3, 3});
  model.ints("pads", {1, 1, 1, 1});
  model.pair("p", "y");
  fused("QLinearConcat", {"y_scale", "y_zero", "x_q", "x_scale", "x_zero", "p_q", "y_scale", "y_zero"}, "c_q");
  model.last->add_attribute()->set_name("axis");
  model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
  model.last->mutable_attribute(0)->set_i(1);
  model.node("ConvInteger", {"c_q", "w", "y_zero", "w_zero"}, "i");
  model.ints("pads", {1, 1, 1, 1});
  model.node("Cast", {"i"}, "f");
  model.last->add_attribute()->set_name("to");
  model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
  model.last->mutable_attribute(0)->set_i(1);
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
  model.last->add_output("d_scale");
  model.last->add_output("d_zero");
  model.node("MatMulInteger", {"d", "m", "d_zero", "m_zero"}, "j");
  model.node("Cast", {"j"}, "k");
  model.node("Mul", {"d_scale", "m_scale"}, "both");
  model.node("Mul", {"k", "both"}, "y");
  return model.bytes();
}

inline std::string recurrent_model() {
  SmallModel model;
  model.graph().clear_node();
  auto* shape = model.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape->clear_dim();
  for (const int dim : {1, 4, 3}) shape->add_dim()->set_dim_value(dim);
  model.weights("w", {1, 20, 3});
  model.weights("u", {1, 20, 5});
  model.weights("b", {1, 40});
  model.weights("v", {1, 15, 5});
  model.weights("t", {1, 15, 5});
  model.weights("m", {5, 2});
  model.integers("axes", {1});
  model.integers("minus", {-1});
  model.node("Transpose", {"x"}, "a");
  model.ints("perm", {1, 0, 2});
  model.node("LSTM", {"a", "w", "u", "b"}, "c");
  model.node("Squeeze", {"c", "axes"}, "d");
  model.node("GRU", {"d", "v", "t"}, "e");
  model.last->add_attribute()->set_name("linear_before_reset");
  model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
  model.last->mutable_attribute(0)->set_i(1);
  model.node("Squeeze", {"e", "axes"}, "f");
  model.node("Add", {"f", "d"}, "s");
  model.node("Transpose", {"s"}, "g");
  model.ints("perm", {1, 0, 2});
  model.node("Gather", {"g", "minus"}, "h");
  model.last->add_attribute()->set_name("axis");
  model.last->mutable_attribute(0)->set_type(::onnx::AttributeProto::INT);
  model.last->mutable_attribute(0)->set_i(1);
  model.node("Squeeze", {"h", "axes"}, "i");
  model.node("MatMul", {"i", "m"}, "y");
  return model.bytes();
}

}  // namespace fansim::test
