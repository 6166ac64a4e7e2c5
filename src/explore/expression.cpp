// SPDX-License-Identifier: Apache-2.0
#include "explore/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fansim::explore {
namespace {

using Op = Expression::Op;
using Node = Expression::Node;

double truth(bool holds) { return holds ? 1 : 0; }

double value_at(const Node& n, const std::vector<double>& slots) {
  const auto argument = [&](std::size_t i) { return value_at(n.arguments[i], slots); };
  switch (n.op) {
    case Op::number:
      return n.number;
    case Op::name:
      return slots[n.slot];
    case Op::negate:
      return -argument(0);
    case Op::add:
      return argument(0) + argument(1);
    case Op::subtract:
      return argument(0) - argument(1);
    case Op::multiply:
      return argument(0) * argument(1);
    case Op::divide:
      return argument(0) / argument(1);
    case Op::less:
      return truth(argument(0) < argument(1));
    case Op::less_equal:
      return truth(argument(0) <= argument(1));
    case Op::equal:
      return truth(argument(0) == argument(1));
    case Op::both:
      return truth(argument(0) != 0 && argument(1) != 0);
    case Op::either:
      return truth(argument(0) != 0 || argument(1) != 0);
    case Op::no:
      return truth(argument(0) == 0);
    case Op::minimum:
      return std::min(argument(0), argument(1));
    case Op::maximum:
      return std::max(argument(0), argument(1));
    case Op::floor:
      return std::floor(argument(0));
    case Op::ceil:
      return std::ceil(argument(0));
  }
  return 0;
}

Interval certainty(bool always, bool never) { return {truth(always), truth(!never)}; }
bool surely(const Interval& i) { return i.low > 0 || i.high < 0; }
bool surely_not(const Interval& i) { return i.low == 0 && i.high == 0; }

Interval range_of(const Node& n, const std::vector<Interval>& slots) {
  if (n.op == Op::number) return Interval::of(n.number);
  if (n.op == Op::name) return slots[n.slot];
  const Interval a = range_of(n.arguments[0], slots);
  const Interval b = n.arguments.size() > 1 ? range_of(n.arguments[1], slots) : Interval{};
  switch (n.op) {
    case Op::negate:
      return -a;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::less:
      return certainty(a.high < b.low, a.low >= b.high);
    case Op::less_equal:
      return certainty(a.high <= b.low, a.low > b.high);
    case Op::equal:
      return certainty(a.fixed() && a == b, a.high < b.low || b.high < a.low);
    case Op::both:
      return certainty(surely(a) && surely(b), surely_not(a) || surely_not(b));
    case Op::either:
      return certainty(surely(a) || surely(b), surely_not(a) && surely_not(b));
    case Op::no:
      return certainty(surely_not(a), surely(a));
    case Op::minimum:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::maximum:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Op::floor:
      return {std::floor(a.low), std::floor(a.high)};
    case Op::ceil:
      return {std::ceil(a.low), std::ceil(a.high)};
    case Op::number:
    case Op::name:
      break;
  }
  return {};
}

double violation_of(const Node& n, const std::vector<double>& slots) {
  if (n.op == Op::both) return violation_of(n.arguments[0], slots) + violation_of(n.arguments[1], slots);
  if (n.op == Op::either) return std::min(violation_of(n.arguments[0], slots), violation_of(n.arguments[1], slots));
  if (value_at(n, slots) != 0) return 0;
  if (n.op != Op::less && n.op != Op::less_equal) return 1;
  constexpr double kLeast = 1e-9;  // the least violation; that of a strict comparison whose sides are equal
  const double a = value_at(n.arguments[0], slots), b = value_at(n.arguments[1], slots);
  const double violation = std::abs(a - b) / std::max({std::abs(a), std::abs(b), kLeast});
  return std::isfinite(violation) ? std::max(violation, kLeast) : 1;
}

bool uses_at(const Node& n, std::size_t slot) {
  if (n.op == Op::name && n.slot == slot) return true;
  return std::any_of(n.arguments.begin(), n.arguments.end(), [&](const Node& one) { return uses_at(one, slot); });
}

// Writes one side of a comparison: its value, preceded by its name if it is a name.
std::string side(const Node& n, const std::vector<double>& slots, const Names& names) {
  const std::string value = fmt::format("{:.6g}", value_at(n, slots));
  return n.op == Op::name ? names[n.slot] + " " + value : value;
}

void add_broken(const Node& n, const std::vector<double>& slots, const Names& names, const std::string& whole,
                std::vector<std::string>& broken) {
  if (value_at(n, slots) != 0) return;
  if (n.op == Op::both) {
    for (const Node& part : n.arguments) add_broken(part, slots, names, whole, broken);
  } else if (n.op == Op::less || n.op == Op::less_equal) {
    broken.push_back(fmt::format("{} is {} {}", side(n.arguments[0], slots, names),
                                 n.op == Op::less ? "not below" : "above", side(n.arguments[1], slots, names)));
  } else {
    broken.push_back("'" + whole + "' does not hold");
  }
}

}  // namespace

std::vector<std::string> Expression::broken(const std::vector<double>& slots, const Names& names) const {
  std::vector<std::string> broken;
  add_broken(root_, slots, names, text_, broken);
  return broken;
}

bool Expression::uses(std::size_t slot) const { return uses_at(root_, slot); }

double Expression::value(const std::vector<double>& slots) const { return value_at(root_, slots); }

Interval Expression::range(const std::vector<Interval>& slots) const { return range_of(root_, slots); }

double Expression::violation(const std::vector<double>& slots) const { return violation_of(root_, slots); }

}  // namespace fansim::explore
