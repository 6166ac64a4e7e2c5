// SPDX-License-Identifier: Apache-2.0
#include "benches/bandwidth_bench.h"

#include <fmt/format.h>

#include <functional>

#include "axi/clock_converter.h"
#include "axi/port_streams.h"
#include "axi/width_converter.h"
#include "base/interrupt.h"
#include "benches/burst_reader.h"
#include "memory/ddr.h"

namespace fansim::benches {

namespace {
constexpr std::int64_t kBytes = 1 << 20;  // bytes of each memory
constexpr int kWarmUp = 2;                // refresh intervals
constexpr int kMeasured = 20;
}  // namespace

// Connects reader -> clock converter -> width converter -> memory. The width converter runs at the port's clock, so
// that the narrower bus is not also the slower one.
class BandwidthBench::Path final : public sc_core::sc_module {
 public:
  Path(const sc_core::sc_module_name& name, const BandwidthConfig& config, const BurstReaderConfig& reads,
       sim::ClockDomain& pl, sim::ClockDomain& port)
      : sc_module(name),
        reader("reader", reads, kBytes),
        clocks_("clocks", config.clock_converter, pl, port),
        widths_("widths", {reads.data_bits, config.port.data_bits, config.port.outstanding, config.port.burst_beats}),
        ddr_(memory::make_ddr("ddr", config.ddr, config.port, std::vector<std::uint8_t>(kBytes))) {
    reader.clock(pl);
    widths_.clock(port);
    ddr_->clock(port);
    connect_reads();
    connect_writes();
  }

  BurstReader reader;

 private:
  void connect_reads() {
    reader.ar(near_.ar);
    clocks_.ar.in()(near_.ar);
    clocks_.ar.out()(middle_.ar);
    widths_.s_ar(middle_.ar);
    widths_.m_ar(far_.ar);
    ddr_->ar(far_.ar);
    ddr_->r(far_.r);
    widths_.m_r(far_.r);
    widths_.s_r(middle_.r);
    clocks_.r.in()(middle_.r);
    clocks_.r.out()(near_.r);
    reader.r(near_.r);
  }
  void connect_writes() {
    clocks_.aw.in()(near_.aw);
    clocks_.w.in()(near_.w);
    clocks_.b.out()(near_.b);
    clocks_.aw.out()(middle_.aw);
    widths_.s_aw(middle_.aw);
    clocks_.w.out()(middle_.w);
    widths_.s_w(middle_.w);
    widths_.s_b(middle_.b);
    clocks_.b.in()(middle_.b);
    widths_.m_aw(far_.aw);
    ddr_->aw(far_.aw);
    widths_.m_w(far_.w);
    ddr_->w(far_.w);
    ddr_->b(far_.b);
    widths_.m_b(far_.b);
  }

  axi::ClockConverter clocks_;
  axi::WidthConverter widths_;
  std::unique_ptr<memory::Ddr> ddr_;
  axi::PortStreams near_{"pl"}, middle_{"wide"}, far_{"port"};
};

// Calls a function at each of two edges of its clock.
class BandwidthBench::Stopwatch final : public sim::Module {
 public:
  Stopwatch(sim::Edge from, sim::Edge to, std::function<void()> start, std::function<void()> stop)
      : Module("stopwatch"), from_(from), to_(to), start_(std::move(start)), stop_(std::move(stop)) {}

 private:
  void step() override {
    if (now() == from_) start_();
    if (now() == to_) stop_();
  }
  const sim::Edge from_, to_;
  const std::function<void()> start_, stop_;
};

BandwidthBench::BandwidthBench(const BandwidthConfig& config, const std::vector<BurstReaderConfig>& readers)
    : config_(config), pl_(scheduler_.domain("pl", config.pl_mhz)), port_(scheduler_.domain("port", config.port_mhz)) {
  for (const BurstReaderConfig& reader : readers)
    paths_.push_back(std::make_unique<Path>(fmt::format("path{}", paths_.size()).c_str(), config_, reader, pl_, port_));
}

BandwidthBench::~BandwidthBench() = default;

std::vector<double> BandwidthBench::measure() {
  std::vector<std::int64_t> before(paths_.size());
  std::vector<double> rates(paths_.size());
  const sim::Edge interval = config_.ddr.refresh_interval;
  const double seconds = static_cast<double>(kMeasured * interval) / (config_.port_mhz.value() * 1e6);
  Stopwatch stopwatch(
      kWarmUp * interval, (kWarmUp + kMeasured) * interval,
      [&] {
        for (std::size_t i = 0; i < paths_.size(); ++i) before[i] = paths_[i]->reader.bytes_read();
      },
      [&] {
        for (std::size_t i = 0; i < paths_.size(); ++i)
          rates[i] = static_cast<double>(paths_[i]->reader.bytes_read() - before[i]) / seconds;
        scheduler_.finish();
      });
  stopwatch.clock(port_);
  scheduler_.stop_requested = base::interrupted;
  scheduler_.run();
  base::stop_if_interrupted();
  return rates;
}

}  // namespace fansim::benches
