// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "explore/interval.h"

namespace fansim::explore {

// Says what an expression's names stand for: the name at index i has the value of slot i.
using Names = std::vector<std::string>;

// Returns "; did you mean 'lut'?" if a name is similar to `word`, else a list of all names.
std::string hint(const std::string& word, const Names& names);

// Holds an arithmetic expression of a space file: numbers, names, + - * /, < <= > >= == !=, and, or, not, min, max,
// floor, ceil. True is 1 and false is 0.
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
  bool uses(std::size_t slot) const;
  double value(const std::vector<double>& slots) const;
  // Returns an interval that contains the value for all slots within their intervals.
  Interval range(const std::vector<Interval>& slots) const;
  // Returns 0 if the expression is true, else by how much it fails, relative to the sides of its comparisons.
  double violation(const std::vector<double>& slots) const;
  // Returns the parts that do not hold, in words and with their values: "dsp 612 is above 400". It is empty if the
  // expression is true.
  std::vector<std::string> broken(const std::vector<double>& slots, const Names& names) const;

 private:
  std::string text_;
  Node root_;
};

// Throws UserError at `where`; its message begins with `what` and gives the position of the wrong character.
Expression parse_expression(const std::string& text, const Names& names, const base::Location& where,
                            const std::string& what);

}  // namespace fansim::explore
