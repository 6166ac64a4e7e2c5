// SPDX-License-Identifier: Apache-2.0
#include "waveforms/fst_writer.h"

#define ZLIB_CONST
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <stdexcept>

namespace fansim::waveforms {
namespace {

constexpr std::size_t kBlock = 1 << 22;  // bytes of changes per block
constexpr std::size_t kLeastPacked = 32;
constexpr std::uint64_t kReaderMemory = 1 << 27;  // the memory that a reader may expect to need

// Tags of the parts of a file, of scopes, of variables and of attributes, as in fstapi.h of GTKWave.
enum Tag : char { kHeader = 0, kGeometry = 3, kHierarchy = 4, kChanges = 8 };
constexpr char kScope = '\xfe', kUpscope = '\xff', kModule = 0, kWire = 16, kString = 21, kImplicit = 0;
constexpr char kAttribute = '\xfc', kMisc = 0, kEnumTable = 7;
constexpr std::uint64_t kNoWidth = 0xffffffff;  // stands for a string

void append_word(std::string& to, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift);
}

// Appends seven bits a byte, the lowest first.
void append_number(std::string& to, std::uint64_t value) {
  for (; value > 0x7f; value >>= 7) to += static_cast<char>(0x80 | (value & 0x7f));
  to += static_cast<char>(value);
}

// Appends the same, with a clear sign bit for readers that take the number for a signed one.
void append_signed(std::string& to, std::uint64_t value) {
  for (; value > 0x3f; value >>= 7) to += static_cast<char>(0x80 | (value & 0x7f));
  to += static_cast<char>(value);
}

void append_part(std::string& to, Tag tag, const std::string& content) {
  to += tag;
  append_word(to, content.size() + sizeof(std::uint64_t));
  to += content;
}

// Compresses the bytes, or returns them as they are if that does not make them smaller. Readers tell by the size.
std::string packed(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string result(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), 4) != Z_OK)
    throw std::runtime_error("zlib: compress2");
  result.resize(size);
  return size < bytes.size() ? result : bytes;
}

// Compresses the bytes as a file of gzip.
std::string zipped(const std::string& bytes) {
  constexpr int kGzip = 16;
  z_stream stream{};
  if (deflateInit2(&stream, 4, Z_DEFLATED, MAX_WBITS + kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib: deflateInit2");
  std::string result(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<const Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int ended = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  if (ended != Z_STREAM_END) throw std::runtime_error("zlib: deflate");
  return result;
}

}  // namespace

void FstWriter::begin() {
  order(scopes());
  changes_.resize(signals().size());
  first_ = time();
  begin_block();
}

void FstWriter::order(const Scope& scope) {
  order_.insert(order_.end(), scope.signals.begin(), scope.signals.end());
  for (const auto& [name, inner] : scope.scopes) order(inner);
}

// A reader that skips the blocks before this one takes the values at its begin from its frame. The frame has no place
// for strings, so every block has them as changes; the first block has all signals as changes.
void FstWriter::begin_block() {
  block_first_ = last_ = time();
  append_number(times_, static_cast<std::uint64_t>(last_));
  time_count_ = 1;
  frame_.clear();
  for (const std::size_t i : order_) {
    const Signal& signal = signals()[i];
    if (signal.string || block_count_ == 0) add(i);
    if (!signal.string) frame_ += digits(signal.variable);
  }
}

void FstWriter::change(std::size_t signal) {
  if (size_ > kBlock && last_ != time()) {
    end_block();
    begin_block();
  }
  if (last_ != time()) {
    append_number(times_, static_cast<std::uint64_t>(time() - last_));
    last_ = time();
    ++time_count_;
  }
  add(signal);
}

// Appends a change. It begins with the number of times since the signal's last change. A bit shares one number with
// that count. Wider values follow in bytes whose first bit is the highest, unknown bits as letters, strings with their
// length.
void FstWriter::add(std::size_t signal) {
  Changes& changes = changes_[signal];
  const std::size_t number = signals()[signal].variable;
  const Variable& variable = variable_of(signal);
  const std::size_t before = changes.bytes.size();
  const std::uint64_t further = time_count_ - 1 - changes.last;
  changes.last = time_count_ - 1;
  if (signals()[signal].string) {
    append_number(changes.bytes, further << 1);
    append_number(changes.bytes, word(number).size());
    changes.bytes += word(number);
  } else if (variable.bits > 1 && variable.digits.empty() && fits(number)) {
    const int bytes = (variable.bits + 7) / 8;
    append_number(changes.bytes, further << 1);
    for (int i = bytes - 1; i >= 0; --i) {
      const int shift = 8 * i - (8 * bytes - variable.bits);
      changes.bytes += static_cast<char>(shift >= 0 ? value(number) >> shift : value(number) << -shift);
    }
  } else {
    add(digits(number), further, changes.bytes);
  }
  size_ += changes.bytes.size() - before;
}

void FstWriter::add(const std::string& digits, std::uint64_t further, std::string& to) {
  const bool known = digits.find('x') == std::string::npos;
  if (digits.size() == 1) {
    append_number(to, known ? further << 2 | (digits == "1" ? 2 : 0) : further << 4 | 1);
    return;
  }
  append_number(to, further << 1 | (known ? 0 : 1));
  if (!known) {
    to += digits;
    return;
  }
  for (std::size_t first = 0; first < digits.size(); first += 8) {
    unsigned byte = 0;
    for (std::size_t bit = first; bit < std::min(first + 8, digits.size()); ++bit)
      if (digits[bit] == '1') byte |= 0x80U >> (bit - first);
    to += static_cast<char>(byte);
  }
}

void FstWriter::end_block() {
  std::string chains(1, 'Z'), index;
  std::uint64_t last = 0, none = 0, unpacked = 0;
  for (const std::size_t i : order_) {
    std::string& bytes = changes_[i].bytes;
    if (bytes.empty()) {
      ++none;
      continue;
    }
    if (none > 0) append_number(index, none << 1);
    none = 0;
    append_signed(index, (chains.size() - last) << 1 | 1);
    last = chains.size();
    const std::string smaller = bytes.size() > kLeastPacked ? packed(bytes) : bytes;
    append_number(chains, smaller.size() < bytes.size() ? bytes.size() : 0);
    chains += smaller;
    unpacked += bytes.size();
    bytes.clear();
    changes_[i].last = 0;
  }
  if (none > 0) append_number(index, none << 1);

  std::string block;
  append_word(block, static_cast<std::uint64_t>(block_first_));
  append_word(block, static_cast<std::uint64_t>(last_));
  append_word(block, unpacked);
  const std::string frame = packed(frame_), times = packed(times_);
  append_number(block, frame_.size());
  append_number(block, frame.size());
  append_number(block, order_.size());
  block += frame;
  append_number(block, order_.size());
  block += chains + index;
  append_word(block, index.size());
  block += times;
  append_word(block, times_.size());
  append_word(block, times.size());
  append_word(block, time_count_);
  append_part(blocks_, kChanges, block);
  ++block_count_;
  size_ = 0;
  times_.clear();
}

void FstWriter::end() {
  end_block();
  std::uint64_t scopes_in_it = 0;
  std::string names;
  print(scopes(), names, scopes_in_it);
  text_ += header(scopes_in_it) + blocks_ + geometry();
  std::string hierarchy;
  append_word(hierarchy, names.size());
  append_part(text_, kHierarchy, hierarchy + zipped(names));
}

// Readers expect version and date at fixed places, so both fill their fields.
std::string FstWriter::header(std::uint64_t scopes_in_it) const {
  constexpr std::size_t kVersion = 128, kDate = 119;
  std::string content;
  append_word(content, static_cast<std::uint64_t>(first_));
  append_word(content, static_cast<std::uint64_t>(last_));
  const double e = 2.7182818284590452354;  // a known value that shows how doubles are stored
  content.append(reinterpret_cast<const char*>(&e), sizeof e);
  append_word(content, kReaderMemory);
  append_word(content, scopes_in_it);
  append_word(content, order_.size());
  append_word(content, order_.size());
  append_word(content, block_count_);
  content += static_cast<char>(exponent_);
  std::string version = "fansim";
  version.resize(kVersion, '\0');
  content += version + std::string(kDate, '\0');
  content += '\0';  // a hierarchy of Verilog's kind
  append_word(content, 0);
  std::string part;
  append_part(part, kHeader, content);
  return part;
}

std::string FstWriter::geometry() const {
  std::string widths, content, part;
  for (const std::size_t i : order_)
    append_number(widths, signals()[i].string ? kNoWidth : static_cast<std::uint64_t>(variable_of(i).bits));
  append_word(content, widths.size());
  append_word(content, order_.size());
  append_part(part, kGeometry, content + packed(widths));
  return part;
}

void FstWriter::print(const Scope& scope, std::string& to, std::uint64_t& count) {
  for (const std::size_t i : scope.signals) {
    const bool string = signals()[i].string;
    if (is_enum(i)) print_table(variable_of(i), i + 1, to);
    to += {string ? kString : kWire, kImplicit};
    to.append(local_name(i)) += '\0';
    append_number(to, string ? 0 : static_cast<std::uint64_t>(variable_of(i).bits));
    append_number(to, 0);  // no alias of an earlier variable
  }
  for (const auto& [name, inner] : scope.scopes) {
    to += {kScope, kModule};
    to.append(name).append(2, '\0');
    ++count;
    print(inner, to, count);
    to += kUpscope;
  }
}

// Appends a table of words and their numbers in binary, and says that the variable which follows is of this table.
void FstWriter::print_table(const Variable& variable, std::size_t handle, std::string& to) {
  to += {kAttribute, kMisc, kEnumTable};
  std::string numbers;
  to += fmt::format("{} {}", variable.name, variable.words.size());
  for (std::size_t i = 0; i < variable.words.size(); ++i) {
    to += ' ' + variable.words[i];
    numbers += fmt::format(" {:0{}b}", i, variable.bits);
  }
  (to += numbers) += '\0';
  append_number(to, handle);
  to += {kAttribute, kMisc, kEnumTable, '\0'};
  append_number(to, handle);
}

}  // namespace fansim::waveforms
