// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/output_store.h"

namespace fansim::stream {

OutputStore::OutputStore(const sc_core::sc_module_name& name, const ArrayConfig& config, sim::WritePort& buffer)
    : sim::Module(name), config_(config), buffer_(buffer) {}

void OutputStore::step() {
  const bool from_map = map.can_pop();
  if (!from_map && map.empty() && hidden.empty()) {
    sleep();
    return;
  }
  if (!from_map && !hidden.can_pop()) return;
  if (!tiles.can_push()) return;
  store(from_map ? map.pop() : hidden.pop());
}

void OutputStore::store(const Pixel& pixel) {
  const Command& job = *pixel.tag.job;
  if (pixel.tag.row >= job.tile_rows) {
    ++dropped_;
    return;
  }
  const int bytes = config_.word_bytes();
  const int split = config_.pixel_bytes() / bytes;
  const int groups = job.recurrent_output ? job.groups / 4 : job.groups;
  for (int k = 0; k < split; ++k) {
    const int plane = pixel.tag.group * split + k;
    const int word = (pixel.tag.row * groups * split + plane) * job.output_columns + pixel.tag.x;
    buffer_.write(job.output_select, word * bytes, pixel.bytes.data() + k * bytes, bytes);
  }
  ++pixels_;
  if (++stored_ < pixels_of(job)) return;
  stored_ = 0;
  buffer_.complete(job.output_select);
  tiles.push(Tile{job.output_select, job});
}

int OutputStore::pixels_of(const Command& job) const {
  return job.tile_rows * (job.recurrent_output ? job.groups / 4 : job.groups) * job.output_columns;
}

}  // namespace fansim::stream
