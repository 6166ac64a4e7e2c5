// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/config/command.h"
#include "kernels/mac.h"

namespace fansim::stream {

constexpr int kMaxRows = ArrayConfig::kMaxRows;
constexpr int kMaxChannels = ArrayConfig::kMaxChannels;
constexpr int kMaxBytes = ArrayConfig::kMaxBytes;  // bytes of a value
constexpr int kMaxColumn = kMaxRows * kMaxChannels;
constexpr int kMaxWindow =
    (ArrayConfig::kMaxTaps * kMaxChannels + kernels::kLanes - 1) / kernels::kLanes * kernels::kLanes;
// An output channel has at most this many chains. Each chain sums at least two products, unless a tap row has only one.
constexpr int kMaxChains = ArrayConfig::kMaxTaps * kMaxChannels / ArrayConfig::kMinTerms + kMaxRows;

// Names the job that a beat belongs to. The job lies in the sequencer, which keeps the last few. Using a job whose
// place another has taken is an error.
class JobRef {
 public:
  JobRef() = default;
  JobRef(const Command* job) : job_(job), serial_(job->serial) {}  // NOLINT(google-explicit-constructor): a pointer

  const Command& operator*() const {
    if (job_->serial != serial_) overtaken();
    return *job_;
  }
  const Command* operator->() const { return &**this; }
  const Command* get() const { return job_; }

 private:
  [[noreturn]] void overtaken() const;

  const Command* job_ = nullptr;
  std::uint32_t serial_ = 0;
};
inline bool operator==(const JobRef& a, const JobRef& b) { return a.get() == b.get(); }
inline bool operator!=(const JobRef& a, const JobRef& b) { return !(a == b); }

// Describes one pass over the line buffers with one weight set.
struct Pass {
  JobRef job;
  int block = 0;
  int row = 0;
  int x_block = 0;
  int group = 0;
  int entry = 0;       // accumulator entry of window 0
  bool first = false;  // the entries start here: from the bias if the job says so
  bool last = false;   // the sums go on to the quantiser
  bool job_end = false;
  template <class F>
  void wires(F&& f) const {
    f("block", static_cast<std::uint64_t>(block), 14);
    f("row", static_cast<std::uint64_t>(row), 14);
    f("group", static_cast<std::uint64_t>(group), 16);
    f("first", first, 1);
    f("last", last, 1);
  }
};

// Tells the line buffers to load `lines` lines, or to stream all columns of a pass.
struct LineCommand {
  JobRef job;
  bool fill = false;
  bool zero_state = false;  // the hidden state before a sequence's first step
  int block = 0;
  int line = 0;  // first line of the block's tile to load
  int lines = 0;
  template <class F>
  void wires(F&& f) const {
    f("fill", fill, 1);
    f("lines", static_cast<std::uint64_t>(lines), 8);
  }
};

struct WeightCommand {
  int target = 0;  // half or resident store
  int row = 0;     // first buffer row of the set
  template <class F>
  void wires(F&& f) const {
    f("row", static_cast<std::uint64_t>(row), 32);
  }
};

// Holds one tap column of weights for all channels: [output channel][tap row][input channel].
struct WeightColumn {
  std::array<std::uint8_t, kMaxColumn * kMaxChannels * kMaxBytes> bytes;
};

// Holds one column of the line buffers: [line][input channel].
struct Column {
  std::array<std::uint8_t, kMaxColumn * kMaxBytes> bytes;
};

// Holds what travels beside the data from the window to the output.
struct Tag {
  JobRef job;
  int entry = 0;
  int x = 0;
  int row = 0;  // output row, or time step, within the job
  int group = 0;
  bool new_weights = false;
  bool first = false;
  bool last = false;
  bool job_end = false;
  template <class F>
  void wires(F&& f) const {
    f("x", static_cast<std::uint64_t>(x), 14);
    f("row", static_cast<std::uint64_t>(row), 14);
    f("group", static_cast<std::uint64_t>(group), 16);
    f("entry", static_cast<std::uint64_t>(entry), 20);
    f("first", first, 1);
    f("last", last, 1);
  }
};

// Holds activations as [tap column][tap row][input channel], padded with zeros to whole vectors. They are widened to 16
// bits, or are the 16 bits themselves, whose sign the job says.
struct Window {
  Tag tag;
  std::array<std::int16_t, kMaxWindow> taps;
  template <class F>
  void wires(F&& f) const {
    tag.wires(f);
  }
};

// Holds what the adder tree sums of a window. The cells of the MAC array may have summed a part of it already.
struct Terms {
  enum class Kind {
    products,     // [output channel][as Window]
    row_sums,     // sums of each tap row, or of each of its chains: [output channel][tap row][chain]
    window_sums,  // sums as they leave the adder tree: [parallel row][output channel]
  };
  Tag tag;
  Kind kind = Kind::products;
  std::array<std::int32_t, kMaxChains * kMaxChannels> sums;
  std::array<std::int16_t, kMaxWindow * kMaxChannels> products;
  template <class F>
  void wires(F&& f) const {
    tag.wires(f);
  }
};

// Holds sums, [parallel row][output channel].
struct Sums {
  Tag tag;
  std::array<std::int32_t, kMaxColumn> values;
  template <class F>
  void wires(F&& f) const {
    tag.wires(f);
    f("sum0", static_cast<std::uint32_t>(values[0]), 32);
  }
};

// Holds the complete sums of one pixel, for one output-channel group.
struct Totals {
  Tag tag;
  std::array<std::int32_t, kMaxChannels> values;
  template <class F>
  void wires(F&& f) const {
    tag.wires(f);
    f("total0", static_cast<std::uint32_t>(values[0]), 32);
  }
};

// Holds one quantised pixel of one output-channel group.
struct Pixel {
  Tag tag;
  std::array<std::uint8_t, kMaxChannels * kMaxBytes> bytes;
  template <class F>
  void wires(F&& f) const {
    tag.wires(f);
    f("byte0", bytes[0], 8);
  }
};

// Holds one gate of a group of hidden units: Q3.12 before the activation, Q0.15 after it.
struct Gate {
  Tag tag;
  std::array<std::int16_t, kMaxChannels> values;
  template <class F>
  void wires(F&& f) const {
    tag.wires(f);
    f("gate0", static_cast<std::uint16_t>(values[0]), 16);
  }
};

// Says that a job's last sum has been stored or sent on.
struct JobDone {};

}  // namespace fansim::stream
