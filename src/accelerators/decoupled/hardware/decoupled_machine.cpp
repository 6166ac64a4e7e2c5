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

std::vector<const sim::RegBase*> interrupts(const std::vector<CommandUnit*>& units) {
  std::vector<const sim::RegBase*> counts;
  for (const CommandUnit* unit : units) counts.push_back(&unit->jobs_done());
  return counts;
}

}  // namespace

MemoryPort::MemoryPort(int number, memory::Ddr& ddr, const Config& config, LoadLane* load, StoreLane* store)
    : axi(named("axi", number)),
      read_command_(named("read_command", number).c_str()),
      write_command_(named("write_command", number).c_str()),
      read_done_(named("read_done", number).c_str()),
      write_done_(named("write_done", number).c_str()),
      read_data_(named("read_data", number).c_str()),
      write_data_(named("write_data", number).c_str()) {
  ddr.ar(axi.ar);
  ddr.r(axi.r);
  ddr.aw(axi.aw);
  ddr.w(axi.w);
  ddr.b(axi.b);
  if (load) {
    reader = std::make_unique<axi::Mm2s>(named("reader", number).c_str(), config.dma, config.axi);
    connect(*load);
  }
  if (store) {
    writer = std::make_unique<axi::S2mm>(named("writer", number).c_str(), config.dma, config.axi);
    connect(*store);
  }
}

void MemoryPort::connect(LoadLane& lane) {
  reader->ar(axi.ar);
  reader->r(axi.r);
  lane.command(read_command_);
  reader->command(read_command_);
  reader->done(read_done_);
  lane.done(read_done_);
  reader->m_axis(read_data_);
  lane.data(read_data_);
}

void MemoryPort::connect(StoreLane& lane) {
  writer->aw(axi.aw);
  writer->w(axi.w);
  writer->b(axi.b);
  lane.command(write_command_);
  writer->command(write_command_);
  writer->done(write_done_);
  lane.done(write_done_);
  lane.data(write_data_);
  writer->s_axis(write_data_);
}

DecoupledAccelerator::DecoupledAccelerator(const sc_core::sc_module_name& name, const Config& config,
                                           contract::Program& program, platform::LayerHooks hooks)
    : sc_core::sc_module(name),
      ports(memory::make_ddr_ports(port_names(config.ports()), config.ddr, config.axi, std::move(program.memory))),
      buffers(config),
      load("load", Unit::load, config, buffers),
      load_weights(config.load.two_units()
                       ? std::make_unique<LoadUnit>("load_weights", Unit::load_weights, config, buffers)
                       : nullptr),
      compute("compute", config, buffers),
      store("store", config, buffers),
      registers("registers", started()),
      host("host", config.host, program.ops,
           platform::Interrupts{[] { return std::int64_t{0}; }, [this] { return registers.jobs_done(); },
                                interrupts(units())},
           std::move(hooks)) {
  connect_memory(config);
  connect_control();
}

std::vector<CommandUnit*> DecoupledAccelerator::units() {
  std::vector<CommandUnit*> units{&load, &compute, &store};
  if (load_weights) units.push_back(load_weights.get());
  return units;
}

std::vector<const CommandUnit*> DecoupledAccelerator::started() {
  const std::vector<CommandUnit*> units = this->units();
  return {units.begin(), units.end()};
}

void DecoupledAccelerator::connect_memory(const Config& config) {
  std::vector<LoadLane*> readers;
  for (auto& lane : load.lanes) readers.push_back(lane.get());
  if (load_weights)
    for (auto& lane : load_weights->lanes) readers.push_back(lane.get());
  for (std::size_t port = 0; port < ports.size(); ++port)
    memory_ports_.push_back(std::make_unique<MemoryPort>(
        static_cast<int>(port), *ports[port], config, port < readers.size() ? readers[port] : nullptr,
        port < store.lanes.size() ? store.lanes[port].get() : nullptr));
}

void DecoupledAccelerator::connect_control() {
  host.core(request_);
  registers.request(request_);
  registers.response(response_);
  host.core_response(response_);
  host.dma(no_request_);
  host.dma_response(no_response_);  // the units start the transfers
  const std::vector<CommandUnit*> all = units();
  for (std::size_t i = 0; i < all.size(); ++i) {
    starts_.push_back(std::make_unique<sim::Stream<JobStart>>(named("start", static_cast<int>(i)).c_str()));
    (*registers.starts[i])(*starts_[i]);
    all[i]->start(*starts_[i]);
    for (const CommandUnit* other : all)
      if (other != all[i]) all[i]->hears(*other);
  }
}

DecoupledMachine::DecoupledMachine(const Config& config, contract::Program program, platform::MachineOptions options)
    : platform::ClockedMachine(std::move(program), std::move(options), config.clock_mhz),
      config_(config),
      top_("top", config_, program_, hooks()) {}

DecoupledMachine::~DecoupledMachine() = default;

DecoupledMachine::Counts DecoupledMachine::counts() const {
  Counts counts;
  counts.read = top_.load.bytes() + (top_.load_weights ? top_.load_weights->bytes() : 0);
  counts.written = top_.store.bytes();
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket)
    counts.edges[bucket] = top_.compute.edges(static_cast<BucketIndex>(bucket));
  return counts;
}

void DecoupledMachine::begin(const contract::LayerPlan& plan) {
  for (auto& port : top_.ports) port->quiesce();
  top_.registers.layer(layer_of(plan));
  before_ = counts();
}

void DecoupledMachine::end(contract::LayerResult& result) {
  const Counts after = counts();
  result.bytes_read = after.read - before_.read;
  result.bytes_written = after.written - before_.written;
  result.buckets.resize(kBuckets);
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket)
    result.buckets[bucket] = after.edges[bucket] - before_.edges[bucket];
  add_transfers(result.buckets);
  result.buckets[kHost] = result.cycles;
  for (std::size_t bucket = 0; bucket < kHost; ++bucket) result.buckets[kHost] -= result.buckets[bucket];
}

// Adds the edges of a job after the compute unit's last command.
void DecoupledMachine::add_transfers(std::vector<base::Cycles>& buckets) {
  const std::vector<JobSpan> computing = top_.compute.take_spans(), loading = top_.load.take_spans(),
                             storing = top_.store.take_spans();
  const std::vector<JobSpan> second = top_.load_weights ? top_.load_weights->take_spans() : loading;
  for (std::size_t job = 0; job < computing.size(); ++job) {
    const sim::Edge computed = computing[job].to;
    const sim::Edge loaded = std::max({computed, loading[job].to, second[job].to});
    buckets[kLoad] += loaded - computed;
    buckets[kStore] += std::max(loaded, storing[job].to) - loaded;
  }
}

std::vector<base::Cycles> DecoupledMachine::edges() const {
  const Counts now = counts();
  return {now.edges.begin(), now.edges.end()};
}

std::size_t DecoupledMachine::uncounted() const {
  const bool loads = top_.load.in_job() || (top_.load_weights && top_.load_weights->in_job());
  return loads ? kLoad : top_.store.in_job() ? kStore : kHost;
}

}  // namespace fansim::decoupled
