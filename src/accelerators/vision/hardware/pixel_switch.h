// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "accelerators/vision/hardware/types.h"

namespace fansim::vision {

// Models an AXI4-Stream switch (PG085) without backpressure: it connects reader, units and packer in the order of a
// job's route.
// Throughput: one beat per cycle on each way.
// Latency:    popped at n, pushed at n.
// Stall:      none; what it sends on is never refused.
class PixelSwitch final : public sim::Module {
 public:
  static constexpr std::size_t kUnits = 3;

  sim::StreamIn<JobStart> start{"start"};
  sim::StreamIn<PixelBeat> from_reader{"from_reader"};
  std::array<sim::StreamIn<PixelBeat>, kUnits> from{sim::StreamIn<PixelBeat>("from_filter"),
                                                    sim::StreamIn<PixelBeat>("from_median"),
                                                    sim::StreamIn<PixelBeat>("from_simd")};
  std::array<sim::StreamOut<PixelBeat>, kUnits> to{sim::StreamOut<PixelBeat>("to_filter"),
                                                   sim::StreamOut<PixelBeat>("to_median"),
                                                   sim::StreamOut<PixelBeat>("to_simd")};
  sim::StreamOut<PixelBeat> to_packer{"to_packer"};

  explicit PixelSwitch(const sc_core::sc_module_name& name) : Module(name) {}

 private:
  void step() override;
  void begin(const Job& job);
  bool forward(std::size_t way);

  // A way leads from the reader, or from a unit of the route, to the next unit; the last way leads to the packer.
  struct Way {
    sim::StreamIn<PixelBeat>* in = nullptr;
    sim::StreamOut<PixelBeat>* out = nullptr;
  };
  std::array<Way, kUnits + 1> ways_{};
  std::size_t count_ = 0;

  sim::Counter beats_{*this, "beats", "beats", "beats sent on"};
};

}  // namespace fansim::vision
