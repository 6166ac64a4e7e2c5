// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "accelerators/accelerator.h"
#include "contract/host_steps.h"
#include "contract/memory_image.h"
#include "inject/campaign.h"
#include "network/network.h"
#include "platform/clocked_machine.h"
#include "runs/observer.h"
#include "runs/reference_chain.h"

namespace fansim::inject {

// What faults happen to: a network's program on an accelerator, and what it does without any.
class Subject {
 public:
  // Reads, compiles and runs. UserError if it cannot run, or runs with faults of its own.
  explicit Subject(const runs::Request& request);

  const accelerators::Accelerator& accelerator() const { return *accelerator_; }
  const network::Network& network() const { return network_; }
  const contract::Program& program() const { return program_; }
  std::uint64_t seed() const { return request_.seed; }
  // In the order in which they run.
  const std::vector<contract::LayerSteps>& layers() const { return layers_; }
  // The program from a layer on, on such a memory.
  contract::Program from(std::size_t layer, contract::MemoryImage memory) const;
  // An observer that sees each layer's output as it is whole.
  std::unique_ptr<runs::Observer> observer(std::function<void(int layer, const network::Tensor&)> on_output) const;

  // Without a fault: of each layer that runs, when it ends and what it leaves in memory; every output.
  struct Ending {
    base::Cycles begin = 0, end = 0;  // by the engine that runs the faults
    std::uint64_t memory = 0;         // a hash
  };
  const std::vector<Ending>& endings() const { return endings_; }
  // The last layer that begins before a cycle, the first if none does.
  std::size_t layer_at(base::Cycles cycle) const;
  base::Cycles cycles() const { return endings_.back().end; }
  const std::string& output_hash(int layer) const { return output_hashes_.at(layer); }
  const network::Tensor& last_output() const { return last_output_; }

  const std::vector<PlaceBits>& places() const { return places_; }
  const std::vector<contract::Fault>& protocol() const { return protocol_; }

 private:
  void compile();
  void run_fast();
  void run_clocked();

  const runs::Request request_;
  std::unique_ptr<accelerators::Accelerator> accelerator_;
  network::Network network_;
  std::unique_ptr<runs::ReferenceChain> reference_;
  contract::Program program_;
  std::vector<contract::LayerSteps> layers_;
  std::vector<Ending> endings_;
  std::map<int, std::string> output_hashes_;
  network::Tensor last_output_;
  std::vector<PlaceBits> places_;
  std::vector<contract::Fault> protocol_;
};

}  // namespace fansim::inject
