// SPDX-License-Identifier: Apache-2.0
#include "runs/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/error.h"
#include "base/units.h"
#include "contract/host_steps.h"
#include "timing/engine_options.h"

namespace fansim::runs {
namespace {

using contract::LayerPlan;

// Adds the layers that write a producer's output; the network's input counts as one.
void add_written(int producer, const std::vector<LayerPlan>& plans, std::set<int>& written) {
  const auto plan = std::find_if(plans.begin(), plans.end(), [&](const LayerPlan& p) { return p.layer == producer; });
  if (plan == plans.end() || plan->made_of.empty()) {
    written.insert(producer);
    return;
  }
  for (const int part : plan->made_of) add_written(part, plans, written);
}

}  // namespace

int passes(int frames, int pictures) {
  if (frames % pictures != 0)
    throw base::UserError(
        fmt::format("run: --frames {}: the machine computes {} at once (array.batch); the next such number is {}",
                    frames, pictures, base::round_up(frames, pictures)));
  return frames / pictures;
}

contract::FrameRule frame_rule(const network::Network& network, const contract::Program& program) {
  std::vector<contract::LayerSteps> layers;
  contract::LayerSteps layer;
  for (std::size_t at = 0; contract::next_layer(program, at, layer);) layers.push_back(layer);
  contract::FrameRule rule;
  rule.driven = static_cast<int>(layers.size());
  while (rule.driven > 0 && layers[static_cast<std::size_t>(rule.driven) - 1].plan->on_host) --rule.driven;
  if (rule.driven == 0)
    rule.driven = static_cast<int>(layers.size());  // no layer is left beside which the host could
                                                    // work
  std::set<int> read;
  for (std::size_t i = static_cast<std::size_t>(rule.driven); i < layers.size(); ++i) {
    const network::Layer& one = network.layers[static_cast<std::size_t>(layers[i].plan->layer)];
    add_written(one.source, program.layers, read);
    if (one.reads_two()) add_written(one.with, program.layers, read);
    for (std::size_t step = layers[i].first; step < layers[i].last; ++step) rule.beside += program.ops[step].value;
  }
  // The input of the next frame replaces this one's before the next frame begins.
  if (read.count(network::Layer::kInput) > 0) rule.waits = 0;
  for (int i = 0; i < rule.driven && rule.waits < 0; ++i) {
    const LayerPlan& plan = *layers[static_cast<std::size_t>(i)].plan;
    if (read.count(plan.fused_into < 0 ? plan.layer : plan.fused_into) > 0) rule.waits = i;
  }
  return rule;
}

Frames fast_frames(const accelerators::Accelerator& accelerator, const contract::Program& program,
                   const contract::FrameRule& rule, int count) {
  timing::EngineOptions options;
  options.values = false;
  contract::Program bare = program;
  bare.memory.clear();
  const auto simulated = [&](int frames) {
    const contract::Program all = contract::framed(bare, frames, rule);
    return contract::spans(all, accelerator.run(all, options));
  };
  const auto begin = [&](const std::vector<contract::Span>& spans, int frame) {
    return spans[static_cast<std::size_t>(frame) * static_cast<std::size_t>(rule.driven)].begin;
  };
  Frames frames;
  frames.count = count;
  frames.beside = rule.beside;
  // From the second frame on, what is left of a frame when the next one begins is usually the same.
  constexpr int kFew = 4, kMost = 64;
  int steps = kFew;
  std::vector<contract::Span> spans = simulated(steps);
  const auto interval = [&](int frame) { return begin(spans, frame + 1) - begin(spans, frame); };
  for (; interval(steps - 2) != interval(steps - 3); spans = simulated(steps))
    if ((steps *= 2) > kMost) throw std::logic_error("frames: no steady state");
  frames.steady = interval(steps - 2);
  const auto last = spans.begin() + std::ptrdiff_t{steps - 1} * rule.driven;
  for (auto span = last; span != last + rule.driven; ++span) frames.waited += span->waited;
  if (count >= steps) {
    frames.total = spans.back().end + (count - steps) * frames.steady;
  } else {
    spans = simulated(count);
    frames.total = spans.back().end;
  }
  frames.first = count == 1 ? frames.total : spans[static_cast<std::size_t>(rule.driven) - 1].end + rule.beside;
  return frames;
}

std::vector<std::string> frame_differences(const Frames& frames, const contract::FrameRule& rule,
                                           const std::vector<contract::Span>& stepped) {
  std::vector<std::string> lines;
  const auto compare = [&](const char* what, base::Cycles clocked, base::Cycles fast) {
    if (clocked != fast) lines.push_back(fmt::format("frames: {} differ: clocked {}, fast {}", what, clocked, fast));
  };
  const base::Cycles start = stepped.front().begin;
  compare("cycles of all", stepped.back().end - start, frames.total);
  if (frames.count > 1)
    compare("cycles of the first", stepped[static_cast<std::size_t>(rule.driven) - 1].end - start + rule.beside,
            frames.first);
  if (frames.count >= 4)
    compare("cycles from frame to frame",
            stepped[static_cast<std::size_t>(frames.count - 1) * static_cast<std::size_t>(rule.driven)].begin -
                stepped[static_cast<std::size_t>(frames.count - 2) * static_cast<std::size_t>(rule.driven)].begin,
            frames.steady);
  return lines;
}

}  // namespace fansim::runs
