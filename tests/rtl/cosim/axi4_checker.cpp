// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "axi/checker/axi4_rules.h"
#include "base/random.h"
#include "cosim/lane.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;
constexpr std::size_t kOpen = 12;  // bursts of each direction, below the twin's DEPTH

// Returns the names of the twin's bits, in their order.
const std::vector<std::string>& rules() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const char* channel : {"aw", "ar", "w", "b", "r"})
      for (const char* rule : {"_valid_dropped", "_payload_changed"}) all.push_back(std::string(channel) + rule);
    for (const char* channel : {"aw", "ar"})
      for (const char* rule :
           {"_burst_reserved", "_size", "_boundary", "_fixed_length", "_wrap_length", "_wrap_unaligned", "_cache"})
        all.push_back(std::string(channel) + rule);
    for (const char* rule : {"wlast_early", "wlast_late", "response_before_data", "response_without_request",
                             "rlast_early", "rlast_late", "read_without_request"})
      all.emplace_back(rule);
    return all;
  }();
  return names;
}

// Makes traffic that keeps most rules and breaks each now and then.
class Traffic {
 public:
  const axi::Axi4View& next() {
    const axi::Axi4View before = view_;
    view_ = {};
    address(before.aw, view_.aw, writes_ < kOpen);
    address(before.ar, view_.ar, reads_.size() < kOpen);
    write_data(before.w);
    response(before.b);
    read_data(before.r);
    follow();
    return view_;
  }

 private:
  bool rarely() { return random_.chance(2); }

  // A stalled beat stays, or not.
  template <class Channel>
  bool held(const Channel& before, Channel& now) {
    if (!before.valid || before.ready || rarely()) return false;
    now = before;
    now.ready = random_.chance(40);
    return true;
  }

  void address(const axi::AddressView& before, axi::AddressView& now, bool room) {
    if (held(before, now)) {
      if (rarely()) now.addr ^= 0x40;
      if (rarely()) now.len ^= 1;
    } else if (random_.chance(30)) {
      now.valid = true;
      now.ready = random_.chance(40);
      now.burst = random_.chance(70) ? 1 : static_cast<unsigned>(random_.uniform(0, 3));
      now.size = random_.chance(70) ? 4 : static_cast<unsigned>(random_.uniform(0, 7));
      now.len = static_cast<unsigned>(random_.chance(80) ? random_.uniform(0, 15) : random_.uniform(0, 255));
      now.addr = static_cast<std::uint64_t>(random_.uniform(0, 1 << 30));
      if (random_.chance(70)) now.addr &= ~std::uint64_t{0xff};
      now.cache = random_.chance(80) ? 3 : static_cast<unsigned>(random_.uniform(0, 15));
    }
    now.ready = now.ready && room;
  }
  void fill(axi::WireBytes& data) {
    for (std::size_t i = 0; i < 16; ++i) data[i] = static_cast<std::uint8_t>(random_.uniform(0, 255));
  }
  static void change(axi::WireBytes& data) {
    for (std::size_t i = 0; i < 16; ++i) ++data[i];
  }
  void write_data(const axi::WriteDataView& before) {
    axi::WriteDataView& w = view_.w;
    if (held(before, w)) {
      if (rarely()) change(w.data);
      if (rarely()) w.last = !w.last;
    } else if (!lengths_.empty() && random_.chance(60)) {
      w.valid = true;
      w.ready = random_.chance(60);
      fill(w.data);
      w.strb = static_cast<std::uint64_t>(random_.uniform(1, 0xffff));
      w.last = rarely() || beats_ == lengths_.front();
      if (rarely()) w.last = false;
    }
  }
  void response(const axi::WriteResponseView& before) {
    axi::WriteResponseView& b = view_.b;
    if (held(before, b)) {
      if (rarely()) b.resp ^= 2;
    } else if ((due_ > 0 && random_.chance(50)) || rarely()) {
      b = {true, random_.chance(60), 0, random_.chance(80) ? 0U : 2U};
    }
  }
  void read_data(const axi::ReadDataView& before) {
    axi::ReadDataView& r = view_.r;
    if (held(before, r)) {
      if (rarely()) change(r.data);
      if (rarely()) r.resp ^= 2;
    } else if ((!reads_.empty() && random_.chance(60)) || rarely()) {
      r.valid = true;
      r.ready = random_.chance(60);
      fill(r.data);
      r.last = !reads_.empty() && read_beats_ == reads_.front();
      if (rarely()) r.last = !r.last;
    }
  }
  // Updates what is open after this edge.
  void follow() {
    if (view_.b.valid && view_.b.ready && due_ > 0) --due_;
    if (view_.r.valid && view_.r.ready && !reads_.empty()) {
      if (view_.r.last || read_beats_ == reads_.front()) {
        reads_.erase(reads_.begin());
        read_beats_ = 0;
      } else {
        ++read_beats_;
      }
    }
    if (view_.w.valid && view_.w.ready) {
      if (view_.w.last || beats_ == lengths_.front()) {
        lengths_.erase(lengths_.begin());
        beats_ = 0;
        ++due_;
        --writes_;
      } else {
        ++beats_;
      }
    }
    if (view_.aw.valid && view_.aw.ready) {
      lengths_.push_back(view_.aw.len);
      ++writes_;
    }
    if (view_.ar.valid && view_.ar.ready) reads_.push_back(view_.ar.len);
  }

  base::Random random_{1, "axi4_checker"};
  axi::Axi4View view_;
  std::vector<unsigned> lengths_, reads_;  // of the open bursts, in beats less one
  std::size_t writes_ = 0;
  unsigned beats_ = 0, read_beats_ = 0;
  int due_ = 0;
};

template <class Model>
class CheckerLane final : public LaneBase {
 public:
  CheckerLane(const std::string& name, const Parameters& p)
      : name_(name), rules_(axi::CheckerConfig{p["DATA_BITS"], std::int64_t{1} << 60}) {
    for (int fault = 0; fault <= kFaults; ++fault) twins_.push_back(std::make_unique<Twin>(fault));
  }

  void at_edge() override {
    const axi::Axi4View& view = traffic_.next();
    const std::size_t before = rules_.findings.all().size();
    rules_.edge(view);
    std::uint32_t expected = 0;
    for (std::size_t i = before; i < rules_.findings.all().size(); ++i) expected |= bit(rules_.findings.all()[i].rule);
    found_ += static_cast<std::int64_t>(rules_.findings.all().size() - before);
    ++cycles_;
    for (auto& twin : twins_) compare(*twin, view, expected);
  }
  std::int64_t cycles() const override { return cycles_; }
  std::int64_t beats() const override { return found_; }
  bool failed() const override { return failed_; }
  const std::vector<int>& caught() const override { return caught_; }

 private:
  struct Twin {
    explicit Twin(int code) : fault(code) {
      model.fault = static_cast<CData>(code);
      model.rst = 1;
      for (int i = 0; i < 3; ++i) edge();
      model.rst = 0;
    }
    ~Twin() { model.final(); }
    void edge() {
      model.clk = 0;
      model.eval();
      model.clk = 1;
      model.eval();
    }
    const int fault;
    VerilatedContext context;
    Model model{&context};
    bool retired = false;
  };

  static std::uint32_t bit(const std::string& rule) {
    if (rule == "strobe") return 0;  // needs the byte lanes of each beat: not in the twin
    const auto found = std::find(rules().begin(), rules().end(), rule);
    if (found == rules().end()) throw std::logic_error("the twin has no rule " + rule);
    return std::uint32_t{1} << (found - rules().begin());
  }

  template <class Wide>
  static void put(Wide& wires, const axi::WireBytes& data) {
    for (std::size_t word = 0; word < 4; ++word) {
      std::uint32_t value = 0;
      for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{data[4 * word + i]} << 8 * i;
      wires[word] = value;
    }
  }

  void compare(Twin& twin, const axi::Axi4View& v, std::uint32_t expected) {
    if (twin.retired) return;
    Model& m = twin.model;
    m.aw_valid = v.aw.valid;
    m.aw_ready = v.aw.ready;
    m.aw_addr = v.aw.addr;
    m.aw_len = static_cast<CData>(v.aw.len);
    m.aw_size = static_cast<CData>(v.aw.size);
    m.aw_burst = static_cast<CData>(v.aw.burst);
    m.aw_cache = static_cast<CData>(v.aw.cache);
    m.ar_valid = v.ar.valid;
    m.ar_ready = v.ar.ready;
    m.ar_addr = v.ar.addr;
    m.ar_len = static_cast<CData>(v.ar.len);
    m.ar_size = static_cast<CData>(v.ar.size);
    m.ar_burst = static_cast<CData>(v.ar.burst);
    m.ar_cache = static_cast<CData>(v.ar.cache);
    m.w_valid = v.w.valid;
    m.w_ready = v.w.ready;
    m.w_last = v.w.last;
    m.w_strb = static_cast<SData>(v.w.strb);
    put(m.w_data, v.w.data);
    m.b_valid = v.b.valid;
    m.b_ready = v.b.ready;
    m.b_resp = static_cast<CData>(v.b.resp);
    m.r_valid = v.r.valid;
    m.r_ready = v.r.ready;
    m.r_last = v.r.last;
    m.r_resp = static_cast<CData>(v.r.resp);
    put(m.r_data, v.r.data);
    m.clk = 0;
    m.eval();
    if (m.broken != expected) differ(twin, m.broken, expected);
    m.clk = 1;
    m.eval();
  }

  void differ(Twin& twin, std::uint32_t found, std::uint32_t expected) {
    twin.retired = true;
    if (twin.fault > 0) {
      caught_.push_back(twin.fault);
      return;
    }
    failed_ = true;
    for (std::size_t i = 0; i < rules().size(); ++i)
      if (((found ^ expected) >> i & 1) != 0)
        fmt::print(stderr, "{}: cycle {}, {}: rules {}, twin {}\n", name_, cycles_, rules()[i], expected >> i & 1,
                   found >> i & 1);
  }

  const std::string name_;
  axi::Axi4Rules rules_;
  Traffic traffic_;
  std::vector<std::unique_ptr<Twin>> twins_;
  std::int64_t cycles_ = 0, found_ = 0;
  bool failed_ = false;
  std::vector<int> caught_;
};

}  // namespace

int add_lanes(Session& session) {
#define LANE(Model, parameters) session.add<CheckerLane<Model>>(parameters);
  FOR_EACH_TWIN(LANE)
#undef LANE
  return kFaults;
}

}  // namespace fansim::cosim
