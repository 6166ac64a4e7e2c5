// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fansim::test {

// Holds a VCD as a viewer reads it. Signals have their names without SystemC's scope; vectors include their range as in
// the file ("top.axi_r.rid[7:0]"). Numbers of words are replaced by the words that the file's comments give them; such
// a signal goes by its name without the range.
class Recording {
 public:
  explicit Recording(const std::string& vcd);

  bool has(const std::string& name) const { return ids_.count(name) == 1; }
  // Returns the values of these signals at each edge of the accelerator's clock.
  std::vector<std::vector<std::string>> edges(const std::vector<std::string>& names) const;
  // Returns when the signal changed to that value, in the file's time unit.
  std::vector<std::int64_t> times(const std::string& name, const std::string& to) const;
  std::size_t changes(const std::string& name, const std::string& to) const { return times(name, to).size(); }

 private:
  const std::string& id(const std::string& name) const;
  void read_words(const std::string& name, const std::string& numbers);

  std::unordered_map<std::string, std::string> ids_;
  std::unordered_map<std::string, std::unordered_map<std::string, std::string>> words_;  // by identifier and value
  struct Step {
    std::int64_t time = 0;
    std::vector<std::pair<std::string, std::string>> values;  // by identifier
  };
  std::vector<Step> steps_;
};

}  // namespace fansim::test
