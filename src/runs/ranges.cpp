// SPDX-License-Identifier: Apache-2.0
#include "runs/ranges.h"

#include <fmt/format.h>

#include <algorithm>

#include "accelerators/registry.h"
#include "base/error.h"

namespace fansim::runs {
namespace {

std::string setting(const contract::KeyRange& range, bool high) {
  return range.key + "=" + (high ? range.hi : range.lo).text();
}

// Returns the ranges of constants that act and that no override has fixed.
std::vector<contract::KeyRange> open_ranges(const Request& request) {
  const auto accelerator = accelerators::read_faultless("run: --ranges", request.config, request.overrides);
  std::vector<contract::KeyRange> open;
  const contract::IdleKeys idle = accelerator->idle_keys();
  for (const contract::KeyRange& range : accelerator->config().ranges) {
    if (contract::why_idle(idle, range.key)) continue;
    const bool settled = std::any_of(request.overrides.begin(), request.overrides.end(), [&](const std::string& text) {
      return text.substr(0, text.find('=')) == range.key;
    });
    if (!settled) open.push_back(range);
  }
  if (open.empty()) throw base::UserError(fmt::format("{}: no constant of it has a range", request.config));
  return open;
}

Request time_of(const Request& request) {
  Request time;
  time.config = request.config;
  time.network = request.network;
  time.overrides = request.overrides;
  time.layers = request.layers;
  time.strict = request.strict;
  time.values = false;
  return time;
}

base::Cycles cycles(Request request, const std::vector<std::string>& settings) {
  request.overrides.insert(request.overrides.end(), settings.begin(), settings.end());
  const Run result = run(request);
  if (!result.unschedulable) return result.total().cycles;
  std::string with = settings.empty() ? "" : " with";
  for (const std::string& text : settings) with += " " + text;
  throw base::UserError(fmt::format("{}: does not fit{}: {}: {}", request.config, with, result.unschedulable->layer,
                                    result.unschedulable->reason));
}

}  // namespace

Span span(const Request& request, const std::function<void(double fraction)>& progress) {
  const std::vector<contract::KeyRange> ranges = open_ranges(request);
  const Request time = time_of(request);
  const std::size_t runs = 2 * ranges.size() + 3;
  std::size_t done = 0;
  const auto of = [&](const std::vector<std::string>& settings) {
    progress(static_cast<double>(done++) / static_cast<double>(runs));
    return cycles(time, settings);
  };
  Span result;
  result.cycles = result.least = result.most = of({});
  std::vector<std::string> sooner, later;
  for (const contract::KeyRange& range : ranges) {
    const KeySpan key{range, of({setting(range, false)}), of({setting(range, true)})};
    sooner.push_back(setting(range, key.at_hi < key.at_lo));
    later.push_back(setting(range, key.at_hi >= key.at_lo));
    result.least = std::min({result.least, key.at_lo, key.at_hi});
    result.most = std::max({result.most, key.at_lo, key.at_hi});
    result.keys.push_back(key);
  }
  result.least = std::min(result.least, of(sooner));
  result.most = std::max(result.most, of(later));
  return result;
}

}  // namespace fansim::runs
