// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/config.h"
#include "contract/buffer.h"

namespace fansim::stream {

inline contract::BufferPorts input_ports(const Config& c) { return {c.axi.beat_bytes(), c.array.word_bytes()}; }

// The weight buffer, or the resident store, is read by one tap column of weights per cycle.
inline contract::BufferPorts weight_ports(const Config& c) {
  return {c.axi.beat_bytes(), base::round_up(c.array.weight_column_bytes(), c.axi.beat_bytes())};
}

// The bias buffer is read by records of a group, for the accumulator and for the quantiser.
inline contract::BufferPorts bias_ports(const Config& c) {
  return {c.axi.beat_bytes(), c.array.output_channels * BufferConfig::kBiasRecordBytes, 2};
}

inline contract::BufferPorts output_ports(const Config& c) { return {c.array.pixel_bytes(), c.array.word_bytes()}; }

}  // namespace fansim::stream
