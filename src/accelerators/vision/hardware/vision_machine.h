// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "accelerators/vision/config/account.h"
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
#include "axi/mover_streams.h"
#include "axi/port_streams.h"
#include "axi/s2mm.h"
#include "platform/clocked_machine.h"

namespace fansim::vision {

// Contains the boxes of the vision accelerator's block diagram (docs/vision.md) and the streams between them, in the
// order in which an image passes them: memory, mover, reader, switch, units, packer, mover, memory.
class VisionAccelerator final : public platform::Shell {
 public:
  VisionAccelerator(const sc_core::sc_module_name& name, const Config& config, Frame& frame);

 private:
  const contract::Account& account() const override { return vision::account(); }
  void begin(const contract::LayerPlan& plan) override { plan_ = &plan; }
  void count(contract::LayerResult& result) const override;
  std::vector<base::Cycles> buckets() const override;

  void connect_memory();
  void connect_pixels();
  void connect_starts();
  static std::size_t blocks(const Config& config) {
    return std::size_t{9} - !config.filter.exists() - !config.median.exists() - !config.simd.enabled;
  }

  RowMover image_rows_, second_rows_, result_rows_;
  axi::Mm2s image_mover_, second_mover_;
  axi::S2mm result_mover_;
  ResultPacker packer_;
  PixelReader reader_;
  PixelSwitch pixel_switch_;
  std::unique_ptr<FilterUnit> filter_;  // each is null if the machine has none
  std::unique_ptr<MedianUnit> median_;
  std::unique_ptr<SimdUnit> simd_;
  JobRegisterFile registers_;

  axi::PortStreams port_{"axi"}, second_port_{"axi_second"};  // image and result; second image
  axi::MoverStreams image_{"image_command", "image_done", "image_stream"},
      second_{"second_command", "second_done", "second_stream"},
      result_{"result_command", "result_done", "result_stream"};
  sim::Stream<PixelBeat> samples_{"samples"}, results_{"results"};
  std::array<sim::Stream<PixelBeat>, PixelSwitch::kUnits> into_, out_of_;
  const contract::LayerPlan* plan_ = nullptr;
};

using VisionMachine = platform::MachineOf<VisionAccelerator, Config>;

}  // namespace fansim::vision
