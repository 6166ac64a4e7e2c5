// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/code_network.h"

namespace fansim::calibration {

// A signal and what differs from it, added up.
struct SignalToNoise {
  double signal = 0, noise = 0;
  double both = 0, found_signal = 0;  // for the cosine

  void add(double wanted, double found) {
    signal += wanted * wanted;
    noise += (wanted - found) * (wanted - found);
    both += wanted * found;
    found_signal += found * found;
  }
  // Of the angle between what is wanted and what is found; none if one of them is all zeros.
  std::optional<double> cosine() const;
  // 10 log10(signal / noise); none without signal, or without noise.
  std::optional<double> db() const;
};

struct LayerQuality {
  std::string name, type;
  Activation activation;
  SignalToNoise sqnr;
};

// What a method's codes make of a network, over all inputs.
struct Quality {
  std::string method;
  int weight_bits = 0, activation_bits = 0;
  std::string refusal;  // why it cannot take the network; the rest is empty then
  std::vector<LayerQuality> layers;
  int inputs = 0, agreeing = 0;  // those whose largest output is the same one as in floats

  double agreement_percent() const { return 100.0 * agreeing / inputs; }
};

// Runs floats and codes side by side, each from its own values: a layer's error includes those before it.
std::vector<Quality> measure(const network::FloatNetwork& network, const std::vector<network::Tensor>& inputs,
                             const std::vector<Coded>& coded);

// A network of codes that was read, whose layers and input know their steps, as it was when it was made. UserError if
// one does not.
Coded coded_of(const network::Network& network, const arith::QuantisationMethods& methods, const std::string& path);

// Layer by layer, the worst first.
std::string layers_text(const std::string& network, const Quality& quality);

// A table for people, JSON (schema version 1), a row per method and layer.
std::string text(const std::string& network, const std::vector<Quality>& qualities);
std::string json(const std::string& network, const std::vector<Quality>& qualities);
std::string csv(const std::vector<Quality>& qualities);

}  // namespace fansim::calibration
