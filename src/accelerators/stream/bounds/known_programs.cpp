// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/bounds/known_programs.h"

#include <fmt/format.h>

#include "accelerators/layer_times.h"
#include "accelerators/stream/bounds/layer_time.h"
#include "accelerators/stream/bounds/roofline.h"
#include "accelerators/stream/compile/compile.h"

namespace fansim::stream {

std::shared_ptr<const KnownProgram> KnownPrograms::of(const Config& config, const network::Network& network,
                                                      int layer) {
  const std::string key = fmt::format("{} ", layer) + program_key(config);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = programs_.find(key);
    if (found != programs_.end()) return found->second;
  }
  auto fresh = accelerators::program_of(network, layer, config);
  if (const auto* refusal = std::get_if<std::string>(&fresh)) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return programs_.emplace(key, std::make_shared<const KnownProgram>(KnownProgram{"", *refusal, {}, nullptr}))
        .first->second;
  }
  const auto program = std::make_shared<const contract::Program>(std::get<contract::Program>(std::move(fresh)));
  const auto known = std::make_shared<const KnownProgram>(KnownProgram{
      steps_of(*program), "", {least_cycles(*program, config, false), least_cycles(*program, config, true)}, program});
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool room = steps_kept_ + program->ops.size() <= most_steps_;
  if (!room)
    programs_.emplace(key,
                      std::make_shared<const KnownProgram>(KnownProgram{known->steps, "", known->least_of, nullptr}));
  if (room && programs_.emplace(key, known).second) steps_kept_ += program->ops.size();
  return known;
}

}  // namespace fansim::stream
