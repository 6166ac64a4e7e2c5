// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/csv.h"
#include "primitives/primitive.h"

namespace fansim::primitives {

// A stimulus file. Its header names input ports, and each further row is one clock. Buses are hexadecimal (0x is
// allowed), single bits are 0 or 1. Ports without a column keep their open value; clocks without a column have an edge
// in every row.
struct Stimulus {
  struct Row {
    base::Location where;
    std::vector<std::string> cells;     // as written, one per column
    std::vector<std::uint64_t> inputs;  // one per input port
  };
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

Stimulus parse_stimulus(const Primitive& primitive, std::string_view text, const std::string& file);

// Returns the value in hexadecimal, with as many digits as `bits` need. A digit with an unknown bit is x.
std::string hex(const Bits& value, int bits);
// Returns the same in binary.
std::string binary(const Bits& value, int bits);
using Digits = std::string (*)(const Bits& value, int bits);

}  // namespace fansim::primitives
