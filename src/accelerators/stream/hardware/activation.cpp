// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/activation.h"

#include "arith/activation.h"

namespace fansim::stream {

namespace {

enum class Function { sigmoid, tanh, pass };

// Gates come in the order i, f, g, o or r, z, nx, nh.
Function function_of(const Tag& tag) {
  const int gate = tag.group % 4;
  if (tag.job->gru) return gate < 2 ? Function::sigmoid : Function::pass;
  return gate == 2 ? Function::tanh : Function::sigmoid;
}

}  // namespace

Activation::Activation(const sc_core::sc_module_name& name, const ArrayConfig& config, bool values)
    : sim::Module(name), channels_(config.output_channels), values_(values), pipeline_(kLatency) {}

void Activation::step() {
  if (pipeline_.empty() && in.empty()) {
    sleep();
    return;
  }
  if (pipeline_.out_valid()) {
    if (!out.can_push()) {
      ++stalls_;
      return;
    }
    out.push(pipeline_.out());
  }
  pipeline_.advance();
  if (!in.can_pop()) return;
  const Gate& from = in.pop();
  Gate& to = pipeline_.enter();
  to = from;
  ++gates_;
  const Function function = function_of(from.tag);
  if (!values_ || function == Function::pass) return;
  for (std::size_t o = 0; o < static_cast<std::size_t>(channels_); ++o)
    to.values[o] = static_cast<std::int16_t>(function == Function::sigmoid ? arith::sigmoid_q15(from.values[o])
                                                                           : arith::tanh_q15(from.values[o]));
}

}  // namespace fansim::stream
