// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"

namespace fansim::tiled {

// Says how a block RAM is read and written (UG573): single port, simple dual port or true dual port.
enum class BramMode { sp, sdp, tdp };

// Holds what the ports of one half of a store move at an edge, in values. The estimate pays for them, and the clocked
// machine checks that it uses no more.
struct StorePorts {
  BramMode mode;
  int written, read;
  int accesses() const { return mode == BramMode::sp ? 1 : 2; }
};

// Values narrower than a byte share the bank of their word, which is read while it is written.
inline BramMode columns_mode(const Encoding& e) { return e.slot_bits >= 8 ? BramMode::sp : BramMode::sdp; }

// A beat of a channel is written, and a point of every channel is read.
inline StorePorts input_ports(const Config& c, const EngineConfig& engine) {
  return {columns_mode(c.input_encoding()), c.input_encoding().per_beat(), engine.tn};
}

// Entries are read, added to and written back in one cycle, which is the true dual port of eq. (5).
inline StorePorts sums_ports() { return {BramMode::tdp, 1, 1}; }

// A beat is written and read as it came.
inline StorePorts weight_ports(const Config& c) {
  return {BramMode::sp, c.weight_encoding().per_beat(), c.weight_encoding().per_beat()};
}

// A beat is written, and the weights of a point are read.
inline StorePorts fc_weight_ports(const Config& c) {
  return {BramMode::sp, c.weight_encoding().per_beat(), c.fc.macs_per_cycle()};
}

// Every lane writes a channel's value, and the encoder reads a beat.
inline StorePorts output_ports(const Config& c) {
  return {BramMode::sdp, c.store.lanes, c.output_encoding().per_beat()};
}

}  // namespace fansim::tiled
