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

// Holds what faults are injected into: a network's program on an accelerator, and its behaviour without faults.
class Subject {
 public:
  // Reads, compiles and runs. Throws UserError if the program cannot run, or if the configuration has faults of its
  // own.
  explicit Subject(const runs::Request& request);

  const accelerators::Accelerator& accelerator() const { return *accelerator_; }
  const network::Network& network() const { return network_; }
  const contract::Program& program() const { return program_; }
  std::uint64_t seed() const { return request_.seed; }
  // Returns the layers in the order in which they run.
  const std::vector<contract::LayerSteps>& layers() const { return layers_; }
  // Returns the program from a layer on, with the given memory.
  contract::Program from(std::size_t layer, contract::MemoryImage memory) const;
  // Returns an observer that is shown each layer's output as soon as it is complete.
  std::unique_ptr<runs::Observer> observer(std::function<void(int layer, const network::Tensor&)> on_output) const;

  // Holds the run without a fault: when each layer ends and what it leaves in memory; see also the outputs.
  struct Ending {
    base::Cycles begin = 0, end = 0;  // in cycles of the engine that runs the faults
    std::uint64_t memory = 0;         // hash of the memory
  };
  const std::vector<Ending>& endings() const { return endings_; }
  // Returns the last layer that begins before a cycle, or the first layer if none does.
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
