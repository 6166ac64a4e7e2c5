// SPDX-License-Identifier: Apache-2.0
#include "base/npy.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/file.h"

namespace fansim::base {
namespace {

constexpr std::string_view kMagic{"\x93NUMPY", 6};

struct Header {
  std::string type;
  bool fortran_order = false;
  NpyShape shape;
};

// Describes a header's type in words, also if this program does not hold the type.
std::string type_name(std::string_view code) {
  const std::string_view kind = code.substr(code.empty() ? 0 : 1);
  if (kind.size() != 2 || kind[1] < '1' || kind[1] > '8') return fmt::format("'{}'", code);
  const std::string bits = std::to_string((kind[1] - '0') * 8);
  const std::string order = code[0] == '>' && kind[1] != '1' ? "big-endian " : "";
  if (kind[0] == 'i') return order + "int" + bits;
  if (kind[0] == 'u') return order + "uint" + bits;
  if (kind[0] == 'f') return order + "float" + bits;
  return fmt::format("'{}'", code);
}

// Returns the text that follows 'key': in the header's dictionary.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return {};
  std::string_view value = header.substr(at + key.size() + 3);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return value;
}

std::optional<NpyShape> parse_shape(std::string_view text) {
  NpyShape shape;
  const std::size_t close = text.find(')');
  if (text.empty() || text[0] != '(' || close == std::string_view::npos) return std::nullopt;
  std::int64_t extent = -1;
  for (const char c : text.substr(1, close)) {
    if (c >= '0' && c <= '9') {
      extent = std::max<std::int64_t>(extent, 0) * 10 + (c - '0');
      if (extent > INT32_MAX) return std::nullopt;
    } else if (c == ',' || c == ')') {
      if (extent >= 0) shape.push_back(extent);
      extent = -1;
    } else if (c != ' ') {
      return std::nullopt;
    }
  }
  return shape;
}

std::optional<Header> parse_header(std::string_view text) {
  Header header;
  const std::string_view type = value_of(text, "descr");
  const std::string_view order = value_of(text, "fortran_order");
  const auto shape = parse_shape(value_of(text, "shape"));
  const std::size_t close = type.find('\'', 1);
  if (type.empty() || type[0] != '\'' || close == std::string_view::npos || order.empty() || !shape)
    return std::nullopt;
  header.type = type.substr(1, close - 1);
  header.fortran_order = order[0] == 'T';
  header.shape = *shape;
  return header;
}

// Splits the file into header text and data. Returns nothing if the file is cut off in its header.
std::optional<std::pair<std::string_view, std::string_view>> split(std::string_view file) {
  if (file.size() < 10) return std::nullopt;
  const std::size_t length_bytes = file[6] == 1 ? 2 : 4;
  const std::size_t start = 8 + length_bytes;
  std::size_t length = 0;
  if (file.size() < start) return std::nullopt;
  for (std::size_t i = 0; i < length_bytes; ++i)
    length |= std::size_t{static_cast<unsigned char>(file[8 + i])} << (8 * i);
  if (file.size() - start < length) return std::nullopt;
  return std::pair{file.substr(start, length), file.substr(start + length)};
}

std::size_t data_bytes(std::size_t element_bytes, const NpyShape& shape) {
  std::size_t size = element_bytes;
  for (const std::int64_t extent : shape) size *= static_cast<std::size_t>(extent);
  return size;
}

UserError fault(const std::string& path, const std::string& text) { return {Location{path, 0, 0}, text}; }

// Returns the file's header and what follows it.
std::pair<Header, std::string_view> parts_of(const std::string& file, const std::string& path) {
  const auto fail = [&path](const std::string& text) { return fault(path, text); };
  if (file.compare(0, kMagic.size(), kMagic) != 0) throw fail("not an .npy file");
  if (file.size() > 6 && file[6] != 1 && file[6] != 2) {
    throw fail(fmt::format(".npy version {} is not supported", int{file[6]}));
  }
  const auto parts = split(file);
  if (!parts) throw fail("truncated: the header is not whole");
  const auto header = parse_header(parts->first);
  if (!header) throw fail("the .npy header is malformed");
  if (header->fortran_order && header->shape.size() > 1) throw fail("expected C order, found Fortran order");
  return {*header, parts->second};
}

// Returns the file's shape and what follows its header. Throws if the header does not say the wanted type.
std::pair<NpyShape, std::string_view> checked_parts(const std::string& file, const std::string& path,
                                                    const DataTypeFacts& wanted) {
  const auto [header, data] = parts_of(file, path);
  const bool same_kind = header.type.size() == 3 && header.type.compare(1, 2, wanted.descr + 1) == 0;
  if (!same_kind || (wanted.bytes > 1 && header.type[0] == '>'))
    throw fault(path, fmt::format("expected {}, found {}", wanted.word, type_name(header.type)));
  return {header.shape, data};
}

template <class T>
std::vector<T> elements(std::string_view data, const std::string& path, DataType type, const NpyShape& shape) {
  const std::size_t size = data_bytes(facts(type).bytes, shape);
  if (data.size() != size) {
    throw fault(path, fmt::format("{}: expected {} bytes of data, found {}",
                                  data.size() < size ? "truncated" : "too long", size, data.size()));
  }
  std::vector<T> values(data.size() / sizeof(T));
  if (!data.empty()) std::memcpy(values.data(), data.data(), data.size());
  return values;
}

template <class T>
std::vector<T> read(const std::string& path, DataType type, const NpyShape& expected) {
  const std::string file = read_file(path, largest_npy(facts(type).bytes, expected));
  const auto [shape, data] = checked_parts(file, path, facts(type));
  if (shape != expected)
    throw fault(path, fmt::format("expected shape {}, found {}", shape_text(expected), shape_text(shape)));
  return elements<T>(data, path, type, shape);
}

void write(const std::string& path, const NpyShape& shape, DataType type, const void* data, std::size_t size) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", facts(type).descr, shape_text(shape));
  const std::size_t unpadded = kMagic.size() + 4 + header.size() + 1;
  header.append((64 - unpadded % 64) % 64, ' ').push_back('\n');

  std::string file(kMagic);
  file.append({'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)});
  file += header;
  file.append(static_cast<const char*>(data), size);
  write_file(path, file);
}

}  // namespace

std::size_t largest_npy(std::size_t element_bytes, const NpyShape& shape) {
  constexpr std::size_t kHeader = std::size_t{1} << 20;
  return data_bytes(element_bytes, shape) + kHeader;
}

std::string shape_text(const NpyShape& shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

template <class T>
std::vector<T> read_npy(const std::string& path, const NpyShape& expected) {
  return read<T>(path, data_type<T>(), expected);
}

std::vector<std::uint8_t> read_npy(const std::string& path, DataType type, const NpyShape& expected) {
  return read<std::uint8_t>(path, type, expected);
}

NpyBatch read_npy_batch(const std::string& path, const NpyShape& shape) {
  const NpyTensors tensors = read_npy_tensors(path, DataType::float32, shape);
  NpyBatch batch{tensors.count, std::vector<float>(tensors.bytes.size() / sizeof(float))};
  std::memcpy(batch.values.data(), tensors.bytes.data(), tensors.bytes.size());
  require_finite(path, batch.values);
  return batch;
}

NpyTensors read_npy_tensors(const std::string& path, DataType type, const NpyShape& one) {
  constexpr std::size_t kLargest = std::size_t{1} << 32;
  const std::string file = read_file(path, kLargest);
  const auto [shape, data] = checked_parts(file, path, facts(type));
  NpyTensors batch;
  if (shape != one) {
    batch.count = shape.empty() ? 0 : shape[0];
    NpyShape many = one;
    many.insert(many.begin(), batch.count);
    if (shape != many)
      throw fault(path, fmt::format("expected shape {0}, or a batch (N, {1}; found {2}", shape_text(one),
                                    shape_text(one).substr(1), shape_text(shape)));
    if (batch.count == 0) throw fault(path, "an empty batch: expected at least one tensor");
    if (data_bytes(facts(type).bytes, one) > kLargest / static_cast<std::size_t>(batch.count))
      throw fault(path, "truncated: a batch of more than 4 GiB");
  }
  batch.bytes = elements<std::uint8_t>(data, path, type, shape);
  return batch;
}

namespace {
constexpr std::size_t kLargestHeader = std::size_t{1} << 17;  // version 1 has 16 bits for a header's length
}

std::int64_t read_npy_count(const std::string& path) {
  const std::string file = read_head(path, kLargestHeader);
  std::int64_t count = 1;
  for (const std::int64_t extent : parts_of(file, path).first.shape)
    if (__builtin_mul_overflow(count, extent, &count)) throw fault(path, "a shape of more than 2^63 elements");
  return count;
}

bool holds_floats(const std::string& path) {
  const std::string file = read_head(path, kLargestHeader);
  return parts_of(file, path).first.type == facts(DataType::float32).descr;
}

std::vector<std::int64_t> read_npy_integers(const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{1} << 30;
  const std::string file = read_file(path, kLargest);
  const auto [header, data] = parts_of(file, path);
  const std::string& type = header.type;
  const bool integer = type.size() == 3 && (type[1] == 'i' || type[1] == 'u') &&
                       std::string_view("1248").find(type[2]) != std::string_view::npos &&
                       (type[0] != '>' || type[2] == '1');
  if (!integer) throw fault(path, fmt::format("expected integers, found {}", type_name(type)));
  if (header.shape.size() != 1)
    throw fault(path, fmt::format("expected shape (N,), found {}", shape_text(header.shape)));
  const auto bytes = static_cast<std::size_t>(type[2] - '0');
  if (data.size() != bytes * static_cast<std::size_t>(header.shape[0]))
    throw fault(path,
                fmt::format("{}: shape {}, but {} bytes of data",
                            data.size() < bytes * static_cast<std::size_t>(header.shape[0]) ? "truncated" : "too long",
                            shape_text(header.shape), data.size()));
  std::vector<std::int64_t> values;
  for (std::size_t at = 0; at < data.size(); at += bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{static_cast<unsigned char>(data[at + i])} << (8 * i);
    const std::size_t unused = 64 - 8 * bytes;
    values.push_back(type[1] == 'u' ? static_cast<std::int64_t>(value)
                                    : static_cast<std::int64_t>(value << unused) >> unused);
  }
  return values;
}

NpyBytes read_npy_bytes(const std::string& path, std::size_t extents) {
  constexpr std::size_t kLargest = std::size_t{1} << 30;
  const std::string file = read_file(path, kLargest);
  const auto [shape, data] = checked_parts(file, path, facts(DataType::uint8));
  if (shape.size() != extents)
    throw fault(path, fmt::format("expected {} extents, found shape {}", extents, shape_text(shape)));
  std::size_t left = data.size();
  for (const std::int64_t extent : shape) {
    if (extent < 1) throw fault(path, fmt::format("empty: shape {}", shape_text(shape)));
    left /= static_cast<std::size_t>(extent);
  }
  if (left == 0) throw fault(path, fmt::format("truncated: shape {}, but {} bytes", shape_text(shape), data.size()));
  return {shape, elements<std::uint8_t>(data, path, DataType::uint8, shape)};
}

void require_finite(const std::string& path, const std::vector<float>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw fault(path, fmt::format("value {} is {}; expected finite numbers", i, values[i]));
}

template <class T>
void write_npy(const std::string& path, const NpyShape& shape, const std::vector<T>& values) {
  write(path, shape, data_type<T>(), values.data(), values.size() * sizeof(T));
}

void write_npy(const std::string& path, const NpyShape& shape, DataType type, const std::vector<std::uint8_t>& bytes) {
  write(path, shape, type, bytes.data(), bytes.size());
}

template std::vector<std::int8_t> read_npy(const std::string&, const NpyShape&);
template std::vector<std::uint8_t> read_npy(const std::string&, const NpyShape&);
template std::vector<std::int16_t> read_npy(const std::string&, const NpyShape&);
template std::vector<std::uint16_t> read_npy(const std::string&, const NpyShape&);
template std::vector<std::int32_t> read_npy(const std::string&, const NpyShape&);
template std::vector<float> read_npy(const std::string&, const NpyShape&);
template void write_npy(const std::string&, const NpyShape&, const std::vector<std::int8_t>&);
template void write_npy(const std::string&, const NpyShape&, const std::vector<std::uint8_t>&);
template void write_npy(const std::string&, const NpyShape&, const std::vector<std::int16_t>&);
template void write_npy(const std::string&, const NpyShape&, const std::vector<std::uint16_t>&);
template void write_npy(const std::string&, const NpyShape&, const std::vector<std::int32_t>&);
template void write_npy(const std::string&, const NpyShape&, const std::vector<float>&);

}  // namespace fansim::base
