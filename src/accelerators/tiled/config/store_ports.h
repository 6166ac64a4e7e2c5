// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"

namespace fansim::tiled {

// How a block RAM is read and written (UG573): single port, simple dual port, true dual port.
enum class BramMode { sp, sdp, tdp };

// What the ports of one half of a store move at an edge, in values: the estimate pays for them, the clocked machine is
// held to them.
struct StorePorts {
  BramMode mode;
  int written, read;
  int accesses() const { return mode == BramMode::sp ? 1 : 2; }
};

// Values narrower than a byte share their word's bank, which is read while it is written.
inline BramMode columns_mode(const Encoding& e) { return e.slot_bits >= 8 ? BramMode::sp : BramMode::sdp; }

// A beat of a channel is written, a point of every channel read.
inline StorePorts input_ports(const Config& c, const EngineConfig& engine) {
  return {columns_mode(c.input_encoding()), c.input_encoding().per_beat(), engine.tn};
}

// In entries: read, added to and written back in one cycle, eq. (5)'s true dual port.
inline StorePorts sums_ports() { return {BramMode::tdp, 1, 1}; }

// A beat as it came.
inline StorePorts weight_ports(const Config& c) {
  return {BramMode::sp, c.weight_encoding().per_beat(), c.weight_encoding().per_beat()};
}

// A beat is written, the weights of a point are read.
inline StorePorts fc_weight_ports(const Config& c) {
  return {BramMode::sp, c.weight_encoding().per_beat(), c.fc.macs_per_cycle()};
}

// Every lane writes a channel's value, the encoder reads a beat.
inline StorePorts output_ports(const Config& c) {
  return {BramMode::sdp, c.store.lanes, c.output_encoding().per_beat()};
}

}  // namespace fansim::tiled
