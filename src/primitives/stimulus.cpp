// SPDX-License-Identifier: Apache-2.0
#include "primitives/stimulus.h"

#include <fmt/format.h>

#include <algorithm>

namespace fansim::primitives {
namespace {

std::size_t port_of(const Primitive& primitive, const base::CsvCell& cell) {
  std::vector<std::string> names;
  for (const PortRow& port : primitive.inputs) {
    if (port.name == cell.text) return names.size();
    names.push_back(port.name);
  }
  for (const PortRow& port : primitive.outputs) {
    if (port.name == cell.text)
      throw base::UserError(cell.where, fmt::format("{} is an output of {}", port.name, primitive.name));
  }
  throw base::UserError(cell.where, fmt::format("{} has no input port '{}'{}", primitive.name, cell.text,
                                                base::did_you_mean(cell.text, names)));
}

std::vector<std::size_t> ports_of(const Primitive& primitive, const base::CsvRow& header) {
  std::vector<std::size_t> ports;
  for (const base::CsvCell& cell : header) {
    const std::size_t port = port_of(primitive, cell);
    if (std::count(ports.begin(), ports.end(), port) > 0)
      throw base::UserError(cell.where, fmt::format("column {} stands twice", cell.text));
    ports.push_back(port);
  }
  return ports;
}

std::uint64_t parse_bit(const PortRow& port, const base::CsvCell& cell) {
  if (cell.text != "0" && cell.text != "1")
    throw base::UserError(cell.where, fmt::format("{}: expected 0 or 1, found '{}'", port.name, cell.text));
  return cell.text == "1" ? 1 : 0;
}

std::uint64_t parse_bus(const PortRow& port, const base::CsvCell& cell) {
  const bool prefixed = cell.text.rfind("0x", 0) == 0 || cell.text.rfind("0X", 0) == 0;
  const std::string digits = cell.text.substr(prefixed ? 2 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
    throw base::UserError(cell.where,
                          fmt::format("{}: expected a hexadecimal number, found '{}'", port.name, cell.text));
  const std::string value = digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  if (value.size() > 16 || (std::stoull(value, nullptr, 16) & ~ones(port.bits)) != 0)
    throw base::UserError(cell.where, fmt::format("{}: '{}' does not fit {} bits", port.name, cell.text, port.bits));
  return std::stoull(value, nullptr, 16);
}

void read_row(const Primitive& primitive, const std::vector<std::size_t>& ports, const base::CsvRow& cells,
              Stimulus::Row& row) {
  if (cells.size() != ports.size())
    throw base::UserError(cells[std::min(cells.size(), ports.size() + 1) - 1].where,
                          fmt::format("{} cells, but the header has {}", cells.size(), ports.size()));
  row.where = cells[0].where;
  row.where.column = 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const PortRow& port = primitive.inputs[ports[i]];
    row.inputs[ports[i]] = port.bits == 1 ? parse_bit(port, cells[i]) : parse_bus(port, cells[i]);
    row.cells.push_back(cells[i].text);
  }
}

}  // namespace

Stimulus parse_stimulus(const Primitive& primitive, std::string_view text, const std::string& file) {
  const std::vector<base::CsvRow> table = base::parse_csv(text, file);
  if (table.empty()) throw base::UserError({file, 0, 0}, "empty: expected a header of port names");
  const std::vector<std::size_t> ports = ports_of(primitive, table[0]);
  Stimulus stimulus;
  for (const base::CsvCell& cell : table[0]) stimulus.columns.push_back(cell.text);
  std::vector<std::uint64_t> open;
  for (const PortRow& port : primitive.inputs) open.push_back(port.clock ? 1 : port.open);

  for (std::size_t r = 1; r < table.size(); ++r) {
    stimulus.rows.emplace_back();
    stimulus.rows.back().inputs = open;
    read_row(primitive, ports, table[r], stimulus.rows.back());
  }
  return stimulus;
}

std::string hex(const Bits& value, int bits) {
  std::string digits;
  for (int shift = (bits - 1) / 4 * 4; shift >= 0; shift -= 4)
    digits += (value.unknown >> shift & 15) != 0 ? "x" : fmt::format("{:x}", value.value >> shift & 15);
  return digits;
}

std::string binary(const Bits& value, int bits) {
  std::string digits;
  for (int bit = bits - 1; bit >= 0; --bit)
    digits += (value.unknown >> bit & 1) != 0 ? 'x' : (value.value >> bit & 1) != 0 ? '1' : '0';
  return digits;
}

}  // namespace fansim::primitives
