// SPDX-License-Identifier: Apache-2.0
#include "arch/stream_config.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/fields.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/overrides.h"
#include "base/yaml.h"

namespace fansim::arch {
namespace {

using base::YamlMap;
using base::YamlNode;

// Words of the format that name what no machine is built for yet.
void refuse_unbuilt(YamlMap& map, const std::string& key, const std::vector<std::string>& unbuilt) {
  const YamlNode* node = map.find(key);
  if (node == nullptr) return;
  for (const std::string& word : unbuilt) {
    if (node->scalar == word) map.fail(key, fmt::format("{} '{}' is not built yet", key, word));
  }
}

// The paper of the reconfigurable-LUT kernel describes a multiplier, no machine around it.
void refuse_lut_kernel(YamlMap& map) {
  const YamlNode* node = map.find("system");
  if (node != nullptr && node->scalar == "lut_kernel")
    map.fail("system", "system 'lut_kernel' is 'stream' with 'array: {multiplier: lut_reconfigurable}'");
}

std::vector<std::string> devices_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  return names;
}

// `device` is a name in ../devices beside the configuration's folder, or the path of a file.
std::string device_file(YamlMap& top, const std::string& config_path) {
  const std::string device = top.text("device");
  if (device.find('/') != std::string::npos || std::filesystem::path(device).extension() == ".yaml") {
    const std::string file = base::beside(config_path, device);
    if (!std::filesystem::exists(file)) top.fail("device", fmt::format("device file '{}' does not exist", file));
    return file;
  }
  const std::string folder = base::beside(config_path, "../devices");
  const std::string file = fmt::format("{}/{}.yaml", folder, device);
  if (!std::filesystem::exists(file)) {
    const std::string hint = base::did_you_mean(device, devices_in(folder));
    top.fail("device", fmt::format("device '{}' unknown: no {}{}", device, file, hint));
  }
  return file;
}

Device load_device(const std::string& file) {
  YamlMap map(base::load_yaml(file));
  Device device;
  map.integer("version", 1, 1);
  device.name = map.text("name");
  device.part = map.text("part", "");
  if (map.has("coefficients"))
    device.coefficients = static_cast<Coefficients>(map.choice("coefficients", {"vivado", "yosys"}));
  device.dsp = map.integer("dsp", 0);
  device.lut = map.integer("lut", 0);
  device.ff = map.integer("ff", 0);
  device.bram36 = map.integer("bram36", 0);
  device.dsp_fmax_mhz = map.number("dsp_fmax_mhz", 1, 10000);
  device.bram_fmax_mhz = map.number("bram_fmax_mhz", 1, 10000);
  map.finish();
  return device;
}

// Reads one block of the file, if it has it, and the checks that need several of its fields.
class BlockReader {
 public:
  explicit BlockReader(YamlMap& top) : top_(top) {}

  template <class Block>
  void operator()(const char* key, Block& block) {
    if (!top_.has(key)) return;
    YamlMap map = top_.child(key);
    prepare(map, block);
    base::read_fields(map, block);
    map.finish();
    check(map, block);
  }

 private:
  // Before the fields are read: what they do not say.
  template <class Block>
  void prepare(YamlMap&, Block&) {}
  void prepare(YamlMap& map, DdrConfig& ddr) {
    if (!map.has("part")) return;
    YamlMap part = map.child("part");
    ddr.part = read_ddr_part(part);
    part.finish();
  }

  template <class Block>
  void check(YamlMap&, const Block&) {}
  void check(YamlMap& map, const ArrayConfig& array) {
    if (array.taps() > ArrayConfig::kMaxTaps) {
      map.fail("cols", fmt::format("{} x {} = {} taps; allowed: {} at most", array.rows, array.cols, array.taps(),
                                   ArrayConfig::kMaxTaps));
    }
    if ((array.input_channels & (array.input_channels - 1)) != 0) {
      map.fail("input_channels", fmt::format("input_channels {} must be a power of two", array.input_channels));
    }
    if (array.output_channels % array.input_channels != 0) {
      map.fail("output_channels", fmt::format("output_channels {} must be a multiple of input_channels {}",
                                              array.output_channels, array.input_channels));
    }
    if (map.has("shadow_luts") && array.multiplier != Multiplier::lut_reconfigurable)
      map.fail("shadow_luts", "shadow_luts: only 'multiplier: lut_reconfigurable' has tables to reload");
    if (array.multiplier == Multiplier::dsp48e2_dual_int8 && array.output_channels % 2 != 0) {
      map.fail("output_channels", fmt::format("output_channels {} must be even: dsp48e2_dual_int8 computes two at once",
                                              array.output_channels));
    }
  }
  void check(YamlMap& map, const AxiConfig& axi) {
    if (axi.data_bits != 64 && axi.data_bits != 128) {
      map.fail("data_bits", fmt::format("data_bits {} is not a port width; allowed: 64 or 128", axi.data_bits));
    }
  }
  void check(YamlMap& map, const DmaConfig& dma) {
    if (dma.scatter_gather())
      map.fail("mode",
               "mode scatter_gather: the streaming core's output writer programs DA and LENGTH; allowed: direct");
  }
  void check(YamlMap& map, const DdrConfig& ddr) {
    if (ddr.refresh_cycles >= ddr.refresh_interval) {
      map.fail("refresh_cycles", fmt::format("refresh_cycles {} must be below refresh_interval {}", ddr.refresh_cycles,
                                             ddr.refresh_interval));
    }
    if (ddr.fidelity != DdrFidelity::banked) return;
    if (!map.has("part")) map.fail("fidelity", "fidelity: banked needs a part");
    if (ddr.write_latency < ddr.request_latency) {
      map.fail("write_latency", fmt::format("write_latency {} must not be below request_latency {}", ddr.write_latency,
                                            ddr.request_latency));
    }
  }

  YamlMap& top_;
};

// What one block asks of another.
void check_system(const YamlMap& top, const StreamConfig& config) {
  constexpr int kBiasRecordBytes = 8;  // the longer form, with M and n per channel
  const int pitch = base::round_up(config.array.weight_column_bytes(), config.axi.beat_bytes());
  const int weight_set = pitch * config.array.cols;
  if (config.buffers.weight_half_bytes() < weight_set) {
    top.fail("buffers",
             fmt::format("buffers: weight_kib {} is too small: half of it must hold one weight set of {} bytes",
                         config.buffers.weight_kib, weight_set));
  }
  const int bias_group = config.array.output_channels * kBiasRecordBytes;
  if (config.buffers.bias_half_bytes() < bias_group) {
    top.fail("buffers", fmt::format("buffers: bias_kib {} is too small: half of it must hold {} bytes",
                                    config.buffers.bias_kib, bias_group));
  }
}

struct Hasher {
  base::Fnv1a hash;
  template <class Block>
  void operator()(const char* key, const Block& block) {
    for (const base::FieldRow& row : base::field_rows(block))
      hash.add(fmt::format("{}.{}={}\n", key, row.name, row.fallback));
  }
};

std::string hash_of(StreamConfig& config) {
  const Device& d = config.device;
  Hasher hasher;
  hasher.hash.add(fmt::format("device={} {} {} {} {} {} {} {}\nclock_mhz={}\n", d.name, d.dsp, d.lut, d.ff, d.bram36,
                              d.dsp_fmax_mhz, d.bram_fmax_mhz, static_cast<int>(d.coefficients),
                              config.clock_mhz.text()));
  config.visit_blocks(hasher);
  if (config.ddr.fidelity == DdrFidelity::banked) {
    const DdrPart& part = config.ddr.part;
    hasher("ddr.part", part);
    hasher.hash.add(
        fmt::format("ddr.part.clock_mhz={}\nddr.part.mapping={}\n", part.clock_mhz.text(), part.mapping.layout()));
  }
  return hasher.hash.text();
}

}  // namespace

StreamConfig load_stream_config(const std::string& path, const std::vector<std::string>& overrides) {
  constexpr double kFastestClockMhz = 891;  // DSP48E2, -3 speed grade, fully pipelined (DS925)
  YamlNode document = base::load_yaml(path);
  base::apply_overrides(document, overrides);
  YamlMap top(document);
  StreamConfig config;
  top.integer("version", 1, 1);
  config.name = top.text("name");
  refuse_unbuilt(top, "system", {"tiled", "vision", "float_trainer"});
  refuse_lut_kernel(top);
  top.choice("system", {"stream"});
  config.device = load_device(device_file(top, path));
  config.clock_mhz = top.rational("clock_mhz");
  if (config.clock_mhz.value() < 1 || config.clock_mhz.value() > kFastestClockMhz) {
    top.fail("clock_mhz",
             fmt::format("clock_mhz {} is out of range; allowed: 1..{}", config.clock_mhz.text(), kFastestClockMhz));
  }
  config.visit_blocks(BlockReader(top));
  top.finish();
  check_system(top, config);
  config.hash = hash_of(config);
  return config;
}

}  // namespace fansim::arch
