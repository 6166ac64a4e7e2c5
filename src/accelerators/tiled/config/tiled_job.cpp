// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/tiled_job.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace fansim::tiled {

namespace {

constexpr std::uint32_t mask(int bits) { return bits >= 32 ? ~0U : (1U << bits) - 1U; }

struct Encoder {
  JobImage image{};
  std::uint32_t& word(int i) { return image[static_cast<std::size_t>(i)]; }
  void bits(const char* name, int value, int at, int low, int width, const char*) {
    const auto raw = static_cast<std::uint32_t>(value);
    if (value < 0 || (raw & ~mask(width)) != 0)
      throw std::logic_error(fmt::format("job field {} = {} does not fit {} bits", name, value, width));
    word(at) |= raw << low;
  }
  void number(const char*, int value, int at, int low, int width, const char*) {
    word(at) |= (static_cast<std::uint32_t>(value) & mask(width)) << low;
  }
  void address(const char*, std::uint32_t value, int at, const char*) { word(at) = value; }
};

struct Decoder {
  JobImage image;
  std::uint32_t word(int i) const { return image[static_cast<std::size_t>(i)]; }
  void bits(const char*, int& value, int at, int low, int width, const char*) {
    value = static_cast<int>(word(at) >> low & mask(width));
  }
  void number(const char*, int& value, int at, int low, int width, const char*) {
    const std::uint32_t raw = word(at) >> low & mask(width);
    const std::uint32_t sign = 1U << (width - 1);
    value = static_cast<int>((raw ^ sign) - sign);
  }
  void address(const char*, std::uint32_t& value, int at, const char*) { value = word(at); }
};

struct Collector {
  std::vector<std::int64_t> values;
  void bits(const char*, int value, int, int, int, const char*) { values.push_back(value); }
  void number(const char*, int value, int, int, int, const char*) { values.push_back(value); }
  void address(const char*, std::uint32_t value, int, const char*) { values.push_back(value); }
};

struct Printer {
  const std::vector<std::int64_t>& idle;
  std::string text;
  std::size_t field = 0;
  void bits(const char* name, int value, int, int, int, const char*) { add(name, fmt::format("{}", value), value); }
  void number(const char* name, int value, int, int, int, const char*) { add(name, fmt::format("{}", value), value); }
  void address(const char* name, std::uint32_t value, int, const char*) {
    add(name, fmt::format("{:#x}", value), value);
  }
  void add(const char* name, const std::string& shown, std::int64_t value) {
    if (value != idle[field++]) text += fmt::format(" {}={}", name, shown);
  }
};

}  // namespace

JobImage encode(const TiledJob& job) {
  Encoder encoder;
  job.instruction.visit(encoder);
  job.visit(encoder);
  return encoder.image;
}

TiledJob decode(const JobImage& image) {
  Decoder decoder{image};
  TiledJob job;
  job.instruction.visit(decoder);
  job.visit(decoder);
  return job;
}

std::string print(const Instruction& instruction) {
  Collector fields;
  instruction.visit(fields);
  std::string text;
  for (const std::int64_t value : fields.values) text += fmt::format("{}{}", text.empty() ? "(" : ",", value);
  return text + ")";
}

std::string print(const TiledJob& job) {
  Collector idle;
  TiledJob().visit(idle);
  Printer printer{idle.values, print(job.instruction)};
  job.visit(printer);
  return printer.text;
}

}  // namespace fansim::tiled
