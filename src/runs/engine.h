// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace fansim::runs {

enum class Engine { fast, clocked };
const char* name(Engine engine);
std::vector<std::string> engine_names();
std::optional<Engine> engine_of(const std::string& name);

// Says how a run uses an engine.
struct EngineUse {
  Engine engine = Engine::fast;
  bool replay = true;  // false: the fast engine evaluates every recurrence by itself (timing::EngineOptions)

  std::string name() const;  // "clocked", "fast" or "fast without replay"
  friend bool operator==(const EngineUse& a, const EngineUse& b) {
    return a.engine == b.engine && (a.engine == Engine::clocked || a.replay == b.replay);
  }
};

// The names of two engines that are compared.
struct EnginePair {
  std::string first = "clocked", second = "fast";
};

}  // namespace fansim::runs
