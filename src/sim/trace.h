// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <type_traits>
#include <utility>
#include <vector>

namespace fansim::sim {

// Receives the wires that streams, registers and bundles of wires declare once. The waveform implements it.
class Tracer {
 public:
  virtual ~Tracer() = default;
  virtual void wire(const std::string& name, const bool& value) = 0;
  virtual void wire(const std::string& name, const std::uint64_t& value, int bits) = 0;
  virtual void wire(const std::string&, const sc_dt::sc_uint_base&) {}
  virtual void wire(const std::string&, const sc_dt::sc_bv_base&) {}
  // Declares a signal that is one of these words, by its code.
  virtual void word(const std::string& name, const std::uint64_t& code, const std::vector<std::string>& words) = 0;
};

struct IgnoreWire {
  void operator()(const char*, std::uint64_t, int) const {}
};

template <class T, class = void>
struct has_wires : std::false_type {};
template <class T>
struct has_wires<T, std::void_t<decltype(std::declval<const T&>().wires(IgnoreWire{}))>> : std::true_type {};

// The traced fields of a payload. A payload shows what its `wires(f)` names, as f("name", value, bits). A payload
// without `wires` shows only the handshake.
template <class T>
class PayloadTrace {
 public:
  static constexpr int kMaxWires = 12;

  void declare(Tracer& tracer, const std::string& prefix, const T& example) {
    if constexpr (has_wires<T>::value) {
      int i = 0;
      example.wires([&](const char* name, std::uint64_t, int bits) {
        if (i < kMaxWires) tracer.wire(prefix + "." + name, values_[i++], bits);
      });
    } else {
      (void)tracer;
      (void)prefix;
      (void)example;
    }
  }
  void sample(const T& item) {
    if constexpr (has_wires<T>::value) {
      int i = 0;
      item.wires([&](const char*, std::uint64_t value, int) {
        if (i < kMaxWires) values_[i++] = value;
      });
    } else {
      (void)item;
    }
  }

 private:
  std::uint64_t values_[kMaxWires] = {};
};

}  // namespace fansim::sim
