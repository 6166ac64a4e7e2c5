// SPDX-License-Identifier: Apache-2.0
#include "benches/drive_waveform.h"

namespace fansim::benches {
namespace {

using primitives::Bits;
using primitives::PortRow;

constexpr int kHalfRow = 5;  // ns

std::string digits(const Bits& value, int bits) {
  std::string text;
  for (int bit = bits - 1; bit >= 0; --bit)
    text += (value.unknown >> bit & 1) != 0 ? 'x' : (value.value >> bit & 1) != 0 ? '1' : '0';
  return text;
}

}  // namespace

DriveWaveform::DriveWaveform(const std::string& path, const primitives::Primitive& primitive)
    : file_(path, waveforms::WaveformFile::Unit::ns), primitive_(primitive) {
  declare(primitive.inputs);
  declare(primitive.outputs);
}

void DriveWaveform::declare(const std::vector<PortRow>& ports) {
  for (const PortRow& port : ports) {
    const std::size_t variable = file_.writer().declare(std::string(primitive_.name) + "." + port.name, port.bits);
    file_.writer().set(variable, digits(primitives::undefined(port.bits), port.bits));
  }
}

void DriveWaveform::row(const std::vector<std::uint64_t>& inputs, const std::vector<Bits>& outputs) {
  waveforms::WaveWriter& writer = file_.writer();
  const auto set_inputs = [&](bool low) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const PortRow& port = primitive_.inputs[i];
      writer.set(i, digits(primitives::known(low && port.clock ? 0 : inputs[i]), port.bits));
    }
  };
  writer.at(time_);
  set_inputs(true);
  writer.at(time_ + kHalfRow);
  set_inputs(false);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    writer.set(inputs.size() + i, digits(outputs[i], primitive_.outputs[i].bits));
  time_ += 2 * kHalfRow;
}

}  // namespace fansim::benches
