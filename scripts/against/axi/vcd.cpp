// SPDX-License-Identifier: Apache-2.0
#include "vcd.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace against {
namespace {

void put(bool& field, const std::string& bits) { field = bits.back() == '1'; }

template <class T>
void put(T& field, const std::string& bits) {
  field = static_cast<T>(std::strtoull(bits.c_str(), nullptr, 2));
}

void put(axi::WireBytes& bytes, const std::string& bits) {
  bytes.fill(0);
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[bits.size() - 1 - i] == '1') bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | 1 << i % 8);
}

}  // namespace

Vcd::Vcd(std::string text, const std::function<std::string(const std::string&)>& clock_of) : text_(std::move(text)) {
  declare();
  find_ports(clock_of);
}

std::string Vcd::line() {
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  std::string line = text_.substr(at_, end - at_);
  at_ = end + 1;
  return line;
}

// Reads $scope module NAME, $var wire BITS CODE NAME and $upscope.
void Vcd::declare() {
  std::vector<std::string> scopes;
  while (at_ < text_.size()) {
    std::istringstream words(line());
    std::string kind, type, bits, code, name;
    words >> kind;
    if (kind == "$enddefinitions") return;
    if (kind == "$upscope") scopes.pop_back();
    if (kind == "$scope") words >> type >> name, scopes.push_back(name);
    if (kind != "$var") continue;
    words >> type >> bits >> code >> name;
    std::string full;
    for (std::size_t i = 1; i < scopes.size(); ++i) full += scopes[i] + ".";
    codes_[full + name] = code;
    widths_[full + name] = std::atoi(bits.c_str());
  }
}

void Vcd::find_ports(const std::function<std::string(const std::string&)>& clock_of) {
  const std::string last = ".rready";
  for (const auto& [wire, code] : codes_) {
    if (wire.size() < last.size() || wire.compare(wire.size() - last.size(), last.size(), last) != 0) continue;
    ports_.emplace_back();
    Port& port = ports_.back();
    port.name = wire.substr(0, wire.size() - last.size());
    port.lite = codes_.count(port.name + ".arlen") == 0;
    port.data_bits = widths_.at(port.name + ".rdata");
    find_wires(port);
    const auto clock = codes_.find(clock_of(port.name));
    if (clock == codes_.end()) {
      std::fprintf(stderr, "%s: no clock\n", port.name.c_str());
      std::exit(2);
    }
    clocks_[clock->second].push_back(&port);
  }
}

template <class T>
void Vcd::to(const std::string& wire, T& field) {
  const auto code = codes_.find(wire);
  if (code != codes_.end()) sets_[code->second].push_back([&field](const std::string& bits) { put(field, bits); });
}

void Vcd::find_wires(Port& port) {
  axi::Axi4View& v = port.view;
  const auto address = [this](const std::string& prefix, axi::AddressView& a) {
    to(prefix + "valid", a.valid);
    to(prefix + "ready", a.ready);
    to(prefix + "id", a.id);
    to(prefix + "addr", a.addr);
    to(prefix + "len", a.len);
    to(prefix + "size", a.size);
    to(prefix + "burst", a.burst);
    to(prefix + "lock", a.lock);
    to(prefix + "cache", a.cache);
    to(prefix + "prot", a.prot);
    to(prefix + "qos", a.qos);
  };
  const std::string at = port.name + ".";
  if (port.lite) {
    v.aw.size = v.ar.size = 2;
    v.w.last = v.r.last = true;
  }
  address(at + "aw", v.aw);
  address(at + "ar", v.ar);
  to(at + "wvalid", v.w.valid);
  to(at + "wready", v.w.ready);
  to(at + "wdata", v.w.data);
  to(at + "wstrb", v.w.strb);
  to(at + "wlast", v.w.last);
  to(at + "bvalid", v.b.valid);
  to(at + "bready", v.b.ready);
  to(at + "bid", v.b.id);
  to(at + "bresp", v.b.resp);
  to(at + "rvalid", v.r.valid);
  to(at + "rready", v.r.ready);
  to(at + "rid", v.r.id);
  to(at + "rdata", v.r.data);
  to(at + "rresp", v.r.resp);
  to(at + "rlast", v.r.last);
}

// Reads "1CODE" or "bBITS CODE".
void Vcd::change(const std::string& text) {
  if (text.empty() || text[0] == '$') return;
  if (text[0] != 'b') {
    pending_.emplace_back(text.substr(1), text.substr(0, 1));
    return;
  }
  const std::size_t space = text.find(' ');
  pending_.emplace_back(text.substr(space + 1), text.substr(1, space - 1));
}

// Applies the changes of one instant. A clock's edge comes first, and sees all wires as they were before.
void Vcd::settle(const std::function<void(const Port&)>& edge) {
  for (const auto& [code, bits] : pending_) {
    const auto clock = clocks_.find(code);
    if (clock == clocks_.end() || bits != "1") continue;
    for (const Port* port : clock->second) edge(*port);
  }
  for (const auto& [code, bits] : pending_) {
    const auto found = sets_.find(code);
    if (found == sets_.end()) continue;
    for (const Set& set : found->second) set(bits);
  }
  pending_.clear();
}

void Vcd::read(const std::function<void(const Port&)>& edge) {
  while (at_ < text_.size()) {
    const std::string text = line();
    if (text[0] == '#')
      settle(edge);
    else
      change(text);
  }
  settle(edge);
}

}  // namespace against
