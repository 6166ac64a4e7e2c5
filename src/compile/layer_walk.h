// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <set>
#include <vector>

#include "compile/compile.h"
#include "compile/fusion.h"
#include "compile/memory.h"
#include "contract/ddr.h"
#include "contract/host.h"

namespace fansim::compile {

// A tensor of the network as the host's software finds it in memory.
struct HostTensor {
  std::shared_ptr<const contract::StoredTensor> stored;
  std::function<void(std::uint8_t* memory, const network::Tensor& values)> write;
};

// Does what is the same in every compiler. It gives every tensor that a chosen layer reads or writes its place,
// compiles layer after layer, leaves to the host's software what the machine has no hardware for, and collects the
// program. A machine's own compiler derives from it, and provides the layout of tensors and the jobs.
class LayerWalk {
 public:
  virtual ~LayerWalk() = default;

  Compiled run();

 protected:
  // `fusion` belongs to the deriving compiler, which may know more about the network. `ddr` describes the memory.
  LayerWalk(const network::Network& network, const Fusion& fusion, const contract::DdrConfig& ddr,
            const Options& options)
      : network_(network), options_(options), memory_(object_alignment(ddr)), fusion_(fusion), ddr_(ddr) {}

  const network::Layer& at(int index) const { return network_.layers[static_cast<std::size_t>(index)]; }

  // Returns the pictures that the machine computes at once.
  virtual int pictures() const { return 1; }
  // Returns whether it compiles pipelines of images instead of networks.
  virtual bool takes_pipelines() const { return false; }
  // Returns whether it takes softmax, which is computed in floating point.
  virtual bool takes_softmax() const { return false; }
  // software() returns the host whose software may compute layers between the machine's own, or null. lacks() names
  // layers other than functions and softmax for which the machine has no hardware.
  virtual const contract::ComputingHostConfig* software() const { return nullptr; }
  virtual bool lacks(int) const { return false; }
  // Returns whether the machine itself computes this function.
  virtual bool has_hardware_for(int) const { return false; }
  virtual HostTensor host_tensor(int) const { return {}; }
  // Returns the format in which the reference executor computes what the machine would.
  virtual const arith::QuantiserFormat& quantiser() const;
  // Adds a layer that takes `cycles` cycles of software.
  virtual void host_layer(int /*number*/, std::uint32_t /*cycles*/) {}
  // Returns why the network or the accelerator as a whole is refused, before anything is placed.
  virtual std::optional<Misfit> refusal() const { return std::nullopt; }
  // Returns the same for one of the network's layers, chosen or not.
  virtual std::optional<Misfit> refusal_of(const network::Layer&) const { return std::nullopt; }
  // Reserves the memory of a producer's output and of the parts in it. `values` is what it holds from the start, or
  // null.
  virtual std::optional<Misfit> place(int producer, const network::Tensor* values) = 0;
  // Adds the layer's steps to the host's program, if it has any. Completes its plan, which becomes number `number` of
  // the program.
  virtual std::optional<Misfit> compile(int index, int number, contract::LayerPlan& plan) = 0;
  virtual std::vector<contract::HostOp> take_steps() = 0;

  const network::Network& network_;
  const Options& options_;
  Memory memory_;

 private:
  Unschedulable unschedulable(const Misfit& misfit, int index) const;
  std::optional<Unschedulable> place_tensors();
  std::optional<Unschedulable> place_once(int producer, int reader);
  bool on_host(int index) const;
  std::vector<int> made_of(int index) const;
  std::optional<Misfit> leave_to_host(int index, int number, contract::LayerPlan& plan);
  std::vector<int> given_in(int whole) const;
  const network::Tensor* supplied(int producer);

  const Fusion& fusion_;
  const contract::DdrConfig& ddr_;
  std::set<int> placed_;
  std::set<int> read_;                   // written tensors that chosen layers read
  std::list<network::Tensor> channels_;  // channels of tensors that were given whole
  std::int64_t given_bytes_ = 0;
  Memory::Fill fill_input_;
};

}  // namespace fansim::compile
