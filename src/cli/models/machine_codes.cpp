// SPDX-License-Identifier: Apache-2.0
#include "cli/models/machine_codes.h"

#include <fmt/format.h>

#include "accelerators/registry.h"
#include "base/error.h"

namespace fansim::cli {
namespace {

[[noreturn]] void fail(const std::string& config, const std::string& what) {
  throw base::UserError(base::Location{config, 0, 0}, what);
}

network::Coding coding_of(const accelerators::Accelerator& accelerator, const std::string& config) {
  const std::optional<network::Coding> coding = accelerator.coding();
  if (!coding) fail(config, "this accelerator does not compute a network of codes");
  return *coding;
}

}  // namespace

std::string method_of(const network::Coding& coding) {
  const arith::QuantisationMethods methods;
  return methods.find(coding.method)->linear() && coding.weight_bits > 1 ? "linear" : coding.method;
}

post_training::Machine machine_of(const std::string& config, const std::vector<std::string>& overrides,
                                  const network::Network& codes) {
  const auto accelerator = accelerators::read_accelerator(config, overrides);
  const network::Coding wanted = coding_of(*accelerator, config);
  network::Network prepared = codes;
  accelerator->prepare(prepared, {});
  if (prepared.input.format != codes.input.format)
    fail(config, fmt::format("this accelerator computes weights of {} bits and activations of {}, and the network of "
                             "codes is of {} and {}",
                             wanted.weight_bits, wanted.activation_bits, codes.coding->weight_bits,
                             codes.coding->activation_bits));
  return {accelerator->config().name, accelerator->quantiser(), accelerators::kernel_sums(*accelerator, prepared)};
}

post_training::Coder coder_for(const std::string& config, const std::vector<std::string>& overrides,
                               const arith::QuantisationMethods& methods) {
  const auto accelerator = accelerators::read_accelerator(config, overrides);
  const network::Coding coding = coding_of(*accelerator, config);
  const arith::QuantisationMethod* method = methods.find(method_of(coding));
  post_training::Coder coder{method, coding.weight_bits, coding.activation_bits};
  coder.per_channel = method->linear();
  coder.machine = accelerator->quantiser();
  return coder;
}

}  // namespace fansim::cli
