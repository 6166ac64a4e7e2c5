// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/layer_account.h"

#include <algorithm>

#include "rules/array_buckets.h"

namespace fansim::stream {

namespace {

using Bucket = rules::ArrayBucket;
using rules::ReadWait;

// Others see the memory's and the receivers' state an edge later.
constexpr timing::Edge kSeen = 1;

// Walks through spans in their order.
template <class Item, class SpanOf>
class Cursor {
 public:
  Cursor(const std::vector<Item>& items, timing::Edge at, SpanOf span_of) : items_(items), span_of_(span_of) {
    next_ = static_cast<std::size_t>(
        std::partition_point(items.begin(), items.end(), [&](const Item& i) { return span_of(i).to <= at; }) -
        items.begin());
  }

  // The item that holds edge `at`, nullptr if none does; `change` becomes no later than the next edge at which that is
  // different. Edges never decrease.
  const Item* at(timing::Edge at, timing::Edge& change) {
    while (next_ < items_.size() && span_of_(items_[next_]).to <= at) ++next_;
    if (next_ == items_.size()) return nullptr;
    const timing::Span span = span_of_(items_[next_]);
    if (at < span.from) {
      change = std::min(change, span.from);
      return nullptr;
    }
    change = std::min(change, span.to);
    return &items_[next_];
  }

 private:
  const std::vector<Item>& items_;
  SpanOf span_of_;
  std::size_t next_ = 0;
};

// Edges before `edge` that belong to the waits.
timing::Edge before(const Wait& wait, timing::Edge edge) {
  const timing::Edge length = wait.first.to - wait.first.from;
  if (edge <= wait.first.from) return 0;
  const timing::Edge passed = edge - wait.first.from;
  if (wait.count == 1) return std::min(passed, length);
  const timing::Edge whole = passed / wait.period;
  if (whole >= wait.count) return wait.count * length;
  return whole * length + std::min(passed % wait.period, length);
}

timing::Edge end(const Wait& wait) { return wait.first.to + (wait.count - 1) * wait.period; }

// Waits of the array for weights while the oldest read outstanding waited for something.
void refine_weight_waits(const Waits& waits, const timing::ReadWaits& reads, rules::ArrayBuckets& buckets) {
  std::size_t first = 0;
  for (const timing::ReadWaits::Wait& read : reads.all()) {
    if (read.why == ReadWait::none) continue;
    const timing::Span span{read.span.from + kSeen, read.span.to + kSeen};
    while (first < waits.size() && end(waits[first]) <= span.from) ++first;
    for (std::size_t i = first; i < waits.size() && waits[i].first.from < span.to; ++i) {
      const timing::Edge both = before(waits[i], span.to) - before(waits[i], span.from);
      buckets.of(Bucket::wait_weights) -= both;
      buckets.of(rules::data_wait(read.why, Bucket::wait_weights)) += both;
    }
  }
}

}  // namespace

void LayerAccount::add_host(const Host& host) {
  if (!host_.empty() && host_.back().from == host.from) host_.pop_back();
  if (!host_.empty() && host_.back().working == host.working && host_.back().preparing_dma == host.preparing_dma &&
      host_.back().waits_for_output == host.waits_for_output)
    return;
  host_.push_back(host);
}

rules::ArrayBuckets LayerAccount::buckets(timing::Edge cycles, const StreamCore& core,
                                          const timing::ReadWaits& reads) const {
  rules::ArrayBuckets buckets;
  const CoreAccount& account = core.account();
  buckets.of(Bucket::compute) = account.compute;
  buckets.of(Bucket::drain) = account.drain;
  buckets.of(Bucket::fill) = account.fill;
  buckets.of(Bucket::wait_output) = account.wait_output;
  buckets.of(Bucket::wait_weights) = account.weight_waits;
  refine_weight_waits(core.weight_waits(), reads, buckets);
  timing::Edge from = 0;
  for (const timing::Span& job : jobs_) {
    without_job({from, job.from}, reads, buckets);
    from = job.to;
  }
  without_job({from, cycles}, reads, buckets);
  return buckets;
}

void LayerAccount::without_job(timing::Span span, const timing::ReadWaits& reads, rules::ArrayBuckets& buckets) const {
  const auto itself = [](const timing::Span& s) { return s; };
  const auto seen = [](const timing::ReadWaits::Wait& w) {
    return timing::Span{w.span.from + kSeen, w.span.to + kSeen};
  };
  Cursor job_waits(job_waits_, span.from, itself);
  Cursor read_waits(reads.all(), span.from, seen);
  Cursor mm2s(mm2s_, span.from, itself);
  Cursor receiving(receiving_, span.from, itself);
  auto host = std::upper_bound(host_.begin(), host_.end(), span.from,
                               [](timing::Edge edge, const Host& h) { return edge < h.from; }) -
              1;
  for (timing::Edge edge = span.from; edge < span.to;) {
    timing::Edge change = span.to;
    if (host + 1 != host_.end()) {
      if ((host + 1)->from <= edge) {
        ++host;
        continue;
      }
      change = std::min(change, (host + 1)->from);
    }
    const bool job = job_waits.at(edge, change) != nullptr;
    const timing::ReadWaits::Wait* read = read_waits.at(edge, change);
    const bool receives = receiving.at(edge, change) != nullptr;
    rules::CycleSigns signs;
    signs.dma_setup = host->preparing_dma || mm2s.at(edge, change) != nullptr;
    signs.host = host->working;
    signs.drain = !job && host->waits_for_output;
    signs.wait_output = job;
    if (read != nullptr) {
      // With no job the array waits for whatever is on its way.
      if (!job && !signs.drain) (receives ? signs.wait_weights : signs.wait_input) = true;
      signs.read_wait = read->why;
    }
    buckets.of(rules::bucket(signs)) += change - edge;
    edge = change;
  }
}

}  // namespace fansim::stream
