// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fansim::waveforms {

// How a file shows a variable whose value is a word: as a string, as the word's number beside a table of what each
// number means, or as both.
enum class Words { strings, enums, both };

// Reads `text` for the option --vcd-words of a subcommand. Throws UserError if it is no such word.
Words parse_words(const std::string& subcommand, const std::string& text);

// A waveform while it is written. Variables are declared first and go by their numbers, which count from 0. Then they
// are given their values, time by time. A value that did not change costs one comparison.
class WaveWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  virtual ~WaveWriter() = default;

  // Declares a variable under its full name, such as "top.axi_r.rid".
  std::size_t declare(const std::string& name, int bits);
  // Declares a variable whose value is one of `words`, which have no blanks; set() takes the word's number.
  std::size_t declare(const std::string& name, const std::vector<std::string>& words);

  // Goes to a later time, at which the following values are set.
  void at(std::int64_t time);
  // Sets a variable of up to 64 bits. The variable becomes unknown if the value needs more bits than it has.
  void set(std::size_t variable, std::uint64_t value) {
    if (values_[variable] == value) return;
    values_[variable] = value;
    if (begun_) change_signals(variable);
  }
  // Sets any variable to a text of 0, 1 and x, the highest bit first.
  void set(std::size_t variable, std::string_view digits);

  bool begun() const { return time_ != kNever; }
  // Ends the file. To be called after the last value.
  void close();

 protected:
  struct Variable {
    std::string name;
    int bits;
    std::vector<std::string> words;  // empty if the value is bits
    std::string digits;              // stands in place of the value unless it is empty
    std::size_t signal;              // number of its first signal
  };
  // What the file shows of a variable: its value, or its word as a string. A variable has one signal or two.
  struct Signal {
    std::size_t variable;
    bool string;
  };

  WaveWriter(Sink sink, Words words) : sink_(std::move(sink)), words_(words) {}

  struct Scope {
    std::map<std::string, Scope> scopes;
    std::vector<std::size_t> signals;
  };

  const std::vector<Signal>& signals() const { return signals_; }
  const Variable& variable_of(std::size_t signal) const { return variables_[signals_[signal].variable]; }
  // Returns whether the signal is the number of a word.
  bool is_enum(std::size_t signal) const { return !signals_[signal].string && !variable_of(signal).words.empty(); }
  std::uint64_t value(std::size_t variable) const { return values_[variable]; }
  const std::string& word(std::size_t variable) const { return variables_[variable].words.at(value(variable)); }
  // Returns the scopes that the dots in the names give, all in one scope called SystemC, as in SystemC's own traces.
  Scope scopes() const;
  // Returns whether the variable has as many bits as its value needs. If not, it is unknown.
  bool fits(std::size_t variable) const {
    return variables_[variable].bits >= 64 || values_[variable] >> variables_[variable].bits == 0;
  }
  // Returns all bits of the value, the highest first.
  std::string digits(std::size_t variable) const;
  // Returns the signal's name within its scope, such as "rid [7:0]".
  std::string local_name(std::size_t signal) const;
  std::int64_t time() const { return time_; }

  // Called once all variables are declared and have their first values.
  virtual void begin() = 0;
  // Called when a signal has another value.
  virtual void change(std::size_t signal) = 0;
  virtual void end() {}

  std::string text_;  // what flush() writes
  void flush();

 private:
  void change_signals(std::size_t variable);

  static constexpr std::int64_t kNever = -1;
  static constexpr std::size_t kFull = 1 << 16;

  Sink sink_;
  const Words words_;
  std::vector<Variable> variables_;
  std::vector<Signal> signals_;
  std::vector<std::uint64_t> values_;  // kept apart from variables_, since most are only compared
  std::int64_t time_ = kNever;
  bool begun_ = false;
};

}  // namespace fansim::waveforms
