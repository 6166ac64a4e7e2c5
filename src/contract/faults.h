// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/yaml.h"

// Faults of a machine, as the `faults` of a configuration and `--fault` declare them (docs/faults.md).
namespace fansim::contract {

struct Fault {
  enum class Kind { flip, stuck, slverr, decerr, stall, drop, repeat, halt };

  Kind kind = Kind::flip;
  std::string at;     // a place: `input_buffer.half0`
  int word = kDrawn;  // of the place, and a bit of it
  int bit = kDrawn;
  int value = 0;
  std::string layer;
  int cycle = 0;
  int nth = 1;
  int count = 1;
  int cycles = 0;
  double rate = 0;

  static constexpr int kDrawn = -1;  // not said: drawn by the run's seed

  template <class V>
  void visit(V&& v) {
    v.choice("kind", kind,
             {{Kind::flip, "flip"},
              {Kind::stuck, "stuck"},
              {Kind::slverr, "slverr"},
              {Kind::decerr, "decerr"},
              {Kind::stall, "stall"},
              {Kind::drop, "drop"},
              {Kind::repeat, "repeat"},
              {Kind::halt, "halt"}},
             "what happens");
    v.field("at", at, "the place that it happens to");
    v.field("word", word, 0, INT_MAX, "word of the place; not given: drawn by --seed, as `bit` is");
    v.field("bit", bit, 0, 63, "bit of that word");
    v.field("value", value, 0, 1, "what the bit is stuck at");
    v.field("layer", layer, "cycles count from this layer's begin; not given: from the run's");
    v.field("cycle", cycle, 0, INT_MAX, "before the edge of that number; 0: before the first");
    v.field("nth", nth, 1, INT_MAX, "which burst, or interrupt, from there on");
    v.field("count", count, 1, INT_MAX, "bursts in a row");
    v.field("cycles", cycles, 0, INT_MAX, "how long; 0: for ever");
    v.field("rate", rate, 0, 1e6, "flips in a million cycles on average, from there on; 0: one");
  }

  // A single flip of memory between two layers: values alone are hit, and no cycle depends on it.
  bool values_only() const { return kind == Kind::flip && at == kMemory && cycle == 0 && rate == 0; }
  // As `--fault` has it.
  std::string text() const;

  // The bytes of the DDR memory, a word each.
  static constexpr const char* kMemory = "ddr.data";
};

// What a kind of fault is, and which keys beside kind, at, layer and cycle it has.
struct FaultKind {
  Fault::Kind kind;
  const char* word;
  const char* meaning;
  const char* places;
  std::vector<const char*> keys;
};
const std::vector<FaultKind>& fault_kinds();
const FaultKind& kind_of(const Fault& fault);

// The list `faults` of a configuration, if it has one; and "kind=flip, at=..., ..." UserError.
std::vector<Fault> read_faults(base::YamlMap& top);
Fault parse_fault(const std::string& text);

// What happened: a fault, or what the host's driver saw and did.
struct FaultEvent {
  enum class Source { fault, driver };

  std::int64_t cycle = 0;
  std::string layer;  // empty: between layers
  Source source = Source::fault;
  std::string what;

  const char* source_name() const { return source == Source::fault ? "fault" : "driver"; }
};

struct FaultLog {
  std::vector<FaultEvent> events;
  std::string gave_up;  // why the driver did; empty: it did not
  int attempts = 0;     // of layers that were begun again
};

}  // namespace fansim::contract
