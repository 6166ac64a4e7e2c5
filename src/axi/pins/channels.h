// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "axi/pins/role.h"

// The five channels of AXI4 (AMBA AXI protocol specification, IHI 0022, A2.1 to A2.6), each declared once. Role makes
// the members ports or wires. each(f, bundles...) calls f with the same wire of every bundle.
namespace fansim::axi {

// Widths of the wires in bits.
template <int Data, int Address = 40, int Id = 8>
struct Widths {
  static constexpr int data = Data;
  static constexpr int address = Address;
  static constexpr int id = Id;
};

template <class Role, class T>
using Forward = typename Role::template forward<T>;
template <class Role, class T>
using Backward = typename Role::template backward<T>;

// The channel AW or AR; `prefix` says which.
template <class Role, class W>
struct AddressChannel {
  explicit AddressChannel(const std::string& prefix)
      : valid((prefix + "valid").c_str()),
        ready((prefix + "ready").c_str()),
        id((prefix + "id").c_str()),
        addr((prefix + "addr").c_str()),
        len((prefix + "len").c_str()),
        size((prefix + "size").c_str()),
        burst((prefix + "burst").c_str()),
        lock((prefix + "lock").c_str()),
        cache((prefix + "cache").c_str()),
        prot((prefix + "prot").c_str()),
        qos((prefix + "qos").c_str()) {}

  Forward<Role, bool> valid;
  Backward<Role, bool> ready;
  Forward<Role, sc_dt::sc_uint<W::id>> id;
  Forward<Role, sc_dt::sc_uint<W::address>> addr;
  Forward<Role, sc_dt::sc_uint<8>> len;
  Forward<Role, sc_dt::sc_uint<3>> size;
  Forward<Role, sc_dt::sc_uint<2>> burst;
  Forward<Role, bool> lock;
  Forward<Role, sc_dt::sc_uint<4>> cache;
  Forward<Role, sc_dt::sc_uint<3>> prot;
  Forward<Role, sc_dt::sc_uint<4>> qos;

  template <class F, class... Bundle>
  static void each(F&& f, Bundle&... b) {
    f(b.valid...);
    f(b.ready...);
    f(b.id...);
    f(b.addr...);
    f(b.len...);
    f(b.size...);
    f(b.burst...);
    f(b.lock...);
    f(b.cache...);
    f(b.prot...);
    f(b.qos...);
  }
};

template <class Role, class W>
struct WriteDataChannel {
  explicit WriteDataChannel(const std::string& prefix = "")
      : valid((prefix + "wvalid").c_str()),
        ready((prefix + "wready").c_str()),
        data((prefix + "wdata").c_str()),
        strb((prefix + "wstrb").c_str()),
        last((prefix + "wlast").c_str()) {}

  Forward<Role, bool> valid;
  Backward<Role, bool> ready;
  Forward<Role, sc_dt::sc_bv<W::data>> data;
  Forward<Role, sc_dt::sc_uint<W::data / 8>> strb;
  Forward<Role, bool> last;

  template <class F, class... Bundle>
  static void each(F&& f, Bundle&... b) {
    f(b.valid...);
    f(b.ready...);
    f(b.data...);
    f(b.strb...);
    f(b.last...);
  }
};

template <class Role, class W>
struct WriteResponseChannel {
  explicit WriteResponseChannel(const std::string& prefix = "")
      : valid((prefix + "bvalid").c_str()),
        ready((prefix + "bready").c_str()),
        id((prefix + "bid").c_str()),
        resp((prefix + "bresp").c_str()) {}

  Forward<Role, bool> valid;
  Backward<Role, bool> ready;
  Forward<Role, sc_dt::sc_uint<W::id>> id;
  Forward<Role, sc_dt::sc_uint<2>> resp;

  template <class F, class... Bundle>
  static void each(F&& f, Bundle&... b) {
    f(b.valid...);
    f(b.ready...);
    f(b.id...);
    f(b.resp...);
  }
};

template <class Role, class W>
struct ReadDataChannel {
  explicit ReadDataChannel(const std::string& prefix = "")
      : valid((prefix + "rvalid").c_str()),
        ready((prefix + "rready").c_str()),
        id((prefix + "rid").c_str()),
        data((prefix + "rdata").c_str()),
        resp((prefix + "rresp").c_str()),
        last((prefix + "rlast").c_str()) {}

  Forward<Role, bool> valid;
  Backward<Role, bool> ready;
  Forward<Role, sc_dt::sc_uint<W::id>> id;
  Forward<Role, sc_dt::sc_bv<W::data>> data;
  Forward<Role, sc_dt::sc_uint<2>> resp;
  Forward<Role, bool> last;

  template <class F, class... Bundle>
  static void each(F&& f, Bundle&... b) {
    f(b.valid...);
    f(b.ready...);
    f(b.id...);
    f(b.data...);
    f(b.resp...);
    f(b.last...);
  }
};

// AXI4-Stream (IHI 0051) without TID, TDEST and TUSER; TSTRB equals TKEEP.
template <class Role, int Data>
struct StreamChannel {
  explicit StreamChannel(const std::string& prefix = "")
      : valid((prefix + "tvalid").c_str()),
        ready((prefix + "tready").c_str()),
        data((prefix + "tdata").c_str()),
        keep((prefix + "tkeep").c_str()),
        last((prefix + "tlast").c_str()) {}

  Forward<Role, bool> valid;
  Backward<Role, bool> ready;
  Forward<Role, sc_dt::sc_bv<Data>> data;
  Forward<Role, sc_dt::sc_uint<Data / 8>> keep;
  Forward<Role, bool> last;

  template <class F, class... Bundle>
  static void each(F&& f, Bundle&... b) {
    f(b.valid...);
    f(b.ready...);
    f(b.data...);
    f(b.keep...);
    f(b.last...);
  }
};

}  // namespace fansim::axi
