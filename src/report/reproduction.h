// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fansim::report {

// exact: equal; within, outside: a tolerance was promised; lost: the publication's figure cannot be read any more;
// info: shown side by side, nothing promised.
enum class Status { exact, within, outside, lost, info };
const char* name(Status status);

// What a figure says of the model. published: the paper states it, and nothing of the model was chosen for it; derived:
// our arithmetic on what the paper states; sets_parameter: a constant of the model is this figure; fitted: constants
// were chosen with it in view.
enum class Claim { published, derived, sets_parameter, fitted };
const char* name(Claim claim);

// Where a figure stands, and what follows from agreeing with it.
struct Source {
  Source(const char* t) : text(t) {}             // NOLINT(google-explicit-constructor): a plain text is published
  Source(std::string t) : text(std::move(t)) {}  // NOLINT(google-explicit-constructor)
  Source(Claim c, std::string t) : claim(c), text(std::move(t)) {}

  Claim claim = Claim::published;
  std::string text;
};
inline Source derived(std::string text) { return {Claim::derived, std::move(text)}; }
inline Source sets_parameter(std::string text) { return {Claim::sets_parameter, std::move(text)}; }
inline Source fitted(std::string text) { return {Claim::fitted, std::move(text)}; }

// One published quantity beside the simulated one.
struct Row {
  std::string paper;
  std::string quantity;
  std::string unit;
  std::optional<double> published;
  std::optional<double> simulated;
  std::optional<double> tolerance_percent;  // empty: info
  Source source;

  std::optional<double> error_percent() const;
  Status status() const;
};

// How many of the judged figures agree, by claim; those that nothing was chosen for come first. A line.
std::string headline(const std::vector<Row>& rows);
bool any_outside(const std::vector<Row>& rows);
std::string text(const std::vector<Row>& rows);
std::string json(const std::vector<Row>& rows);

// A headline with one setting changed; without one, as the shipped configuration gives it.
struct Turn {
  std::string paper, quantity, unit;
  double published = 0;
  std::string setting;
  double simulated = 0;
  double change_percent = 0;  // from the shipped configuration
};

std::string text(const std::vector<Turn>& turns);
std::string json(const std::vector<Turn>& turns);

}  // namespace fansim::report
