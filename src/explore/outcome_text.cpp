// SPDX-License-Identifier: Apache-2.0
#include "explore/outcome_text.h"

#include <fmt/format.h>

#include <cstdlib>

namespace fansim::explore {
namespace {

constexpr const char* kKinds[] = {"scored", "misfit", "failed"};

std::optional<Metrics> metrics_of(const std::string& text) {
  Metrics metrics{};
  const char* at = text.c_str();
  for (double& metric : metrics) {
    char* end = nullptr;
    metric = std::strtod(at, &end);
    if (end == at) return std::nullopt;
    at = end;
  }
  if (*at != '\0') return std::nullopt;
  return metrics;
}

}  // namespace

std::string to_text(const Outcome& outcome) {
  std::string text = kKinds[static_cast<std::size_t>(outcome.kind)];
  if (outcome.kind != Outcome::Kind::scored) return text + " " + outcome.reason;
  for (const double metric : outcome.metrics) text += fmt::format(" {}", metric);
  return text;
}

std::optional<Outcome> outcome_of(const std::string& text) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string::npos) return std::nullopt;
  const std::string kind = text.substr(0, blank), rest = text.substr(blank + 1);
  if (kind == kKinds[1]) return Outcome::misfit(rest);
  if (kind == kKinds[2]) return Outcome::failed(rest);
  const std::optional<Metrics> metrics = metrics_of(rest);
  if (kind != kKinds[0] || !metrics) return std::nullopt;
  return Outcome{Outcome::Kind::scored, *metrics, ""};
}

}  // namespace fansim::explore
