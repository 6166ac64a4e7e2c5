// SPDX-License-Identifier: Apache-2.0
#include "runs/judge.h"

#include <utility>

#include "runs/layer_differences.h"
#include "runs/memory_difference.h"

namespace fansim::runs {
namespace {

// The engine that does less by shortcuts is named first.
bool comes_first(const EngineUse& a, const EngineUse& b) {
  if (a.engine != b.engine) return a.engine == Engine::clocked;
  return !a.replay && b.replay;
}

std::vector<std::string> engine_differences(const contract::Account& account, const Simulated& a, const Simulated& b) {
  if (comes_first(b.engine, a.engine)) return engine_differences(account, b, a);
  const EnginePair engines{a.engine.name(), b.engine.name()};
  std::vector<std::string> lines = layer_differences(account, a.layers, b.layers, engines);
  for (std::string& line : memory_differences(a.memory, b.memory, engines)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

std::vector<std::string> judge(const contract::Account& account, const Observer& observer,
                               const std::vector<Simulated>& simulated, const Frames& frames,
                               const contract::FrameRule& rule) {
  std::vector<std::string> lines = observer.differences;
  const auto add = [&lines](const std::vector<std::string>& more) {
    lines.insert(lines.end(), more.begin(), more.end());
  };
  for (std::size_t i = 1; i < simulated.size(); ++i) add(engine_differences(account, simulated[0], simulated[i]));
  for (const Simulated& one : simulated)
    if (frames.count > 0 && !one.spans.empty()) add(frame_differences(frames, rule, one.spans));
  return lines;
}

}  // namespace fansim::runs
