// SPDX-License-Identifier: Apache-2.0
#include "benches/drive_waveform.h"

namespace fansim::benches {
namespace {

using primitives::Bits;
using primitives::PortRow;

constexpr int kHalfRow = 5;  // ns

std::vector<sc_dt::sc_lv_base> signals(const std::vector<PortRow>& ports) {
  std::vector<sc_dt::sc_lv_base> all;
  for (const PortRow& port : ports) all.emplace_back(port.clock ? sc_dt::Log_0 : sc_dt::Log_X, port.bits);
  return all;
}

void assign(sc_dt::sc_lv_base& signal, const Bits& value) {
  for (int bit = 0; bit < signal.length(); ++bit) {
    const bool unknown = (value.unknown >> bit & 1) != 0;
    signal.set_bit(bit, unknown ? sc_dt::Log_X : (value.value >> bit & 1) != 0 ? sc_dt::Log_1 : sc_dt::Log_0);
  }
}

std::string stem(const std::string& path) { return path.substr(0, path.size() - 4); }  // SystemC appends ".vcd"

}  // namespace

DriveWaveform::DriveWaveform(const std::string& path, const primitives::Primitive& primitive)
    : file_(path),
      primitive_(primitive),
      inputs_(signals(primitive.inputs)),
      outputs_(signals(primitive.outputs)),
      trace_(sc_core::sc_create_vcd_trace_file(stem(file_.pipe()).c_str())) {
  trace_->set_time_unit(1, sc_core::SC_NS);
  const std::string scope = std::string(primitive.name) + ".";
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    sc_core::sc_trace(trace_, inputs_[i], scope + primitive.inputs[i].name);
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    sc_core::sc_trace(trace_, outputs_[i], scope + primitive.outputs[i].name);
}

void DriveWaveform::row(const std::vector<std::uint64_t>& inputs, const std::vector<Bits>& outputs) {
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    assign(inputs_[i], primitives::known(primitive_.inputs[i].clock ? 0 : inputs[i]));
  sc_core::sc_start(kHalfRow, sc_core::SC_NS);
  for (std::size_t i = 0; i < inputs_.size(); ++i) assign(inputs_[i], primitives::known(inputs[i]));
  for (std::size_t i = 0; i < outputs_.size(); ++i) assign(outputs_[i], outputs[i]);
  sc_core::sc_start(kHalfRow, sc_core::SC_NS);
}

DriveWaveform::~DriveWaveform() {
  if (trace_) sc_core::sc_close_vcd_trace_file(trace_);
}

void DriveWaveform::close() {
  sc_core::sc_close_vcd_trace_file(std::exchange(trace_, nullptr));
  file_.keep();
}

}  // namespace fansim::benches
