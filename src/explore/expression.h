// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "explore/interval.h"

namespace fansim::explore {

// What an expression's names stand for: the name at index i has the value of slot i.
using Names = std::vector<std::string>;

// "; did you mean 'lut'?", or all there are.
std::string hint(const std::string& word, const Names& names);

// A sum of what a space file may write: numbers, names, + - * /, < <= > >= == !=, and, or, not, min, max, floor, ceil.
// A truth is 1 or 0.
class Expression {
 public:
  enum class Op {
    number,
    name,
    negate,
    add,
    subtract,
    multiply,
    divide,
    less,
    less_equal,
    equal,
    both,
    either,
    no,
    minimum,
    maximum,
    floor,
    ceil
  };
  struct Node {
    Op op = Op::number;
    double number = 0;
    std::size_t slot = 0;
    std::vector<Node> arguments;
  };

  Expression(std::string text, Node root) : text_(std::move(text)), root_(std::move(root)) {}

  const std::string& text() const { return text_; }
  double value(const std::vector<double>& slots) const;
  // Contains the value for any slots out of their intervals.
  Interval range(const std::vector<Interval>& slots) const;
  // 0 if the expression is true; else by how much, relative to the sides of its comparisons, it is not.
  double violation(const std::vector<double>& slots) const;
  // What of it does not hold, in words and with its values: "dsp 612 is above 400"; empty: it is true.
  std::vector<std::string> broken(const std::vector<double>& slots, const Names& names) const;

 private:
  std::string text_;
  Node root_;
};

// UserError at `where` that begins with `what` and says at which character.
Expression parse_expression(const std::string& text, const Names& names, const base::Location& where,
                            const std::string& what);

}  // namespace fansim::explore
