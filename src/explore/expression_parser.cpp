// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "explore/expression.h"

namespace fansim::explore {
namespace {

using Op = Expression::Op;
using Node = Expression::Node;

struct Function {
  const char* name;
  Op op;
  std::size_t arguments;
};
constexpr Function kFunctions[] = {
    {"min", Op::minimum, 2}, {"max", Op::maximum, 2}, {"floor", Op::floor, 1}, {"ceil", Op::ceil, 1}};

// Parses by recursive descent with one function per level: or, and, not, comparison, sum, product, sign, operand.
class Parser {
 public:
  Parser(const std::string& text, const Names& names, base::Location where, std::string what)
      : text_(text), names_(names), where_(std::move(where)), what_(std::move(what)) {}

  Node parse() {
    Node root = either();
    if (at_ < text_.size()) fail(fmt::format("'{}' is left over", text_.substr(at_)));
    return root;
  }

 private:
  static constexpr int kDeepest = 64;

  [[noreturn]] void fail(const std::string& problem) const {
    throw base::UserError(where_, fmt::format("{} '{}': {} at character {}", what_, text_, problem, at_ + 1));
  }

  static bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
  static bool in_word(char c) { return letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(const std::string& token) {
    skip_blanks();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    if (letter(token[0]) && at_ + token.size() < text_.size() && in_word(text_[at_ + token.size()])) return false;
    at_ += token.size();
    skip_blanks();
    return true;
  }

  static Node node(Op op, std::vector<Node> arguments) { return {op, 0, 0, std::move(arguments)}; }

  Node either() {
    Node left = both();
    while (take("or")) left = node(Op::either, {std::move(left), both()});
    return left;
  }
  Node both() {
    Node left = truth();
    while (take("and")) left = node(Op::both, {std::move(left), truth()});
    return left;
  }
  Node truth() {
    if (take("not")) return nested([this] { return node(Op::no, {truth()}); });
    return comparison();
  }
  Node comparison() {
    Node left = sum();
    if (take("<=")) return node(Op::less_equal, {std::move(left), sum()});
    if (take(">=")) return swapped(Op::less_equal, std::move(left));
    if (take("==")) return node(Op::equal, {std::move(left), sum()});
    if (take("!=")) return node(Op::no, {node(Op::equal, {std::move(left), sum()})});
    if (take("<")) return node(Op::less, {std::move(left), sum()});
    if (take(">")) return swapped(Op::less, std::move(left));
    return left;
  }
  Node swapped(Op op, Node left) {
    Node right = sum();
    return node(op, {std::move(right), std::move(left)});
  }
  Node sum() {
    Node left = product();
    while (true) {
      if (take("+")) {
        left = node(Op::add, {std::move(left), product()});
      } else if (take("-")) {
        left = node(Op::subtract, {std::move(left), product()});
      } else {
        return left;
      }
    }
  }
  Node product() {
    Node left = sign();
    while (true) {
      if (take("*")) {
        left = node(Op::multiply, {std::move(left), sign()});
      } else if (take("/")) {
        left = node(Op::divide, {std::move(left), sign()});
      } else {
        return left;
      }
    }
  }
  Node sign() {
    if (take("-")) return nested([this] { return node(Op::negate, {sign()}); });
    return operand();
  }

  template <class Inner>
  Node nested(Inner&& inner) {
    if (++depth_ > kDeepest) fail("nested too deeply");
    Node result = inner();
    --depth_;
    return result;
  }

  Node operand() {
    skip_blanks();
    if (take("(")) {
      return nested([this] {
        Node inner = either();
        if (!take(")")) fail("expected ')'");
        return inner;
      });
    }
    if (at_ == text_.size()) fail("expected a number or a name");
    if (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.') return number();
    if (letter(text_[at_])) return word();
    fail(fmt::format("expected a number or a name, found '{}'", text_[at_]));
  }

  Node number() {
    char* end = nullptr;
    Node result;
    result.number = std::strtod(text_.c_str() + at_, &end);
    const auto length = static_cast<std::size_t>(end - (text_.c_str() + at_));
    if (length == 0) fail(fmt::format("expected a number or a name, found '{}'", text_[at_]));
    at_ += length;
    return result;
  }

  Node word() {
    const std::size_t from = at_;
    std::size_t to = at_;
    while (to < text_.size() && in_word(text_[to])) ++to;
    const std::string name = text_.substr(from, to - from);
    for (const Function& function : kFunctions) {
      if (name != function.name) continue;
      at_ = to;
      return call(function);
    }
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) fail(fmt::format("'{}' is not known{}", name, hint(name, names_)));
    at_ = to;
    Node result;
    result.op = Op::name;
    result.slot = static_cast<std::size_t>(found - names_.begin());
    return result;
  }

  Node call(const Function& function) {
    if (!take("(")) fail(fmt::format("expected '(' after {}", function.name));
    return nested([&] {
      std::vector<Node> arguments{either()};
      while (take(",")) arguments.push_back(either());
      if (!take(")")) fail("expected ')'");
      if (arguments.size() != function.arguments)
        fail(fmt::format("{} takes {} values, found {}", function.name, function.arguments, arguments.size()));
      return node(function.op, std::move(arguments));
    });
  }

  const std::string& text_;
  const Names& names_;
  const base::Location where_;
  const std::string what_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::string hint(const std::string& word, const Names& names) {
  std::string text = base::did_you_mean(word, names);
  if (!text.empty()) return text;
  for (const std::string& name : names) text += (text.empty() ? "; known: " : ", ") + name;
  return text;
}

Expression parse_expression(const std::string& text, const Names& names, const base::Location& where,
                            const std::string& what) {
  return {text, Parser(text, names, where, what).parse()};
}

}  // namespace fansim::explore
