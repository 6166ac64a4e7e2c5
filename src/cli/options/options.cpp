// SPDX-License-Identifier: Apache-2.0
#include "cli/options/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/console.h"
#include "base/error.h"

namespace fansim::cli {

namespace po = boost::program_options;

Options& Options::add(const std::string& name, const std::string& placeholder, const std::string& help, bool repeats) {
  const std::size_t comma = std::min(name.find(','), name.size());
  const std::string letter = name.substr(std::min(comma + 1, name.size()));
  groups_.back().options.push_back({name.substr(0, comma), letter, placeholder, help, repeats});
  names_.push_back("--" + groups_.back().options.back().name);
  return *this;
}

Options& Options::group(const std::string& heading) {
  groups_.push_back({heading, {}});
  return *this;
}

Options& Options::example(const std::string& arguments, const std::string& meaning) {
  examples_.push_back({arguments, meaning});
  return *this;
}

Options& Options::positional(const std::string& name, bool required) {
  hidden_.add_options()(name.c_str(), po::value<std::string>(), "");
  order_.add(name.c_str(), 1);
  (required ? required_ : optional_).push_back(name);
  return *this;
}

Options& Options::positionals(const std::string& name) {
  rest_ = name;
  hidden_.add_options()(name.c_str(), po::value<std::vector<std::string>>(), "");
  order_.add(name.c_str(), -1);
  return *this;
}

Options& Options::flag(const std::string& name, const std::string& help) { return add(name, "", help, false); }

Options& Options::value(const std::string& name, const std::string& placeholder, const std::string& help) {
  return add(name, placeholder, help, false);
}

Options& Options::values(const std::string& name, const std::string& placeholder, const std::string& help) {
  return add(name, placeholder, help, true);
}

Options& Options::not_built_yet(const std::string& name, bool takes_value) {
  if (takes_value) {
    hidden_.add_options()(name.c_str(), po::value<std::string>(), "");
  } else {
    hidden_.add_options()(name.c_str(), "");
  }
  unbuilt_.push_back(name);
  return *this;
}

std::string Options::usage() const {
  std::string line = "fansim " + subcommand_;
  for (const std::string& name : required_) line += " " + name;
  for (const std::string& name : optional_) line += " [" + name + "]";
  if (!rest_.empty()) line += " " + rest_;
  return line + " [options]";
}

po::options_description Options::visible() const {
  po::options_description all;
  for (const Group& group : groups_) {
    if (group.options.empty()) continue;
    po::options_description part(group.heading);
    for (const Option& option : group.options) {
      const std::string name = option.letter.empty() ? option.name : option.name + "," + option.letter;
      const char* placeholder = option.placeholder.c_str();
      const po::value_semantic* semantic = nullptr;
      if (option.placeholder.empty())
        semantic = po::bool_switch();
      else if (option.repeats)
        semantic = po::value<std::vector<std::string>>()->value_name(placeholder)->composing();
      else
        semantic = po::value<std::string>()->value_name(placeholder);
      part.add_options()(name.c_str(), semantic, option.help.c_str());
    }
    all.add(part);
  }
  return all;
}

std::string Options::help() const {
  constexpr std::size_t kColumns = 80;
  constexpr auto kLines = 51;
  std::string head = "usage: " + usage();
  if (head.size() > kColumns) head.replace(head.rfind(" ["), 1, "\n       ");
  std::ostringstream groups, text;
  groups << visible();  // prints an empty line before each group; the first one needs none
  text << head << (groups.str().empty() ? "\n" : groups.str());
  if (!examples_.empty()) text << "\nExamples:\n";
  for (const Example& example : examples_) {
    const std::string command = "  fansim " + example.arguments, meaning = "  # " + example.meaning;
    text << command << (command.size() + meaning.size() > kColumns ? "\n    " : "") << meaning << "\n";
  }
  std::string whole = text.str();
  // Long help does without the empty lines between its groups, to stay on a screen.
  if (std::count(whole.begin(), whole.end(), '\n') > kLines)
    for (std::size_t at = 0; (at = whole.find("\n\n")) != std::string::npos;) whole.erase(at, 1);
  return whole;
}

std::string Options::help_json() const {
  using nlohmann::ordered_json;
  ordered_json groups = ordered_json::array(), examples = ordered_json::array(), positionals = ordered_json::array();
  for (const Group& group : groups_) {
    ordered_json options = ordered_json::array();
    for (const Option& option : group.options)
      options.push_back({{"name", option.name},
                         {"letter", option.letter},
                         {"placeholder", option.placeholder},
                         {"help", option.help},
                         {"repeats", option.repeats}});
    if (!options.empty()) groups.push_back({{"heading", group.heading}, {"options", options}});
  }
  for (const Example& example : examples_)
    examples.push_back({{"arguments", example.arguments}, {"meaning", example.meaning}});
  for (const std::string& name : required_) positionals.push_back(name);
  for (const std::string& name : optional_) positionals.push_back(name);
  const ordered_json all{{"subcommand", subcommand_},  {"usage", usage()},
                         {"positionals", positionals}, {"rest", rest_},
                         {"groups", groups},           {"examples", examples}};
  return all.dump(1) + "\n";
}

bool Options::parse(const std::vector<std::string>& arguments) {
  using Style = po::command_line_style::style_t;
  constexpr int kStyle = Style::allow_long | Style::long_allow_adjacent | Style::long_allow_next | Style::allow_short |
                         Style::allow_dash_for_short | Style::short_allow_next;
  po::options_description asked;
  asked.add_options()("help,h", po::bool_switch())("help-json", po::bool_switch());
  po::options_description all;
  all.add(visible()).add(hidden_).add(asked);
  try {
    po::store(po::command_line_parser(arguments).options(all).positional(order_).style(kStyle).run(), parsed_);
  } catch (const po::unknown_option& error) {
    const std::string name = error.get_option_name();
    throw base::UserError(
        fmt::format("{}: option '{}' unknown{}", subcommand_, name, base::did_you_mean(name, names_)));
  } catch (const po::too_many_positional_options_error&) {
    throw base::UserError(fmt::format("{}: too many arguments; usage: {}", subcommand_, usage()));
  } catch (const po::error& error) {
    throw base::UserError(fmt::format("{}: {}", subcommand_, error.what()));
  }
  if (on("help") || on("help-json")) {
    base::print_text(on("help") ? help() : help_json());
    return false;
  }
  for (const auto& option : parsed_) {
    const auto* text = boost::any_cast<std::string>(&option.second.value());
    if (text && text->empty())
      throw base::UserError(fmt::format("{}: --{}: expected a value, found an empty one", subcommand_, option.first));
  }
  for (const std::string& name : unbuilt_) {
    if (has(name)) throw base::UserError(fmt::format("{}: --{} is not built yet", subcommand_, name));
  }
  for (const std::string& name : required_) {
    if (!has(name)) throw base::UserError(fmt::format("{}: {} is missing; usage: {}", subcommand_, name, usage()));
  }
  return true;
}

std::string Options::text(const std::string& name, const std::string& fallback) const {
  return has(name) ? parsed_[name].as<std::string>() : fallback;
}

std::vector<std::string> Options::list(const std::string& name) const {
  return has(name) ? parsed_[name].as<std::vector<std::string>>() : std::vector<std::string>{};
}

std::optional<std::uint64_t> Options::natural(const std::string& name) const {
  if (!has(name)) return std::nullopt;
  const auto value = parse_natural(text(name));
  if (!value)
    throw base::UserError(
        fmt::format("{}: --{}: expected a number of at least 0, found '{}'", subcommand_, name, text(name)));
  return value;
}

std::optional<std::uint64_t> parse_natural(const std::string& text) {
  constexpr std::size_t kMostDigits = 19;  // always fits 64 bits
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || text.size() > kMostDigits || !std::all_of(text.begin(), text.end(), digit)) return std::nullopt;
  return std::stoull(text);
}

}  // namespace fansim::cli
