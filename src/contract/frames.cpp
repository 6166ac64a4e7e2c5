// SPDX-License-Identifier: Apache-2.0
#include "contract/frames.h"

#include <utility>

#include "contract/host_steps.h"

namespace fansim::contract {

Program framed(Program one, int frames, const FrameRule& rule) {
  const std::vector<HostOp> steps = std::move(one.ops);
  one.ops.clear();
  std::vector<std::pair<std::size_t, std::size_t>> layers;
  {
    Program whole;
    whole.ops = steps;
    whole.layers = one.layers;
    LayerSteps layer;
    for (std::size_t at = 0; next_layer(whole, at, layer);) layers.emplace_back(layer.before, at);
  }
  const auto add = [&](int frame, int layer) {
    const auto [first, last] = layers[static_cast<std::size_t>(layer)];
    bool inside = frame == 0;  // in the first frame, the host's steps before its first layer are included
    for (std::size_t at = first; at < last; ++at) {
      inside = inside || steps[at].kind == HostOp::Kind::begin_layer;
      if (inside || steps[at].kind == HostOp::Kind::align) one.ops.push_back(steps[at]);
    }
  };
  const bool threads = rule.beside > 0 && frames > 1;
  for (int frame = 0; frame < frames; ++frame) {
    for (int layer = 0; layer < rule.driven; ++layer) {
      if (threads && frame > 0 && layer == rule.waits) one.ops.push_back({HostOp::Kind::wait_thread});
      add(frame, layer);
    }
    if (!threads) continue;
    one.ops.push_back({HostOp::Kind::wait_thread});
    if (frame + 1 < frames) one.ops.push_back({HostOp::Kind::start_thread, 0, static_cast<std::uint32_t>(rule.beside)});
  }
  for (int layer = rule.driven; layer < static_cast<int>(layers.size()); ++layer) add(0, layer);
  return one;
}

std::vector<Span> spans(const Program& program, const std::vector<LayerResult>& results, base::Cycles start) {
  std::vector<Span> all;
  ProgramClock clock(start);
  LayerSteps layer;
  std::size_t at = 0;
  for (const LayerResult& result : results) {
    next_layer(program, at, layer);
    Span span;
    span.waited = clock.begin(program, layer);
    span.begin = clock.now();
    clock.end(result.cycles);
    span.end = clock.now();
    all.push_back(span);
  }
  return all;
}

}  // namespace fansim::contract
