// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "rules/banked_ddr.h"

namespace fansim::rules {

// What a column access would do if it were picked now.
struct DdrPlan {
  bool hit = false;
  std::int64_t precharge = -1;  // -1: none
  std::int64_t activate = -1;
  std::int64_t row_ready = 0;
  std::int64_t column = 0;
  ReadWait wait = ReadWait::none;  // from row_ready to column
};

// Least edges from one column command to the next. JESD79-4: tCCD; RL + BL/2 - WL + gap from read to write; WL + BL/2 +
// tWTR from write to read.
inline std::int64_t column_spacing(const contract::DdrPart& part, bool from_write, bool to_write, bool same_group) {
  if (from_write == to_write) return same_group ? part.tccd_l : part.tccd_s;
  if (to_write) return part.cl + part.burst_clocks() + part.read_to_write - part.cwl;
  return part.cwl + part.burst_clocks() + (same_group ? part.twtr_l : part.twtr_s);
}

DdrPlan plan_access(const BankedDdrState& state, const contract::DdrPart& part, const DdrRequest& request, bool write,
                    std::int64_t edge);

// Commits a column command that is decided at `edge`. Those that no longer constrain another are forgotten.
void record_command(BankedDdrState& state, const contract::DdrPart& part, const DdrCommand& command, std::int64_t edge);

}  // namespace fansim::rules
