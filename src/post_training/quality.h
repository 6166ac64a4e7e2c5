// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arith/kernel_sums.h"
#include "post_training/code_network.h"

namespace fansim::post_training {

// Sums up a signal and its error.
struct SignalToNoise {
  double signal = 0, noise = 0;
  double both = 0, found_signal = 0;  // sums for the cosine

  void add(double wanted, double found) {
    signal += wanted * wanted;
    noise += (wanted - found) * (wanted - found);
    both += wanted * found;
    found_signal += found * found;
  }
  // Returns the cosine of the angle between the wanted and the found values; none if either is all zeros.
  std::optional<double> cosine() const;
  // Returns 10 log10(signal / noise); none without a signal, or without noise.
  std::optional<double> db() const;
};

struct LayerQuality {
  std::string name, type;
  Activation activation;
  SignalToNoise sqnr;
};

// Says how well a method's codes represent a network, over all inputs.
struct Quality {
  std::string method;
  std::string machine;  // in whose arithmetic the codes were computed; empty: with registers that hold every sum
  int weight_bits = 0, activation_bits = 0;
  std::string refusal;  // why the method cannot take the network; the other fields are then empty
  std::vector<LayerQuality> layers;
  int inputs = 0, agreeing = 0;  // agreeing: inputs whose largest output is the same as in floats

  double agreement_percent() const { return 100.0 * agreeing / inputs; }
};

// The arithmetic of a machine.
struct Machine {
  std::string name;
  arith::QuantiserFormat quantiser;
  std::vector<arith::KernelSums> kernels = {};  // an entry for each layer if its kernels round, else none
};

// Runs floats and codes side by side, each from its own values, so that a layer's error includes the errors of the
// layers before it. Codes are computed as `machine` does or, without one, with registers that hold every sum.
std::vector<Quality> measure(const network::FloatNetwork& network, const std::vector<network::Tensor>& inputs,
                             const std::vector<Coded>& coded, const Machine* machine = nullptr);

// Returns the layer that adds most noise, relative to its signal, to that of what it reads; null: none adds any.
const LayerQuality* adds_most(const network::Network& network, const Quality& quality);

// Reconstructs the coding of a network of codes that was read from a file. Throws UserError if a layer or the input
// does not state its step.
Coded coded_of(const network::Network& network, const arith::QuantisationMethods& methods, const std::string& path);

// Lists the layers, the worst first.
std::string layers_text(const std::string& network, const Quality& quality);

// Write a table for people, JSON (schema version 1), and a row per method and layer.
std::string text(const std::string& network, const std::vector<Quality>& qualities);
std::string json(const std::string& network, const std::vector<Quality>& qualities);
std::string csv(const std::vector<Quality>& qualities);

}  // namespace fansim::post_training
