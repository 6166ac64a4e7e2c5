// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/values/vision_values.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "accelerators/vision/config/layer.h"
#include "accelerators/vision/config/rows.h"
#include "accelerators/vision/values/units.h"

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

// Describes an image in memory.
struct Source {
  contract::RowTransfers rows;
  int sample_bytes;
  bool is_signed;

  int samples() const { return static_cast<int>(rows.row_bytes) / sample_bytes; }
};

template <class T>
void load_rows(const Source& source, const std::uint8_t* memory, Plane<T>& plane) {
  if (source.sample_bytes == 1)
    load_as<T, std::uint8_t>(memory, source.rows, plane);
  else if (source.is_signed)
    load_as<T, std::int16_t>(memory, source.rows, plane);
  else
    load_as<T, std::uint16_t>(memory, source.rows, plane);
}
FANSIM_ROWS void load(const Source& source, const std::uint8_t* memory, Plane16& plane) {
  load_rows(source, memory, plane);
}
FANSIM_ROWS void load(const Source& source, const std::uint8_t* memory, Plane32& plane) {
  load_rows(source, memory, plane);
}

// Stores `count` samples of `first`; samples of `second`, if it is given, alternate with them.
template <class Stored, class T>
void store_row(const T* first, const T* second, int count, std::uint8_t* to) {
  const auto put = [to](int i, T sample) {
    const auto value = static_cast<Stored>(sample);
    std::memcpy(to + static_cast<std::size_t>(i) * sizeof(Stored), &value, sizeof(Stored));
  };
  if (second)
    for (int i = 0; i < count; ++i) {
      put(2 * i, first[i]);
      put(2 * i + 1, second[i]);
    }
  else
    for (int i = 0; i < count; ++i) put(i, first[i]);
}

// Stores the rows of the result that the plane holds.
template <class T>
void store_rows(const Job& job, std::uint8_t* memory, const Plane<T>& first, const Plane<T>& second) {
  const int count = job.crop.right - job.crop.left;
  for (int y = first.from; y < first.to; ++y) {
    std::uint8_t* to = memory + job.destination + static_cast<std::size_t>(y - job.crop.top) * job.destination_pitch;
    const T* a = first.row(y) + job.crop.left;
    const T* b = job.results == 2 ? second.row(y) + job.crop.left : nullptr;
    if (job.result_bytes == 1)
      store_row<std::uint8_t>(a, b, count, to);
    else
      store_row<std::uint16_t>(a, b, count, to);
    const std::ptrdiff_t bytes = std::ptrdiff_t{count} * job.results * job.result_bytes;
    std::fill(to + bytes, to + job.result_row_bytes, std::uint8_t{0});
  }
}

FANSIM_ROWS void store(const Job& job, std::uint8_t* memory, const Plane16& first, const Plane16& second) {
  store_rows(job, memory, first, second);
}
FANSIM_ROWS void store(const Job& job, std::uint8_t* memory, const Plane32& first, const Plane32& second) {
  store_rows(job, memory, first, second);
}

int radius_of(const Job& job, UnitCode unit) {
  if (unit == UnitCode::filter) return job.filter.kernel / 2;
  return unit == UnitCode::median ? job.median.kernel / 2 : 0;
}

// Computes in bands of rows that fit into a cache. Each unit computes the rows of the band that later units need.
template <class T>
void compute_in(const Job& job, std::uint8_t* memory) {
  constexpr int kBand = 32;
  const Source source{rows_of(job, Rows::image), job.sample_bytes, job.is_signed},
      with{rows_of(job, Rows::second), job.with_bytes, job.with_signed};
  const int rows = static_cast<int>(source.rows.rows), samples = source.samples();
  Plane<T> image{rows, samples, 0, 0, {}}, result = image, other = image, second = image;
  std::array<int, std::tuple_size_v<decltype(job.route)> + 1> reach{};  // for each unit, the rows that it and later
                                                                        // units see beyond the band
  for (std::size_t i = job.route.size(); i-- > 0;) reach[i] = reach[i + 1] + radius_of(job, job.route[i]);
  for (int top = job.crop.top; top < job.crop.bottom; top += kBand) {
    const int bottom = std::min(top + kBand, job.crop.bottom);
    const auto hold = [&](Plane<T>& plane, int more) {
      plane.hold(std::max(0, top - more), std::min(rows, bottom + more));
    };
    hold(image, reach[0]);
    load(source, memory, image);
    for (std::size_t i = 0; i < job.route.size(); ++i) {
      if (job.route[i] == UnitCode::none) continue;
      hold(result, reach[i + 1]);
      if (job.route[i] == UnitCode::filter) {
        if (job.results == 2) {
          hold(other, reach[i + 1]);
          filter(job, image, 1, other);
        }
        filter(job, image, 0, result);
      } else if (job.route[i] == UnitCode::median) {
        order(job, image, result);
      } else {
        if (job.two_images) {
          hold(second, reach[i + 1]);
          load(with, memory, second);
        }
        simd(job, image, second, result);
      }
      std::swap(image, result);
    }
    store(job, memory, image, other);
  }
}

}  // namespace

// Computes in signed 16 bits, or in 32 bits if samples are unsigned with 16 bits.
void compute_job(const Job& job, std::uint8_t* memory) {
  const bool wide = (job.sample_bytes == 2 && !job.is_signed) || (job.with_bytes == 2 && !job.with_signed) ||
                    job.simd_high > INT16_MAX;
  if (wide)
    compute_in<std::int32_t>(job, memory);
  else
    compute_in<std::int16_t>(job, memory);
}

void compute_layer(contract::Program& program, const contract::LayerSteps& layer,
                   const contract::ProgressCallback& progress) {
  JobRegisters registers;
  contract::each_job(
      program, layer, registers, [&] { compute_job(decode(registers), program.memory.data()); }, progress);
}

}  // namespace fansim::vision
