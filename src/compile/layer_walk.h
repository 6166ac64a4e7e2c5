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

// What every compiler does alike: gives every tensor that a chosen layer reads or writes its place, compiles layer
// after layer, leaves to the host's software what the machine has no hardware for, and collects the program. What a
// machine's own compiler knows are its places and its jobs.
class LayerWalk {
 public:
  virtual ~LayerWalk() = default;

  Compiled run();

 protected:
  // `fusion` is the deriving compiler's, which may know more of the network; `ddr` has the memory.
  LayerWalk(const network::Network& network, const Fusion& fusion, const contract::DdrConfig& ddr,
            const Options& options)
      : network_(network), options_(options), memory_(object_alignment(ddr)), fusion_(fusion), ddr_(ddr) {}

  const network::Layer& at(int index) const { return network_.layers[static_cast<std::size_t>(index)]; }

  // It compiles pipelines of images, else networks.
  virtual bool takes_pipelines() const { return false; }
  // It has softmax, which is computed in floating point.
  virtual bool takes_softmax() const { return false; }
  // The host's software may compute layers between its own; which of them beside functions and softmax, for it has no
  // hardware for them.
  virtual const contract::ComputingHostConfig* software() const { return nullptr; }
  virtual bool lacks(int) const { return false; }
  // Of functions: those that it computes itself.
  virtual bool has_hardware_for(int) const { return false; }
  virtual HostTensor host_tensor(int) const { return {}; }
  // How the reference computes what the machine would.
  virtual const arith::QuantiserFormat& quantiser() const;
  // Adds a layer of so many cycles of software.
  virtual void host_layer(int /*number*/, std::uint32_t /*cycles*/) {}
  // What the network or the accelerator as a whole rules out, before anything has a place.
  virtual std::optional<Misfit> refusal() const { return std::nullopt; }
  // The same of one of the network's layers, chosen or not.
  virtual std::optional<Misfit> refusal_of(const network::Layer&) const { return std::nullopt; }
  // Reserves the memory of a producer's output, and of what lies in it; `values`: what it holds from the start, or
  // null.
  virtual std::optional<Misfit> place(int producer, const network::Tensor* values) = 0;
  // Adds the layer's steps to the host's program, if it has any, and completes its plan, which becomes number `number`
  // of the program.
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
  std::set<int> read_;                   // by chosen layers, of what is written
  std::list<network::Tensor> channels_;  // of tensors that were given whole
  std::int64_t given_bytes_ = 0;
  Memory::Fill fill_input_;
};

}  // namespace fansim::compile
