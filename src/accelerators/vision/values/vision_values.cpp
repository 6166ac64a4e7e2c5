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
  for (int y = plane.from; y < plane.to; ++y) {
    const std::uint8_t* from = memory + rows.address + static_cast<std::size_t>(y) * rows.pitch;
    T* to = plane.row(y);
    for (int x = 0; x < plane.samples; ++x) {
      Stored value;
      std::memcpy(&value, from + static_cast<std::size_t>(x) * sizeof(Stored), sizeof(Stored));
      to[x] = static_cast<T>(value);
    }
  }
}

// An image in memory.
struct Source {
  contract::RowTransfers rows;
  int sample_bytes;
  bool is_signed;

  int samples() const { return static_cast<int>(rows.row_bytes) / sample_bytes; }
  template <class T>
  void load(const std::uint8_t* memory, Plane<T>& plane) const {
    if (sample_bytes == 1)
      load_as<T, std::uint8_t>(memory, rows, plane);
    else if (is_signed)
      load_as<T, std::int16_t>(memory, rows, plane);
    else
      load_as<T, std::uint16_t>(memory, rows, plane);
  }
};

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
void filter(const Job& job, const Plane<T>& in, int bank, Plane<T>& out) {
  const int kernel = job.filter.kernel;
  const std::int32_t* weights = job.weights.data() + bank * FilterConfig::kMaxWeights;
  int magnitudes = 0;
  for (int i = 0; i < kernel * kernel; ++i) magnitudes += std::abs(weights[i]);
  const bool narrow = magnitudes * UINT8_MAX <= INT16_MAX;
  BorderedRows<T> bordered(in, job.filter, job.channels);
  std::vector<std::int16_t> short_sums(static_cast<std::size_t>(narrow ? in.samples : 0));
  std::vector<std::int32_t> sums(static_cast<std::size_t>(narrow ? 0 : in.samples));
  std::array<const T*, FilterConfig::kMaxKernel> rows{};
  for (int y = out.from; y < out.to; ++y) {
    for (int k = 0; k < kernel; ++k) rows[static_cast<std::size_t>(k)] = bordered.row(y + k - kernel / 2);
    if (narrow) {
      sum_row(rows, weights, kernel, job.channels, in.samples, short_sums.data());
      finish_row(job, short_sums.data(), in.samples, out.row(y));
    } else {
      sum_row(rows, weights, kernel, job.channels, in.samples, sums.data());
      finish_row(job, sums.data(), in.samples, out.row(y));
    }
  }
}

// Blocks of windows side by side, so that an exchange is a minimum and a maximum of whole blocks.
template <class T>
void order(const Job& job, const Plane<T>& in, Plane<T>& out) {
  constexpr int kBlock = 32, kMost = 25;
  const int kernel = job.median.kernel, window = kernel * kernel;
  const arith::ExchangeNetwork network = arith::median_network(arith::MedianNetwork::exchange19, window);
  BorderedRows<T> bordered(in, job.median, job.channels);
  std::array<const T*, FilterConfig::kMaxKernel> rows{};
  std::array<std::array<T, kBlock>, kMost> values;
  for (int y = out.from; y < out.to; ++y) {
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
}

// `f` of two samples, brought to the result's type.
template <class T, class F>
void each(const Job& job, const Plane<T>& a, const Plane<T>& b, Plane<T>& out, F&& f) {
  const std::int64_t low = job.simd_low, high = job.simd_high, span = high - low + 1;
  for (int y = out.from; y < out.to; ++y) {
    const T *first = a.row(y), *second = job.two_images ? b.row(y) : nullptr;
    T* to = out.row(y);
    for (int x = 0; x < out.samples; ++x) {
      const std::int64_t value = f(std::int64_t{first[x]}, second ? std::int64_t{second[x]} : std::int64_t{0});
      to[x] = static_cast<T>(job.wraps ? low + ((value - low) % span + span) % span : std::clamp(value, low, high));
    }
  }
}

template <class T>
void simd(const Job& job, const Plane<T>& a, const Plane<T>& b, Plane<T>& out) {
  using Wide = std::int64_t;
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
}

template <class Stored, class T>
void store_row(const T* first, const T* second, int count, std::uint8_t* to) {
  const auto put = [to](int i, T sample) {
    const auto value = static_cast<Stored>(sample);
    std::memcpy(to + static_cast<std::size_t>(i) * sizeof(Stored), &value, sizeof(Stored));
  };
  if (second)
    for (int i = 0; i < count; ++i) put(i, (i % 2 == 0 ? first : second)[i / 2]);
  else
    for (int i = 0; i < count; ++i) put(i, first[i]);
}

// The rows of the result that are here.
template <class T>
void store(const Job& job, std::uint8_t* memory, const Plane<T>& first, const Plane<T>& second) {
  const int count = (job.crop.right - job.crop.left) * job.results;
  for (int y = first.from; y < first.to; ++y) {
    std::uint8_t* to = memory + job.destination + static_cast<std::size_t>(y - job.crop.top) * job.destination_pitch;
    const T* a = first.row(y) + job.crop.left;
    const T* b = job.results == 2 ? second.row(y) + job.crop.left : nullptr;
    if (job.result_bytes == 1)
      store_row<std::uint8_t>(a, b, count, to);
    else
      store_row<std::uint16_t>(a, b, count, to);
    const std::ptrdiff_t bytes = static_cast<std::ptrdiff_t>(count) * job.result_bytes;
    std::fill(to + bytes, to + job.result_row_bytes, std::uint8_t{0});
  }
}

int radius_of(const Job& job, UnitCode unit) {
  if (unit == UnitCode::filter) return job.filter.kernel / 2;
  return unit == UnitCode::median ? job.median.kernel / 2 : 0;
}

// In bands of rows that stay in a cache: each unit makes the rows that those behind it need for the band.
template <class T>
void compute_in(const Job& job, std::uint8_t* memory) {
  constexpr int kBand = 32;
  const Source source{rows_of(job, Rows::image), job.sample_bytes, job.is_signed},
      with{rows_of(job, Rows::second), job.with_bytes, job.with_signed};
  const int rows = static_cast<int>(source.rows.rows), samples = source.samples();
  Plane<T> image{rows, samples, 0, 0, {}}, result = image, other = image, second = image;
  std::array<int, std::tuple_size_v<decltype(job.route)> + 1> reach{};  // of the units from one on
  for (std::size_t i = job.route.size(); i-- > 0;) reach[i] = reach[i + 1] + radius_of(job, job.route[i]);
  for (int top = job.crop.top; top < job.crop.bottom; top += kBand) {
    const int bottom = std::min(top + kBand, job.crop.bottom);
    const auto hold = [&](Plane<T>& plane, int more) {
      plane.hold(std::max(0, top - more), std::min(rows, bottom + more));
    };
    hold(image, reach[0]);
    source.load(memory, image);
    for (std::size_t i = 0; i < job.route.size(); ++i) {
      if (job.route[i] == UnitCode::none) continue;
      hold(result, reach[i + 1]);
      if (job.route[i] == UnitCode::filter) {
        if (job.results == 2) hold(other, reach[i + 1]), filter(job, image, 1, other);
        filter(job, image, 0, result);
      } else if (job.route[i] == UnitCode::median) {
        order(job, image, result);
      } else {
        if (job.two_images) hold(second, reach[i + 1]), with.load(memory, second);
        simd(job, image, second, result);
      }
      std::swap(image, result);
    }
    store(job, memory, image, other);
  }
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
}

}  // namespace fansim::vision
