// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fansim::cli {

// Holds the options and positional arguments of one subcommand. Errors are thrown as base::UserError with the nearest
// known option.
class Options {
 public:
  explicit Options(std::string subcommand) : subcommand_(std::move(subcommand)) { group("Options"); }

  Options& positional(const std::string& name, bool required);
  // Allows any number of arguments after all named ones.
  Options& positionals(const std::string& name);
  Options& flag(const std::string& name, const std::string& help);
  Options& value(const std::string& name, const std::string& placeholder, const std::string& help);
  Options& values(const std::string& name, const std::string& placeholder, const std::string& help);  // may repeat
  // Puts the options that are added after this call under this heading of --help.
  Options& group(const std::string& heading);
  // Adds an example at the end of --help: what follows "fansim" on the command line, and what it does.
  Options& example(const std::string& arguments, const std::string& meaning);
  // Refuses an option that the documentation names as not built yet.
  Options& not_built_yet(const std::string& name, bool takes_value);

  // Returns false after it has printed the text for --help, or for --help-json, the same text for man pages and
  // completion.
  bool parse(const std::vector<std::string>& arguments);

  bool has(const std::string& name) const { return parsed_.count(name) > 0; }
  bool on(const std::string& flag) const { return parsed_[flag].as<bool>(); }
  std::string text(const std::string& name, const std::string& fallback = "") const;
  std::vector<std::string> list(const std::string& name) const;
  std::vector<std::string> rest() const { return list(rest_); }
  std::optional<std::uint64_t> natural(const std::string& name) const;

 private:
  struct Option {
    std::string name, letter, placeholder, help;  // no placeholder: a flag
    bool repeats;
  };
  struct Group {
    std::string heading;
    std::vector<Option> options;
  };
  struct Example {
    std::string arguments, meaning;
  };

  Options& add(const std::string& name, const std::string& placeholder, const std::string& help, bool repeats);
  std::string usage() const;
  std::string help() const;
  std::string help_json() const;
  boost::program_options::options_description visible() const;

  std::string subcommand_, rest_;
  std::vector<Group> groups_;
  std::vector<Example> examples_;
  boost::program_options::options_description hidden_;
  boost::program_options::positional_options_description order_;
  std::vector<std::string> required_, optional_, unbuilt_, names_{"--help"};
  boost::program_options::variables_map parsed_;
};

// Parses a decimal number without a sign.
std::optional<std::uint64_t> parse_natural(const std::string& text);

}  // namespace fansim::cli
