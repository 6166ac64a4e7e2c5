// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "accelerators/registry.h"
#include "accelerators/tiled/config/config.h"
#include "base/data.h"
#include "base/interrupt.h"
#include "base/workers.h"
#include "explore/search.h"
#include "papers/faq_parts.h"

namespace fansim::papers {
namespace {

double power_of_ten(double count) { return std::floor(std::log10(count)); }

std::size_t index_of(const explore::Space& space, const std::string& path) {
  const auto found = std::find_if(space.parameters.begin(), space.parameters.end(),
                                  [&](const explore::Parameter& parameter) { return parameter.path == path; });
  if (found == space.parameters.end()) throw std::logic_error("no parameter " + path);
  return static_cast<std::size_t>(found - space.parameters.begin());
}

// Fixes a parameter, because a search over all five takes several times as long; docs/explore.md has its proof.
void fix(explore::Space& space, const std::string& path, int value) {
  explore::Parameter& parameter = space.parameters[index_of(space, path)];
  parameter.values = {explore::value_of(std::to_string(value))};
  parameter.raw_count = 1;
}

explore::Point best_of(const explore::Space& space) {
  const auto accelerator = accelerators::read_accelerator(space.config, space.set);
  const auto model = accelerator->model(space, base::data_path("models/alexnet.yaml"));
  explore::SearchOptions options;
  options.jobs = base::cores();
  options.stop_requested = base::interrupted;
  const explore::SearchResult result = explore::search(space, *model, options);
  base::stop_if_interrupted();
  if (!result.proven || result.front.empty()) throw std::runtime_error(space.name + ": the search has no proven best");
  return result.front.front().point;
}

}  // namespace

void add_faq_search(FaqRows& rows) {
  explore::Space space = explore::load_space(base::data_path("configs/spaces/faq_alexnet.yaml"));
  const double raw = space.raw_count(), pruned = space.count();
  rows.add("search space, points", "points", 384.0 * 384 * 4096 * 9216 * 2, raw, 0,
           report::derived("3.3: factors up to AlexNet's most channels and longest vectors, alpha 0 or 1"));
  rows.add("search space, power of ten", "", 13, power_of_ten(raw), 0,
           report::derived("3.3: 10^13; its ranges are not stated, ours are those above"));
  rows.add("search space after eq. (14), power of ten", "", 9, power_of_ten(pruned), 0,
           report::fitted("3.3: 10^9; eq. (14) is lost, of the readings of its prose this one was chosen for it"));
  rows.add("search space after eq. (14), points", "points", {}, pruned, {}, "3.3: the same, counted");

  const tiled::Config built = tiled::Config::read(space.config, space.set);
  fix(space, "fc.tm", built.fc.tm);
  fix(space, "fc.tn", built.fc.tn);
  const explore::Point best = best_of(space);
  const auto chosen = [&](const char* path) {
    const std::size_t parameter = index_of(space, path);
    return *space.parameters[parameter].values[static_cast<std::size_t>(best[parameter])].number;
  };
  const report::Source source = report::fitted(
      "4.2, 4.5; simulated: proven best with the FC engine as built; stores are sized, and the glue of "
      "block RAM is fitted, for this very build");
  rows.add("best factors, output channels", "channels", 128, chosen("conv.tm"), 0, source);
  rows.add("best factors, input channels", "channels", 24, chosen("conv.tn"), 0, source);
  rows.add("best factors, alpha", "", 1, chosen("weights.double_buffer"), 0, source);
  rows.add("time of the search", "s", {}, {}, {},
           "3.3: \"a few seconds\" on a Xeon and a GPU (4.1), no figure; here as docs/explore.md has measured it");
}

}  // namespace fansim::papers
