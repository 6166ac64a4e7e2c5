// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "accelerators/stream/hardware/output_writer.h"
#include "accelerators/stream/hardware/sequencer.h"
#include "axi/dma_registers.h"
#include "axi/packer.h"
#include "cosim/lane.h"
#include "cosim/machine.h"
#include "cosim/payload.h"

namespace fansim::cosim {

// Watches the core inside a running StreamMachine from outside: register accesses and answers, the stream from MM2S,
// the stream to S2MM, its register accesses and interrupt, and the core's two interrupts.
template <class Model>
class StreamCoreLane final : public Lane<Model> {
 public:
  StreamCoreLane(const std::string& name, const Parameters& p, const Faults& faults) : Lane<Model>(name, p, faults) {
    this->watched_input(COSIM_INPUT_OF(request, stream_of<axi::LiteRequest>("lite_core")),
                        [](Model& m, const axi::LiteRequest& item, const auto& field) {
                          field("write", 0, m.request_write, 0, 1, item.write);
                          field("address", 0, m.request_address, 0, 32, item.address);
                          field("value", 0, m.request_value, 0, 32, item.value);
                        });
    this->watched_output(COSIM_OUTPUT_OF(response, stream_of<axi::LiteResponse>("lite_core_response")),
                         [](Model& m, const axi::LiteResponse& item, const auto& field) {
                           field("value", 0, m.response_value, 0, 32, item.value);
                         });
    this->watched_input(COSIM_INPUT_OF(s_axis, stream_of<axi::StreamBeat>("axis_mm2s")),
                        [](Model& m, const axi::StreamBeat& beat, const auto& field) {
                          beat_fields(m.s_axis_data, beat, field);
                          field("last", 0, m.s_axis_last, 0, 1, beat.last);
                        });
    this->watched_output(COSIM_OUTPUT_OF(m_axis, stream_of<axi::StreamBeat>("axis_s2mm")),
                         [](Model& m, const axi::StreamBeat& beat, const auto& field) {
                           beat_fields(m.m_axis_data, beat, field);
                           field("bytes", 0, m.m_axis_bytes, 0, 5, static_cast<std::uint64_t>(beat.bytes));
                           field("last", 0, m.m_axis_last, 0, 1, beat.last);
                         });
    this->watched_output(COSIM_OUTPUT_OF(dma, stream_of<axi::LiteRequest>("lite_pl")),
                         [](Model& m, const axi::LiteRequest& item, const auto& field) {
                           field("write", 0, m.dma_write, 0, 1, item.write);
                           field("address", 0, m.dma_address, 0, 32, item.address);
                           field("value", 0, m.dma_value, 0, 32, item.value);
                         });
    this->watched_input(COSIM_INPUT_OF(dma_response, stream_of<axi::LiteResponse>("lite_pl_response")),
                        [](Model&, const axi::LiteResponse&, const auto&) {});
  }

  std::int64_t beats_in() const { return stream_of<axi::StreamBeat>("axis_mm2s").pops(); }
  std::int64_t beats_out() const { return stream_of<axi::StreamBeat>("axis_s2mm").pushes(); }
  std::int64_t jobs() const { return sequencer_.jobs_done(); }

 private:
  template <class Port, class Field>
  static void beat_fields(Port& port, const axi::StreamBeat& beat, const Field& field) {
    byte_fields(port, beat.data, beat.bytes, field);
  }

  void next_phase() override {}
  void before_edge() override {
    introut_ = registers_.s2mm_introut();
    jobs_ = sequencer_.jobs_done();
    layers_ = writer_.layers_done();
  }
  void drive_levels(Model& m) override { m.s2mm_introut = introut_; }
  void compare_after_edge(Model& m, const Compare& field) override {
    field("job_done", 0, m.job_done, 0, 1, sequencer_.jobs_done() > jobs_);
    field("layer_done", 0, m.layer_done, 0, 1, writer_.layers_done() > layers_);
  }

  axi::DmaRegisters& registers_ = find<axi::DmaRegisters>("dma.registers");
  stream::Sequencer& sequencer_ = find<stream::Sequencer>("sequencer");
  stream::OutputWriter& writer_ = find<stream::OutputWriter>("writer");
  bool introut_ = false;
  std::int64_t jobs_ = 0, layers_ = 0;
};

}  // namespace fansim::cosim
