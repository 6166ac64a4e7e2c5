// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "arch/program.h"
#include "arch/stream_config.h"
#include "axi/command_registers.h"
#include "axi/dma.h"
#include "axi/packer.h"
#include "axi/stream_receiver.h"
#include "datapath/accumulator.h"
#include "datapath/activation.h"
#include "datapath/adder_tree.h"
#include "datapath/line_buffer.h"
#include "datapath/mac_array.h"
#include "datapath/output_store.h"
#include "datapath/pooling.h"
#include "datapath/quantiser.h"
#include "datapath/recurrent_cell.h"
#include "datapath/sequencer.h"
#include "datapath/sliding_window.h"
#include "datapath/weight_reader.h"
#include "memory/ddr.h"
#include "memory/output_writer.h"
#include "memory/ping_pong.h"
#include "systems/cycle_account.h"
#include "systems/host.h"

namespace fansim::systems {

// The boxes of the streaming accelerator's block diagram (docs/architecture.md), in signal-flow order.
struct StreamBlocks {
  StreamBlocks(const arch::StreamConfig& config, arch::Program& program, bool values, LayerHooks hooks,
               std::function<void()> finished);

  std::unique_ptr<memory::Ddr> ddr;
  axi::Dma dma;
  axi::CommandRegisters registers;

  memory::PingPong input_buffer;
  memory::PingPong weight_buffer;
  memory::PingPong bias_buffer;
  memory::PingPong output_buffer;

  axi::StreamReceiver input_receiver;
  axi::StreamReceiver weight_receiver;
  axi::StreamReceiver bias_receiver;

  datapath::RecurrentCell cell;
  datapath::Sequencer sequencer;
  datapath::LineBuffer lines;
  datapath::SlidingWindow window;
  datapath::WeightReader weights;
  datapath::MacArray array;
  datapath::AdderTree tree;
  datapath::Accumulator accumulator;
  datapath::Quantiser quantiser;
  datapath::Pooling pooling;
  datapath::Activation activation;
  datapath::OutputStore store;

  memory::OutputWriter writer;
  axi::Packer packer;
  Host host;
};

// The blocks, and the streams between them.
class StreamAccelerator final : public sc_core::sc_module {
 public:
  StreamAccelerator(const sc_core::sc_module_name& name, const arch::StreamConfig& config, arch::Program& program,
                    bool values, LayerHooks hooks, std::function<void()> finished);

  StreamBlocks blocks;
  CycleAccount account;

 private:
  void connect_memory();
  void connect_control();
  void connect_core();
  void connect_output();

  // Memory and DMA.
  sim::Stream<axi::ReadBurst> ar_{"axi_ar"};
  sim::Stream<axi::ReadBeat> r_{"axi_r"};
  sim::Stream<axi::WriteBurst> aw_{"axi_aw"};
  sim::Stream<axi::WriteBeat> w_{"axi_w"};
  sim::Stream<axi::WriteResponse> b_{"axi_b"};
  sim::Stream<axi::StreamBeat> mm2s_{"axis_mm2s"};
  sim::Stream<axi::StreamBeat> s2mm_{"axis_s2mm"};

  // AXI-Lite.
  sim::Stream<axi::LiteRequest> lite_core_{"lite_core"}, lite_dma_{"lite_dma"}, lite_pl_{"lite_pl"};
  sim::Stream<axi::LiteResponse> lite_core_response_{"lite_core_response"}, lite_dma_response_{"lite_dma_response"},
      lite_pl_response_{"lite_pl_response"};

  // Commands.
  sim::Stream<axi::ReceiveCommand> receive_input_{"receive_input"}, receive_weights_{"receive_weights"},
      receive_bias_{"receive_bias"};
  sim::Stream<arch::Command> job_{"job"};
  sim::Stream<datapath::LineCommand> line_command_{"line_command"};
  sim::Stream<datapath::Pass> pass_{"pass"};
  sim::Stream<datapath::WeightCommand> weight_command_{"weight_command"};
  sim::Stream<datapath::JobDone> job_done_{"job_done"};

  // Data.
  sim::Stream<datapath::Column> columns_{"columns"};
  sim::Stream<datapath::Window> windows_{"windows"};
  sim::Stream<datapath::WeightColumn> weight_columns_{"weight_columns"};
  sim::Stream<datapath::Products> products_{"products"};
  sim::Stream<datapath::Sums> sums_{"sums"};
  sim::Stream<datapath::Totals> totals_{"totals"};
  sim::Stream<datapath::Pixel> quantised_{"quantised"};
  sim::Stream<datapath::Pixel> pooled_{"pooled"};
  sim::Stream<datapath::Gate> gates_{"gates"};
  sim::Stream<datapath::Gate> activated_{"activated"};
  sim::Stream<datapath::Pixel> hidden_{"hidden"};
  sim::Stream<arch::Tile> tiles_{"tiles"};
  sim::Stream<axi::Word> words_{"words"};
};

}  // namespace fansim::systems
