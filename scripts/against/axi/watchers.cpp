// SPDX-License-Identifier: Apache-2.0
#include "watchers.h"

#include <cstring>

#include "axi/checker/axi4_rules.h"
#include "pin.h"
#include "watch_pulp_128.h"
#include "watch_pulp_32.h"
#include "watch_pulp_64.h"
#include "watch_zipcpu_128.h"
#include "watch_zipcpu_32.h"
#include "watch_zipcpu_64.h"
#include "watch_zipcpu_lite.h"

namespace against {
namespace {

constexpr int kReset = 20;

class Ours final : public Watcher {
 public:
  Ours(int data_bits, int patience) : rules_(axi::CheckerConfig{data_bits, patience}) {
    rules_.findings.handler = [this](const axi::Finding& finding) {
      found.emplace(finding.rule, finding.cycle - kReset);
    };
  }
  void edge(const axi::Axi4View& view) override { rules_.edge(view); }

 private:
  axi::Axi4Rules rules_;
};

// Says to which watcher a failing assertion belongs, because Verilator calls a function without context.
Watcher* under_way = nullptr;
long edge_under_way = 0;

template <class Model>
class Theirs final : public Watcher {
 public:
  void edge(const axi::Axi4View& view) override {
    under_way = this;
    edge_under_way = ++edge_ - kReset - 1;  // after the registers of watch_registers.vh
    set(view);
    model_.clk = 0;
    model_.eval();
    model_.clk = 1;
    model_.eval();
  }

 private:
  void set(const axi::Axi4View& v) {
    model_.resetn = v.resetn;
    Pin(model_.awvalid).put(v.aw.valid);
    Pin(model_.awready).put(v.aw.ready);
    Pin(model_.awid).put(v.aw.id);
    Pin(model_.awaddr).put(v.aw.addr);
    Pin(model_.awlen).put(v.aw.len);
    Pin(model_.awsize).put(v.aw.size);
    Pin(model_.awburst).put(v.aw.burst);
    Pin(model_.awlock).put(v.aw.lock);
    Pin(model_.awcache).put(v.aw.cache);
    Pin(model_.awprot).put(v.aw.prot);
    Pin(model_.awqos).put(v.aw.qos);
    Pin(model_.wvalid).put(v.w.valid);
    Pin(model_.wready).put(v.w.ready);
    Pin(model_.wdata).put(v.w.data.data());
    Pin(model_.wstrb).put(v.w.strb);
    Pin(model_.wlast).put(v.w.last);
    Pin(model_.bvalid).put(v.b.valid);
    Pin(model_.bready).put(v.b.ready);
    Pin(model_.bid).put(v.b.id);
    Pin(model_.bresp).put(v.b.resp);
    Pin(model_.arvalid).put(v.ar.valid);
    Pin(model_.arready).put(v.ar.ready);
    Pin(model_.arid).put(v.ar.id);
    Pin(model_.araddr).put(v.ar.addr);
    Pin(model_.arlen).put(v.ar.len);
    Pin(model_.arsize).put(v.ar.size);
    Pin(model_.arburst).put(v.ar.burst);
    Pin(model_.arlock).put(v.ar.lock);
    Pin(model_.arcache).put(v.ar.cache);
    Pin(model_.arprot).put(v.ar.prot);
    Pin(model_.arqos).put(v.ar.qos);
    Pin(model_.rvalid).put(v.r.valid);
    Pin(model_.rready).put(v.r.ready);
    Pin(model_.rid).put(v.r.id);
    Pin(model_.rdata).put(v.r.data.data());
    Pin(model_.rresp).put(v.r.resp);
    Pin(model_.rlast).put(v.r.last);
  }

  Model model_;
  long edge_ = 0;
};

template <class Zipcpu, class Pulp>
void add(std::vector<std::pair<std::string, std::unique_ptr<Watcher>>>& all) {
  all.emplace_back("zipcpu", std::make_unique<Theirs<Zipcpu>>());
  all.emplace_back("pulp", std::make_unique<Theirs<Pulp>>());
}

}  // namespace

std::vector<std::pair<std::string, std::unique_ptr<Watcher>>> watchers(bool lite, int data_bits, int patience) {
  std::vector<std::pair<std::string, std::unique_ptr<Watcher>>> all;
  all.emplace_back("ours", std::make_unique<Ours>(data_bits, patience));
  if (lite) all.emplace_back("zipcpu", std::make_unique<Theirs<watch_zipcpu_lite>>());
  if (!lite && data_bits == 32) add<watch_zipcpu_32, watch_pulp_32>(all);
  if (!lite && data_bits == 64) add<watch_zipcpu_64, watch_pulp_64>(all);
  if (!lite && data_bits == 128) add<watch_zipcpu_128, watch_pulp_128>(all);
  axi::Axi4View reset;
  reset.resetn = false;
  for (auto& [name, watcher] : all)
    for (int i = 0; i < kReset; ++i) watcher->edge(reset);
  return all;
}

}  // namespace against

void vl_stop(const char* file, int line, const char*) {
  const char* slash = std::strrchr(file, '/');
  against::under_way->found.emplace((slash ? slash + 1 : file) + std::string(":") + std::to_string(line),
                                    against::edge_under_way);
}
