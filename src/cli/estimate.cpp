// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "accelerators/registry.h"
#include "base/console.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "estimate/estimate.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

using report::grouped;

void add_row(report::Table& table, const std::string& name, const contract::Resources& use,
             const std::string& milliwatts) {
  table.row({name, grouped(use.dsp), grouped(use.lut), grouped(use.ff), fmt::format("{}", use.bram36), milliwatts});
}

std::string percent(double used, int available) {
  return available > 0 ? fmt::format("{:.1f} %", 100 * used / available) : "-";
}

std::string resource_table(const contract::Device& device, double clock_hz, const estimate::Estimate& cost) {
  const auto milliwatts = [&](const contract::Resources& use) {
    return fmt::format("{:.1f}", 1e3 * estimate::power(clock_hz, device, use).blocks_w());
  };
  report::Table table(1);
  table.row({"block", "DSP", "LUT", "FF", "BRAM36", "mW"});
  table.rule();
  for (const estimate::BlockUse& block : cost.blocks) add_row(table, block.name, block.use, milliwatts(block.use));
  table.rule();
  add_row(table, "total", cost.total, milliwatts(cost.total));
  table.row({device.name, grouped(device.dsp), grouped(device.lut), grouped(device.ff), grouped(device.bram36), ""});
  table.row({"used", percent(cost.total.dsp, device.dsp), percent(cost.total.lut, device.lut),
             percent(cost.total.ff, device.ff), percent(cost.total.bram36, device.bram36), ""});
  return table.text();
}

std::string answer(const contract::ConfigBase& config, const estimate::Estimate& cost) {
  if (cost.fit.fits) return fmt::format("{} fits {}\n", config.name, config.device.name);
  std::string text = fmt::format("{} does not fit {}:", config.name, config.device.name);
  for (const std::string& reason : cost.fit.reasons) text += " " + reason + ";";
  text.back() = '\n';
  return text;
}

std::string frequency_and_power(double clock_hz, const estimate::Estimate& cost) {
  const estimate::Power& p = cost.power;
  return fmt::format(
      "\nFmax {:.0f} MHz, set by {}; the clock is {:.6g} MHz{}\n"
      "power {:.2f} W\n"
      "  blocks {:.2f}: DSP {:.2f}, block RAM {:.2f}, logic {:.2f}, registers {:.2f}; dynamic, at 12.5 % toggling and "
      "assumed energies per cycle\n"
      "  processing system {:.2f}, static {:.2f}: constants solved from the UESTC thesis's total, not modelled\n",
      cost.fmax.hz / 1e6, cost.fmax.limit, clock_hz / 1e6, clock_hz > cost.fmax.hz ? ", faster than that" : "",
      p.total_w(), p.blocks_w(), p.dsp_w, p.bram_w, p.logic_w, p.registers_w, p.processing_system_w, p.static_w);
}

// What a network asks at least of the array; false if it cannot be scheduled.
bool print_network(const accelerators::Accelerator& accelerator, const std::string& path) {
  network::LoadOptions load_options;
  load_options.values = false;
  network::Network network = network::load_network(path, load_options);
  accelerator.prepare(network, load_options);
  compile::Options options;
  options.values = false;
  const compile::Compiled compiled = accelerator.compile(network, options);
  if (const auto* misfit = std::get_if<compile::Unschedulable>(&compiled)) {
    base::print("{} cannot be scheduled: {}: {}\n", network.name, misfit->layer, misfit->reason);
    return false;
  }
  std::int64_t macs = 0, columns = 0;
  for (const contract::LayerPlan& plan : std::get<contract::Program>(compiled).layers) {
    macs += plan.macs;
    columns += plan.pass_columns;
  }
  base::print("{}: {} multiply-accumulates; at least {} cycles, {:.3f} ms, in which the array is fed\n", network.name,
              grouped(macs), grouped(columns), static_cast<double>(columns) / accelerator.config().clock_hz() * 1e3);
  return true;
}

}  // namespace

int estimate(const Arguments& arguments) {
  Options options("estimate");
  options.positional("CONFIG", true)
      .positional("NETWORK", false)
      .values("set", "key.path=value", "override a configuration key; may repeat");
  if (!options.parse(arguments)) return kDone;
  const auto accelerator = accelerators::read_accelerator(options.text("CONFIG"), options.list("set"));
  const contract::ConfigBase& config = accelerator->config();
  const estimate::Estimate cost = accelerator->estimate();
  base::print_text(answer(config, cost) + "\n" + resource_table(config.device, config.clock_hz(), cost) +
                   frequency_and_power(config.clock_hz(), cost));
  const bool schedulable = !options.has("NETWORK") || print_network(*accelerator, options.text("NETWORK"));
  return cost.fit.fits && schedulable ? kDone : kDoesNotFit;
}

}  // namespace fansim::cli
