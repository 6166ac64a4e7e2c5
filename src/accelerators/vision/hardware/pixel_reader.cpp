// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/pixel_reader.h"

#include <cstring>

namespace fansim::vision {

PixelReader::PixelReader(const sc_core::sc_module_name& name, const Config& config, const sim::Reg<std::int64_t>& taken)
    : Module(name),
      samples_(config.pixels.samples),
      beat_bytes_(config.axi.beat_bytes()),
      room_(config.pixels.fifo_beats),
      taken_(taken) {}

void PixelReader::step() {
  if (to_send_ + to_flush_ == 0) {
    if (start.empty()) {
      sleep();
      return;
    }
    if (!start.can_pop()) return;
    job_ = start.pop().job;
    begin();
  }
  const bool ready = to_send_ == 0 || (image_.held > 0 && (!job_->two_images || second_.held > 0));
  if (!ready) {
    ++waited_input_;
  } else if (silent_ == 0 && results_ - taken_.get() >= room_) {
    ++waited_output_;
  } else {
    send();
  }
  refill(image_, image);
  if (job_->two_images) refill(second_, second);
}

void PixelReader::begin() {
  const std::int64_t row_samples = job_->row_bytes / static_cast<std::uint32_t>(job_->sample_bytes);
  const std::int64_t samples = row_samples * job_->rows;
  to_send_ = samples / samples_;
  silent_ = to_flush_ = job_->flush;
  image_ = {{}, 0, 0, samples * job_->sample_bytes / beat_bytes_, job_->sample_bytes, job_->is_signed};
  second_ = {{}, 0, 0, samples * job_->with_bytes / beat_bytes_, job_->with_bytes, job_->with_signed};
}

void PixelReader::send() {
  if (!out.can_push()) violation("samples were refused");
  PixelBeat& beat = out.push();
  beat = {};
  if (silent_ > 0)
    --silent_;
  else
    ++results_;
  if (to_send_ == 0) {
    --to_flush_;
    ++flushed_;
    return;
  }
  unpack(image_, beat.samples);
  if (job_->two_images) unpack(second_, beat.second);
  --to_send_;
  ++streamed_;
}

void PixelReader::unpack(Source& source, Samples& samples) const {
  const std::uint8_t* bytes = source.bytes.data() + source.at;
  const auto count = static_cast<std::size_t>(samples_);
  if (source.sample_bytes == 1)
    for (std::size_t i = 0; i < count; ++i) samples[i] = bytes[i];
  else
    for (std::size_t i = 0; i < count; ++i) {
      samples[i] = bytes[2 * i] | bytes[2 * i + 1] << 8;
      if (source.is_signed) samples[i] = static_cast<std::int16_t>(samples[i]);
    }
  source.at += samples_ * source.sample_bytes;
  --source.held;
}

void PixelReader::refill(Source& source, sim::StreamIn<axi::StreamBeat>& stream) {
  if (source.held > 0 || source.beats == 0 || !stream.can_pop()) return;
  source.bytes = stream.pop().data;
  source.held = beat_bytes_ / (samples_ * source.sample_bytes);
  source.at = 0;
  --source.beats;
}

}  // namespace fansim::vision
