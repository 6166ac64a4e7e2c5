// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/data.h"
#include "papers/papers.h"
#include "papers/timed.h"
#include "runs/ranges.h"

namespace fansim::papers {
namespace {

// Describes a headline of a publication, as the shipped configuration gives it.
struct Headline {
  const char* paper;
  const char* quantity;
  const char* unit;
  double published;
  const char* config;
  const char* model;
  const char* layers;  // the layers that it counts; empty: all
  double (*of)(const contract::LayerResult& total, double seconds);
  std::vector<const char*> settings;  // settings of constants that the publication leaves open, applied one at a time
  std::vector<int> port_mhz{};        // also applied one at a time: clocks of the memory port; the memory's times in ns
                                      // stay the same
};

double milliseconds(const contract::LayerResult&, double seconds) { return seconds * 1e3; }
double gops(const contract::LayerResult& total, double seconds) {
  return 2 * static_cast<double>(total.macs) / seconds / 1e9;
}

double gib_per_second(const contract::LayerResult& total, double seconds) {
  return static_cast<double>(total.macs) / seconds / (1024.0 * 1024 * 1024);  // one byte for each of an FC layer's MACs
}

const std::vector<Headline>& headlines() {
  // FAQ-CNN wants the off-chip clock at twice the fabric port's "or more" (2.3); it does not state its own.
  static const std::vector<int> faq_port_mhz = {200, 250, 300, 400};
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
       {"first.tm=64", "first.tm=48", "ddr.read_latency=20", "ddr.read_latency=80", "load.gap=0", "store.lanes=16"},
       faq_port_mhz},
      {"faq",
       "conv1 throughput",
       "GOPS",
       96,
       "configs/systems/faq_zcu102_dorefa8.yaml",
       "models/alexnet.yaml",
       "conv1",
       gops,
       {"first.tm=64", "first.tm=48", "first.tm=32", "store.lanes=16", "load.gap=0"},
       faq_port_mhz},
      {"faq",
       "best fully connected layer, weights read",
       "GiB/s",
       4.54,
       "configs/systems/faq_zcu102_dorefa8.yaml",
       "models/alexnet.yaml",
       "fc6",
       gib_per_second,
       {"ddr.read_latency=20", "ddr.read_latency=80"},
       faq_port_mhz},
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
    const auto add = [&](const std::string& setting, double figure) {
      turns.push_back({headline.paper, headline.quantity, headline.unit, headline.published, setting, figure,
                       100 * (figure - as_shipped) / as_shipped});
    };
    add("", as_shipped);
    for (const char* setting : headline.settings) add(setting, simulated(headline, {setting}));
    for (const int mhz : headline.port_mhz)
      add(fmt::format("port_mhz={}, the memory's times kept", mhz),
          simulated(headline, {fmt::format("port_mhz={}", mhz)}));
  }
  return turns;
}

std::vector<report::HeadlineSpan> headline_spans(const std::string& paper) {
  std::vector<report::HeadlineSpan> spans;
  for (const Headline& headline : headlines()) {
    if (!paper.empty() && paper != headline.paper) continue;
    runs::Request request;
    request.config = base::data_path(headline.config);
    request.network = base::data_path(headline.model);
    request.layers = headline.layers;
    const runs::Span span = runs::span(request, [](double) {});
    const runs::Run run = timed(headline.config, request.network, {}, headline.layers);
    const auto at = [&](base::Cycles cycles) { return headline.of(run.total(), run.seconds(cycles)); };
    const auto [from, to] = std::minmax({at(span.least), at(span.most)});
    spans.push_back({headline.paper, headline.quantity, headline.unit, headline.published, at(span.cycles), from, to});
  }
  return spans;
}

}  // namespace fansim::papers
