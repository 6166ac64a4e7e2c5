// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/mapping.h"

#include "accelerators/vision/config/rows.h"

namespace fansim::vision {
namespace {

// A tile is a stripe of the image, or the whole image. Samples stream through the units, and the units' line memories
// are not counted.
class Mapper : public contract::HostFollower {
 public:
  explicit Mapper(contract::Mapping& mapping) : mapping_(mapping) {}

  void software(std::uint32_t, bool) {}
  void write_core(std::uint32_t address, std::uint32_t value) {
    registers_.words[address / 4] = value;
    if (address == JobRegisters::start_offset()) add(decode(registers_));
  }
  void wait_output() {}

 private:
  void add(const Job& job) {
    ++mapping_.tiles;
    ++mapping_.passes;
    mapping_.operand("image").ddr += bytes_of(rows_of(job, Rows::image));
    if (job.two_images) mapping_.operand("second image").ddr += bytes_of(rows_of(job, Rows::second));
    mapping_.operand("results", true).ddr += bytes_of(rows_of(job, Rows::result));
    const std::int64_t columns = job.row_bytes / static_cast<std::uint32_t>(job.sample_bytes * job.channels);
    mapping_.add_tile({{"rows", job.rows}, {"columns", columns}, {"channels", job.channels}});
  }
  static std::int64_t bytes_of(const contract::RowTransfers& rows) { return std::int64_t{rows.rows} * rows.row_bytes; }

  contract::Mapping& mapping_;
  JobRegisters registers_;
};

}  // namespace

contract::Mapping mapping_of(const Config&, const contract::Program& program, const contract::LayerSteps& steps) {
  contract::Mapping mapping;
  Mapper mapper(mapping);
  contract::follow(program, steps, mapper, nullptr);
  return mapping;
}

}  // namespace fansim::vision
