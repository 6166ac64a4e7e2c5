// SPDX-License-Identifier: Apache-2.0
#include "explore/space.h"

#include <fmt/format.h>

namespace fansim::explore {
namespace {

// A word has no number. An expression that names a parameter of words is refused when it is read.
double number_of(const Value& value) { return value.number.value_or(0); }

std::vector<double> parameter_numbers(const Space& space, const Point& point) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < point.size(); ++i)
    numbers.push_back(number_of(space.parameters[i].values[static_cast<std::size_t>(point[i])]));
  return numbers;
}

std::string text_of(double number) { return fmt::format("{:.15g}", number); }

}  // namespace

const char* name(Method method) {
  switch (method) {
    case Method::branch_and_bound:
      return "branch and bound";
    case Method::exhaustive:
      return "exhaustive";
    case Method::nsga2:
      return "NSGA-II";
    case Method::annealing:
      return "simulated annealing";
  }
  return "";
}

double Space::raw_count() const {
  double count = 1;
  for (const Parameter& parameter : parameters) count *= parameter.raw_count;
  return count;
}

double Space::count() const { return whole().points(); }

Box Space::whole() const {
  Box box;
  for (const Parameter& parameter : parameters) box.sides.push_back({0, parameter.size() - 1});
  return box;
}

std::vector<std::string> Space::overrides(const Point& point) const {
  std::vector<std::string> settings = set;
  for (std::size_t i = 0; i < point.size(); ++i)
    settings.push_back(parameters[i].path + "=" + parameters[i].values[static_cast<std::size_t>(point[i])].text);
  const std::vector<double> numbers = parameter_numbers(*this, point);
  for (const Derived& d : derived) settings.push_back(d.path + "=" + text_of(d.expression.value(numbers)));
  return settings;
}

std::string Space::text(const Point& point) const {
  std::string text;
  for (std::size_t i = 0; i < point.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", parameters[i].path,
                        parameters[i].values[static_cast<std::size_t>(point[i])].text);
  return text;
}

std::string Space::text(const Box& box) const {
  std::string text;
  for (std::size_t i = 0; i < box.sides.size(); ++i) {
    const std::vector<Value>& values = parameters[i].values;
    const Box::Side& side = box.sides[i];
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", parameters[i].path,
                        values[static_cast<std::size_t>(side.first)].text);
    if (side.size() > 1) text += ".." + values[static_cast<std::size_t>(side.last)].text;
  }
  return text;
}

std::vector<double> Space::slots(const Point& point, const Metrics& metrics) const {
  std::vector<double> slots(metrics.begin(), metrics.end());
  const std::vector<double> numbers = parameter_numbers(*this, point);
  slots.insert(slots.end(), numbers.begin(), numbers.end());
  for (const Derived& d : derived) slots.push_back(d.expression.value(numbers));
  return slots;
}

std::vector<Interval> Space::slots(const Box& box, const MetricRanges& metrics) const {
  std::vector<Interval> slots(metrics.begin(), metrics.end()), numbers;
  for (std::size_t i = 0; i < parameters.size(); ++i) numbers.push_back(range(i, box));
  slots.insert(slots.end(), numbers.begin(), numbers.end());
  for (const Derived& d : derived) slots.push_back(d.expression.range(numbers));
  return slots;
}

// A parameter of words gets a name that no expression can write, because a word has no number.
Names Space::names() const {
  Names names = metric_names();
  for (const Parameter& parameter : parameters)
    names.push_back(parameter.numeric() ? parameter.path : "(words of " + parameter.path + ")");
  for (const Derived& d : derived) names.push_back(d.path);
  return names;
}

Interval Space::range(std::size_t parameter, const Box& box) const {
  const std::vector<Value>& values = parameters[parameter].values;
  const Box::Side& side = box.sides[parameter];
  return {number_of(values[static_cast<std::size_t>(side.first)]),
          number_of(values[static_cast<std::size_t>(side.last)])};
}

std::string Space::identity() const {
  std::string text;
  for (const std::string& setting : set) text += setting + "\n";
  for (const Parameter& parameter : parameters) text += parameter.path + "\n";
  for (const Derived& d : derived) text += d.path + "=" + d.expression.text() + "\n";
  return text;
}

}  // namespace fansim::explore
