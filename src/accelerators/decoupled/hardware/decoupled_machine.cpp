// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/hardware/decoupled_machine.h"

#include <fmt/format.h>

#include <algorithm>

namespace fansim::decoupled {
namespace {

std::vector<std::string> port_names(int ports) {
  std::vector<std::string> names;
  for (int port = 0; port < ports; ++port) names.push_back(fmt::format("ddr{}", port));
  return names;
}

std::string named(const char* what, int port) { return fmt::format("{}{}", what, port); }

}  // namespace

MemoryPort::MemoryPort(int number, memory::Ddr& ddr, const Config& config, LoadLane* load, StoreLane* store)
    : axi(named("axi", number)),
      reads_(named("read_command", number), named("read_done", number), named("read_data", number)),
      writes_(named("write_command", number), named("write_done", number), named("write_data", number)) {
  axi.join(ddr);
  if (load) {
    reader = std::make_unique<axi::Mm2s>(named("reader", number).c_str(), config.dma, config.axi);
    axi.join_reads(*reader);
    reads_.join(*reader, *load);
    reader->m_axis(reads_.data);
    load->data(reads_.data);
  }
  if (store) {
    writer = std::make_unique<axi::S2mm>(named("writer", number).c_str(), config.dma, config.axi);
    axi.join_writes(*writer);
    writes_.join(*writer, *store);
    store->data(writes_.data);
    writer->s_axis(writes_.data);
  }
}

DecoupledAccelerator::DecoupledAccelerator(const sc_core::sc_module_name& name, const Config& config, Frame& frame)
    : Shell(name, frame, port_names(config.ports()), config.ddr, config.axi),
      codes_(config.data.type != DataType::float32),
      buffers_(config),
      load_("load", Unit::load, config, buffers_),
      load_weights_(config.load.two_units()
                        ? std::make_unique<LoadUnit>("load_weights", Unit::load_weights, config, buffers_)
                        : nullptr),
      compute_("compute", config, buffers_),
      store_("store", config, buffers_),
      registers_("registers", ended()) {
  control_by(config.host, registers_);
  connect_memory(config);
  connect_units();
}

std::vector<CommandUnit*> DecoupledAccelerator::units() {
  std::vector<CommandUnit*> units{&load_, &compute_, &store_};
  if (load_weights_) units.push_back(load_weights_.get());
  return units;
}

axi::JobRegisters::Ended DecoupledAccelerator::ended() {
  axi::JobRegisters::Ended ended;
  for (const CommandUnit* unit : units()) ended.push_back(&unit->jobs_done());
  return ended;
}

void DecoupledAccelerator::connect_memory(const Config& config) {
  std::vector<LoadLane*> readers;
  for (auto& lane : load_.lanes) readers.push_back(lane.get());
  if (load_weights_)
    for (auto& lane : load_weights_->lanes) readers.push_back(lane.get());
  for (std::size_t i = 0; i < static_cast<std::size_t>(config.ports()); ++i)
    memory_ports_.push_back(std::make_unique<MemoryPort>(static_cast<int>(i), port(i), config,
                                                         i < readers.size() ? readers[i] : nullptr,
                                                         i < store_.lanes.size() ? store_.lanes[i].get() : nullptr));
}

void DecoupledAccelerator::connect_units() {
  for (CommandUnit* unit : units()) {
    registers_.starts(*unit);
    for (const CommandUnit* other : units())
      if (other != unit) unit->hears(*other);
  }
}

// Adds the edges of the layer's jobs after the compute unit's last command.
void DecoupledAccelerator::settle(contract::LayerResult& result) {
  const std::vector<JobSpan> computing = compute_.take_spans(), loading = load_.take_spans(),
                             storing = store_.take_spans();
  const std::vector<JobSpan> second = load_weights_ ? load_weights_->take_spans() : loading;
  for (std::size_t job = 0; job < computing.size(); ++job) {
    const sim::Edge computed = computing[job].to;
    const sim::Edge loaded = std::max({computed, loading[job].to, second[job].to});
    result.buckets[kLoad] += loaded - computed;
    result.buckets[kStore] += std::max(loaded, storing[job].to) - loaded;
  }
}

void DecoupledAccelerator::count(contract::LayerResult& result) const {
  result.bytes_read = load_.bytes() + (load_weights_ ? load_weights_->bytes() : 0);
  result.bytes_written = store_.bytes();
}

std::optional<arith::Saturation> DecoupledAccelerator::take_saturation() {
  if (!codes_) return std::nullopt;
  return store_.take_saturation();
}

std::vector<base::Cycles> DecoupledAccelerator::buckets() const {
  std::vector<base::Cycles> buckets(kHost);
  for (std::size_t i = 0; i < kHost; ++i) buckets[i] = compute_.edges(static_cast<BucketIndex>(i));
  return buckets;
}

std::size_t DecoupledAccelerator::uncounted() const {
  const bool loads = load_.in_job() || (load_weights_ && load_weights_->in_job());
  return loads ? kLoad : store_.in_job() ? kStore : kHost;
}

}  // namespace fansim::decoupled
