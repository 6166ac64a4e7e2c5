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

// A waveform while it is written. Variables are declared first; then, time by time, they are given their values, and
// what is as it was costs a comparison. They go by their numbers, which count from 0.
class WaveWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  virtual ~WaveWriter() = default;

  // Under its full name, "top.axi_r.rid".
  std::size_t declare(const std::string& name, int bits);
  // It is one of these words, and has their numbers as values.
  std::size_t declare(const std::string& name, const std::vector<std::string>& words);

  // What follows is of this time, later than the one before.
  void at(std::int64_t time);
  // Of a variable of up to 64 bits; one that has not as many as the value needs is unknown.
  void set(std::size_t variable, std::uint64_t value) {
    if (values_[variable] == value) return;
    values_[variable] = value;
    if (begun_) change(variable);
  }
  // Of any: 0, 1 and x, the highest first.
  void set(std::size_t variable, std::string_view digits);

  bool begun() const { return time_ != kNever; }
  // After the last value.
  void close();

 protected:
  struct Variable {
    std::string name;
    int bits;
    std::vector<std::string> words;  // none: it is bits
    std::string digits;              // in place of its value, unless empty
  };

  explicit WaveWriter(Sink sink) : sink_(std::move(sink)) {}

  struct Scope {
    std::map<std::string, Scope> scopes;
    std::vector<std::size_t> variables;
  };

  const std::vector<Variable>& variables() const { return variables_; }
  std::uint64_t value(std::size_t variable) const { return values_[variable]; }
  const std::string& word(std::size_t variable) const { return variables_[variable].words.at(value(variable)); }
  // As the dots in their names say, all within one called SystemC, as its own tracing has it.
  Scope scopes() const;
  // Whether it has the bits that its value needs; if not, it is unknown.
  bool fits(std::size_t variable) const {
    return variables_[variable].bits >= 64 || values_[variable] >> variables_[variable].bits == 0;
  }
  // All its bits, the highest first.
  std::string digits(std::size_t variable) const;
  // Its name within its scope, "rid [7:0]".
  static std::string local_name(const Variable& variable);
  std::int64_t time() const { return time_; }

  // All are declared and have their first values.
  virtual void begin() = 0;
  // One has another value.
  virtual void change(std::size_t variable) = 0;
  virtual void end() {}

  std::string text_;  // to be written
  void flush();

 private:
  static constexpr std::int64_t kNever = -1;
  static constexpr std::size_t kFull = 1 << 16;

  Sink sink_;
  std::vector<Variable> variables_;
  std::vector<std::uint64_t> values_;  // beside them, since most are only compared
  std::int64_t time_ = kNever;
  bool begun_ = false;
};

}  // namespace fansim::waveforms
