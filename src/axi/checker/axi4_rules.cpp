// SPDX-License-Identifier: Apache-2.0
#include "axi/checker/axi4_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace fansim::axi {
namespace {

constexpr unsigned kExokay = 1;

const char* changed_address(const AddressView& now, const AddressView& before) {
  if (now.id != before.id) return "id";
  if (now.addr != before.addr) return "addr";
  if (now.len != before.len) return "len";
  if (now.size != before.size) return "size";
  if (now.burst != before.burst) return "burst";
  if (now.lock != before.lock) return "lock";
  if (now.cache != before.cache) return "cache";
  if (now.prot != before.prot) return "prot";
  return now.qos != before.qos ? "qos" : nullptr;
}

template <class T>
bool accepted(const T& channel) {
  return channel.valid && channel.ready;
}

}  // namespace

Axi4Rules::Axi4Rules(const CheckerConfig& config)
    : config_(config),
      aw_("aw", config.patience),
      ar_("ar", config.patience),
      w_("w", config.patience),
      b_("b", config.patience),
      r_("r", config.patience) {}

void Axi4Rules::forget() {
  writes_.clear();
  unanswered_.clear();
  reads_.clear();
  open_ = 0;
}

// Responses come first, because they must not answer requests of this same edge.
void Axi4Rules::edge(const Axi4View& view) {
  ++cycle_;
  const bool new_b = !b_.stalled(), new_r = !r_.stalled();
  if (view.aw.valid && !aw_.stalled()) check_burst(view.aw, "aw", config_.data_bits, cycle_, findings);
  if (view.ar.valid && !ar_.stalled()) check_burst(view.ar, "ar", config_.data_bits, cycle_, findings);
  handshakes(view);
  if (!view.resetn) {
    forget();
    return;
  }
  if (view.b.valid) write_response(view.b, new_b);
  if (view.r.valid) read_data(view.r, new_r);
  addresses(view);
  if (accepted(view.w)) write_data(view.w);
  beats_ += accepted(view.aw) + accepted(view.ar) + accepted(view.w) + accepted(view.b) + accepted(view.r);
  patience();
}

void Axi4Rules::handshakes(const Axi4View& view) {
  aw_.edge(view.aw, view.resetn, cycle_, findings, changed_address);
  ar_.edge(view.ar, view.resetn, cycle_, findings, changed_address);
  w_.edge(view.w, view.resetn, cycle_, findings, [](const WriteDataView& now, const WriteDataView& before) {
    if (now.last != before.last) return "last";
    if (now.strb != before.strb) return "strb";
    return differ(now.data, before.data, now.strb) ? "data" : nullptr;
  });
  b_.edge(view.b, view.resetn, cycle_, findings, [](const WriteResponseView& now, const WriteResponseView& before) {
    if (now.id != before.id) return "id";
    return now.resp != before.resp ? "resp" : nullptr;
  });
  r_.edge(view.r, view.resetn, cycle_, findings, [this](const ReadDataView& now, const ReadDataView& before) {
    if (now.id != before.id) return "id";
    if (now.last != before.last) return "last";
    if (now.resp != before.resp) return "resp";
    const auto open = reads_.find(now.id);
    const std::uint64_t lanes =
        open == reads_.end() || open->second.empty()
            ? ~std::uint64_t{0}
            : byte_lanes(open->second.front().address, open->second.front().beats, config_.data_bits);
    return differ(now.data, before.data, lanes) ? "data" : nullptr;
  });
}

void Axi4Rules::addresses(const Axi4View& view) {
  if (accepted(view.ar)) {
    reads_[view.ar.id].push_back({view.ar, 0, cycle_});
    ++open_;
  }
  if (!accepted(view.aw)) return;
  auto write = std::find_if(writes_.begin(), writes_.end(), [](const Write& w) { return !w.addressed; });
  if (write == writes_.end()) {
    write = writes_.insert(write, Write{});
    ++open_;
  }
  write->addressed = true;
  write->address = view.aw;
  write->since = cycle_;
  // Its data may have come before its address.
  for (std::size_t beat = 0; beat < write->strobes.size(); ++beat) check_beat(*write, beat);
  settle(write);
}

void Axi4Rules::write_data(const WriteDataView& w) {
  auto write = std::find_if(writes_.begin(), writes_.end(), [](const Write& open) { return !open.last; });
  if (write == writes_.end()) {
    write = writes_.insert(write, Write{});
    ++open_;
  }
  write->strobes.push_back(w.strb);
  write->last = w.last;
  write->since = cycle_;
  if (write->addressed) check_beat(*write, write->strobes.size() - 1);
  settle(write);
}

// Once a write has its address and all its data, it awaits its response.
void Axi4Rules::settle(const std::deque<Write>::iterator& write) {
  if (!write->addressed || !write->last) return;
  unanswered_[write->address.id].push_back(std::move(*write));
  writes_.erase(write);
}

void Axi4Rules::check_beat(Write& write, std::size_t beat) {
  const std::size_t beats = write.address.len + 1;
  const bool last = write.last && beat + 1 == write.strobes.size();
  if (last && beat + 1 < beats) report("wlast_early", fmt::format("wlast at beat {} of {}", beat + 1, beats));
  if (!last && beat + 1 == beats) {
    report("wlast_late", fmt::format("beat {} of {} is without wlast", beats, beats));
    write.last = true;  // the next beat belongs to the next burst
  }
  const std::uint64_t lanes = byte_lanes(write.address, static_cast<unsigned>(beat), config_.data_bits);
  if ((write.strobes[beat] & ~lanes) != 0)
    report("strobe", fmt::format("beat {} has wstrb {:#x}, its lanes are {:#x}", beat + 1, write.strobes[beat], lanes));
}

void Axi4Rules::write_response(const WriteResponseView& b, bool first_edge) {
  std::deque<Write>& queue = unanswered_[b.id];
  if (queue.empty()) {
    if (!first_edge) return;
    const auto open = [&](const Write& w) { return w.addressed && w.address.id == b.id; };
    if (std::any_of(writes_.begin(), writes_.end(), open))
      report("response_before_data", fmt::format("a response of ID {} before the last beat of its data", b.id));
    else
      report("response_without_request", fmt::format("a response of ID {}, which awaits none", b.id));
    return;
  }
  if (first_edge && b.resp == kExokay && !queue.front().address.lock)
    report("b_exokay", "EXOKAY for a write that is not exclusive");
  if (!b.ready) return;
  queue.pop_front();
  --open_;
  if (!queue.empty()) queue.front().since = cycle_;
}

void Axi4Rules::read_data(const ReadDataView& r, bool first_edge) {
  std::deque<Read>& queue = reads_[r.id];
  if (queue.empty()) {
    if (first_edge) report("read_without_request", fmt::format("read data of ID {}, which awaits none", r.id));
    return;
  }
  Read& read = queue.front();
  const unsigned beats = read.address.len + 1, beat = read.beats + 1;
  if (first_edge) {
    if (r.last && beat < beats) report("rlast_early", fmt::format("rlast at beat {} of {}", beat, beats));
    if (!r.last && beat == beats) report("rlast_late", fmt::format("beat {} of {} is without rlast", beats, beats));
    if (r.resp == kExokay && !read.address.lock) report("r_exokay", "EXOKAY for a read that is not exclusive");
  }
  if (!r.ready) return;
  read.beats = beat;
  read.since = cycle_;
  if (!r.last && beat < beats) return;
  queue.pop_front();
  --open_;
  if (!queue.empty()) queue.front().since = cycle_;
}

void Axi4Rules::patience() {
  if (open_ == 0) return;
  const auto late = [&](std::int64_t since) { return cycle_ - since == config_.patience; };
  for (const Write& write : writes_)
    if (late(write.since))
      report("write_hang", fmt::format("a write {} for {} cycles",
                                       write.addressed ? "has waited for its data" : "has had data but no address",
                                       config_.patience));
  for (const auto& [id, queue] : unanswered_)
    if (!queue.empty() && late(queue.front().since))
      report("response_hang",
             fmt::format("ID {} has waited for its write response for {} cycles", id, config_.patience));
  for (const auto& [id, queue] : reads_)
    if (!queue.empty() && late(queue.front().since))
      report("read_hang", fmt::format("ID {} has waited for read data for {} cycles", id, config_.patience));
}

}  // namespace fansim::axi
