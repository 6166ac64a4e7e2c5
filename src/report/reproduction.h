// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fansim::report {

// Says how a figure agrees. exact: it is equal; within, outside: a tolerance was promised, and it holds or not; lost:
// the publication's figure cannot be read any more; info: the figures are shown side by side and nothing is promised.
enum class Status { exact, within, outside, lost, info };
const char* name(Status status);

// Says what a figure proves about the model. published: the paper states it, and nothing in the model was chosen for
// it; derived: it is our arithmetic on what the paper states; sets_parameter: a constant of the model is this figure;
// fitted: constants were chosen with it in view.
enum class Claim { published, derived, sets_parameter, fitted };
const char* name(Claim claim);

// Says where a figure stands, and what agreement with it proves.
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

// Holds one published quantity beside the simulated one.
struct Row {
  std::string paper;
  std::string quantity;
  std::string unit;
  std::optional<double> published;
  std::optional<double> simulated;
  std::optional<double> tolerance_percent;  // empty: the status is info
  Source source;

  std::optional<double> error_percent() const;
  Status status() const;
};

// Writes a line that says how many of the judged figures agree, by claim. Figures for which nothing was chosen come
// first.
std::string headline(const std::vector<Row>& rows);
bool any_outside(const std::vector<Row>& rows);
std::string text(const std::vector<Row>& rows);
std::string json(const std::vector<Row>& rows);

// Holds a headline with one setting changed. Without a setting it is the headline of the shipped configuration.
struct Turn {
  std::string paper, quantity, unit;
  double published = 0;
  std::string setting;
  double simulated = 0;
  double change_percent = 0;  // relative to the shipped configuration
};

std::string text(const std::vector<Turn>& turns);
std::string json(const std::vector<Turn>& turns);

}  // namespace fansim::report
