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

// Computes the values of a program: all sums of a job at once, when the host starts it. Time plays no part. Weights are
// read from memory as the program placed them, because no job writes there.
class StreamValues : public contract::HostFollower {
 public:
  // Reads and writes `memory`, which must not move. Weights and biases are in `parameters` if it is not null, otherwise
  // in `memory` too. `kept` is a PackedSetCache that others share, or null.
  StreamValues(const Config& config, contract::MemoryImage& memory, const std::uint8_t* parameters,
               const std::shared_ptr<contract::KeptValues>& kept);

  // Takes the host's steps in order. Steps that move no data have no effect.
  void software(std::uint32_t, bool) {}
  void write_core(std::uint32_t address, std::uint32_t value);
  void write_dma(std::uint32_t address, std::uint32_t value);
  void poll_mm2s() {}
  void wait_job() {}
  void wait_output() {}

  // Returns what saturated since the last call.
  arith::Saturation take_saturation() {
    arith::Saturation all = sink_.take_saturation();
    return all += hidden_.take_saturation();
  }

 private:
  // Says where bytes that a target of a buffer received lie in memory.
  struct Received {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    int serial = 0;  // number among all that was received
  };
  // Holds the quads of a pass's kernel rows and columns, over one row of windows.
  struct Taps {
    std::vector<std::int32_t> x;        // offsets from a window's first byte
    std::vector<std::int32_t> weights;  // offsets in a weight set
    int rows = 1;                       // number of rows, which follow one another in both vectors
  };
  // Describes one of a few jobs whose sums are added up. Each brings other input channels, and only the sums of the
  // last one are needed.
  struct Round {
    Received input;
    std::vector<std::uint8_t> copy;   // copy of an input, with the bytes that a job may read before and after it
    int copied = -1;                  // serial number of the input in `copy`
    int raised = 0;                   // amount by which activations are raised when they are multiplied
    bool low = false;                 // no byte is above 127
    const std::uint8_t* x = nullptr;  // the activations that are multiplied
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
  int sum_step(const Command& job) const {
    return job.groups * slices_ * kernels::kChannels;
  }  // distance from window
     // to window

  const Config config_;
  const ArrayConfig& array_;
  const arith::LutKernel kernel_;  // of a tap row, if it rounds
  const bool wide_;                // activations and weights are multiplied as two bytes each
  const int word_bytes_;           // in the copies of inputs
  const bool by_rows_;             // a quad spans tap columns, or weights have fewer bytes than activations: see
                                   // widened()
  const int slices_;               // number of slices of output channels, each as wide as the kernel
  const int column_pitch_;         // bytes from one tap column of a weight set to the next
  contract::MemoryImage& memory_;
  const std::uint8_t* const parameters_;

  WrittenCommand command_;
  std::uint32_t source_ = 0;
  Received* receiver_ = nullptr;
  std::array<Received, 2> inputs_;
  std::array<Received, 3> weights_;
  std::array<Received, 2> biases_;
  int received_ = 0;

  // These belong to the current job, or to the jobs that are added up: the first command, and the inputs and weights of
  // each.
  Command job_;
  std::array<Round, kMostRounds> rounds_;
  int round_count_ = 0;
  const std::uint8_t* bias_ = nullptr;
  // The taps are ordered [block][x_block][parallel row].
  std::vector<Taps> taps_;
  std::array<int, 6> taps_of_{};  // everything on which they depend
  std::size_t packed_bytes_ = 0;  // per slice
  std::shared_ptr<PackedSetCache> set_cache_;
  std::vector<std::uint8_t> wide_set_;
  std::vector<std::uint32_t> start_;

  std::vector<std::int32_t> sums_;  // [bank][row][window][group][channel]
  PixelSink sink_;
  HiddenState hidden_;
};

}  // namespace fansim::stream
