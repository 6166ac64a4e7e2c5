// SPDX-License-Identifier: Apache-2.0
#include "runs/ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "accelerators/registry.h"
#include "base/error.h"
#include "base/workers.h"

namespace fansim::runs {
namespace {

std::string setting(const contract::KeyRange& range, bool high) {
  return range.key + "=" + (high ? range.hi : range.lo).text();
}

// Returns the ranges of constants that act and that no override has fixed.
std::vector<contract::KeyRange> open_ranges(const Request& request, const accelerators::Accelerator& accelerator) {
  std::vector<contract::KeyRange> open;
  const contract::IdleKeys idle = accelerator.idle_keys();
  for (const contract::KeyRange& range : accelerator.config().ranges) {
    if (contract::why_idle(idle, range.key)) continue;
    const bool settled = std::any_of(request.overrides.begin(), request.overrides.end(), [&](const std::string& text) {
      return text.substr(0, text.find('=')) == range.key;
    });
    if (!settled) open.push_back(range);
  }
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

std::optional<base::Cycles> cycles_if_it_fits(Request request, const std::vector<std::string>& settings) {
  request.overrides.insert(request.overrides.end(), settings.begin(), settings.end());
  const Run result = run(request);
  if (result.unschedulable) return std::nullopt;
  return result.total().cycles;
}

// Returns the cycles with each of these groups of settings; none where the network does not fit.
std::vector<std::optional<base::Cycles>> at_once(const Request& request,
                                                 const std::vector<std::vector<std::string>>& groups) {
  std::vector<std::optional<base::Cycles>> cycles(groups.size());
  base::Workers(base::cores()).each(groups.size(), [&](std::size_t i) {
    cycles[i] = cycles_if_it_fits(time_of(request), groups[i]);
  });
  return cycles;
}

// Returns whether a key is a time that is spent, so that less of it takes less time.
bool is_cost(const std::string& key) {
  static const std::set<std::string> costs{"host.register_write", "host.register_read",  "host.interrupt",
                                           "host.dma_setup",      "host.layer_setup",    "ddr.read_latency",
                                           "ddr.write_latency",   "ddr.request_latency", "ddr.response_latency",
                                           "ddr.turnaround",      "ddr.refresh_cycles"};
  return costs.count(key) == 1;
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

std::optional<Reach> reach(const Request& request, base::Cycles configured) {
  const auto accelerator = accelerators::read_accelerator(request.config, request.overrides);
  const std::vector<contract::KeyRange> ranges = open_ranges(request, *accelerator);
  if (!request.faults.empty() || !accelerator->config().faults.empty()) return std::nullopt;
  Reach result{configured, configured, {}};
  if (ranges.empty()) return result;
  std::vector<std::vector<std::string>> tried;  // the high ends of keys that are no costs
  for (const contract::KeyRange& range : ranges)
    if (!is_cost(range.key)) tried.push_back({setting(range, true)});
  const std::vector<std::optional<base::Cycles>> high = at_once(request, tried);
  std::vector<std::string> sooner, later;
  std::size_t next = 0;
  for (const contract::KeyRange& range : ranges) {
    const bool saves = !is_cost(range.key) && high[next++].value_or(configured) <= configured;
    sooner.push_back(setting(range, saves));
    later.push_back(setting(range, !saves));
    result.keys.push_back(range.key);
  }
  for (const std::optional<base::Cycles>& cycles : at_once(request, {sooner, later})) {
    if (!cycles) return std::nullopt;
    result.least = std::min(result.least, *cycles);
    result.most = std::max(result.most, *cycles);
  }
  return result;
}

Span span(const Request& request, const std::function<void(double fraction)>& progress) {
  const auto accelerator = accelerators::read_faultless("run: --ranges", request.config, request.overrides);
  const std::vector<contract::KeyRange> ranges = open_ranges(request, *accelerator);
  if (ranges.empty()) throw base::UserError(fmt::format("{}: no constant of it has a range", request.config));
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
