// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "accelerators/vision/config/job.h"

namespace fansim::vision {

// Whose rows: of a job, the image's, the second image's or the result's.
enum class Rows { image, second, result };

struct RowsOfJob {
  std::uint32_t address = 0, pitch = 0, row_bytes = 0, rows = 0;

  // Rows that one transfer of `longest` bytes at most moves: several only if there is no gap between them.
  std::uint32_t at_once(std::uint32_t longest) const {
    if (pitch != row_bytes || row_bytes == 0) return 1;
    return std::max<std::uint32_t>(1, std::min(longest / row_bytes, rows));
  }
};

inline RowsOfJob rows_of(const Job& job, Rows rows) {
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
