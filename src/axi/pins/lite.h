// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/pins/bundle.h"
#include "axi/pins/payload.h"
#include "axi/ring.h"
#include "axi/types.h"
#include "sim/stream.h"

// AXI4-Lite with 32 bits (IHI 0022 B1): the requests and responses of a block's register port on five channels of
// wires.
namespace fansim::axi {

template <class Role, class Payload>
struct LiteChannel {
  // The payload's own wire is called `prefix` + `payload_name`.
  LiteChannel(const std::string& prefix, const char* payload_name)
      : valid((prefix + "valid").c_str()),
        ready((prefix + "ready").c_str()),
        payload((prefix + payload_name).c_str()) {}

  Forward<Role, bool> valid;
  Backward<Role, bool> ready;
  Forward<Role, Payload> payload;

  template <class F, class... Bundle>
  static void each(F&& f, Bundle&... b) {
    f(b.valid...);
    f(b.ready...);
    f(b.payload...);
  }
};

template <class Roles>
struct LitePins {
  using Word = sc_dt::sc_uint<32>;
  using Response = sc_dt::sc_uint<2>;
  using Protection = sc_dt::sc_uint<3>;

  explicit LitePins(const std::string& prefix = "")
      : aw(prefix + "aw", "addr"),
        awprot((prefix + "awprot").c_str()),
        w(prefix + "w", "data"),
        wstrb((prefix + "wstrb").c_str()),
        b(prefix + "b", "resp"),
        ar(prefix + "ar", "addr"),
        arprot((prefix + "arprot").c_str()),
        r(prefix + "r", "data"),
        rresp((prefix + "rresp").c_str()) {}

  LiteChannel<typename Roles::request, Word> aw;
  Forward<typename Roles::request, Protection> awprot;
  LiteChannel<typename Roles::request, Word> w;
  Forward<typename Roles::request, sc_dt::sc_uint<4>> wstrb;
  LiteChannel<typename Roles::response, Response> b;
  LiteChannel<typename Roles::request, Word> ar;
  Forward<typename Roles::request, Protection> arprot;
  LiteChannel<typename Roles::response, Word> r;
  Forward<typename Roles::response, Response> rresp;

  template <class F, class... Bundle>
  static void each(F&& f, Bundle&... bundle) {
    decltype(aw)::each(f, bundle.aw...);
    decltype(w)::each(f, bundle.w...);
    f(bundle.wstrb...);
    decltype(b)::each(f, bundle.b...);
    decltype(ar)::each(f, bundle.ar...);
    decltype(r)::each(f, bundle.r...);
    f(bundle.rresp...);
    f(bundle.awprot...);
    f(bundle.arprot...);
  }
};

// AxPROT: unprivileged, secure, data (IHI 0022 A4.7). No block looks at it.
constexpr unsigned kProtection = 0;

enum class LiteKind : std::uint8_t { write, read };

// The two ends of the wires, each around the streams of its side. They work like adapters.h, for both directions at
// once. A write's address and data leave together, and the other end takes them in any order. Responses follow in the
// order of requests.
template <class Pins>
class LiteToPins final : public sim::PinModule {
 public:
  sim::StreamIn<LiteRequest> request{"request"};
  sim::StreamOut<LiteResponse> response{"response"};

  LiteToPins(const sc_core::sc_module_name& name, Pins& pins) : PinModule(name), pins_(pins) {}

 private:
  void before_end_of_elaboration() override;
  void sample() override;
  void drive() override;

  static constexpr int kOpen = 8;  // requests that await their responses

  Pins& pins_;
  bool address_taken_ = false, data_taken_ = false;
  bool aw_ = false, w_ = false, ar_ = false, b_ = false, r_ = false;  // values that are driven
  Ring<LiteKind> open_{kOpen};
};

template <class Pins>
class LiteFromPins final : public sim::PinModule {
 public:
  sim::StreamOut<LiteRequest> request{"request"};
  sim::StreamIn<LiteResponse> response{"response"};

  LiteFromPins(const sc_core::sc_module_name& name, Pins& pins) : PinModule(name), pins_(pins) {}

 private:
  void before_end_of_elaboration() override;
  void sample() override;
  void drive() override;

  static constexpr int kOpen = 8;

  Pins& pins_;
  bool address_held_ = false, data_held_ = false, read_held_ = false;
  bool aw_ = false, w_ = false, ar_ = false, b_ = false, r_ = false;  // values that are driven
  LiteRequest write_{true, 0, 0}, read_{false, 0, 0};
  Ring<LiteKind> open_{kOpen};
};

template <class Pins>
void LiteToPins<Pins>::before_end_of_elaboration() {
  if (auto* stream = dynamic_cast<sim::Stream<LiteRequest>*>(request.get_interface())) stream->hold_one();
}

template <class Pins>
void LiteToPins<Pins>::sample() {
  const auto taken = [](auto& channel) { return channel.valid.read() && channel.ready.read(); };
  address_taken_ = address_taken_ || taken(pins_.aw);
  data_taken_ = data_taken_ || taken(pins_.w);
  const bool written = address_taken_ && data_taken_;
  if (written || taken(pins_.ar)) {
    address_taken_ = data_taken_ = false;
    open_.push(written ? LiteKind::write : LiteKind::read);
    request.stream().depart();
  }
  if (!taken(pins_.b) && !taken(pins_.r)) return;
  response.stream().arrive({taken(pins_.r) ? pins_.r.payload.read().to_uint() : 0});
  open_.pop();
}

template <class Pins>
void LiteToPins<Pins>::drive() {
  const auto& stream = request.stream();
  const bool valid = !stream.empty() && !open_.full();
  const bool write = valid && stream.front().write;
  axi::drive(pins_.aw.valid, aw_, write && !address_taken_);
  axi::drive(pins_.w.valid, w_, write && !data_taken_);
  axi::drive(pins_.ar.valid, ar_, valid && !write);
  if (valid) {
    pins_.aw.payload.write(stream.front().address);
    pins_.ar.payload.write(stream.front().address);
    pins_.w.payload.write(stream.front().value);
    pins_.wstrb.write(0xf);
    pins_.awprot.write(kProtection);
    pins_.arprot.write(kProtection);
  }
  const bool room = response.stream().empty();
  axi::drive(pins_.b.ready, b_, room);
  axi::drive(pins_.r.ready, r_, room);
}

template <class Pins>
void LiteFromPins<Pins>::before_end_of_elaboration() {
  if (auto* stream = dynamic_cast<sim::Stream<LiteResponse>*>(response.get_interface())) stream->hold_one();
}

template <class Pins>
void LiteFromPins<Pins>::sample() {
  const auto taken = [](auto& channel) { return channel.valid.read() && channel.ready.read(); };
  if (taken(pins_.aw)) {
    address_held_ = true;
    write_.address = pins_.aw.payload.read().to_uint();
  }
  if (taken(pins_.w)) {
    data_held_ = true;
    write_.value = pins_.w.payload.read().to_uint();
  }
  if (taken(pins_.ar)) {
    read_held_ = true;
    read_.address = pins_.ar.payload.read().to_uint();
  }
  if (taken(pins_.b) || taken(pins_.r)) {
    open_.pop();
    response.stream().depart();
  }
  const bool write = address_held_ && data_held_;
  if (!request.stream().empty() || !(write || read_held_) || open_.full()) return;
  request.stream().arrive(write ? write_ : read_);
  open_.push(write ? LiteKind::write : LiteKind::read);
  if (write)
    address_held_ = data_held_ = false;
  else
    read_held_ = false;
}

template <class Pins>
void LiteFromPins<Pins>::drive() {
  const bool room = request.stream().empty();
  axi::drive(pins_.aw.ready, aw_, room && !address_held_);
  axi::drive(pins_.w.ready, w_, room && !data_held_);
  axi::drive(pins_.ar.ready, ar_, room && !read_held_);
  const auto& stream = response.stream();
  const bool valid = !stream.empty();
  axi::drive(pins_.b.valid, b_, valid && open_.front() == LiteKind::write);
  axi::drive(pins_.r.valid, r_, valid && open_.front() == LiteKind::read);
  if (valid && open_.front() == LiteKind::read) pins_.r.payload.write(stream.front().value);
}

}  // namespace fansim::axi
