// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/config.h"

#include <fmt/format.h>

#include "arith/quantisation/component.h"
#include "contract/load_config.h"

namespace fansim::tiled {
namespace {

using base::YamlMap;

void check_width(contract::Problems& problems, const char* key, int bits) {
  if ((bits & (bits - 1)) != 0)
    problems.push_back({key, fmt::format("{} {} is not a port width; allowed: 8, 16, ... 512", key, bits)});
}

bool divided(const EngineConfig& engine) {
  return engine.macs == MacPlace::by_output || engine.macs == MacPlace::by_input;
}

// A value with its slot must lie within one beat of each stream.
void check_encoding(contract::Problems& problems, const char* block, const char* key, const char* what,
                    const Encoding& e) {
  if (e.slot_bits > std::min(e.word_bits, e.beat_bits))
    problems.push_back(
        {block, fmt::format("{}: {} {} is narrower than {} of {} bits", block, key, e.beat_bits, what, e.slot_bits)});
}

struct Rules : contract::BlockRules {
  using BlockRules::check, BlockRules::check_file;

  static void check(contract::Problems& problems, const QuantisationConfig& q) {
    const arith::QuantisationMethods methods;
    const arith::QuantisationMethod* method = methods.find(q.method);
    if (!method) {
      problems.push_back({"method", methods.unknown(q.method)});
      return;
    }
    const arith::Grain grain = q.grain == MacGrain::fine ? arith::Grain::fine : arith::Grain::coarse;
    const std::string refused = arith::refusal(*method, q.weight_bits, q.activation_bits, grain);
    if (!refused.empty()) problems.push_back({"method", refused});
  }
  static void check(contract::Problems& problems, const EngineConfig& engine) {
    if ((engine.tm > 0) != (engine.tn > 0))
      problems.push_back({"tn", fmt::format("tm {} and tn {}: both are 0 or neither", engine.tm, engine.tn)});
    const int channels = engine.macs == MacPlace::by_output ? engine.tm : engine.tn;
    if (divided(engine) && engine.dsp_channels > channels)
      problems.push_back(
          {"dsp_channels", fmt::format("dsp_channels {} is more than {} channels", engine.dsp_channels, channels)});
    if (engine.chains() && engine.tm % 2 != 0)
      problems.push_back({"tm", fmt::format("tm {} must be even: a slice of a chain computes two at once", engine.tm)});
  }
  static void check(contract::Problems& problems, const LoadConfig& load) {
    check_width(problems, "input_bits", load.input_bits);
    check_width(problems, "weight_bits", load.weight_bits);
  }
  static void check(contract::Problems& problems, const StoreConfig& store) {
    check_width(problems, "bits", store.bits);
  }
  static void check(contract::Problems& problems, const contract::AxiConfig& port) {
    check_width(problems, "data_bits", port.data_bits);
  }

  // Checks what a file says beyond its values, such as keys that have no effect with its other keys.
  static void check_file(YamlMap& map, const EngineConfig& engine) {
    const EngineConfig unsaid;
    if (!divided(engine) && map.has("dsp_channels") && engine.dsp_channels != unsaid.dsp_channels)
      map.fail("dsp_channels", "dsp_channels: only 'macs: by_output' and 'by_input' divide the MACs");
    if (!engine.chains() && map.has("terms") && engine.terms != unsaid.terms)
      map.fail("terms", "terms: only 'macs: int8_chain' has chains");
  }

  // Checks requirements between blocks.
  static contract::Problems between(const Config& c) {
    contract::Problems problems;
    if (c.common_period() > Config::kMostCommonPeriod) {
      const std::int64_t finest = std::max<std::int64_t>(1, Config::kMostCommonPeriod / c.clock_mhz.numerator);
      problems.push_back(
          {"port_mhz", fmt::format("port_mhz {} meets clock_mhz {} every {} cycles, where a layer may begin; allowed: "
                                   "{}; the next port_mhz of such is {}",
                                   c.port_mhz.text(), c.clock_mhz.text(), c.common_period(), Config::kMostCommonPeriod,
                                   base::nearest(c.port_mhz, base::kMostClockTerm, finest).text())});
    }
    const QuantisationConfig& q = c.quantisation;
    const arith::QuantisationMethods methods;
    const arith::QuantisationMethod* method = methods.find(q.method);
    const bool int8 = method != nullptr && method->linear() && q.weight_bits <= 8 && q.activation_bits <= 8;
    for (int i = 0; i < Config::kEngines; ++i)
      if (c.engine(i).exists() && c.engine(i).chains() && (c.float_sum() || !int8))
        problems.push_back(
            {Config::kEngineNames[static_cast<std::size_t>(i)],
             fmt::format("{}: macs int8_chain multiplies evenly spaced weights and activations of at most "
                         "8 bits, coarse; here {}, {} and {} bits, {}",
                         Config::kEngineNames[static_cast<std::size_t>(i)], q.method, q.weight_bits, q.activation_bits,
                         c.float_sum() ? "fine" : "coarse")});
    if (c.store.code_table && q.activation_bits > 8)
      problems.push_back({"store", fmt::format("store: code_table: its codes have 8 bits at most, activation_bits {}",
                                               q.activation_bits)});
    check_encoding(problems, "load", "input_bits", "an activation", c.input_encoding());
    check_encoding(problems, "load", "weight_bits", "a weight", c.weight_encoding());
    check_encoding(problems, "store", "bits", "an activation", c.output_encoding());
    check_memory(problems, "port", c.ddr, c.memory_ports());
    return problems;
  }
};

}  // namespace

Config Config::read(const std::string& path, const std::vector<std::string>& overrides) {
  return contract::load_config<Config, Rules>(path, overrides);
}

std::string refusal(const Config& config) { return contract::first_refusal<Rules>(config); }

void add_idle(contract::IdleKeys& idle, const Config& c) {
  for (int i = 0; i < Config::kEngines; ++i) {
    const EngineConfig& engine = c.engine(i);
    const std::string name = Config::kEngineNames[static_cast<std::size_t>(i)];
    if (!engine.exists())
      contract::add_idle(idle, name,
                         {"macs", "dsp_channels", "terms", "input_words", "output_words", "double_buffer", "vectors"},
                         fmt::format("{}.tm is 0: there is no such engine", name));
    if (!divided(engine))
      contract::add_idle(idle, name, {"dsp_channels"}, "only by_output and by_input divide the MACs");
    if (!engine.chains()) contract::add_idle(idle, name, {"terms"}, "only 'macs: int8_chain' has chains");
  }
  for (int i = 0; i < Config::kEngines; ++i) {
    const std::string key = std::string(Config::kEngineNames[static_cast<std::size_t>(i)]) + ".terms";
    contract::add_above(idle, key.c_str(), c.engine(i).terms, c.engine(i).tn, "an output has tn products a step");
  }
  const auto burst = [&idle](const char* key, int beats, int bits) {
    contract::add_above(idle, key, beats, contract::AxiConfig::kBoundary / (bits / 8), "a burst ends at 4 KiB");
  };
  burst("load.input_burst_beats", c.load.input_burst_beats, c.load.input_bits);
  burst("load.weight_burst_beats", c.load.weight_burst_beats, c.load.weight_bits);
  burst("store.burst_beats", c.store.burst_beats, c.store.bits);
  burst("port.burst_beats", c.port.burst_beats, c.port.data_bits);
  const auto whole_bytes = [](int bits) { return bits == 8 || bits == 16; };
  if (whole_bytes(c.quantisation.weight_bits) && whole_bytes(c.quantisation.activation_bits))
    contract::add_idle(idle, "load", {"encode"}, "values of 8 or 16 bits are whole bytes either way");
  if (!c.fc.exists()) contract::add_idle(idle, "weights", {"fc_kib"}, "fc.tm is 0: there is no such engine");
}

}  // namespace fansim::tiled
