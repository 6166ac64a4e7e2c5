// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "accelerators/vision/config/config.h"
#include "contract/job_registers.h"

namespace fansim::vision {

// Names a unit of the machine in a route.
enum class UnitCode : std::uint8_t { none, filter, median, simd };

enum class MedianOperation : std::uint8_t { median, smallest, largest };

enum class SimdOperation : std::uint8_t {
  pass,
  absdiff,
  add,
  subtract,
  minimum,
  maximum,
  bitwise_and,
  bitwise_or,
  bitwise_xor,
  bitwise_not,
  threshold,
  multiply,
  accumulate_square,
  accumulate_weighted,
};

// Says what a unit uses for samples around the image. `none`: no window needs them.
enum class BorderCode : std::uint8_t { none, replicate, constant };

// Describes samples [left, right) of rows [top, bottom) of what is streamed. left and top may lie before the first
// sample.
struct Region {
  std::int32_t left = 0, right = 0, top = 0, bottom = 0;
};

// Describes the job of a unit with windows, and the part of the stream that is the image.
struct WindowJob {
  std::int32_t kernel = 1;
  BorderCode border = BorderCode::none;
  std::int32_t border_value = 0;
  Region image;
};

// Describes one pass of an image, or of a stripe of it, through the units: the contents of the machine's registers.
// visit() assigns a word to each.
struct Job {
  static constexpr int kRoute = 3;

  // These are for the reader and the packer. `row_bytes` are whole beats; each row begins `pitch` bytes after the one
  // before.
  std::uint32_t source = 0, source_pitch = 0, with = 0, with_pitch = 0;
  std::uint32_t row_bytes = 0, rows = 0;
  std::uint32_t destination = 0, destination_pitch = 0, result_row_bytes = 0, result_rows = 0;
  bool two_images = false;
  std::int32_t sample_bytes = 1, with_bytes = 1, result_bytes = 1;
  bool is_signed = false, with_signed = false;
  std::int32_t channels = 1;  // samples per pixel
  std::uint32_t flush = 0;    // cycles after the image until its last result has been made
  Region crop;                // the part of the units' results that is written
  std::int32_t results = 1;   // per sample; 2 with two filters
  std::array<UnitCode, kRoute> route{};

  WindowJob filter;
  std::array<std::int32_t, FilterConfig::kMaxBanks * FilterConfig::kMaxWeights> weights{};
  std::int32_t multiplier = 1, shift = 0;  // a sum is multiplied, then divided by 2^shift towards zero
  bool filter_signed = false;              // true: 16 bits with sign; false: 8 bits without
  bool filter_offset = true;               // samples have 8 bits without sign, so the chain subtracts 128

  WindowJob median;
  MedianOperation median_operation = MedianOperation::median;

  SimdOperation simd = SimdOperation::pass;
  std::int32_t simd_shift = 0, alpha = 0, lower = 0, upper = 0, true_value = 0, false_value = 0;
  bool inside = false;  // threshold: true from `lower` to `upper`; otherwise true above `upper`
  bool wraps = false;
  std::int32_t simd_low = 0, simd_high = 255;  // range of the result's type

  // Calls v.word(name, value, meaning) for each register except the weights, in their order; the start register follows
  // all of them.
  template <class Self, class V>
  static void visit(Self& job, V&& v) {
    v.word("source", job.source, "address of the image");
    v.word("source_pitch", job.source_pitch, "bytes from row to row");
    v.word("with", job.with, "address of the second image");
    v.word("with_pitch", job.with_pitch, "bytes from row to row");
    v.word("row_bytes", job.row_bytes, "bytes of a row that are read");
    v.word("rows", job.rows, "rows that are read");
    v.word("destination", job.destination, "address of the result");
    v.word("destination_pitch", job.destination_pitch, "bytes from row to row");
    v.word("result_row_bytes", job.result_row_bytes, "bytes of a row that are written");
    v.word("result_rows", job.result_rows, "rows that are written");
    v.word("two_images", job.two_images, "0, 1: there is a second image");
    v.word("sample_bytes", job.sample_bytes, "1, 2: bytes of a sample");
    v.word("with_bytes", job.with_bytes, "1, 2: of the second image");
    v.word("result_bytes", job.result_bytes, "1, 2: of the result");
    v.word("is_signed", job.is_signed, "0, 1: samples have a sign");
    v.word("with_signed", job.with_signed, "0, 1: those of the second image");
    v.word("channels", job.channels, "samples of a pixel");
    v.word("flush", job.flush, "cycles behind the image");
    v.word("crop_left", job.crop.left, "first sample of a row that is written");
    v.word("crop_right", job.crop.right, "the one behind the last");
    v.word("crop_top", job.crop.top, "first row that is written");
    v.word("crop_bottom", job.crop.bottom, "the one behind the last");
    v.word("results", job.results, "1, 2: results of a sample");
    v.word("route_0", job.route[0], "1 filter, 2 median, 3 SIMD: the first unit");
    v.word("route_1", job.route[1], "the second; 0: none");
    v.word("route_2", job.route[2], "the third");
    visit_window(job.filter, v, kFilterWords);
    v.word("multiplier", job.multiplier, "of the filter's sum");
    v.word("shift", job.shift, "bits that are divided off then, towards zero");
    v.word("filter_signed", job.filter_signed, "0, 1: the filter's result has 16 bits with sign, else 8 without");
    v.word("filter_offset", job.filter_offset, "0, 1: the chains take samples less 128");
    visit_window(job.median, v, kMedianWords);
    v.word("median_operation", job.median_operation, "0 median, 1 smallest, 2 largest");
    v.word("simd", job.simd, "operation of the SIMD unit");
    v.word("simd_shift", job.simd_shift, "bits of a product that are dropped");
    v.word("alpha", job.alpha, "weight of the sample, in units of 1/256");
    v.word("lower", job.lower, "threshold: the range's first value");
    v.word("upper", job.upper, "threshold: its last, or the value to be above");
    v.word("true_value", job.true_value, "threshold: result of what holds");
    v.word("false_value", job.false_value, "threshold: of what does not");
    v.word("inside", job.inside, "0, 1: threshold of a range");
    v.word("wraps", job.wraps, "0, 1: modulo the result's width, in place of the nearest value");
    v.word("simd_low", job.simd_low, "the result's lowest value");
    v.word("simd_high", job.simd_high, "the result's highest value");
  }

  const WindowJob& window(UnitCode unit) const { return unit == UnitCode::filter ? filter : median; }
  bool windowed(UnitCode unit) const { return unit == UnitCode::filter || unit == UnitCode::median; }

 private:
  struct WindowWords {
    const char *kernel, *border, *value, *left, *right, *top, *bottom;
  };
  static constexpr WindowWords kFilterWords{"filter_kernel", "filter_border", "filter_value", "filter_left",
                                            "filter_right",  "filter_top",    "filter_bottom"};
  static constexpr WindowWords kMedianWords{"median_kernel", "median_border", "median_value", "median_left",
                                            "median_right",  "median_top",    "median_bottom"};

  template <class Window, class V>
  static void visit_window(Window& window, V&& v, const WindowWords& names) {
    v.word(names.kernel, window.kernel, "rows and columns of a window");
    v.word(names.border, window.border, "0 none, 1 replicate, 2 constant");
    v.word(names.value, window.border_value, "the constant");
    v.word(names.left, window.image.left, "the image's first sample in a streamed row");
    v.word(names.right, window.image.right, "the one behind its last");
    v.word(names.top, window.image.top, "its first row");
    v.word(names.bottom, window.image.bottom, "the one behind its last");
  }
};

// Holds a job as its registers: those of visit(), then the weights, four per word, then the start register.
struct JobRegisters : contract::JobRegisters {
  static constexpr int kWeightsPerWord = 4;
  static constexpr int kWeightWords =
      (FilterConfig::kMaxBanks * FilterConfig::kMaxWeights + kWeightsPerWord - 1) / kWeightsPerWord;

  static int fields();  // number of words of visit()
  static int count() { return fields() + kWeightWords; }

  JobRegisters() : contract::JobRegisters(static_cast<std::size_t>(count()) + 1) {}
};

JobRegisters encode(const Job& job);
Job decode(const contract::JobRegisters& registers);

// Returns by how many cycles' worth of samples a unit's results lag behind its input, because of the rows and columns
// that a window needs.
std::uint32_t unit_delay(const Job& job, UnitCode unit, const PixelsConfig& pixels);
// Returns how many cycles' worth of samples a row has.
std::uint32_t row_steps(const Job& job, const PixelsConfig& pixels);

}  // namespace fansim::vision
