// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/config/command.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace fansim::stream {

namespace {

std::uint32_t* word_of(RegisterImage& image, int reg, int word) {
  switch (reg) {
    case 1:
      return &image.reg1;
    case 2:
      return &image.reg2;
    case 3:
      return &image.geometry[static_cast<std::size_t>(word)];
    case 4:
      return &image.reg4;
    case 5:
      return &image.reg5;
    default:
      return &image.reg6;
  }
}

constexpr std::uint32_t mask(int bits) { return bits >= 32 ? ~0U : (1U << bits) - 1U; }

[[noreturn]] void fail_wide(const char* name, int value, int width) {
  throw WideField(fmt::format("command field {}: {} does not fit its {} bits", name, value, width));
}

struct Encoder {
  RegisterImage& image;
  void bits(const char* name, int value, int reg, int word, int low, int width, const char*) {
    const auto raw = static_cast<std::uint32_t>(value);
    if ((raw & ~mask(width)) != 0) fail_wide(name, value, width);
    *word_of(image, reg, word) |= raw << low;
  }
  void address(const char*, std::uint32_t value, int reg, const char*) { *word_of(image, reg, 0) = value; }
};

struct Decoder {
  RegisterImage image;
  void bits(const char*, int& value, int reg, int word, int low, int width, const char*) {
    value = static_cast<int>(*word_of(image, reg, word) >> low & mask(width));
  }
  void address(const char*, std::uint32_t& value, int reg, const char*) { value = *word_of(image, reg, 0); }
};

// Decodes the fields of one register, or of one geometry word, which the compiler knows at compile time.
template <int kRegister, int kWord>
struct WordDecoder {
  std::uint32_t word;
  void bits(const char*, int& value, int reg, int in_word, int low, int width, const char*) {
    if (reg == kRegister && in_word == kWord) value = static_cast<int>(word >> low & mask(width));
  }
  void address(const char*, std::uint32_t& value, int reg, const char*) {
    if (reg == kRegister) value = word;
  }
};

template <int kRegister, int kWord = 0>
void decode_word(std::uint32_t word, Command& command) {
  command.visit(WordDecoder<kRegister, kWord>{word});
}

using DecodeWord = void (*)(std::uint32_t word, Command& command);
template <int... kWords>
constexpr std::array<DecodeWord, sizeof...(kWords)> geometry_decoders(std::integer_sequence<int, kWords...>) {
  return {decode_word<3, kWords>...};
}
constexpr auto kDecodeGeometry = geometry_decoders(std::make_integer_sequence<int, RegisterImage::kGeometryWords>());
constexpr DecodeWord kDecode[] = {decode_word<1>, decode_word<2>, nullptr,
                                  decode_word<4>, decode_word<5>, decode_word<6>};

constexpr std::uint32_t kGeometryBits = 28;

struct Collector {
  std::vector<std::int64_t> values;
  void bits(const char*, int value, int, int, int, int, const char*) { values.push_back(value); }
  void address(const char*, std::uint32_t value, int, const char*) { values.push_back(value); }
};

struct Printer {
  explicit Printer(const std::vector<std::int64_t>& idle_values) : idle(idle_values) {}
  const std::vector<std::int64_t>& idle;
  std::size_t field = 0;
  std::string text;
  void bits(const char* name, int value, int, int, int, int, const char*) {
    if (value != idle[field++]) add(fmt::format("{}={}", name, value));
  }
  void address(const char* name, std::uint32_t value, int, const char*) {
    if (value != idle[field++]) add(fmt::format("{}={:#x}", name, value));
  }
  void add(const std::string& item) { text += text.empty() ? item : " " + item; }
};

}  // namespace

bool RegisterImage::write(std::uint32_t offset, std::uint32_t value) {
  if (offset % 4 != 0 || offset > register_offset(6)) return false;
  const bool window = offset == register_offset(3);
  *word_of(*this, static_cast<int>(offset / 4) + 1, window ? static_cast<int>(value >> kGeometryBits) : 0) =
      window ? value & mask(kGeometryBits) : value;
  return true;
}

bool WrittenCommand::write(std::uint32_t offset, std::uint32_t value) {
  if (offset % 4 != 0 || offset > register_offset(6)) return false;
  if (offset == register_offset(3))
    kDecodeGeometry[value >> kGeometryBits](value & mask(kGeometryBits), command_);
  else
    kDecode[offset / 4](value, command_);
  return true;
}

RegisterImage encode(const Command& command) {
  RegisterImage image;
  command.visit(Encoder{image});
  return image;
}

const Register1& Register1::bits() {
  const auto bit = [](int Command::*field) {
    Command command;
    command.*field = 1;
    return encode(command).reg1;
  };
  static const Register1 bits{bit(&Command::receive_input),
                              bit(&Command::receive_weights),
                              bit(&Command::receive_bias),
                              bit(&Command::receive_resident),
                              bit(&Command::start_conv) | bit(&Command::start_recurrent),
                              bit(&Command::input_select),
                              bit(&Command::weight_select),
                              bit(&Command::bias_select),
                              bit(&Command::output_select),
                              bit(&Command::end_of_layer)};
  return bits;
}

Command decode(const RegisterImage& image) {
  Decoder decoder{image};
  Command command;
  command.visit(decoder);
  return command;
}

std::string print(const Command& command) {
  Collector idle;
  Command().visit(idle);
  Printer printer(idle.values);
  command.visit(printer);
  return printer.text;
}

}  // namespace fansim::stream
