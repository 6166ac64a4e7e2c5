// SPDX-License-Identifier: Apache-2.0
#include "inject/result_text.h"

#include <nlohmann/json.hpp>

namespace fansim::inject {

std::string text_of(const Result& result) {
  const nlohmann::ordered_json json{{"outcome", static_cast<int>(result.outcome)},
                                    {"first_wrong", result.first_wrong},
                                    {"wrong_values", result.wrong_values},
                                    {"values", result.values},
                                    {"top1_changed", result.top1_changed},
                                    {"seen", result.seen},
                                    {"lost", result.lost},
                                    {"note", result.note}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Result result_of(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  Result result;
  result.outcome = static_cast<Outcome>(json.at("outcome").get<int>());
  result.first_wrong = json.at("first_wrong");
  result.wrong_values = json.at("wrong_values");
  result.values = json.at("values");
  result.top1_changed = json.at("top1_changed");
  result.seen = json.at("seen");
  result.lost = json.at("lost");
  result.note = json.at("note");
  return result;
}

}  // namespace fansim::inject
