// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fansim::waveforms {

// A VCD on its way from SystemC, whose tracing knows no words, to viewers, which do: what is named here it writes as
// codes, and leaves as variables of GTKWave's type `string`. A clock it writes as a code that changes at each rise,
// which spares an instant for the fall; it leaves as a wire that falls halfway to the next time.
class VcdWords {
 public:
  // Before the header is written, from any thread. The words of the variable of that full name, by code; a clock.
  void add(const std::string& name, const std::vector<std::string>& words);
  void add_clock(const std::string& name);

  // The whole header, once.
  std::string head(std::string_view text);
  // What follows it, part by part: the lines that are whole by now, and at the end the rest.
  std::string body(std::string_view part);
  std::string rest() { return std::move(line_); }

 private:
  std::string declaration(std::string_view line, std::vector<std::string>& scope);
  void append(std::string_view line, std::string& to);
  void value(std::string_view line, std::string& to);
  void fall(std::int64_t time, std::string& to);

  std::mutex mutex_;
  std::map<std::string, std::vector<std::string>> named_;
  std::set<std::string> named_clocks_;
  // By the variable's identifier in the file; of a clock, none.
  std::unordered_map<std::string, std::vector<std::string>> words_;
  std::vector<std::string> high_;  // clocks
  std::int64_t time_ = 0;
  std::string line_;  // begun
};

}  // namespace fansim::waveforms
