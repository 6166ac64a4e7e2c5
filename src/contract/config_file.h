// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "base/effect.h"
#include "base/fields.h"
#include "base/hash.h"
#include "base/rational.h"
#include "base/yaml.h"
#include "contract/axi.h"
#include "contract/ddr.h"
#include "contract/device.h"
#include "contract/faults.h"
#include "contract/key_range.h"

// What the configuration files of all accelerators have in common.
namespace fansim::contract {

// Loads a configuration file and applies its `--set key.path=value` overrides.
base::YamlNode load_config_document(const std::string& path, const std::vector<std::string>& overrides);

// The part with which every accelerator's configuration begins.
struct ConfigBase {
  std::string name;
  std::string hash;  // FNV-1a of the configuration with its overrides
  Device device;
  base::Rational clock_mhz{250, 1};
  std::vector<KeyRange> ranges;  // ranges of constants that no source gives; no run depends on them
  std::vector<Fault> faults;
  static constexpr std::array<base::InertKey, 0> kInert{};

  double clock_hz() const { return clock_mhz.value() * 1e6; }
  // Returns the clock in which a block's costs are counted.
  const base::Rational& clock_of(const std::string& /*block*/) const { return clock_mhz; }
};

// Throws UserError unless the file's `system` is this one.
void require_system(base::YamlMap& top, const std::string& system);

// Reads the device. `device` is a name in ../devices beside the configuration's folder or among the devices that come
// with the program, or the path of a file.
Device read_device(base::YamlMap& top, const std::string& config_path);
Device load_device(const std::string& path);
std::vector<std::string> devices_in(const std::string& folder);  // returns the names that `device` may have

// Returns whether the fabric can have a clock of that many MHz.
bool is_clock(const base::Rational& mhz);
base::Rational read_clock(base::YamlMap& top, const char* key);

// Prepares a block before its fields are read, from keys that are not among its fields.
template <class Block>
void prepare_block(base::YamlMap&, Block&) {}
void prepare_block(base::YamlMap& map, DdrConfig& ddr);

// What is wrong with a configuration or one of its blocks: the key to blame, and why.
struct Problem {
  const char* key;
  std::string text;
};
using Problems = std::vector<Problem>;

// Rules for blocks that hold for any accelerator. An accelerator's own rules derive from these. check() looks at
// several fields of a block together, check_file() at what the file says besides the values of fields.
struct BlockRules {
  template <class Block>
  static void check(Problems&, const Block&) {}
  static void check(Problems& problems, const AxiConfig& axi);
  static void check(Problems& problems, const DdrConfig& ddr);
  // Checks the memory against the machine's ports, whose block is `port`.
  static void check_memory(Problems& problems, const char* port, const DdrConfig& ddr, const MemoryPorts& ports);
  template <class Block>
  static void check_file(base::YamlMap&, const Block&) {}
  static void check_file(base::YamlMap& map, const DdrConfig& ddr);
};

// FNV-1a of every parameter's name and value, however the file wrote it.
class ConfigHash {
 public:
  explicit ConfigHash(const Device& device);

  void add(const std::string& text) { hash_.add(text); }
  template <class Block>
  void operator()(const char* key, const Block& block) {
    for (const base::FieldRow& row : base::field_rows(block))
      hash_.add(fmt::format("{}.{}={}\n", key, row.name, row.fallback));
  }
  void add_part(const DdrConfig& ddr);  // for a banked memory
  std::string text() const { return hash_.text(); }

 private:
  base::Fnv1a hash_;
};

}  // namespace fansim::contract
