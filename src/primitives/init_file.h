// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "primitives/ram_cells.h"

namespace fansim::primitives {

// Reads INIT_FILE of a block RAM (UG573, Block RAM Attributes) into its cells. The format is that of Verilog's
// $readmemh: hexadecimal words of `width` bits, parity above data, from address 0 on. `@` and a hexadecimal number
// continue at that word. Digits x and z are unknown. There may be // and /* */ comments. Cells that the file does not
// name are unknown.
void read_init_file(const std::string& path, int width, RamCells& cells);

}  // namespace fansim::primitives
