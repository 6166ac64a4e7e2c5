// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/stream_accelerator.h"

#include "accelerators/stream/config/buffer_ports.h"

namespace fansim::stream {

StreamBlocks::StreamBlocks(const Config& c, bool values)
    : dma("dma", c.dma, c.axi),
      registers("registers", c.array.code_table),
      input_buffer("input_buffer", memory::PingPong::Role::receive, input_ports(c), c.buffers.input_half_bytes()),
      weight_buffer("weight_buffer", memory::PingPong::Role::receive, weight_ports(c), c.buffers.weight_half_bytes(),
                    c.buffers.resident_bytes()),
      bias_buffer("bias_buffer", memory::PingPong::Role::receive, bias_ports(c), c.buffers.bias_half_bytes()),
      output_buffer("output_buffer", memory::PingPong::Role::send, output_ports(c), c.buffers.output_half_bytes()),
      input_receiver("input_receiver", input_buffer),
      weight_receiver("weight_receiver", weight_buffer),
      bias_receiver("bias_receiver", bias_buffer),
      cell("cell", c.array, values),
      sequencer("sequencer", c.array, input_buffer, weight_buffer, bias_buffer, output_buffer, cell),
      lines("lines", c.array, input_buffer, cell),
      window("window", c.array),
      weights("weights", c.array, c.axi, weight_buffer),
      array("array", c.array, values, MacArray::Taken::by_adder_tree),
      tree("tree", c.array, values),
      accumulator("accumulator", c.array, bias_buffer, values, c.quantiser.accumulator_bits),
      quantiser("quantiser", c.array, c.quantiser, bias_buffer, values),
      code_table(c.array.code_table ? std::make_unique<CodeTableUnit>("code_table", c.array, values) : nullptr),
      pooling("pooling", c.pooling, c.array.output_channels, values, c.array.value_bytes()),
      activation("activation", c.array, values),
      store("store", c.array, output_buffer),
      writer("writer", c.array, output_buffer, dma.registers),
      packer("packer", c.axi) {}

AxiPins::AxiPins(sim::ClockDomain& clock, int data_bits, AxiStreams& near, const StreamBlocks& blocks)
    : outputs("outputs", clock, blocks.sequencer, blocks.writer) {
  links.push_back(axi::link_memory("m_axi", clock, data_bits, near.dma.port, far.dma.port));
  links.push_back(axi::link_stream("m_axis_mm2s", clock, data_bits, near.dma.mm2s, far.dma.mm2s));
  links.push_back(axi::link_stream("s_axis_s2mm", clock, data_bits, far.dma.s2mm, near.dma.s2mm));
  links.push_back(axi::link_lite("s_axi_core", clock, near.core_registers.ends(), far.core_registers.ends()));
  links.push_back(axi::link_lite("s_axi_dma", clock, near.dma_registers.ends(), far.dma_registers.ends()));
  links.push_back(axi::link_lite("s_axi_pl", clock, near.pl_registers.ends(), far.pl_registers.ends()));
}

StreamAccelerator::StreamAccelerator(const sc_core::sc_module_name& name, const Config& config, Frame& frame)
    : Shell(name, frame, {"ddr"}, config.ddr, config.axi), blocks_(config, frame.values) {
  make_host(config.host, {{&blocks_.writer.layer_interrupt()}, {&blocks_.sequencer.job_interrupt()}});
  cycles_ = std::make_unique<CycleAccount>("account", blocks_, ddr(), host());
  if (config.axi.pins) pins_ = std::make_unique<AxiPins>(frame.clock, config.axi.data_bits, axi_, blocks_);
  connect_memory();
  connect_control();
  connect_core();
  connect_output();
}

void StreamAccelerator::connect_memory() {
  DmaStreams &dma = near().dma, &core = far().dma;
  dma.port.join_reads(blocks_.dma.mm2s);
  dma.port.join_writes(blocks_.dma.s2mm);
  core.port.join(ddr());
  blocks_.dma.mm2s.m_axis(dma.mm2s);
  blocks_.input_receiver.s_axis(core.mm2s);
  blocks_.weight_receiver.s_axis(core.mm2s);
  blocks_.bias_receiver.s_axis(core.mm2s);
  blocks_.packer.m_axis(core.s2mm);
  blocks_.dma.s2mm.s_axis(dma.s2mm);
}

void StreamAccelerator::connect_control() {
  AxiStreams &manager = near(), &registers = far();
  host().core(manager.core_registers.request);
  blocks_.registers.request(registers.core_registers.request);
  blocks_.registers.response(registers.core_registers.response);
  host().core_response(manager.core_registers.response);
  host().dma(manager.dma_registers.request);
  blocks_.dma.registers.host(registers.dma_registers.request);
  blocks_.dma.registers.host_response(registers.dma_registers.response);
  host().dma_response(manager.dma_registers.response);
  blocks_.writer.dma(manager.pl_registers.request);
  blocks_.dma.registers.pl(registers.pl_registers.request);
  blocks_.dma.registers.pl_response(registers.pl_registers.response);
  blocks_.writer.dma_response(manager.pl_registers.response);

  blocks_.registers.receive_input(receive_input_);
  blocks_.input_receiver.command(receive_input_);
  blocks_.registers.receive_weights(receive_weights_);
  blocks_.weight_receiver.command(receive_weights_);
  blocks_.registers.receive_bias(receive_bias_);
  blocks_.bias_receiver.command(receive_bias_);
  blocks_.registers.job(job_);
  blocks_.sequencer.command(job_);
  blocks_.registers.table(table_entries_);
  if (blocks_.code_table) blocks_.code_table->entries(table_entries_);
}

void StreamAccelerator::connect_core() {
  blocks_.sequencer.lines(line_command_);
  blocks_.lines.command(line_command_);
  blocks_.sequencer.passes(pass_);
  blocks_.window.pass(pass_);
  blocks_.sequencer.weights(weight_command_);
  blocks_.weights.command(weight_command_);

  blocks_.lines.columns(columns_);
  blocks_.window.columns(columns_);
  blocks_.window.windows(windows_);
  blocks_.array.windows(windows_);
  blocks_.weights.columns(weight_columns_);
  blocks_.array.weights(weight_columns_);
  blocks_.array.products(products_);
  blocks_.tree.products(products_);
  blocks_.tree.sums(sums_);
  blocks_.accumulator.sums(sums_);
  blocks_.accumulator.done(job_done_);
  blocks_.sequencer.done(job_done_);
  blocks_.accumulator.totals(totals_);
  blocks_.quantiser.totals(totals_);
  blocks_.quantiser.pixels(quantised_);
  if (blocks_.code_table) {
    blocks_.code_table->in(quantised_);
    blocks_.code_table->out(looked_up_);
  }
  blocks_.pooling.in(blocks_.code_table ? looked_up_ : quantised_);
  blocks_.pooling.out(pooled_);
  blocks_.store.map(pooled_);
  blocks_.quantiser.gates(gates_);
  blocks_.activation.in(gates_);
  blocks_.activation.out(activated_);
  blocks_.cell.gates(activated_);
  blocks_.cell.out(hidden_);
  blocks_.store.hidden(hidden_);
}

void StreamAccelerator::connect_output() {
  blocks_.store.tiles(tiles_);
  blocks_.writer.tiles(tiles_);
  blocks_.writer.words(words_);
  blocks_.packer.in(words_);
}

void StreamAccelerator::count(contract::LayerResult& result) const {
  result.bytes_read = blocks_.dma.mm2s.bytes();
  result.bytes_written = blocks_.dma.s2mm.bytes();
}

std::vector<base::Cycles> StreamAccelerator::buckets() const {
  const rules::ArrayBuckets buckets = cycles_->buckets();
  return {buckets.begin(), buckets.end()};
}

// All blocks but the DDR; the DMA has a reset of its own. Wires would keep what they carry.
std::vector<sim::Module*> StreamAccelerator::core() {
  std::vector<sim::Module*> core;
  if (pins_) return core;
  for (sc_core::sc_object* object : get_child_objects())
    if (auto* block = dynamic_cast<sim::Module*>(object); block && block != &ddr()) core.push_back(block);
  return core;
}

}  // namespace fansim::stream
