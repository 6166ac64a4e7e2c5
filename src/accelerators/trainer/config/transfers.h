// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/trainer/config/job.h"
#include "base/units.h"
#include "contract/axi.h"
#include "contract/row_transfers.h"

namespace fansim::trainer {

constexpr int kWordBytes = 4;

// Return the values, and their bytes in memory, of a phase that loads or stores.
inline std::int64_t loaded_values(const Job& job) {
  return job.command == Command::load_weights ? job.weights() : job.image_bytes();
}
inline int loaded_value_bytes(const Job& job) { return job.command == Command::load_weights ? kWordBytes : 1; }
inline std::int64_t stored_values(const Job& job) {
  return job.command == Command::store_weights ? job.weights() : job.result_words();
}

// Returns a transfer of whole beats of the port.
inline contract::RowTransfers transfer(std::uint32_t address, std::int64_t bytes, const contract::AxiConfig& axi) {
  const auto whole = static_cast<std::uint32_t>(base::round_up(static_cast<int>(bytes), axi.beat_bytes()));
  return {address, whole, whole, 1};
}
inline contract::RowTransfers load_transfer(const Job& job, const contract::AxiConfig& axi) {
  return transfer(job.source, loaded_values(job) * loaded_value_bytes(job), axi);
}
inline contract::RowTransfers store_transfer(const Job& job, const contract::AxiConfig& axi) {
  return transfer(job.destination, stored_values(job) * kWordBytes, axi);
}

// The value of a pixel is its code times this unit.
constexpr double kPixelUnit = 1.0 / 256;

}  // namespace fansim::trainer
