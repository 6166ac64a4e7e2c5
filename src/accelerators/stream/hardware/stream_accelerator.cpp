// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/stream_accelerator.h"

#include "accelerators/stream/config/buffer_ports.h"

namespace fansim::stream {

StreamBlocks::StreamBlocks(const Config& c, contract::Program& program, const memory::MakeDdr& make_ddr, bool values,
                           platform::LayerHooks hooks)
    : ddr(make_ddr("ddr", c.ddr, c.axi, std::move(program.memory))),
      dma("dma", c.dma, c.axi),
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
      packer("packer", c.axi),
      host("host", c.host, program.ops,
           platform::Interrupts{[this] { return sequencer.jobs_done(); },
                                [this] { return writer.layers_done(); },
                                {&sequencer.job_interrupt(), &writer.layer_interrupt()}},
           std::move(hooks)) {}

AxiPins::AxiPins(sim::ClockDomain& clock, int data_bits, AxiStreams& near, const StreamBlocks& blocks)
    : outputs("outputs", clock, blocks.sequencer, blocks.writer) {
  links.push_back(axi::link_memory("m_axi", clock, data_bits, near.dma.port, far.dma.port));
  links.push_back(axi::link_stream("m_axis_mm2s", clock, data_bits, near.dma.mm2s, far.dma.mm2s));
  links.push_back(axi::link_stream("s_axis_s2mm", clock, data_bits, far.dma.s2mm, near.dma.s2mm));
  links.push_back(axi::link_lite("s_axi_core", clock, near.core_registers.ends(), far.core_registers.ends()));
  links.push_back(axi::link_lite("s_axi_dma", clock, near.dma_registers.ends(), far.dma_registers.ends()));
  links.push_back(axi::link_lite("s_axi_pl", clock, near.pl_registers.ends(), far.pl_registers.ends()));
}

StreamAccelerator::StreamAccelerator(const sc_core::sc_module_name& name, sim::ClockDomain& clock, const Config& config,
                                     contract::Program& program, const memory::MakeDdr& make_ddr, bool values,
                                     platform::LayerHooks hooks)
    : sc_core::sc_module(name),
      blocks(config, program, make_ddr, values, std::move(hooks)),
      account("account", blocks),
      pins_(config.axi.pins ? std::make_unique<AxiPins>(clock, config.axi.data_bits, axi_, blocks) : nullptr) {
  connect_memory();
  connect_control();
  connect_core();
  connect_output();
}

void StreamAccelerator::connect_memory() {
  DmaStreams &dma = near().dma, &core = far().dma;
  axi::PortStreams &manager = dma.port, &subordinate = far().dma.port;
  blocks.dma.mm2s.ar(manager.ar);
  blocks.ddr->ar(subordinate.ar);
  blocks.ddr->r(subordinate.r);
  blocks.dma.mm2s.r(manager.r);
  blocks.dma.s2mm.aw(manager.aw);
  blocks.ddr->aw(subordinate.aw);
  blocks.dma.s2mm.w(manager.w);
  blocks.ddr->w(subordinate.w);
  blocks.ddr->b(subordinate.b);
  blocks.dma.s2mm.b(manager.b);
  blocks.dma.mm2s.m_axis(dma.mm2s);
  blocks.input_receiver.s_axis(core.mm2s);
  blocks.weight_receiver.s_axis(core.mm2s);
  blocks.bias_receiver.s_axis(core.mm2s);
  blocks.packer.m_axis(core.s2mm);
  blocks.dma.s2mm.s_axis(dma.s2mm);
}

void StreamAccelerator::connect_control() {
  AxiStreams &manager = near(), &registers = far();
  blocks.host.core(manager.core_registers.request);
  blocks.registers.request(registers.core_registers.request);
  blocks.registers.response(registers.core_registers.response);
  blocks.host.core_response(manager.core_registers.response);
  blocks.host.dma(manager.dma_registers.request);
  blocks.dma.registers.host(registers.dma_registers.request);
  blocks.dma.registers.host_response(registers.dma_registers.response);
  blocks.host.dma_response(manager.dma_registers.response);
  blocks.writer.dma(manager.pl_registers.request);
  blocks.dma.registers.pl(registers.pl_registers.request);
  blocks.dma.registers.pl_response(registers.pl_registers.response);
  blocks.writer.dma_response(manager.pl_registers.response);

  blocks.registers.receive_input(receive_input_);
  blocks.input_receiver.command(receive_input_);
  blocks.registers.receive_weights(receive_weights_);
  blocks.weight_receiver.command(receive_weights_);
  blocks.registers.receive_bias(receive_bias_);
  blocks.bias_receiver.command(receive_bias_);
  blocks.registers.job(job_);
  blocks.sequencer.command(job_);
  blocks.registers.table(table_entries_);
  if (blocks.code_table) blocks.code_table->entries(table_entries_);
}

void StreamAccelerator::connect_core() {
  blocks.sequencer.lines(line_command_);
  blocks.lines.command(line_command_);
  blocks.sequencer.passes(pass_);
  blocks.window.pass(pass_);
  blocks.sequencer.weights(weight_command_);
  blocks.weights.command(weight_command_);

  blocks.lines.columns(columns_);
  blocks.window.columns(columns_);
  blocks.window.windows(windows_);
  blocks.array.windows(windows_);
  blocks.weights.columns(weight_columns_);
  blocks.array.weights(weight_columns_);
  blocks.array.products(products_);
  blocks.tree.products(products_);
  blocks.tree.sums(sums_);
  blocks.accumulator.sums(sums_);
  blocks.accumulator.done(job_done_);
  blocks.sequencer.done(job_done_);
  blocks.accumulator.totals(totals_);
  blocks.quantiser.totals(totals_);
  blocks.quantiser.pixels(quantised_);
  if (blocks.code_table) {
    blocks.code_table->in(quantised_);
    blocks.code_table->out(looked_up_);
  }
  blocks.pooling.in(blocks.code_table ? looked_up_ : quantised_);
  blocks.pooling.out(pooled_);
  blocks.store.map(pooled_);
  blocks.quantiser.gates(gates_);
  blocks.activation.in(gates_);
  blocks.activation.out(activated_);
  blocks.cell.gates(activated_);
  blocks.cell.out(hidden_);
  blocks.store.hidden(hidden_);
}

void StreamAccelerator::connect_output() {
  blocks.store.tiles(tiles_);
  blocks.writer.tiles(tiles_);
  blocks.writer.words(words_);
  blocks.packer.in(words_);
}

}  // namespace fansim::stream
