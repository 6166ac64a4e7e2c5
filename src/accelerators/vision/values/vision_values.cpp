// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/values/vision_values.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "accelerators/vision/config/layer.h"
#include "accelerators/vision/config/rows.h"
#include "accelerators/vision/values/plane.h"

namespace fansim::vision {
namespace {

template <class T, class Stored>
void load_as(const std::uint8_t* memory, const contract::RowTransfers& rows, Plane<T>& plane) {
  for (int y = 0; y < plane.rows; ++y) {
    const std::uint8_t* from = memory + rows.address + static_cast<std::size_t>(y) * rows.pitch;
    T* to = plane.row(y);
    for (int x = 0; x < plane.samples; ++x) {
      Stored value;
      std::memcpy(&value, from + static_cast<std::size_t>(x) * sizeof(Stored), sizeof(Stored));
      to[x] = static_cast<T>(value);
    }
  }
}

template <class T>
Plane<T> load(const std::uint8_t* memory, const contract::RowTransfers& rows, int sample_bytes, bool is_signed) {
  Plane<T> plane(static_cast<int>(rows.rows), static_cast<int>(rows.row_bytes) / sample_bytes);
  if (sample_bytes == 1)
    load_as<T, std::uint8_t>(memory, rows, plane);
  else if (is_signed)
    load_as<T, std::int16_t>(memory, rows, plane);
  else
    load_as<T, std::uint16_t>(memory, rows, plane);
  return plane;
}

// Sums of a row of windows, in Sum, which holds them all.
template <class Sum, class T>
void sum_row(const std::array<const T*, FilterConfig::kMaxKernel>& rows, const std::int32_t* weights, int kernel,
             int channels, int samples, Sum* sums) {
  std::fill(sums, sums + samples, Sum{0});
  for (int ky = 0; ky < kernel; ++ky)
    for (int kx = 0; kx < kernel; ++kx) {
      const auto weight = static_cast<Sum>(weights[ky * kernel + kx]);
      if (weight == 0) continue;
      const T* from = rows[static_cast<std::size_t>(ky)] + kx * channels;
      for (int x = 0; x < samples; ++x) sums[x] = static_cast<Sum>(sums[x] + weight * static_cast<Sum>(from[x]));
    }
}

template <class Sum, class T>
void finish_row(const Job& job, const Sum* sums, int samples, T* to) {
  const int low = job.filter_signed ? INT16_MIN : 0, high = job.filter_signed ? INT16_MAX : UINT8_MAX;
  if (job.multiplier == 1) {
    const int round = (1 << job.shift) - 1;  // of negative sums: towards zero
    for (int x = 0; x < samples; ++x) {
      const int sum = sums[x];
      to[x] = static_cast<T>(std::clamp((sum + (sum < 0 ? round : 0)) >> job.shift, low, high));
    }
    return;
  }
  for (int x = 0; x < samples; ++x) {
    const std::int64_t product = std::int64_t{sums[x]} * job.multiplier;
    const std::int64_t value = product < 0 ? -(-product >> job.shift) : product >> job.shift;
    to[x] = static_cast<T>(std::clamp<std::int64_t>(value, low, high));
  }
}

template <class T>
Plane<T> filtered(const Job& job, const Plane<T>& in, int bank) {
  Plane<T> out(in.rows, in.samples);
  const int kernel = job.filter.kernel;
  const std::int32_t* weights = job.weights.data() + bank * FilterConfig::kMaxWeights;
  int magnitudes = 0;
  for (int i = 0; i < kernel * kernel; ++i) magnitudes += std::abs(weights[i]);
  const bool narrow = magnitudes * UINT8_MAX <= INT16_MAX;
  BorderedRows<T> bordered(in, job.filter, job.channels);
  std::vector<std::int16_t> short_sums(static_cast<std::size_t>(narrow ? in.samples : 0));
  std::vector<std::int32_t> sums(static_cast<std::size_t>(narrow ? 0 : in.samples));
  std::array<const T*, FilterConfig::kMaxKernel> rows{};
  for (int y = 0; y < in.rows; ++y) {
    for (int k = 0; k < kernel; ++k) rows[static_cast<std::size_t>(k)] = bordered.row(y + k - kernel / 2);
    if (narrow) {
      sum_row(rows, weights, kernel, job.channels, in.samples, short_sums.data());
      finish_row(job, short_sums.data(), in.samples, out.row(y));
    } else {
      sum_row(rows, weights, kernel, job.channels, in.samples, sums.data());
      finish_row(job, sums.data(), in.samples, out.row(y));
    }
  }
  return out;
}

// Blocks of windows side by side, so that an exchange is a minimum and a maximum of whole blocks.
template <class T>
Plane<T> ordered(const Job& job, const Plane<T>& in) {
  constexpr int kBlock = 32, kMost = 25;
  Plane<T> out(in.rows, in.samples);
  const int kernel = job.median.kernel, window = kernel * kernel;
  const arith::ExchangeNetwork network = arith::median_network(arith::MedianNetwork::exchange19, window);
  BorderedRows<T> bordered(in, job.median, job.channels);
  std::array<const T*, FilterConfig::kMaxKernel> rows{};
  std::array<std::array<T, kBlock>, kMost> values;
  for (int y = 0; y < in.rows; ++y) {
    for (int k = 0; k < kernel; ++k) rows[static_cast<std::size_t>(k)] = bordered.row(y + k - kernel / 2);
    for (int x = 0; x < in.samples; x += kBlock) {
      const int count = std::min(kBlock, in.samples - x);
      for (int i = 0; i < window; ++i)
        std::copy_n(rows[static_cast<std::size_t>(i / kernel)] + x + i % kernel * job.channels, count,
                    values[static_cast<std::size_t>(i)].begin());
      if (job.median_operation == MedianOperation::median) {
        for (const arith::Exchange& e : network.exchanges)
          for (int i = 0; i < kBlock; ++i) {
            T& low = values[e.low][static_cast<std::size_t>(i)];
            T& high = values[e.high][static_cast<std::size_t>(i)];
            const T smaller = std::min(low, high), larger = std::max(low, high);
            low = smaller, high = larger;
          }
        std::copy_n(values[static_cast<std::size_t>(network.median)].begin(), count, out.row(y) + x);
        continue;
      }
      const bool largest = job.median_operation == MedianOperation::largest;
      for (int k = 1; k < window; ++k)
        for (int i = 0; i < kBlock; ++i) {
          T& best = values[0][static_cast<std::size_t>(i)];
          const T value = values[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)];
          best = largest ? std::max(best, value) : std::min(best, value);
        }
      std::copy_n(values[0].begin(), count, out.row(y) + x);
    }
  }
  return out;
}

// `f` of two samples, brought to the result's type.
template <class T, class F>
void each(const Job& job, const Plane<T>& a, const Plane<T>& b, Plane<T>& out, F&& f) {
  const bool two = !b.values.empty();
  const std::int64_t low = job.simd_low, high = job.simd_high, span = high - low + 1;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const std::int64_t value = f(std::int64_t{a.values[i]}, two ? std::int64_t{b.values[i]} : std::int64_t{0});
    out.values[i] =
        static_cast<T>(job.wraps ? low + ((value - low) % span + span) % span : std::clamp(value, low, high));
  }
}

template <class T>
Plane<T> simd(const Job& job, const Plane<T>& a, const Plane<T>& b) {
  using Wide = std::int64_t;
  Plane<T> out(a.rows, a.samples);
  switch (job.simd) {
    case SimdOperation::pass:
      each(job, a, b, out, [](Wide x, Wide) { return x; });
      break;
    case SimdOperation::absdiff:
      each(job, a, b, out, [](Wide x, Wide y) { return std::max(x, y) - std::min(x, y); });
      break;
    case SimdOperation::add:
      each(job, a, b, out, [](Wide x, Wide y) { return x + y; });
      break;
    case SimdOperation::subtract:
      each(job, a, b, out, [](Wide x, Wide y) { return x - y; });
      break;
    case SimdOperation::minimum:
      each(job, a, b, out, [](Wide x, Wide y) { return std::min(x, y); });
      break;
    case SimdOperation::maximum:
      each(job, a, b, out, [](Wide x, Wide y) { return std::max(x, y); });
      break;
    case SimdOperation::bitwise_and:
      each(job, a, b, out, [](Wide x, Wide y) { return x & y; });
      break;
    case SimdOperation::bitwise_or:
      each(job, a, b, out, [](Wide x, Wide y) { return x | y; });
      break;
    case SimdOperation::bitwise_xor:
      each(job, a, b, out, [](Wide x, Wide y) { return x ^ y; });
      break;
    case SimdOperation::bitwise_not:
      each(job, a, b, out, [](Wide x, Wide) { return UINT8_MAX - x; });
      break;
    case SimdOperation::threshold:
      each(job, a, b, out, [&job](Wide x, Wide) -> Wide {
        const bool holds = job.inside ? x >= job.lower && x <= job.upper : x > job.upper;
        return holds ? job.true_value : job.false_value;
      });
      break;
    case SimdOperation::multiply:
      each(job, a, b, out, [&job](Wide x, Wide y) { return x * y / (Wide{1} << job.simd_shift); });
      break;
    case SimdOperation::accumulate_square:
      each(job, a, b, out, [&job](Wide x, Wide y) { return y + x * x / (Wide{1} << job.simd_shift); });
      break;
    case SimdOperation::accumulate_weighted:
      each(job, a, b, out, [&job](Wide x, Wide y) { return (256 * y + job.alpha * (x - y)) >> 8; });
      break;
  }
  return out;
}

template <class T>
void store(const Job& job, std::uint8_t* memory, const Plane<T>& first, const Plane<T>& second) {
  const int count = (job.crop.right - job.crop.left) * job.results;
  for (int y = job.crop.top; y < job.crop.bottom; ++y) {
    std::uint8_t* to = memory + job.destination + static_cast<std::size_t>(y - job.crop.top) * job.destination_pitch;
    const T* a = first.row(y) + job.crop.left;
    const T* b = job.results == 2 ? second.row(y) + job.crop.left : nullptr;
    for (int i = 0; i < count; ++i) {
      const auto value = static_cast<std::uint16_t>(!b ? a[i] : i % 2 == 0 ? a[i / 2] : b[i / 2]);
      if (job.result_bytes == 1)
        to[i] = static_cast<std::uint8_t>(value);
      else
        std::memcpy(to + 2 * static_cast<std::ptrdiff_t>(i), &value, 2);
    }
    const std::ptrdiff_t bytes = static_cast<std::ptrdiff_t>(count) * job.result_bytes;
    std::fill(to + bytes, to + job.result_row_bytes, std::uint8_t{0});
  }
}

template <class T>
void compute_in(const Job& job, std::uint8_t* memory) {
  Plane<T> image = load<T>(memory, rows_of(job, Rows::image), job.sample_bytes, job.is_signed);
  Plane<T> second;
  if (job.two_images) second = load<T>(memory, rows_of(job, Rows::second), job.with_bytes, job.with_signed);
  Plane<T> other;
  for (const UnitCode unit : job.route) {
    if (unit == UnitCode::filter) {
      if (job.results == 2) other = filtered(job, image, 1);
      image = filtered(job, image, 0);
    } else if (unit == UnitCode::median) {
      image = ordered(job, image);
    } else if (unit == UnitCode::simd) {
      image = simd(job, image, second);
    }
  }
  store(job, memory, image, other);
}

struct Starts : contract::HostFollower {
  explicit Starts(std::uint8_t* ddr) : memory(ddr) {}
  void software(std::uint32_t, bool) {}
  void write_core(std::uint32_t address, std::uint32_t value) {
    registers.words[address / 4] = value;
    if (address == JobRegisters::start_offset()) compute_job(decode(registers), memory);
  }
  void wait_output() {}

  std::uint8_t* memory;
  JobRegisters registers;
};

}  // namespace

// In 16 bits with sign, or where samples have 16 without, in 32.
void compute_job(const Job& job, std::uint8_t* memory) {
  const bool wide = (job.sample_bytes == 2 && !job.is_signed) || (job.with_bytes == 2 && !job.with_signed) ||
                    job.simd_high > INT16_MAX;
  if (wide)
    compute_in<std::int32_t>(job, memory);
  else
    compute_in<std::int16_t>(job, memory);
}

void compute_layer(contract::Program& program, const contract::LayerSteps& layer, const contract::Pulse& pulse) {
  Starts starts(program.memory.data());
  contract::follow(program, layer, starts, pulse);
  if (const VisionLayer& machine = layer_of(*layer.plan); machine.host) machine.host(program.memory.data());
}

}  // namespace fansim::vision
