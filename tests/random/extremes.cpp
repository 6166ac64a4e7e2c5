// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/file.h"
#include "base/npy.h"
#include "base/random.h"
#include "random/random_case.h"

namespace fansim::test {

namespace {

using base::Random;

const std::string kBias = "bias: bias_";  // ..._COUNT_SEED.npy: biases from the whole range of their type

// Returns what follows a key in a layer's line; "" if there is no such key.
std::string value_of(const std::string& line, const std::string& key) {
  const std::size_t at = line.find(key + ": ");
  if (at == std::string::npos) return "";
  const std::size_t first = at + key.size() + 2;
  return line.substr(first, line.find_first_of(",}", first) - first);
}

std::vector<std::string> lines_of(const std::string& layers) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < layers.size();) {
    const std::size_t end = layers.find('\n', at) + 1;
    lines.push_back(layers.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::vector<std::string> names_of(const Case& c) {
  std::vector<std::string> names;
  for (const std::string& layers : c.layers)
    for (const std::string& line : lines_of(layers)) names.push_back(value_of(line, "name"));
  return names;
}

bool has(const Case& c, const std::string& setting) {
  return std::find(c.settings.begin(), c.settings.end(), setting) != c.settings.end();
}

void insert_before_end(std::string& line, const std::string& text) { line.insert(line.rfind('}'), text); }

// Returns "scale: M, shift: n", each one value or one of each output.
std::string scale_text(Random& random, int outputs, bool lists) {
  const auto values = [&](int lowest, int highest) {
    if (!lists || !random.chance(40)) return std::to_string(random.uniform(lowest, highest));
    std::string all;
    for (int i = 0; i < outputs; ++i) all += fmt::format("{}{}", i == 0 ? "" : ", ", random.uniform(lowest, highest));
    return "[" + all + "]";
  };
  const std::string scale = values(1, random.chance(30) ? 3 : 32767);
  return "scale: " + scale + ", shift: " + (random.chance(50) ? values(8, 20) : values(0, 31));
}

// Gives layers with weights scales and biases of the network's own.
void give_values(Random& random, bool lists, Case& c) {
  for (std::string& layers : c.layers) {
    std::vector<std::string> lines = lines_of(layers);
    for (std::string& line : lines) {
      const std::string type = value_of(line, "type");
      if (type != "conv" && type != "fc") continue;
      const int outputs = std::atoi(value_of(line, type == "conv" ? "filters" : "units").c_str());
      if (random.chance(40)) {
        const std::string scale = scale_text(random, outputs, lists), quant = "quant: {";
        const std::size_t at = line.find(quant);
        if (at == std::string::npos)
          insert_before_end(line, ", quant: {" + scale + "}");
        else
          line.insert(at + quant.size(), scale + ", ");
      }
      if (random.chance(40))
        insert_before_end(line, fmt::format(", {}{}_{}.npy", kBias, outputs, random.uniform(1, 999)));
    }
    layers.clear();
    for (const std::string& line : lines) layers += line;
  }
}

// Adds maps of one value, and what reads them with a border.
void add_ones(Random& random, bool symmetric, Case& c) {
  const auto side = [&] { return random.chance(50) ? 0 : random.uniform(1, 3); };
  const int all = side();
  // A kernel of 2 needs a border.
  const int kernel = all > 0 && random.chance(30) ? 2 : 1;
  const std::string padding =
      symmetric ? std::to_string(all)
                : fmt::format("[{}, {}, {}, {}]", std::max(side(), all), std::max(side(), all), side(), side());
  std::string text = fmt::format("  - {{name: o0, input_from: input, type: fc, units: {}}}\n", random.uniform(1, 20));
  const std::string conv =
      fmt::format("  - {{name: o1, type: conv, filters: {}, kernel: {}, stride: {}, padding: {}}}\n",
                  random.uniform(1, 20), kernel, random.uniform(1, 3), padding);
  text += conv;
  if (random.chance(30))
    text += "  - {name: o2, input_from: o0, type: maxpool, kernel: 2, stride: 1, padding: [1, 0, 0, 1]}\n";
  c.layers.push_back(text);
}

std::string step_text(Random& random) {
  const char* const steps[] = {"0.05", "0.1", "0.02"};
  return fmt::format("step: {}", steps[random.uniform(0, 2)]);
}

// Adds a concatenation of maps whose steps may differ; a function on the host, or in a table, may make one of them.
void add_stepped_concatenation(Random& random, Case& c) {
  std::string text, second = "xb";
  for (const char* name : {"xa", "xb"})
    text += fmt::format("  - {{name: {}, input_from: input, type: conv, filters: {}, kernel: 1, {}}}\n", name,
                        8 * random.uniform(1, 2), step_text(random));
  if (random.chance(40)) {
    second = "xc";
    text += fmt::format("  - {{name: xc, type: {}, {}}}\n", random.chance(50) ? "leaky_relu, alpha: 0.5" : "tanh",
                        step_text(random));
  }
  text += fmt::format("  - {{name: xk, input_from: xa, type: concat, with: {}{}}}\n", second,
                      random.chance(30) ? ", " + step_text(random) : "");
  const char* const readers[] = {"conv, filters: 5, kernel: 3, padding: 1", "fc, units: 7", "maxpool, kernel: 2",
                                 "concat, with: xb"};
  text += fmt::format("  - {{name: xr, input_from: xk, type: {}}}\n", readers[random.uniform(0, 3)]);
  c.layers.push_back(text);
}

// Adds a table behind a sum, whose weights the array may not hold.
void add_table_behind_sum(Random& random, Case& c) {
  const auto weight = [&] { return random.chance(50) ? random.uniform(1, 127) : random.uniform(128, 300); };
  c.layers.push_back(
      fmt::format("  - {{name: ya, input_from: input, type: add, with: input, quant: {{weights: [{}, {}], shift: {}}}, "
                  "step: 0.02}}\n"
                  "  - {{name: yb, type: {}}}\n",
                  weight(), weight(), random.uniform(0, 9), random.chance(50) ? "leaky_relu" : "sigmoid"));
}

// Adds a picture of another size than the input's, and what reads it.
void add_picture(Random& random, Case& c) {
  const bool wide = random.chance(20);  // which no function reads
  const std::string picture =
      fmt::format("  - {{name: q0, function: picture, width: {}, height: {}, channels: {}{}}}\n", random.uniform(1, 40),
                  random.uniform(1, 20), random.chance(50) ? 1 : 3, wide ? ", type: uint16" : "");
  c.layers.push_back(picture + (wide ? "" : "  - {name: q1, input_from: q0, function: bitwise_not}\n"));
}

}  // namespace

void add_extremes(std::uint64_t seed, Case& c) {
  Random random(seed, "extremes");
  if (random.chance(40)) return;
  const bool pipeline = c.list == "stages", map = c.input.find("shape") != std::string::npos;
  const bool tiled = c.base.find("faq") != std::string::npos;
  if (pipeline && random.chance(60)) add_picture(random, c);
  if (map && random.chance(30)) add_ones(random, tiled, c);
  if (map && random.chance(30)) add_stepped_concatenation(random, c);
  if (map && has(c, "array.code_table=true") && random.chance(60)) add_table_behind_sum(random, c);
  if (!pipeline && random.chance(50)) give_values(random, !has(c, "quantisation.grain=fine"), c);
  if (random.chance(30)) c.frames = random.uniform(1, 6);
  if (!random.chance(30)) return;
  const std::vector<std::string> names = names_of(c);
  for (int i = random.uniform(1, 4); i > 0; --i)
    c.only += (c.only.empty() ? "" : ",") +
              names[static_cast<std::size_t>(random.uniform(0, static_cast<int>(names.size()) - 1))];
}

void write_case(const Case& c, const std::string& path) {
  const std::string text = c.network();
  base::write_file(path, text);
  for (std::size_t at = 0; (at = text.find(kBias, at)) != std::string::npos;) {
    at += kBias.size();
    int count = 0, seed = 0;
    std::sscanf(text.c_str() + at, "%d_%d", &count, &seed);
    Random random(static_cast<std::uint64_t>(seed), "biases");
    std::vector<std::int32_t> biases;
    for (int i = 0; i < count; ++i) {
      const int kind = random.uniform(0, 3);
      biases.push_back(kind == 0 ? INT_MIN : kind == 1 ? INT_MAX : random.uniform(INT_MIN, INT_MAX));
    }
    const auto file = std::filesystem::path(path).parent_path() / fmt::format("bias_{}_{}.npy", count, seed);
    base::write_npy(file.string(), {count}, biases);
  }
}

}  // namespace fansim::test
