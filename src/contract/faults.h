// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/yaml.h"

// A fault of a machine, as `faults` of a configuration and `--fault` declare it (docs/faults.md).
namespace fansim::contract {

struct Fault {
  enum class Kind { flip, stuck, slverr, decerr, stall, drop, repeat, halt };

  Kind kind = Kind::flip;
  std::string at;     // a place, such as `input_buffer.half0`
  int word = kDrawn;  // the word of the place; `bit`: the bit of the word
  int bit = kDrawn;
  int value = 0;
  std::string layer;
  int cycle = 0;
  int nth = 1;
  int count = 1;
  int cycles = 0;
  double rate = 0;

  static constexpr int kDrawn = -1;  // not given: drawn by the run's seed

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

  // Returns whether the fault is a single flip of memory between two layers. Such a fault changes values only, and no
  // cycle depends on it.
  bool values_only() const { return kind == Kind::flip && at == kMemory && cycle == 0 && rate == 0; }
  // Returns the text that `--fault` takes.
  std::string text() const;

  // The place that stands for the DDR memory; a word is a byte.
  static constexpr const char* kMemory = "ddr.data";
};

// Describes a kind of fault, and which keys it has beside kind, at, layer and cycle.
struct FaultKind {
  Fault::Kind kind;
  const char* word;
  const char* meaning;
  const char* places;
  std::vector<const char*> keys;
};
const std::vector<FaultKind>& fault_kinds();
const FaultKind& kind_of(const Fault& fault);

// read_faults() reads the list `faults` of a configuration, if it has one. parse_fault() reads a text like "kind=flip,
// at=..., ...". Both throw UserError.
std::vector<Fault> read_faults(base::YamlMap& top);
Fault parse_fault(const std::string& text);

// Something that happened: a fault, or what the host's driver saw and did.
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
  std::string gave_up;  // why the driver gave up; empty if it did not
  int attempts = 0;     // layers that were begun again
};

}  // namespace fansim::contract
