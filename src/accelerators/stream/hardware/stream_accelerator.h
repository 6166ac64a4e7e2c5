// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "accelerators/stream/config/account.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/stream/hardware/accumulator.h"
#include "accelerators/stream/hardware/activation.h"
#include "accelerators/stream/hardware/adder_tree.h"
#include "accelerators/stream/hardware/code_table.h"
#include "accelerators/stream/hardware/command_registers.h"
#include "accelerators/stream/hardware/core_outputs.h"
#include "accelerators/stream/hardware/cycle_account.h"
#include "accelerators/stream/hardware/line_buffer.h"
#include "accelerators/stream/hardware/mac_array.h"
#include "accelerators/stream/hardware/output_store.h"
#include "accelerators/stream/hardware/output_writer.h"
#include "accelerators/stream/hardware/pooling.h"
#include "accelerators/stream/hardware/quantiser.h"
#include "accelerators/stream/hardware/recurrent_cell.h"
#include "accelerators/stream/hardware/sequencer.h"
#include "accelerators/stream/hardware/sliding_window.h"
#include "accelerators/stream/hardware/weight_reader.h"
#include "axi/dma.h"
#include "axi/packer.h"
#include "axi/pins/link.h"
#include "axi/stream_receiver.h"
#include "memory/ping_pong.h"
#include "platform/clocked_machine.h"

namespace fansim::stream {

// The boxes of the streaming accelerator's block diagram (docs/architecture.md), in signal-flow order.
struct StreamBlocks {
  StreamBlocks(const Config& config, bool values);

  axi::Dma dma;
  CommandRegisters registers;

  memory::PingPong input_buffer;
  memory::PingPong weight_buffer;
  memory::PingPong bias_buffer;
  memory::PingPong output_buffer;

  axi::StreamReceiver input_receiver;
  axi::StreamReceiver weight_receiver;
  axi::StreamReceiver bias_receiver;

  RecurrentCell cell;
  Sequencer sequencer;
  LineBuffer lines;
  SlidingWindow window;
  WeightReader weights;
  MacArray array;
  AdderTree tree;
  Accumulator accumulator;
  Quantiser quantiser;
  std::unique_ptr<CodeTableUnit> code_table;  // with `array.code_table`
  Pooling pooling;
  Activation activation;
  OutputStore store;

  OutputWriter writer;
  axi::Packer packer;
};

// The memory side of the DMA: its port to the DDR, and the streams to and from the core.
struct DmaStreams {
  DmaStreams(const std::string& port_name, const std::string& stream_name)
      : port(port_name), mm2s((stream_name + "_mm2s").c_str()), s2mm((stream_name + "_s2mm").c_str()) {}

  axi::PortStreams port;
  sim::Stream<axi::StreamBeat> mm2s, s2mm;
};

// One register port.
struct RegisterStreams {
  explicit RegisterStreams(const std::string& name) : request(name.c_str()), response((name + "_response").c_str()) {}

  axi::LiteStreams ends() { return {request, response}; }

  sim::Stream<axi::LiteRequest> request;
  sim::Stream<axi::LiteResponse> response;
};

// The AXI interfaces of the accelerator, as the DMA and the register managers have them.
struct AxiStreams {
  AxiStreams(const std::string& port, const std::string& stream, const std::string& lite)
      : dma(port, stream), core_registers(lite + "_core"), dma_registers(lite + "_dma"), pl_registers(lite + "_pl") {}

  DmaStreams dma;
  RegisterStreams core_registers, dma_registers, pl_registers;
};

// With `axi.pins`: what is behind the wires, the wires with their checkers, and the core's other outputs.
struct AxiPins {
  AxiPins(sim::ClockDomain& clock, int data_bits, AxiStreams& near, const StreamBlocks& blocks);

  AxiStreams far{"ddr", "core", "registers"};
  std::vector<std::unique_ptr<axi::PinLink>> links;
  CoreOutputs outputs;
};

// The blocks, and the streams between them.
class StreamAccelerator final : public platform::Shell {
 public:
  StreamAccelerator(const sc_core::sc_module_name& name, const Config& config, Frame& frame);

 private:
  const contract::Account& account() const override { return stream::account(); }
  void begin(const contract::LayerPlan&) override { cycles_->begin_layer(); }
  void end() override { cycles_->end_layer(); }
  void count(contract::LayerResult& result) const override;
  std::optional<arith::Saturation> take_saturation() override { return blocks_.quantiser.take_saturation(); }
  std::vector<base::Cycles> buckets() const override;
  std::vector<sim::Module*> core() override;

  void connect_memory();
  void connect_control();
  void connect_core();
  void connect_output();

  // Both are the same streams unless wires lie between them.
  AxiStreams& near() { return axi_; }
  AxiStreams& far() { return pins_ ? pins_->far : axi_; }
  StreamBlocks blocks_;
  AxiStreams axi_{"axi", "axis", "lite"};

  // Commands.
  sim::Stream<axi::ReceiveCommand> receive_input_{"receive_input"}, receive_weights_{"receive_weights"},
      receive_bias_{"receive_bias"};
  sim::Stream<Command> job_{"job"};
  sim::Stream<LineCommand> line_command_{"line_command"};
  sim::Stream<Pass> pass_{"pass"};
  sim::Stream<WeightCommand> weight_command_{"weight_command"};
  sim::Stream<JobDone> job_done_{"job_done"};
  sim::Stream<TableWrite> table_entries_{"table_entries"};

  // Data.
  sim::Stream<Column> columns_{"columns"};
  sim::Stream<Window> windows_{"windows"};
  sim::Stream<WeightColumn> weight_columns_{"weight_columns"};
  sim::Stream<Terms> products_{"products"};
  sim::Stream<Sums> sums_{"sums"};
  sim::Stream<Totals> totals_{"totals"};
  sim::Stream<Pixel> quantised_{"quantised"};
  sim::Stream<Pixel> looked_up_{"looked_up"};
  sim::Stream<Pixel> pooled_{"pooled"};
  sim::Stream<Gate> gates_{"gates"};
  sim::Stream<Gate> activated_{"activated"};
  sim::Stream<Pixel> hidden_{"hidden"};
  sim::Stream<Tile> tiles_{"tiles"};
  sim::Stream<axi::Word> words_{"words"};

  std::unique_ptr<CycleAccount> cycles_;  // behind all blocks and the host
  std::unique_ptr<AxiPins> pins_;
};

using StreamMachine = platform::MachineOf<StreamAccelerator, Config>;

}  // namespace fansim::stream
