// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/values/hidden_state.h"
#include "accelerators/stream/values/packed_sets.h"
#include "accelerators/stream/values/pixel_sink.h"
#include "contract/host_steps.h"
#include "contract/memory_image.h"
#include "kernels/window_dot.h"

namespace fansim::stream {

// What a program computes: every job's sums at once, as soon as the host starts it. Timing plays no part. Weights lie
// in memory as the program brought them; no job writes there.
class StreamValues : public contract::HostFollower {
 public:
  // Reads and writes `memory`, which must stay where it is, but for weights and biases if they lie in `parameters`;
  // null: they lie in it too. `kept`: KnownSets that others share, or null.
  StreamValues(const Config& config, contract::MemoryImage& memory, const std::uint8_t* parameters,
               const std::shared_ptr<contract::KeptValues>& kept);

  // The host's steps, in order; those that move no data are nothing to it.
  void software(std::uint32_t, bool) {}
  void write_core(std::uint32_t address, std::uint32_t value);
  void write_dma(std::uint32_t address, std::uint32_t value);
  void poll_mm2s() {}
  void wait_job() {}
  void wait_output() {}

 private:
  // Bytes received into a target of a buffer: where they lie in memory.
  struct Received {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    int serial = 0;  // of all that was received
  };
  // The quads of a pass's kernel rows and columns, over one row of windows.
  struct Taps {
    std::vector<std::int32_t> x;        // offsets from a window's first byte
    std::vector<std::int32_t> weights;  // offsets in a weight set
    int rows = 1;                       // which follow one another in both
  };
  // A job of a few whose sums add up: each brings other input channels, none but the last one's are asked for.
  struct Round {
    Received input;
    std::vector<std::uint8_t> copy;   // of an input, with what a job may read before and behind it
    int copied = -1;                  // which one
    int raised = 0;                   // so much higher than they are, activations are multiplied
    bool low = false;                 // no byte is above 127
    const std::uint8_t* x = nullptr;  // what is multiplied
    const PackedSets* sets = nullptr;
    PackedSets once;  // sets that are not kept
  };
  static constexpr int kMostRounds = 8;

  void act(const Command& command);
  void run(const Command& job);
  bool goes_on(const Command& job) const;
  void add_up(int step);
  void products(int block, int x_block, int parallel, int step);
  template <class Activation, class Weight>
  void rounded_dot(const kernels::WindowDot& dot, int rows, int raised);
  void find_starts(std::size_t first_slice, bool first);
  void finish(const Command& job, int row, int group, int step);
  const std::uint8_t* input_of(Round& round, int step);
  const std::uint8_t* copied(Round& round) const;
  void copy_wide(const Received& received, std::uint8_t* to) const;
  void find_taps(const Command& job);
  Taps taps_of(const Command& job, int block, int x_block, int parallel) const;
  const PackedSets& packed(const Command& job, PackedSets& once);
  void pack(const Command& job, const std::uint8_t* first_set, PackedSets& sets);
  void pack_set(const Taps& taps, const std::uint8_t* set, std::int8_t* weights, std::int32_t* weight_sums);
  const std::uint8_t* widened(const std::uint8_t* set);
  const std::uint8_t* bias_records(const Command& job) const;
  std::int32_t* sums(const Command& job, int bank, int row, int group, int step);
  int sum_step(const Command& job) const { return job.groups * slices_ * kernels::kChannels; }  // from window to window

  const Config config_;
  const ArrayConfig& array_;
  const arith::LutKernel kernel_;  // of a tap row, where it rounds
  const bool wide_;                // activations and weights are multiplied as two bytes each
  const int word_bytes_;           // of the copies of inputs
  const bool by_rows_;             // a quad spans tap columns, or weights have fewer bytes: widened()
  const int slices_;               // of output channels, each as wide as the kernel
  const int column_pitch_;         // bytes from tap column to tap column of a weight set
  contract::MemoryImage& memory_;
  const std::uint8_t* const parameters_;

  WrittenCommand command_;
  std::uint32_t source_ = 0;
  Received* receiver_ = nullptr;
  std::array<Received, 2> inputs_;
  std::array<Received, 3> weights_;
  std::array<Received, 2> biases_;
  int received_ = 0;

  // Of the job, or of jobs to be added up: the first one, the inputs and weights of each.
  Command job_;
  std::array<Round, kMostRounds> rounds_;
  int round_count_ = 0;
  const std::uint8_t* bias_ = nullptr;
  // Taps [block][x_block][parallel row].
  std::vector<Taps> taps_;
  std::array<int, 6> taps_of_{};  // all that they depend on
  std::size_t packed_bytes_ = 0;  // of a slice
  std::shared_ptr<KnownSets> known_sets_;
  std::vector<std::uint8_t> wide_set_;
  std::vector<std::uint32_t> start_;

  std::vector<std::int32_t> sums_;  // [bank][row][window][group][channel]
  PixelSink sink_;
  HiddenState hidden_;
};

}  // namespace fansim::stream
