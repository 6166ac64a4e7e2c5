// SPDX-License-Identifier: Apache-2.0
#include "random/random_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.h"
#include "base/rational.h"
#include "base/yaml.h"
#include "network/function.h"

namespace fansim::test {

std::string Case::body() const {
  std::string text = "input: " + input + "\n" + list + ":\n";
  for (const std::string& layer : layers) text += layer;
  return text;
}

std::string Case::network() const { return "version: 1\nname: random\n" + body(); }

std::string Case::replay(const std::string& network_file) const {
  std::string text = "fansim run " + base + " " + network_file + " --cross-check";
  for (const std::string& setting : settings)
    text += setting.find(' ') == std::string::npos ? " --set " + setting : " --set '" + setting + "'";
  if (!only.empty()) text += " --layers " + only;
  return frames == 0 ? text : fmt::format("{} --frames {}", text, frames);
}

std::string Case::file(const std::string& why) const {
  std::string text =
      "# SPDX-License-Identifier: Apache-2.0\nversion: 1\nwhy: " + why + "\nbase: " + base + "\nsettings:\n";
  for (const std::string& setting : settings) text += "  - '" + setting + "'\n";
  if (!only.empty()) text += "only: '" + only + "'\n";
  if (frames > 0) text += fmt::format("frames: {}\n", frames);
  text += "input: '" + input + "'\n" + list + ":\n";
  for (const std::string& layer : layers) {
    text += "  - |\n";
    for (std::size_t at = 0; at < layer.size();) {
      const std::size_t end = std::min(layer.find('\n', at), layer.size());
      text += "    " + layer.substr(at, end - at) + "\n";
      at = end + 1;
    }
  }
  return text;
}

Case Case::read(const std::string& path) {
  base::YamlMap map(base::load_yaml(path));
  Case c;
  map.integer("version", 1, 1);
  map.text("why");
  c.base = map.text("base");
  for (const base::YamlNode& setting : map.find("settings")->items) c.settings.push_back(setting.scalar);
  c.input = map.text("input");
  if (map.has("stages")) c.list = "stages";
  c.only = map.text("only", "");
  c.frames = map.integer("frames", 1, 1000, 0);
  for (const base::YamlNode& layer : map.find(c.list)->items) {
    // A block of text comes without the indentation of its lines.
    std::string& lines = c.layers.emplace_back();
    for (std::size_t at = 0; at < layer.scalar.size();) {
      const std::size_t end = layer.scalar.find('\n', at);
      lines += "  " + layer.scalar.substr(at, end - at) + "\n";
      at = end + 1;
    }
  }
  map.finish();
  return c;
}

namespace {

// Returns what follows "{name: h0, input_from: input, ".
std::string host_layer(base::Random& random, const std::string& type, const std::string& input) {
  const auto with = [&](const std::string& keys) { return "type: " + type + keys; };
  if (type == "clip") return with(fmt::format(", low: {}, high: {}", -random.uniform(0, 3), random.uniform(0, 3)));
  if (type == "leaky_relu") {
    std::string slopes = std::to_string(random.uniform(-20, 20) / 10.0);
    for (int more = random.chance(50) ? 11 : 0; more > 0; --more)
      slopes += fmt::format(", {}", random.uniform(-20, 20) / 10.0);
    return with(fmt::format(", alpha: [{}]", slopes));
  }
  if (type == "lrn") return with(fmt::format(", size: {}, alpha: 0.5", random.uniform(1, 14)));
  if (type == "slice") {
    const int channels = random.uniform(1, 12);
    return with(fmt::format(", channels: {}, first: {}", channels, random.uniform(0, 12 - channels)));
  }
  if (type == "resize" || type == "stretch" || type == "bilinear")
    return with(fmt::format(", factor: [{}, {}]", random.uniform(1, 3), random.uniform(1, 3)));
  if (type == "space_to_depth") {
    int height = 0, width = 0, factor = random.uniform(1, 3);
    std::sscanf(input.c_str(), "{shape: [12, %d, %d]", &height, &width);
    while (height % factor != 0 || width % factor != 0) --factor;
    return with(fmt::format(", factor: {}", factor));
  }
  if (type == "window_max" || type == "window_mean") {
    const int rows = random.uniform(1, 4), columns = random.uniform(1, 4);
    return with(fmt::format(", kernel: [{}, {}], stride: [{}, {}], padding: [{}, {}, 0, {}], ceil_mode: {}", rows,
                            columns, random.uniform(1, 3), random.uniform(1, 3), random.uniform(0, rows - 1),
                            random.uniform(0, columns - 1), random.uniform(0, columns - 1), random.chance(50)));
  }
  if (type == "multiply" || type == "subtract" || type == "sum" || type == "concat" || type == "add")
    return with(", with: input");
  if (type == "maxpool" || type == "avgpool") return with(fmt::format(", kernel: {}", random.uniform(1, 4)));
  return with("");
}

// Draws a map as high and wide as the network's input, for a concatenation; its format is that of every convolution.
std::string joined_operand(base::Random& random, const std::string& name, int filters) {
  const int kernel = 1 + 2 * random.uniform(0, 1);
  const std::string text =
      fmt::format("  - {{name: {}, input_from: input, type: conv, filters: {}, kernel: {}, padding: {}}}\n", name,
                  filters, kernel, kernel / 2);
  if (random.chance(75)) return text;
  return text + fmt::format("  - {{name: {}p, type: maxpool, kernel: 3, stride: 1, padding: 1}}\n", name);
}

std::string last_name(const std::string& layers) {
  const std::size_t at = layers.rfind("name: ") + 6;
  return layers.substr(at, layers.find_first_of(",}", at) - at);
}

// Draws a layer that reads a part or the whole.
std::string joined_reader(base::Random& random, const std::string& name, const std::string& from) {
  const std::string begin = fmt::format("  - {{name: {}, input_from: {}, type: ", name, from);
  const int kind = random.uniform(0, 9);
  if (kind == 0) return begin + fmt::format("fc, units: {}}}\n", random.uniform(1, 20));
  if (kind == 1) return begin + "maxpool, kernel: 2}\n";
  if (kind == 2) return begin + "relu}\n";
  const int kernel = random.uniform(1, 3);
  return begin + fmt::format("conv, filters: {}, kernel: {}, padding: {}}}\n", random.uniform(1, 20), kernel,
                             random.uniform(0, kernel / 2));
}

}  // namespace

void add_concatenations(std::uint64_t seed, Case& c) {
  base::Random random(seed, "concatenations");
  if (random.chance(40)) return;
  const auto filters = [&] { return random.chance(70) ? 8 * random.uniform(1, 3) : random.uniform(1, 30); };
  std::string all, last;
  std::vector<std::string> names;
  if (random.chance(20)) {
    // The part has the input's own format.
    all = "  - {name: k0, input_from: input, type: relu}\n";
    all += "  - {name: m0, input_from: input, type: concat, with: k0}\n";
    names = {"input", "k0"};
    last = "m0";
  } else {
    const int parts = random.uniform(2, 4);
    for (int i = 0; i < parts; ++i) {
      const std::string operand = joined_operand(random, fmt::format("k{}", i), filters());
      all += operand;
      names.push_back(last_name(operand));
      if (i == 0) {
        last = names[0];
        continue;
      }
      // Now and then before what is joined already; one of itself, and one that lies elsewhere.
      std::string first = last, second = names.back();
      if (random.chance(30)) std::swap(first, second);
      if (random.chance(10)) second = names[static_cast<std::size_t>(random.uniform(0, i))];
      last = fmt::format("m{}", i);
      all += fmt::format("  - {{name: {}, input_from: {}, type: concat, with: {}}}\n", last, first, second);
      if (random.chance(20)) names.push_back(last);
    }
  }
  all += joined_reader(random, "r0", last);
  for (int i = random.uniform(0, 2); i > 0; --i)
    all += joined_reader(random, fmt::format("r{}", i),
                         names[static_cast<std::size_t>(random.uniform(0, static_cast<int>(names.size()) - 1))]);
  c.layers.push_back(all);
}

void add_sums(std::uint64_t seed, bool formats, Case& c) {
  base::Random random(seed, "sums");
  if (random.chance(40)) return;
  const auto format = [&] {
    const bool is_unsigned = random.chance(50);
    if (!formats) return std::string("zero_point: 0");
    return fmt::format("zero_point: {}, type: {}", is_unsigned ? random.uniform(0, 255) : random.uniform(-128, 127),
                       is_unsigned ? "uint8" : "int8");
  };
  // The weights are coefficients that an array of 8 bits has, and now and then larger ones.
  const auto weight = [&] { return random.uniform(1, random.chance(10) ? 32767 : 127); };
  for (int i = random.uniform(1, 2); i > 0; --i) {
    const std::string with = random.chance(30) ? "input" : fmt::format("wa{}", i);
    std::string text;
    for (const char* name : {"wa", "wb"})
      text += fmt::format("  - {{name: {}{}, input_from: input, type: conv, filters: 12, kernel: 1, quant: {{{}}}}}\n",
                          name, i, format());
    // The outputs get all sizes: with 8 bits and both weights, sums have about 6 bits more than these.
    const int a = weight(), b = weight(), scale = random.uniform(1, 32767);
    int shift = 0;
    while (shift < 31 && std::int64_t{scale} * std::max(a, b) >> shift > (random.chance(50) ? 1 : 2)) ++shift;
    text += fmt::format("  - {{name: ws{}, type: add, with: {}, activation: {}, quant: {{weights: [{}, {}], ", i, with,
                        random.chance(30) ? "relu" : "none", a, b);
    if (random.chance(80)) text += fmt::format("scale: {}, shift: {}, ", scale, shift);
    text += format() + "}}\n";
    const int after = random.uniform(0, 3);
    if (after == 1) text += fmt::format("  - {{name: wt{}, type: maxpool, kernel: 2}}\n", i);
    if (after == 2) text += fmt::format("  - {{name: wt{}, type: conv, filters: 5, kernel: 3, padding: 1}}\n", i);
    if (after == 3) text += fmt::format("  - {{name: wt{}, type: add, with: ws{}}}\n", i, i);
    c.layers.push_back(text);
  }
}

void add_share(std::uint64_t seed, Case& c) {
  base::Random random(seed, "share");
  if (random.chance(60)) return;
  constexpr const char* kShares[] = {"0.5", "0.25", "0.75", "0.9", "0.37", "0.1234", "0.9999"};
  c.settings.push_back(fmt::format("ddr.share={}", kShares[random.uniform(0, 6)]));
  const bool banked = std::find(c.settings.begin(), c.settings.end(), "ddr.fidelity=banked") != c.settings.end();
  if (!banked && random.chance(30)) c.settings.push_back(fmt::format("ddr.data_bits={}", random.uniform(12, 32)));
}

std::vector<std::string> banked_settings(std::uint64_t seed) {
  base::Random random(seed, "part");
  constexpr const char* kParts[] = {"zcu102_ddr4_2133", "zcu102_ddr4_2133", "ddr4_2400_x8",
                                    "ddr3_1066_x16",    "ddr3_1600_x8",     "lpddr4_2400_x32"};
  return {"ddr.fidelity=banked", fmt::format("ddr.part=../parts/{}.yaml", kParts[random.uniform(0, 5)])};
}

void add_host_layers(std::uint64_t seed, const std::vector<std::string>& others, Case& c) {
  base::Random random(seed, "host");
  if (random.chance(50)) return;
  c.settings.push_back(fmt::format("host.cycles_per_value={}", random.uniform(0, 5)));
  std::vector<std::string> types = network::function_names();
  types.insert(types.end(), {"softmax"});
  types.insert(types.end(), others.begin(), others.end());
  for (int i = random.uniform(1, 3); i > 0; --i) {
    const std::string type = types[static_cast<std::size_t>(random.uniform(0, static_cast<int>(types.size()) - 1))];
    // A function that computes gets codes of its own.
    const auto function = network::function_named(type);
    const bool rescales = type == "softmax" || (function && !network::facts(*function).moves);
    std::string own = rescales && random.chance(50) ? fmt::format(", step: {}", random.uniform(1, 20) / 100.0) : "";
    if (rescales && random.chance(30))
      own += fmt::format(", quant: {{type: int8, zero_point: {}}}", random.uniform(-128, 127));
    std::string text =
        fmt::format("  - {{name: h{}, input_from: input, {}{}}}\n", i, host_layer(random, type, c.input), own);
    if (random.chance(30)) text += fmt::format("  - {{name: i{}, type: hard_swish}}\n", i);
    text += random.chance(60) ? fmt::format("  - {{name: j{}, type: conv, filters: {}, kernel: {}, padding: 1}}\n", i,
                                            random.uniform(1, 20), random.uniform(1, 3))
                              : fmt::format("  - {{name: j{}, type: fc, units: {}}}\n", i, random.uniform(1, 20));
    c.layers.push_back(text);
  }
}

void add_looked_up_layers(std::uint64_t seed, const std::vector<std::string>& others, Case& c) {
  base::Random random(seed, "looked up");
  const auto one_of = [&random](const std::vector<std::string>& all) {
    return all[static_cast<std::size_t>(random.uniform(0, static_cast<int>(all.size()) - 1))];
  };
  const auto own = [&] {
    std::string text = random.chance(50) ? fmt::format(", step: {}", random.uniform(1, 20) / 100.0) : "";
    if (!random.chance(40)) return text;
    const bool is_unsigned = random.chance(50);
    return text + fmt::format(", quant: {{type: {}, zero_point: {}}}", is_unsigned ? "uint8" : "int8",
                              is_unsigned ? random.uniform(0, 255) : random.uniform(-128, 127));
  };
  std::vector<std::string> heads{
      "type: conv, filters: 11, kernel: 3, padding: 1}", "type: conv, filters: 7, kernel: 1, activation: relu}",
      "type: conv, filters: 9, kernel: 2, quant: {type: uint8, zero_point: 99}}", "type: fc, units: 21}"};
  heads.insert(heads.end(), others.begin(), others.end());
  for (int i = random.uniform(1, 3); i > 0; --i) {
    std::string text = fmt::format("  - {{name: t{}, input_from: input, step: 0.05, {}\n", i, one_of(heads));
    const bool map = text.find("type: fc") == std::string::npos;
    text += fmt::format(
        "  - {{name: u{}, type: {}{}}}\n", i,
        one_of({"sigmoid", "tanh", "hard_sigmoid", "hard_swish", "leaky_relu, alpha: 0.2", "clip, low: -1, high: 2"}),
        own());
    if (map && random.chance(50))
      text += fmt::format("  - {{name: v{}, type: {}, kernel: {}, stride: {}}}\n", i, one_of({"maxpool", "avgpool"}),
                          random.uniform(1, 3), random.uniform(1, 3));
    c.layers.push_back(text);
  }
}

namespace {

base::Rational clock_of(const Case& c, const std::string& key) {
  std::string text;
  for (const std::string& setting : c.settings)
    if (setting.rfind(key + "=", 0) == 0) text = setting.substr(key.size() + 1);
  const base::YamlNode file = base::load_yaml(std::string(FANSIM_SOURCE_DIR "/") + c.base);
  if (const base::YamlNode* node = file.find(key); node && text.empty()) text = node->scalar;
  return base::parse_rational(text).value_or(base::Rational{0, 1});
}

// Returns a time that is `cycles` of that clock, rounded up; 0 if there is none.
std::int64_t time_of(base::Random& random, int cycles, const base::Rational& clock) {
  const std::int64_t most = std::int64_t{cycles} * 1'000'000 * clock.denominator / clock.numerator;
  const std::int64_t below = std::int64_t{cycles - 1} * 1'000'000 * clock.denominator / clock.numerator;
  if (random.chance(30)) return most;
  return below + 1 + (most - below - 1) * random.uniform(0, 1000) / 1000;
}

}  // namespace

void give_costs_as_times(std::uint64_t seed, Case& c) {
  base::Random random(seed, "costs");
  const bool has_clock = std::any_of(c.settings.begin(), c.settings.end(),
                                     [](const std::string& text) { return text.rfind("clock_mhz=", 0) == 0; });
  constexpr const char* kClocks[] = {"50", "99", "100", "1000/3", "400"};
  if (!has_clock && random.chance(60)) c.settings.push_back(fmt::format("clock_mhz={}", kClocks[random.uniform(0, 4)]));
  const base::Rational fabric = clock_of(c, "clock_mhz"), port = clock_of(c, "port_mhz");
  for (std::string& setting : c.settings) {
    const std::size_t equals = setting.find('=');
    const std::string key = setting.substr(0, equals), value = setting.substr(equals + 1);
    const bool host = key.rfind("host.", 0) == 0;
    const bool memory = key.rfind("ddr.", 0) == 0 && key.rfind("ddr.part.", 0) != 0;
    const bool cost = (host || memory) && key != "host.sd_mb_per_s" && key != "host.retry" && key != "ddr.data_bits";
    if (!cost || value.empty() || value.find_first_not_of("0123456789") != std::string::npos) continue;
    const int cycles = std::stoi(value), hidden = random.chance(30) ? random.uniform(1, 9) : 0;
    if (cycles + hidden == 0 || random.chance(40)) continue;
    const std::int64_t time = time_of(random, cycles + hidden, memory && port.numerator > 0 ? port : fabric);
    if (time <= 0 || key.find("_per_") != std::string::npos) continue;
    setting = fmt::format("{}={} ps{}", key, time, hidden > 0 ? fmt::format(" - {} cycles", hidden) : "");
  }
}

}  // namespace fansim::test
