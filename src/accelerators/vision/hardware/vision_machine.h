// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "accelerators/vision/config/config.h"
#include "accelerators/vision/hardware/filter_unit.h"
#include "accelerators/vision/hardware/job_registers.h"
#include "accelerators/vision/hardware/median_unit.h"
#include "accelerators/vision/hardware/pixel_reader.h"
#include "accelerators/vision/hardware/pixel_switch.h"
#include "accelerators/vision/hardware/result_packer.h"
#include "accelerators/vision/hardware/row_mover.h"
#include "accelerators/vision/hardware/simd_unit.h"
#include "axi/mm2s.h"
#include "axi/port_streams.h"
#include "axi/s2mm.h"
#include "platform/clocked_machine.h"

namespace fansim::vision {

// Contains the boxes of the vision accelerator's block diagram (docs/vision.md) and the streams between them, in the
// order in which an image passes them: memory, mover, reader, switch, units, packer, mover, memory.
class VisionAccelerator final : public sc_core::sc_module {
 public:
  VisionAccelerator(const sc_core::sc_module_name& name, const Config& config, contract::Program& program,
                    platform::LayerHooks hooks);

  std::vector<std::unique_ptr<memory::Ddr>> ports;  // for the image and the result; for the second image
  RowMover image_rows, second_rows, result_rows;
  axi::Mm2s image_mover, second_mover;
  axi::S2mm result_mover;
  ResultPacker packer;
  PixelReader reader;
  PixelSwitch pixel_switch;
  std::unique_ptr<FilterUnit> filter;  // each is null if the machine does not have it
  std::unique_ptr<MedianUnit> median;
  std::unique_ptr<SimdUnit> simd;
  JobRegisterFile registers;
  platform::Host host;

 private:
  void connect_memory();
  void connect_pixels();
  void connect_control();
  template <class Block>
  void connect_start(Block& block, std::size_t i) {
    (*registers.starts[i])(starts_[i]);
    block.start(starts_[i]);
  }

  static constexpr std::size_t kBlocks = 9;
  static std::size_t blocks(const Config& config) {
    return kBlocks - !config.filter.exists() - !config.median.exists() - !config.simd.enabled;
  }

  axi::PortStreams port_{"axi"}, second_port_{"axi_second"};
  sim::Stream<axi::TransferCommand> image_command_{"image_command"}, second_command_{"second_command"},
      result_command_{"result_command"};
  sim::Stream<axi::TransferDone> image_done_{"image_done"}, second_done_{"second_done"}, result_done_{"result_done"};
  sim::Stream<axi::StreamBeat> image_stream_{"image_stream"}, second_stream_{"second_stream"},
      result_stream_{"result_stream"};
  sim::Stream<PixelBeat> samples_{"samples"}, results_{"results"};
  std::array<sim::Stream<PixelBeat>, PixelSwitch::kUnits> into_, out_of_;
  std::array<sim::Stream<JobStart>, kBlocks> starts_;
  sim::Stream<axi::LiteRequest> request_{"request"}, no_request_{"no_request"};
  sim::Stream<axi::LiteResponse> response_{"response"}, no_response_{"no_response"};
};

class VisionMachine final : public platform::ClockedMachine {
 public:
  VisionMachine(const Config& config, contract::Program program, platform::MachineOptions options);
  ~VisionMachine() override;

 private:
  // Holds what was counted before the layer.
  struct Counts {
    std::int64_t read = 0, written = 0, streamed = 0, flushed = 0, waited_output = 0, waited_input = 0, busy = 0,
                 samples = 0;
  };

  platform::Host& host() override { return top_.host; }
  memory::Ddr& ddr() override { return *top_.ports.front(); }
  void begin(const contract::LayerPlan& plan) override;
  void end(contract::LayerResult& result) override;
  std::vector<base::Cycles> edges() const override;
  Counts counts() const;

  const Config config_;
  VisionAccelerator top_;
  Counts before_;
  const contract::LayerPlan* plan_ = nullptr;
};

}  // namespace fansim::vision
