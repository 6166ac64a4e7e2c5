// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/quantiser.h"

#include <algorithm>
#include <cstring>

namespace fansim::stream {

Quantiser::Quantiser(const sc_core::sc_module_name& name, const ArrayConfig& config,
                     const arith::QuantiserFormat& format, sim::ReadPort& bias, bool values)
    : sim::Module(name),
      channels_(config.output_channels),
      bits_(config.operand_bits),
      value_bytes_(config.value_bytes()),
      format_(format),
      bias_(bias),
      values_(values),
      pipeline_(kLatency) {}

[[gnu::flatten]] void Quantiser::step() {
  if (pipeline_.empty() && totals.empty()) {
    sleep();
    return;
  }
  if (pipeline_.out_valid() && !leave()) {
    ++stalls_;
    return;
  }
  pipeline_.advance();
  if (!totals.can_pop()) return;
  const Totals& in = totals.pop();
  Result& out = pipeline_.enter();
  out.tag = in.tag;
  if (values_) quantise(in, out);
  ++beats_;
}

bool Quantiser::leave() {
  const Result& result = pipeline_.out();
  if (result.tag.job->recurrent_output) {
    if (!gates.can_push()) return false;
    Gate& gate = gates.push();
    gate.tag = result.tag;
    gate.values = result.values;
  } else {
    if (!pixels.can_push()) return false;
    Pixel& pixel = pixels.push();
    pixel.tag = result.tag;
    if (value_bytes_ == 2)
      std::memcpy(pixel.bytes.data(), result.values.data(), static_cast<std::size_t>(channels_) * 2);
    else
      for (int o = 0; o < channels_; ++o) {
        const auto at = static_cast<std::size_t>(o);
        pixel.bytes[at] = static_cast<std::uint8_t>(result.values[at]);
      }
  }
  return true;
}

void Quantiser::quantise(const Totals& in, Result& out) {
  const Command& job = *in.tag.job;
  // Rows behind the layer's last one are computed and dropped.
  const bool kept =
      job.recurrent_output || (job.pool ? job.output_row + in.tag.row < job.output_rows : in.tag.row < job.tile_rows);
  arith::Requantise q = scale_of(in.tag, 0);
  for (int o = 0; o < channels_; ++o) {
    if (o > 0 && job.scale_per_channel) q = scale_of(in.tag, o);
    const std::int32_t total = in.values[static_cast<std::size_t>(o)];
    const arith::Requantise to = job.recurrent_output ? arith::Requantise{q.scale, q.shift, 0, false, 16} : q;
    int value = arith::requantise(total, to, format_);
    if (kept) arith::count(total, to, format_, job.relu != 0, saturation_);
    if (job.relu) value = std::max(value, q.zero_point);
    out.values[static_cast<std::size_t>(o)] = static_cast<std::int16_t>(value);
  }
}

arith::Requantise Quantiser::scale_of(const Tag& tag, int channel) {
  const Command& job = *tag.job;
  arith::Requantise q{job.scale, job.shift, job.zero_point_of(bits_), job.output_unsigned != 0, bits_};
  if (job.scale_per_channel) {
    const int record = ((job.bias_base + tag.group) * channels_ + channel) * 8;
    const std::uint8_t* bytes = bias_.read(job.bias_select, record, 8);
    std::int16_t scale;
    std::memcpy(&scale, bytes + 4, 2);
    q.scale = scale;
    q.shift = bytes[6];
  }
  return q;
}

}  // namespace fansim::stream
