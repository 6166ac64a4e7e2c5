// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/hardware/types.h"
#include "axi/types.h"
#include "sim/reg.h"

namespace fansim::vision {

// Splits the stream's beats into samples and sends one cycle's worth of one or two images into the units. After the
// image it sends zeros for as many cycles as the last result needs. It sends samples that make a result only when the
// packer has room for that result, so nothing behind it ever waits.
// Throughput: one beat of samples per cycle.
// Latency:    a stream beat popped at n: its first samples are pushed at n + 1, and the next beat is popped at the edge
//             of its last ones.
// Stall:      waits for samples of every image, and for room among the packer's results; room that is given at n counts
//             at n + 1.
class PixelReader final : public sim::Module {
 public:
  sim::StreamIn<JobStart> start{"start"};
  sim::StreamIn<axi::StreamBeat> image{"image"};
  sim::StreamIn<axi::StreamBeat> second{"second"};
  sim::StreamOut<PixelBeat> out{"out"};

  // `taken` counts the results that the packer has taken.
  PixelReader(const sc_core::sc_module_name& name, const Config& config, const sim::Reg<std::int64_t>& taken);

  std::int64_t streamed() const { return streamed_.value(); }
  std::int64_t flushed() const { return flushed_.value(); }
  std::int64_t waited_output() const { return waited_output_.value(); }
  std::int64_t waited_input() const { return waited_input_.value(); }
  std::int64_t busy() const { return streamed() + flushed() + waited_output() + waited_input(); }
  std::string waiting_for() const override { return to_send_ + to_flush_ > 0 ? "samples, or room for results" : ""; }

 private:
  // Holds the samples of one image.
  struct Source {
    axi::BeatBytes bytes{};
    int held = 0, at = 0;    // cycles' worth held of the beat; first byte of the next
    std::int64_t beats = 0;  // still to pop
    int sample_bytes = 1;
    bool is_signed = false;
  };

  void step() override;
  void begin();
  void send();
  void unpack(Source& source, Samples& samples) const;
  void refill(Source& source, sim::StreamIn<axi::StreamBeat>& stream);

  const int samples_, beat_bytes_, room_;
  const sim::Reg<std::int64_t>& taken_;
  const Job* job_ = nullptr;
  Source image_, second_;
  std::int64_t to_send_ = 0, to_flush_ = 0;  // in cycles
  std::int64_t silent_ = 0;                  // cycles until the first result is made
  std::int64_t results_ = 0;                 // requested so far, over all jobs

  sim::Word state_{*this, "state", {"idle", "send", "flush"}, [this] {
                     return to_send_ > 0 ? std::size_t{1} : to_flush_ > 0 ? std::size_t{2} : std::size_t{0};
                   }};
  sim::Counter streamed_{*this, "streamed", "cycles", "samples were sent"};
  sim::Counter flushed_{*this, "flushed", "cycles", "zeros behind the image were sent"};
  sim::Counter waited_output_{*this, "waited_output", "cycles", "samples waited for room among the results"};
  sim::Counter waited_input_{*this, "waited_input", "cycles", "there were no samples"};
};

}  // namespace fansim::vision
