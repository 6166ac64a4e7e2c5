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

// The file with its `--set key.path=value` overrides.
base::YamlNode load_config_document(const std::string& path, const std::vector<std::string>& overrides);

// What every accelerator's configuration begins with.
struct ConfigBase {
  std::string name;
  std::string hash;  // FNV-1a of the configuration with its overrides
  Device device;
  base::Rational clock_mhz{250, 1};
  std::vector<KeyRange> ranges;  // of constants that are nobody's; they change no run
  std::vector<Fault> faults;
  static constexpr std::array<base::InertKey, 0> kInert{};

  double clock_hz() const { return clock_mhz.value() * 1e6; }
};

// The file's `system` must be this one.
void require_system(base::YamlMap& top, const std::string& system);

// `device` is a name in ../devices beside the configuration's folder or among those that come with the program, or the
// path of a file.
Device read_device(base::YamlMap& top, const std::string& config_path);
Device load_device(const std::string& path);
std::vector<std::string> devices_in(const std::string& folder);  // the names that `device` may have

// A clock in MHz that the fabric can have.
bool is_clock(const base::Rational& mhz);
base::Rational read_clock(base::YamlMap& top, const char* key);

// Before the fields are read: what they do not say.
template <class Block>
void prepare_block(base::YamlMap&, Block&) {}
void prepare_block(base::YamlMap& map, DdrConfig& ddr);

// What is wrong with a configuration or one of its blocks: the key to blame, and why.
struct Problem {
  const char* key;
  std::string text;
};
using Problems = std::vector<Problem>;

// What any accelerator asks of its blocks. An accelerator's own rules derive from these: check() looks at several
// fields of a block together, check_file() at what the file says beyond their values.
struct BlockRules {
  template <class Block>
  static void check(Problems&, const Block&) {}
  static void check(Problems& problems, const AxiConfig& axi);
  static void check(Problems& problems, const DdrConfig& ddr);
  template <class Block>
  static void check_file(base::YamlMap&, const Block&) {}
  static void check_file(base::YamlMap& map, const DdrConfig& ddr);
};

// FNV-1a of every parameter by its name, however the file wrote it.
class ConfigHash {
 public:
  explicit ConfigHash(const Device& device);

  void add(const std::string& text) { hash_.add(text); }
  template <class Block>
  void operator()(const char* key, const Block& block) {
    for (const base::FieldRow& row : base::field_rows(block))
      hash_.add(fmt::format("{}.{}={}\n", key, row.name, row.fallback));
  }
  void add_part(const DdrConfig& ddr);  // of a banked memory
  std::string text() const { return hash_.text(); }

 private:
  base::Fnv1a hash_;
};

}  // namespace fansim::contract
