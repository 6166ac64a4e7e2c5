// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "arith/exchanges.h"
#include "base/units.h"
#include "estimate/bram.h"
#include "estimate/twins/twin.h"
#include "estimate/twins/word_registers.h"

namespace fansim::estimate {
namespace {

using base::ceil_div;

constexpr int kChannels = 3;  // most channels of a pixel
constexpr int kWide = 16;     // width of a result

int rest_of_stream(int bits) { return 2 * bits + 2; }

// Counts the line memories, and the registers of a row of samples and of the windows.
struct Window {
  int samples, kernel, radius, bits, reach, depth;

  Window(const Values& p, int sample_bits)
      : samples(p["SAMPLES"]),
        kernel(p["KERNEL"]),
        radius(kernel / 2),
        bits(sample_bits),
        reach(ceil_div(radius * kChannels, samples)),
        depth(p["LINE_SAMPLES"] / samples) {}

  int values() const { return samples * kernel * kernel; }
  double bram36() const { return (kernel - 1) * yosys_bram36(samples * bits, depth); }

  // Returns the registers of a row, into which a step enters behind the centre. They are the registers that a tap of
  // any lane reads, and those on the way to them.
  WordRegisters::Use row() const {
    WordRegisters registers;
    const int width = (2 * reach + 1) * samples;
    std::vector<int> word(static_cast<std::size_t>(width));
    for (int n = width - 1; n >= 0; --n) {
      const int step = n / samples;
      const auto newer = [&] { return word[static_cast<std::size_t>(n + samples)]; };
      word[static_cast<std::size_t>(n)] = step == 2 * reach ? registers.computed({})
                                          : step > reach    ? registers.computed({newer()})
                                                            : registers.delayed(newer(), 1);
    }
    for (int lane = 0; lane < samples; ++lane)
      for (int away = -radius; away <= radius; ++away)
        for (int channels = 1; channels <= kChannels; ++channels)
          registers.read(word[static_cast<std::size_t>(reach * samples + lane + away * channels)]);
    return registers.use();
  }
  // Counts all flip-flops except those of the windows: samples on their way, the rows, the lines' output and addresses,
  // and counters.
  int ff() const {
    constexpr int kCounters = 72;
    return (kernel + 1) * samples * bits + kernel * bits * row().ff + 2 * base::ceil_log2(depth) + kCounters;
  }
  int srl() const { return kernel * bits * row().srl; }

  // A sample's multiplexers grow faster with the kernel than its number of samples, so each size has its own cost.
  std::vector<double> luts() const {
    const auto of = [this](int size) { return kernel == size ? 1.0 * samples * bits : 0; };
    return {of(3), of(5), of(7), 1.0 * radius, 1};
  }
};

Structure line_window(const Values& p) {
  const Window w(p, p["BITS"]);
  return {w.luts(), {1.0 * w.ff() + w.values() * w.bits, 1}, w.srl(), w.bram36()};
}

// Adds the line window inside a unit.
void contain(Structure& unit, const Window& w) {
  unit.inner = "line_window";
  unit.inner_parameters = {
      {"SAMPLES", w.samples}, {"LINE_SAMPLES", w.depth * w.samples}, {"KERNEL", w.kernel}, {"BITS", w.bits}};
}

// Uses two slices for as many samples as they have lanes. The first image's samples wait for the product in shift
// registers; of the second's, the first step is read.
Structure simd_unit(const Values& p) {
  const int samples = p["SAMPLES"], lane = p["FOUR12"] == 1 ? 12 : 24, sample = std::min(lane, kWide + 1);
  const bool multiplies = p["MULTIPLIERS"] == 1;
  const int groups = ceil_div(samples, 48 / lane);
  const int each = 4 * sample + lane + 3 * kWide + (multiplies ? 3 * sample + 1 : 0);
  return {{multiplies ? 1.0 * samples : 0, multiplies ? 1.0 * samples * lane : 0, 1.0 * samples, 1.0 * samples * lane},
          {1.0 * samples * each, 1},
          multiplies ? samples * sample : 0,
          0,
          2 * groups + (multiplies ? samples : 0)};
}

// Lists the words of the exchanges layer by layer, and of the tree of extremes beside them.
class Exchanges {
 public:
  Exchanges(int kernel, arith::MedianNetwork kind) {
    const int radius = kernel / 2, values = kernel * kernel;
    std::vector<int> window, now;
    for (int v = 0; v < values; ++v) window.push_back(registers_.computed({}));
    for (int v = 0; v < values; ++v) {
      const bool always = std::abs(v / kernel - radius) <= 1 && std::abs(v % kernel - radius) <= 1;
      const auto at = static_cast<std::size_t>(v);
      now.push_back(always ? window[at] : registers_.logic({window[at], window[static_cast<std::size_t>(values / 2)]}));
    }
    const arith::ExchangeNetwork network = arith::median_network(kind, values);
    const int least = tree(now, network.depth);
    for (int layer = 0; layer < network.depth; ++layer) {
      std::vector<int> next;
      for (const int word : now) next.push_back(registers_.delayed(word, 3));
      for (std::size_t i = 0; i < network.exchanges.size(); ++i) {
        if (network.layer[i] != layer) continue;
        const arith::Exchange& e = network.exchanges[i];
        const auto [low, high] = exchanged(now[e.low], now[e.high]);
        next[e.low] = low;
        next[e.high] = high;
      }
      now = next;
    }
    registers_.read(least);
    registers_.read(now[static_cast<std::size_t>(network.median)]);
    layers = network.depth;
  }

  int slices = 0, layers = 0;
  WordRegisters::Use use() const { return registers_.use(); }

 private:
  std::pair<int, int> exchanged(int a, int b) {
    ++slices;
    registers_.read(a);
    registers_.read(b);
    const int first = registers_.delayed(a, 2), second = registers_.delayed(b, 2);
    const int low = registers_.computed({first, second});
    return {low, registers_.computed({first, second})};
  }
  int tree(std::vector<int> words, int depth) {
    for (; words.size() > 1; --depth) {
      std::vector<int> next;
      for (std::size_t i = 0; i < words.size(); i += 2)
        next.push_back(i + 1 < words.size() ? exchanged(words[i], words[i + 1]).first
                                            : registers_.delayed(words[i], 3));
      words = next;
    }
    return registers_.delayed(words.front(), 3 * depth);
  }

  WordRegisters registers_;
};

Structure median_unit(const Values& p) {
  const bool four = p["FOUR12"] == 1;
  const int bits = four ? 8 : kWide;
  const Window w(p, bits);
  const Exchanges exchanges(w.kernel, static_cast<arith::MedianNetwork>(p["NETWORK"]));
  const WordRegisters::Use words = exchanges.use();
  const int each = w.samples * bits;
  Structure unit{{1.0 * words.choices * each, 1},
                 {1.0 * w.ff() + each * words.ff + 3 * exchanges.layers + rest_of_stream(each), 1},
                 w.srl() + each * words.srl,
                 w.bram36(),
                 exchanges.slices * ceil_div(w.samples, four ? 4 : 2)};
  contain(unit, w);
  return unit;
}

// Samples wait for their slice in the cascade.
Structure filter_unit(const Values& p) {
  const Window w(p, 8);
  const int window = w.kernel * w.kernel, banks = p["BANKS"], pairs = ceil_div(w.samples, 2);
  const bool rebase = p["REBASE"] == 1, reciprocal = p["RECIPROCAL"] == 1;
  const int terms = rebase ? std::min(p["TERMS"], window) : window, chains = ceil_div(window, terms);
  WordRegisters::Use waiting;
  for (int t = 0; t < window; ++t) {
    const int length = std::min(terms, window - t / terms * terms), edges = terms - length + t % terms;
    // Seven bits wait from the register of the window on. The eighth bit is inverted first. Its copy first enters a
    // register with a reset.
    const WordRegisters::Use plain = WordRegisters::chain(1 + edges), inverted = WordRegisters::chain(edges),
                             copy = WordRegisters::chain(std::max(0, edges - 1));
    waiting.ff += 7 * plain.ff + 1 + inverted.ff + std::min(edges, 1) + copy.ff;
    waiting.srl += 7 * plain.srl + inverted.srl + copy.srl;
  }
  constexpr int kSum = 22, kOffset = 15;
  const int results = w.samples * banks, levels = base::ceil_log2(chains + 1);
  // If a level has an odd number of terms, the last one waits: at first the offset, once for all samples, later a sum.
  // The offset's own register has a reset, so it cannot begin a shift register.
  WordRegisters::Use offset{1, 0, 0}, sums;
  int last = 0;
  bool is_offset = true;
  const auto leave = [&] {
    const WordRegisters::Use use = WordRegisters::chain(last);
    WordRegisters::Use& of = is_offset ? offset : sums;
    of.ff += use.ff;
    of.srl += use.srl;
  };
  for (int count = chains + 1; count > 1; count = ceil_div(count, 2)) {
    if (count % 2 == 1) {
      sums.ff += count / 2;
      ++last;
      continue;
    }
    leave();
    sums.ff += count / 2 - 1;
    is_offset = false;
    last = 1;
  }
  leave();
  const int apart = rebase ? 0 : banks * (18 * pairs + 24 * (w.samples / 2));
  const int scaled = reciprocal ? 1 : kSum;
  const int latency = terms + (rebase ? 5 : 4) + levels + (reciprocal ? 3 : 1) + 1;
  Structure unit{{1.0 * results, reciprocal ? 1.0 * results : 0, 1.0 * banks, 1.0 * banks * chains},
                 {1.0 * w.ff() + w.samples * waiting.ff + results * (kSum * sums.ff + scaled + kWide) +
                      banks * kOffset * offset.ff + apart + latency + rest_of_stream(kWide * results),
                  1},
                 w.srl() + w.samples * waiting.srl + results * kSum * sums.srl + banks * kOffset * offset.srl,
                 w.bram36(),
                 pairs * banks * (window + (rebase ? chains : 0)) + (reciprocal ? results : 0)};
  contain(unit, w);
  return unit;
}

}  // namespace

const std::vector<Twin>& vision_twins() {
  static const std::vector<Twin> twins{
      {"line_window", line_window, {{"SAMPLES", 4}, {"LINE_SAMPLES", 2048}, {"KERNEL", 3}, {"BITS", 8}}},
      {"filter_unit",
       filter_unit,
       {{"SAMPLES", 4},
        {"LINE_SAMPLES", 2048},
        {"KERNEL", 3},
        {"BANKS", 2},
        {"TERMS", 7},
        {"REBASE", 1},
        {"RECIPROCAL", 1}}},
      {"median_unit",
       median_unit,
       {{"SAMPLES", 4}, {"LINE_SAMPLES", 2048}, {"KERNEL", 3}, {"NETWORK", 0}, {"FOUR12", 1}}},
      {"simd_unit", simd_unit, {{"SAMPLES", 4}, {"FOUR12", 0}, {"MULTIPLIERS", 1}}},
  };
  return twins;
}

}  // namespace fansim::estimate
