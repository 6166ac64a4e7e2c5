// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/weight_reader.h"

#include <algorithm>
#include <cstring>

namespace fansim::stream {

WeightReader::WeightReader(const sc_core::sc_module_name& name, const ArrayConfig& config,
                           const contract::AxiConfig& axi, sim::ReadPort& weights)
    : sim::Module(name),
      cols_(config.cols),
      column_bytes_(config.weight_column_bytes()),
      row_pitch_(base::round_up(config.weight_column_bytes(), axi.beat_bytes())),
      weights_(weights),
      pipeline_(ArrayConfig::bram_read_latency()) {}

[[gnu::flatten]] void WeightReader::step() {
  stalls_.stop();
  if (pipeline_.empty() && left_ == 0 && command.empty()) {
    sleep();
    return;
  }
  if (pipeline_.out_valid()) {
    if (!columns.can_push()) {
      ++stalls_;
      if (columns.full()) {
        stalls_.run();
        sleep();
      }
      return;
    }
    std::copy_n(pipeline_.out().bytes.data(), column_bytes_, columns.push().bytes.data());
    ++columns_out_;
  }
  pipeline_.advance();
  if (left_ == 0 && command.can_pop()) {
    now_ = command.pop();
    left_ = cols_;
  }
  if (left_ == 0) return;
  const int row = now_.row + cols_ - left_;
  std::copy_n(weights_.read(now_.target, row * row_pitch_, column_bytes_), column_bytes_,
              pipeline_.enter().bytes.data());
  --left_;
}

}  // namespace fansim::stream
