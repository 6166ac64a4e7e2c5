// SPDX-License-Identifier: Apache-2.0
#include "cli/options/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/console.h"
#include "base/error.h"

namespace fansim::cli {

namespace po = boost::program_options;

void Options::add(const std::string& name, const po::value_semantic* semantic, const std::string& help) {
  visible_.add_options()(name.c_str(), semantic, help.c_str());
  names_.push_back("--" + name.substr(0, name.find(',')));
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

Options& Options::flag(const std::string& name, const std::string& help) {
  add(name, po::bool_switch(), help);
  return *this;
}

Options& Options::value(const std::string& name, const std::string& placeholder, const std::string& help) {
  add(name, po::value<std::string>()->value_name(placeholder), help);
  return *this;
}

Options& Options::values(const std::string& name, const std::string& placeholder, const std::string& help) {
  add(name, po::value<std::vector<std::string>>()->value_name(placeholder)->composing(), help);
  return *this;
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

bool Options::parse(const std::vector<std::string>& arguments) {
  using Style = po::command_line_style::style_t;
  constexpr int kStyle = Style::allow_long | Style::long_allow_adjacent | Style::long_allow_next | Style::allow_short |
                         Style::allow_dash_for_short | Style::short_allow_next;
  po::options_description all;
  all.add(visible_).add(hidden_);
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
  if (parsed_["help"].as<bool>()) {
    std::ostringstream text;
    text << "usage: " << usage() << "\n\n" << visible_;
    base::print_text(text.str());
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
