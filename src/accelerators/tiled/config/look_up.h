// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/code_table.h"

namespace fansim::tiled {

// Holds the code table of the post-processing: the result for each code, and the format of the codes that it reads. It
// also has the AXI-Lite byte offsets of its registers. They exist with `store.code_table`, are write-only, and are
// written before a start.
struct LookUp {
  static constexpr std::uint32_t kEntries = 4 * 25;  // contract::TableWrite
  static constexpr std::uint32_t kFormat = 4 * 26;   // zero point in bits 0 to 7; the codes are two's complement if bit
                                                     // 8 is 0

  contract::CodeTable table{};
  int zero_point = 0;
  int is_unsigned = 0;

  std::uint32_t format() const { return static_cast<std::uint32_t>(is_unsigned) << 8 | (zero_point & 0xff); }
  // Returns false if the table has no such register.
  bool write(std::uint32_t offset, std::uint32_t value) {
    if (offset == kEntries) contract::TableWrite::of(value).apply(table);
    if (offset == kFormat) {
      is_unsigned = static_cast<int>(value >> 8 & 1);
      zero_point = is_unsigned ? static_cast<int>(value & 0xff) : static_cast<std::int8_t>(value);
    }
    return offset == kEntries || offset == kFormat;
  }
};

}  // namespace fansim::tiled
