// SPDX-License-Identifier: Apache-2.0
#include "accelerators/accelerator_model.h"

namespace fansim::accelerators {
namespace {

using explore::Metric;

double percent(double used, int available) { return available > 0 ? 100 * used / available : used > 0 ? 1e9 : 0; }

}  // namespace

network::LoadOptions timing_only() {
  network::LoadOptions options;
  options.values = false;
  return options;
}

explore::Metrics metrics_of(const LayerTime& time, double clock_hz, const contract::Device& device,
                            const contract::Resources& use, double power_w, double fmax_hz, int pictures) {
  contract::LayerResult total;
  total.cycles = time.cycles;
  total.macs = time.macs;
  total.bytes_read = time.bytes_read;
  total.bytes_written = time.bytes_written;
  explore::Metrics m = explore::metrics_of_layers(total, {clock_hz, 0});
  const double seconds = static_cast<double>(time.cycles) / clock_hz;
  of(m, Metric::frames_per_s) = pictures / seconds;
  of(m, Metric::read_mb) /= pictures;
  of(m, Metric::written_mb) /= pictures;
  of(m, Metric::dsp) = use.dsp;
  of(m, Metric::lut) = use.lut;
  of(m, Metric::ff) = use.ff;
  of(m, Metric::bram36) = use.bram36;
  of(m, Metric::lutram) = use.lutram;
  of(m, Metric::uram) = use.uram;
  of(m, Metric::dsp_percent) = percent(use.dsp, device.dsp);
  of(m, Metric::lut_percent) = percent(use.lut, device.lut);
  of(m, Metric::ff_percent) = percent(use.ff, device.ff);
  of(m, Metric::bram36_percent) = percent(use.bram36, device.bram36);
  of(m, Metric::lutram_percent) = percent(use.lutram, device.lutram);
  of(m, Metric::uram_percent) = percent(use.uram, device.uram);
  of(m, Metric::bandwidth_gb_per_s) = static_cast<double>(time.bytes_read + time.bytes_written) / seconds / 1e9;
  of(m, Metric::power_w) = power_w;
  of(m, Metric::energy_mj) = power_w * seconds / pictures * 1e3;
  of(m, Metric::clock_mhz) = clock_hz / 1e6;
  of(m, Metric::fmax_mhz) = fmax_hz / 1e6;
  return m;
}

}  // namespace fansim::accelerators
