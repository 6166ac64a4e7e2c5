// SPDX-License-Identifier: Apache-2.0
#include "inject/result_text.h"

#include <nlohmann/json.hpp>

namespace fansim::inject {
namespace {

using Json = nlohmann::ordered_json;

bool is(const Json& value, const std::string&) { return value.is_string(); }
bool is(const Json& value, bool) { return value.is_boolean(); }
bool is(const Json& value, std::int64_t) { return value.is_number_integer(); }

// Reads a value only if it has exactly that type, without conversion.
template <class T>
bool take(const Json& json, const char* key, T& value) {
  const auto found = json.find(key);
  if (found == json.end() || !is(*found, value)) return false;
  value = found->template get<T>();
  return true;
}

}  // namespace

std::string text_of(const Result& result) {
  const Json json{{"outcome", static_cast<int>(result.outcome)},
                  {"first_wrong", result.first_wrong},
                  {"wrong_values", result.wrong_values},
                  {"values", result.values},
                  {"top1_changed", result.top1_changed},
                  {"seen", result.seen},
                  {"lost", result.lost},
                  {"note", result.note}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<Result> result_of(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  Result result;
  std::int64_t outcome = 0;
  if (!json.is_object() || !take(json, "outcome", outcome) || !take(json, "first_wrong", result.first_wrong) ||
      !take(json, "wrong_values", result.wrong_values) || !take(json, "values", result.values) ||
      !take(json, "top1_changed", result.top1_changed) || !take(json, "seen", result.seen) ||
      !take(json, "lost", result.lost) || !take(json, "note", result.note))
    return std::nullopt;
  if (outcome < 0 || outcome >= static_cast<std::int64_t>(kOutcomes.size())) return std::nullopt;
  result.outcome = static_cast<Outcome>(outcome);
  return result;
}

}  // namespace fansim::inject
