// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "accelerators/tiled/config/config.h"
#include "base/data.h"
#include "papers/faq_parts.h"
#include "papers/faq_simulation.h"

namespace fansim::papers {
namespace {

constexpr double kCaffeineGops = 365;

struct Convolution {
  const char* name;
  double computing;  // ceil(M / 128) ceil(N / 24) R C K K
};
constexpr Convolution kConvolutions[] = {
    {"conv1", 366025}, {"conv2", 145800}, {"conv3", 50193}, {"conv4", 73008}, {"conv5", 48672}};

struct FullyConnected {
  const char* name;
  double bytes;
  double milliseconds;  // bytes at 4.54 GiB/s
};
constexpr FullyConnected kFullyConnected[] = {
    {"fc6", 37748736, 7.744}, {"fc7", 16777216, 3.442}, {"fc8", 4096000, 0.840}};

double gops(double macs, double seconds) { return 2 * macs / seconds / 1e9; }

// Returns the rate while the engine takes points.
double rate_of_computing(const FaqSimulation& run, const char* layer) {
  return gops(run.macs(layer), run.computing(layer) / FaqSimulation::kClockHz);
}

// Adds up the convolutions from number `first` on.
struct Sum {
  double macs = 0, cycles = 0, computing = 0;
  Sum(const FaqSimulation& run, int first) {
    for (int i = first; i < 5; ++i) {
      const char* layer = FaqSimulation::kConvolutions[i];
      macs += run.macs(layer);
      cycles += run.cycles(layer);
      computing += run.computing(layer);
    }
  }
  double gops() const { return papers::gops(macs, cycles / FaqSimulation::kClockHz); }
  double activity() const { return 100 * computing / cycles; }
};

void add_convolutions(FaqRows& rows, const FaqSimulation& run) {
  const report::Source ours = report::fitted(
      "derived: R C K K, 96 x 3 at once, which were chosen for conv1's 96 GOPS; Table 2's cells are lost");
  const report::Source papers = report::derived("derived: ceil(M/128) ceil(N/24) R C K K; Table 2's cells are lost");
  for (const Convolution& c : kConvolutions) {
    rows.add(fmt::format("{} computing", c.name), "cycles", c.computing, run.computing(c.name), 0,
             &c == kConvolutions ? ours : papers);
  }
  const Sum all(run, 0), pipelined(run, 1);
  rows.add(
      "average of five convolutions", "GOPS", 490, all.gops(), 10,
      report::fitted("4.5, Table 5; conv1 is half of its time, with factors that were chosen for its own 96 GOPS"));
  rows.add("conv1 throughput", "GOPS", 96, gops(run.macs("conv1"), run.seconds("conv1")), 10,
           report::fitted("4.5; the factors of its kernel are lost, ours compute 96 x 3 at once, chosen for it"));
  for (int i = 1; i < 5; ++i) {
    const char* layer = FaqSimulation::kConvolutions[i];
    rows.lost(fmt::format("{} throughput", layer), "GOPS", gops(run.macs(layer), run.seconds(layer)),
              "Figure 10; its bars cannot be read any more");
  }
  rows.add("computing engine active, conv2 to conv5", "%", 70, pipelined.activity(), 5,
           "4.5; the layers that the pipelined engine computes");
  rows.add("a computing engine active, conv1 to conv5", "%", 70, all.activity(), {},
           "the same figure, were conv1 on its own kernel meant too");
}

void add_fully_connected(FaqRows& rows, const FaqSimulation& run) {
  double best = 0;
  for (const FullyConnected& fc : kFullyConnected) {
    best = std::max(best, fc.bytes / run.seconds(fc.name));
    rows.add(fmt::format("{} time", fc.name), "ms", fc.milliseconds, run.seconds(fc.name) * 1e3, 5,
             report::derived("derived: its weights at the 4.54 GiB/s of the best layer; Table 7's times are lost"));
  }
  rows.add("best fully connected layer, weights read", "GiB/s", 4.54, best / kGib, 5,
           "Table 7, read as binary as in docs/axi.md");
  rows.add("best fully connected layer, read as decimal", "GB/s", 4.54, best / 1e9, {},
           "the same figure, were its unit decimal");
}

// Returns the peak of a build; it is not reached where the factors do not divide a layer's channels.
double peak_of(const char* build) {
  const tiled::Config config =
      tiled::Config::read(base::data_path(fmt::format("configs/systems/faq_zcu102_{}.yaml", build)), {});
  return 2 * config.conv.macs_per_cycle() * config.clock_hz() / 1e9;
}

// Returns the share of the MACs that are on DSP slices.
double on_slices() {
  const tiled::Config config = tiled::Config::read(base::data_path("configs/systems/faq_zcu102_dorefa8.yaml"), {});
  return static_cast<double>(config.conv.dsp_channels) / config.conv.tm;
}

// Adds the cells of Table 3 other than the two peaks that the text repeats, and the values that Figure 10 sets beside
// Caffeine's bars.
void add_other_builds(FaqRows& rows) {
  const char* table3 = "Table 3; its cells cannot be read any more; the factors are ours";
  for (const char* build : {"dorefa8_dsp", "dorefa8_lut", "tnn", "pot", "vecq", "mul2q"})
    rows.lost(fmt::format("peak, {}", build), "GOPS", peak_of(build), table3);
  rows.add("TNN beside the fastest cited", "TOPS", 16.7, peak_of("tnn") / 1e3, {},
           report::fitted("1: Prost-Boucle's TNN on another device; our factors fill the ZCU102's LUTs"));
  const FaqSimulation run("dorefa16", {}, "conv1..conv5");
  for (const char* layer : FaqSimulation::kConvolutions)
    rows.lost(fmt::format("{} throughput, 16 bit", layer), "GOPS", gops(run.macs(layer), run.seconds(layer)),
              "Figure 10, beside Caffeine's; its bars cannot be read any more, either's; the factors are ours");
  rows.lost("average of five convolutions, 16 bit", "GOPS", Sum(run, 0).gops(),
            "Table 5, beside Caffeine's; its cells cannot be read any more; the factors are ours");
}

void add_peaks(FaqRows& rows, const FaqSimulation& run) {
  const double peak = rate_of_computing(run, "conv4");
  rows.add("peak, 8-bit DoReFa", "GOPS", 1228.8, peak, 0,
           report::derived(
               "Tables 3 and 4: 1.23 TOPS, 1,229 GOPS; derived: 128 x 24 MACs; simulated: conv4 while points are "
               "taken"));
  rows.add("peak, BNN", "GOPS", 3276.8, rate_of_computing(FaqSimulation("bnn", {}, "conv5"), "conv5"), 0,
           report::derived("Table 3: 3.28 TOPS; derived: 8,192 MACs"));
  rows.add("peak beside Caffeine's", "x", 3.6, peak / kCaffeineGops, 10,
           "4.4; Table 4 is lost: 365 GOPS is what Caffeine's own abstract says (ICCAD 2016), 3.6 times are 341");
  rows.add("peak, 16-bit DoReFa, beside Caffeine's", "x", 1, peak_of("dorefa16") / kCaffeineGops, {},
           report::fitted("4.4: close to Caffeine's; our factors were chosen so"));
  rows.add("peak of the MACs on slices beside Caffeine's", "x", 2, peak * on_slices() / kCaffeineGops, {},
           report::fitted("4.5: of the 3.6 times about 2 are the slices', the rest is the LUTs'; our 99 channels on "
                          "slices were chosen for 99.17 %"));
  rows.lost("peak beside AccELB's, 8 and 2 bit", "x", {}, "Table 4 is lost, the text gives no ratio");
  rows.lost("peak, 2-bit DoReFa", "GOPS", peak_of("dorefa2"),
            "Table 4, beside AccELB: its cells cannot be read any more; the factors are ours");
}

}  // namespace

void add_faq_performance(FaqRows& rows) {
  const FaqSimulation run("dorefa8", {});
  add_convolutions(rows, run);
  add_fully_connected(rows, run);
  add_peaks(rows, run);
  add_other_builds(rows);
}

}  // namespace fansim::papers
