// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/vision/config/job.h"
#include "contract/row_transfers.h"

namespace fansim::vision {

// Selects rows of a job: those of the image, of the second image, or of the result.
enum class Rows { image, second, result };

inline contract::RowTransfers rows_of(const Job& job, Rows rows) {
  switch (rows) {
    case Rows::image:
      return {job.source, job.source_pitch, job.row_bytes, job.rows};
    case Rows::second: {
      const auto samples = job.row_bytes / static_cast<std::uint32_t>(job.sample_bytes);
      return {job.with, job.with_pitch, samples * static_cast<std::uint32_t>(job.with_bytes),
              job.two_images ? job.rows : 0};
    }
    case Rows::result:
      return {job.destination, job.destination_pitch, job.result_row_bytes, job.result_rows};
  }
  return {};
}

}  // namespace fansim::vision
