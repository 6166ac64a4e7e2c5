// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/mapping.h"

#include "accelerators/vision/config/job.h"
#include "accelerators/vision/config/rows.h"

namespace fansim::vision {
namespace {

// A tile is a stripe of the image, or the whole image. Samples stream through the units, and the units' line memories
// are not counted.
void add(const Job& job, contract::Mapping& mapping) {
  const auto bytes_of = [](const contract::RowTransfers& rows) { return std::int64_t{rows.rows} * rows.row_bytes; };
  ++mapping.tiles;
  ++mapping.passes;
  mapping.operand("image").ddr += bytes_of(rows_of(job, Rows::image));
  if (job.two_images) mapping.operand("second image").ddr += bytes_of(rows_of(job, Rows::second));
  mapping.operand("results", true).ddr += bytes_of(rows_of(job, Rows::result));
  const std::int64_t columns = job.row_bytes / static_cast<std::uint32_t>(job.sample_bytes * job.channels);
  mapping.add_tile({{"rows", job.rows}, {"columns", columns}, {"channels", job.channels}});
}

}  // namespace

contract::Mapping mapping_of(const Config&, const contract::Program& program, const contract::LayerSteps& steps) {
  contract::Mapping mapping;
  JobRegisters registers;
  contract::each_job(program, steps, registers, [&] { add(decode(registers), mapping); });
  return mapping;
}

}  // namespace fansim::vision
