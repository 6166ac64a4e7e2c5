// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "base/data.h"
#include "papers/papers.h"
#include "papers/timed.h"

namespace fansim::papers {
namespace {

// A headline of a publication, as the shipped configuration gives it.
struct Headline {
  const char* paper;
  const char* quantity;
  const char* unit;
  double published;
  const char* config;
  const char* model;
  const char* layers;  // of which it is; empty: of all
  double (*of)(const contract::LayerResult& total, double seconds);
  std::vector<const char*> settings;  // constants that the publication leaves open, turned one at a time
};

double milliseconds(const contract::LayerResult&, double seconds) { return seconds * 1e3; }
double gops(const contract::LayerResult& total, double seconds) {
  return 2 * static_cast<double>(total.macs) / seconds / 1e9;
}

const std::vector<Headline>& headlines() {
  static const std::vector<Headline> all = {
      {"uestc",
       "VGG-16 time",
       "ms",
       313,
       "configs/systems/zcu102_stream.yaml",
       "models/vgg16.yaml",
       "",
       milliseconds,
       {"host.dma_setup=0", "host.dma_setup=2000", "host.interrupt=0", "host.interrupt=1000", "ddr.read_latency=20",
        "ddr.read_latency=60", "schedule.loop_order=least_traffic"}},
      {"uestc",
       "LSTM-256 time",
       "ms",
       31,
       "configs/systems/zcu102_stream.yaml",
       "models/lstm256.yaml",
       "",
       milliseconds,
       {"schedule.lstm_block_steps=8", "schedule.lstm_block_steps=12", "host.dma_setup=0", "host.dma_setup=2000",
        "host.interrupt=0", "host.interrupt=1000"}},
      {"faq",
       "average of five convolutions",
       "GOPS",
       490,
       "configs/systems/faq_zcu102_dorefa8.yaml",
       "models/alexnet.yaml",
       "conv1..conv5",
       gops,
       {"first.tm=64", "first.tm=48", "ddr.read_latency=20", "ddr.read_latency=80", "load.gap=0", "store.lanes=16"}},
      {"faq",
       "conv1 throughput",
       "GOPS",
       96,
       "configs/systems/faq_zcu102_dorefa8.yaml",
       "models/alexnet.yaml",
       "conv1",
       gops,
       {"first.tm=64", "first.tm=48", "first.tm=32", "store.lanes=16", "load.gap=0"}},
  };
  return all;
}

double simulated(const Headline& headline, const std::vector<std::string>& settings) {
  const runs::Run run = timed(headline.config, base::data_path(headline.model), settings, headline.layers);
  const contract::LayerResult total = run.total();
  return headline.of(total, run.seconds(total.cycles));
}

}  // namespace

std::vector<report::Turn> sensitivities(const std::string& paper) {
  std::vector<report::Turn> turns;
  for (const Headline& headline : headlines()) {
    if (!paper.empty() && paper != headline.paper) continue;
    const double as_shipped = simulated(headline, {});
    const auto add = [&](const char* setting, double figure) {
      turns.push_back({headline.paper, headline.quantity, headline.unit, headline.published, setting, figure,
                       100 * (figure - as_shipped) / as_shipped});
    };
    add("", as_shipped);
    for (const char* setting : headline.settings) add(setting, simulated(headline, {setting}));
  }
  return turns;
}

}  // namespace fansim::papers
