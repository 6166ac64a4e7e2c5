// SPDX-License-Identifier: Apache-2.0
#include "plants.h"

#include <string>

namespace against {
namespace {

using Recording = std::vector<axi::Axi4View>;
using Plant = std::function<bool(Recording&, base::Random&)>;

template <class Channel>
using Member = Channel axi::Axi4View::*;

constexpr std::uint64_t kPage = 4096;
constexpr std::size_t kQuiet = 24;  // edges without a beat, in which a reset may happen

template <class Channel>
bool passes(const Channel& c) {
  return c.valid && c.ready;
}
template <class Channel>
bool waits(const Channel& c) {
  return c.valid && !c.ready;
}

// Returns a random place at which `holds` is true, or the end.
std::size_t draw(const Recording& all, base::Random& random, const std::function<bool(std::size_t)>& holds) {
  std::vector<std::size_t> places;
  for (std::size_t i = 1; i + 1 < all.size(); ++i)
    if (holds(i)) places.push_back(i);
  return places.empty() ? all.size()
                        : places[static_cast<std::size_t>(random.uniform(0, static_cast<int>(places.size()) - 1))];
}

// Changes a beat that waits, on its second edge.
template <class Channel>
Plant waiting(Member<Channel> channel, const std::function<void(Channel&)>& change) {
  return [=](Recording& all, base::Random& random) {
    const std::size_t at = draw(all, random, [&](std::size_t i) { return waits(all[i - 1].*channel); });
    if (at == all.size()) return false;
    change(all[at].*channel);
    return true;
  };
}

// Changes a beat that passes and that `chosen` accepts, on all its edges.
template <class Channel>
Plant beat(Member<Channel> channel, const std::function<bool(const Channel&)>& chosen,
           const std::function<void(Channel&)>& change) {
  return [=](Recording& all, base::Random& random) {
    std::size_t at =
        draw(all, random, [&](std::size_t i) { return passes(all[i].*channel) && chosen(all[i].*channel); });
    if (at == all.size()) return false;
    change(all[at].*channel);
    while (at > 0 && waits(all[at - 1].*channel)) change(all[--at].*channel);
    return true;
  };
}

// Tracks, for each edge, the bursts that wait for something before that edge.
struct Open {
  std::vector<int> writes, reads;  // addressed and unanswered; reads also count data to come
  std::vector<bool> data_to_come;  // an addressed write still lacks data
};

Open open(const Recording& all) {
  Open open;
  int writes = 0, reads = 0, addressed = 0, filled = 0;
  for (const axi::Axi4View& v : all) {
    open.writes.push_back(writes);
    open.reads.push_back(reads);
    open.data_to_come.push_back(addressed > filled);
    writes += passes(v.aw) - passes(v.b);
    reads += passes(v.ar) - (passes(v.r) && v.r.last);
    addressed += passes(v.aw);
    filled += passes(v.w) && v.w.last;
  }
  return open;
}

bool extra_response(Recording& all, base::Random& random) {
  const Open state = open(all);
  const std::size_t at = draw(all, random, [&](std::size_t i) {
    return !all[i].b.valid && state.writes[i] == 0 && !all[i].w.valid && !all[i].aw.valid;
  });
  if (at == all.size()) return false;
  all[at].b.valid = all[at].b.ready = true;
  all[at].b.resp = 0;
  return true;
}

bool early_response(Recording& all, base::Random& random) {
  const Open state = open(all);
  std::size_t at = draw(all, random, [&](std::size_t i) {
    return !all[i].b.valid && state.writes[i] == 1 && state.data_to_come[i] && !all[i].aw.valid;
  });
  if (at == all.size()) return false;
  std::size_t late = at;
  while (late < all.size() && !all[late].b.valid) ++late;
  if (late == all.size()) return false;
  all[at].b = all[late].b;
  all[at].b.valid = all[at].b.ready = true;
  while (late < all.size() && all[late].b.valid && !passes(all[late].b)) all[late++].b.valid = false;
  if (late < all.size()) all[late].b.valid = false;
  return true;
}

bool missing_response(Recording& all, base::Random& random) {
  std::size_t at = draw(all, random, [&](std::size_t i) { return passes(all[i].b); });
  if (at == all.size()) return false;
  all[at].b.valid = false;
  while (at > 0 && waits(all[at - 1].b)) all[--at].b.valid = false;
  return true;
}

bool unasked_data(Recording& all, base::Random& random) {
  const Open state = open(all);
  const std::size_t at =
      draw(all, random, [&](std::size_t i) { return state.reads[i] == 0 && !all[i].r.valid && !all[i].ar.valid; });
  if (at == all.size()) return false;
  all[at].r.valid = all[at].r.ready = all[at].r.last = true;
  all[at].r.resp = 0;
  return true;
}

bool valid_in_reset(Recording& all, base::Random& random) {
  const Open state = open(all);
  const auto busy = [](const axi::Axi4View& v) {
    return v.aw.valid || v.ar.valid || v.w.valid || v.b.valid || v.r.valid;
  };
  std::vector<std::size_t> quiet(all.size() + 1, 0);
  for (std::size_t i = all.size(); i-- > 0;) quiet[i] = busy(all[i]) ? 0 : quiet[i + 1] + 1;
  const std::size_t at = draw(
      all, random, [&](std::size_t i) { return quiet[i] > kQuiet && state.writes[i] == 0 && state.reads[i] == 0; });
  if (at == all.size()) return false;
  for (std::size_t i = at; i + 4 < at + kQuiet; ++i) all[i].resetn = false;
  all[at + 8].ar.valid = true;
  return true;
}

std::vector<Fault> make() {
  using View = axi::Axi4View;
  using Address = axi::AddressView;
  using Data = axi::WriteDataView;
  using Response = axi::WriteResponseView;
  using Read = axi::ReadDataView;
  const auto any = [](const auto&) { return true; };
  const auto many = [](const Address& a) { return a.len > 0; };
  std::vector<Fault> all;
  const auto drop = [](auto& channel) { channel.valid = false; };
  all.push_back({"awvalid_dropped", waiting<Address>(&View::aw, drop)});
  all.push_back({"wvalid_dropped", waiting<Data>(&View::w, drop)});
  all.push_back({"bvalid_dropped", waiting<Response>(&View::b, drop)});
  all.push_back({"arvalid_dropped", waiting<Address>(&View::ar, drop)});
  all.push_back({"rvalid_dropped", waiting<Read>(&View::r, drop)});
  all.push_back({"awaddr_changed", waiting<Address>(&View::aw, [](Address& a) { a.addr ^= 64; })});
  all.push_back({"wdata_changed", waiting<Data>(&View::w, [](Data& w) { w.data[0] ^= 1, w.strb |= 1; })});
  all.push_back({"bresp_changed", waiting<Response>(&View::b, [](Response& b) { b.resp ^= 2; })});
  all.push_back({"arlen_changed", waiting<Address>(&View::ar, [](Address& a) { a.len ^= 1; })});
  all.push_back({"rdata_changed", waiting<Read>(&View::r, [](Read& r) { r.data[0] ^= 1; })});
  all.push_back({"valid_in_reset", valid_in_reset});
  all.push_back(
      {"wlast_missing", beat<Data>(
                            &View::w, [](const Data& w) { return w.last; }, [](Data& w) { w.last = false; })});
  all.push_back({"wlast_early", beat<Data>(
                                    &View::w, [](const Data& w) { return !w.last; }, [](Data& w) { w.last = true; })});
  all.push_back(
      {"rlast_missing", beat<Read>(
                            &View::r, [](const Read& r) { return r.last; }, [](Read& r) { r.last = false; })});
  all.push_back({"rlast_early", beat<Read>(
                                    &View::r, [](const Read& r) { return !r.last; }, [](Read& r) { r.last = true; })});
  all.push_back({"response_extra", extra_response});
  all.push_back({"response_before_data", early_response});
  all.push_back({"response_missing", missing_response});
  all.push_back({"response_of_other_id", beat<Response>(&View::b, any, [](Response& b) { b.id ^= 8; })});
  all.push_back({"read_unasked", unasked_data});
  all.push_back({"read_of_other_id", beat<Read>(&View::r, any, [](Read& r) { r.id ^= 8; })});
  all.push_back({"b_exokay", beat<Response>(&View::b, any, [](Response& b) { b.resp = 1; })});
  all.push_back({"r_exokay", beat<Read>(&View::r, any, [](Read& r) { r.resp = 1; })});
  const auto over = [](Address& a) { a.addr = a.addr / kPage * kPage + kPage - (std::uint64_t{1} << a.size); };
  all.push_back({"aw_boundary", beat<Address>(&View::aw, many, over)});
  all.push_back({"ar_boundary", beat<Address>(&View::ar, many, over)});
  all.push_back({"aw_burst_reserved", beat<Address>(&View::aw, any, [](Address& a) { a.burst = 3; })});
  all.push_back({"ar_size", beat<Address>(&View::ar, any, [](Address& a) { ++a.size; })});
  all.push_back({"ar_wrap_length", beat<Address>(&View::ar, any, [](Address& a) { a.burst = 2, a.len = 2; })});
  all.push_back({"aw_fixed_length",
                 beat<Address>(
                     &View::aw, [](const Address& a) { return a.len > 15; }, [](Address& a) { a.burst = 0; })});
  all.push_back({"aw_cache", beat<Address>(&View::aw, any, [](Address& a) { a.cache = 12; })});
  all.push_back({"strobe_off_its_lanes", beat<Address>(&View::aw, any, [](Address& a) { --a.size; })});
  for (Fault& fault : all)
    for (const char* name : {"awvalid_dropped", "wvalid_dropped", "bvalid_dropped", "arvalid_dropped", "rvalid_dropped",
                             "awaddr_changed", "wdata_changed", "bresp_changed", "rdata_changed", "valid_in_reset",
                             "response_extra", "response_missing", "read_unasked", "b_exokay", "r_exokay"})
      fault.lite = fault.lite || fault.name == std::string(name);
  return all;
}

}  // namespace

const std::vector<Fault>& faults() {
  static const std::vector<Fault> all = make();
  return all;
}

}  // namespace against
