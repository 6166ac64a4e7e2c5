// SPDX-License-Identifier: Apache-2.0
#include "runs/engine.h"

#include <stdexcept>
#include <utility>

namespace fansim::runs {
namespace {

constexpr std::pair<Engine, const char*> kEngines[] = {{Engine::clocked, "clocked"}, {Engine::fast, "fast"}};

}  // namespace

const char* name(Engine engine) {
  for (const auto& [kind, word] : kEngines)
    if (kind == engine) return word;
  throw std::logic_error("runs: an engine without a name");
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const auto& engine : kEngines) names.emplace_back(engine.second);
  return names;
}

std::optional<Engine> engine_of(const std::string& name) {
  for (const auto& [kind, word] : kEngines)
    if (name == word) return kind;
  return std::nullopt;
}

std::string EngineUse::name() const {
  return std::string(runs::name(engine)) + (engine == Engine::fast && !replay ? " without replay" : "");
}

}  // namespace fansim::runs
