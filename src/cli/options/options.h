// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fansim::cli {

// The options and positional arguments of one subcommand. Errors are base::UserError with the nearest known option.
class Options {
 public:
  explicit Options(std::string subcommand) : subcommand_(std::move(subcommand)), visible_("Options") {
    flag("help,h", "show this");
  }

  Options& positional(const std::string& name, bool required);
  // Any number of arguments, behind all that have a name.
  Options& positionals(const std::string& name);
  Options& flag(const std::string& name, const std::string& help);
  Options& value(const std::string& name, const std::string& placeholder, const std::string& help);
  Options& values(const std::string& name, const std::string& placeholder, const std::string& help);  // may repeat
  // Named in the documentation, and refused in those words.
  Options& not_built_yet(const std::string& name, bool takes_value);

  // False: --help was asked for and has been printed.
  bool parse(const std::vector<std::string>& arguments);

  bool has(const std::string& name) const { return parsed_.count(name) > 0; }
  bool on(const std::string& flag) const { return parsed_[flag].as<bool>(); }
  std::string text(const std::string& name, const std::string& fallback = "") const;
  std::vector<std::string> list(const std::string& name) const;
  std::vector<std::string> rest() const { return list(rest_); }
  std::optional<std::uint64_t> natural(const std::string& name) const;

 private:
  void add(const std::string& name, const boost::program_options::value_semantic* semantic, const std::string& help);
  std::string usage() const;

  std::string subcommand_, rest_;
  boost::program_options::options_description visible_;
  boost::program_options::options_description hidden_;
  boost::program_options::positional_options_description order_;
  std::vector<std::string> required_, optional_, unbuilt_, names_;
  boost::program_options::variables_map parsed_;
};

// A decimal number without sign.
std::optional<std::uint64_t> parse_natural(const std::string& text);

}  // namespace fansim::cli
