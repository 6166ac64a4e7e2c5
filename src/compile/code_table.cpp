// SPDX-License-Identifier: Apache-2.0
#include "compile/code_table.h"

#include "network/reference/reference.h"

namespace fansim::compile {

bool has_code_table(const network::Layer& layer) {
  const network::FunctionStage* stage = layer.function();
  return stage && network::facts(stage->function).of_each && stage->slopes.size() <= 1 && layer.in_format.bits <= 8 &&
         layer.out_format.bits <= 8;
}

// Returns what the reference executor makes of a map that holds every code.
contract::CodeTable code_table(const network::Layer& layer) {
  const int lowest = layer.in_format.lowest(), highest = layer.in_format.highest();
  network::Layer of_all = layer;
  of_all.in = of_all.out = network::Shape::map(highest - lowest + 1, 1, 1);
  network::Tensor codes{of_all.in, layer.in_format, {}};
  codes.resize(static_cast<std::size_t>(of_all.in.channels));
  for (int code = lowest; code <= highest; ++code) codes.set(static_cast<std::size_t>(code - lowest), code);
  const network::Tensor out = network::run_reference(of_all, {}, codes).out;
  contract::CodeTable table{};
  for (int code = lowest; code <= highest; ++code)
    table[static_cast<std::uint8_t>(code)] = static_cast<std::uint8_t>(out.at(static_cast<std::size_t>(code - lowest)));
  return table;
}

}  // namespace fansim::compile
