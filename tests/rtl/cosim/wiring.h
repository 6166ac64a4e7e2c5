// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cosim/bits.h"
#include "cosim/memory.h"
#include "sim/stream.h"

namespace fansim::cosim {

// Holds what the SystemC block shows and what its twin shows.
struct Mismatch {
  std::string signal;
  std::uint64_t systemc, twin;
};

// A stream's `fields(model, payload, field)` calls field(name, index, port, low bit, bits, value) for everything the
// payload holds. Drive puts the value on the port, Compare compares it with the port.
struct Drive {
  template <class Port>
  void operator()(const char*, int, Port& port, int low, int width, std::uint64_t value) const {
    put_bits(port, low, width, value);
  }
};

struct Compare {
  const char* stream;
  std::optional<Mismatch>& mismatch;
  template <class Port>
  void operator()(const char* name, int index, const Port& port, int low, int width, std::uint64_t value) const {
    const std::uint64_t is = get_bits(port, low, width), should = value & mask(width);
    if (is != should && !mismatch) mismatch = Mismatch{fmt::format("{}_{}[{}]", stream, name, index), should, is};
  }
};

// Connects a stream into the block and its twins.
template <class Model>
struct InputWiring {
  const char* name;
  sim::StreamBase* stream;
  std::function<void(Model&)> drive;   // valid and payload before the edge
  std::function<bool(Model&)> popped;  // the twin takes the beat at the edge
  std::function<void(int stall_percent)> push;
  int* left;  // items of the phase to push
  std::int64_t pops = 0;
};

// Connects a stream out of them.
template <class Model>
struct OutputWiring {
  sim::StreamBase* stream;
  std::function<void(Model&, std::optional<Mismatch>&)> compare;  // valid, full and payload after the edge
  std::function<bool(int stall_percent)> pop;
  std::function<void(Model&, bool)> drive_ready;
  bool watched = false;  // SystemC pops: known when the edge is over
  std::int64_t pops = 0;
};

// A read port of theirs.
template <class Model>
struct ReadWiring {
  const char* name;
  Memory* memory;
  int latency;
  std::function<std::optional<Read>(Model&)> request;  // empty while the twin holds the memory's enable low
  std::function<void(Model&, const std::uint8_t*)> drive;
  std::optional<Read> systemc;  // what the SystemC block read at the edge
};

}  // namespace fansim::cosim
