// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "accelerators/registry.h"
#include "base/console.h"
#include "base/file.h"
#include "base/output_files.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"
#include "estimate/timing.h"
#include "report/resolved.h"
#include "report/table.h"
#include "report/timing.h"

namespace fansim::cli {
namespace {

using report::grouped;
using Json = nlohmann::ordered_json;

void add_row(report::Table& table, const std::string& name, const contract::Resources& use,
             const std::string& milliwatts) {
  table.row({name, grouped(use.dsp), grouped(use.lut), grouped(use.ff), fmt::format("{}", use.bram36),
             grouped(use.lutram), grouped(use.uram), milliwatts});
}

std::string percent(double used, int available) {
  return available > 0 ? fmt::format("{:.1f} %", 100 * used / available) : "-";
}

std::string resource_table(const contract::Device& device, double clock_hz, const estimate::Estimate& cost) {
  const auto milliwatts = [&](const contract::Resources& use) {
    return fmt::format("{:.1f}", 1e3 * estimate::power(clock_hz, device, use).blocks_w());
  };
  report::Table table(1);
  table.row({"block", "DSP", "LUT", "FF", "BRAM36", "LUTRAM", "URAM", "mW"});
  table.rule();
  for (const estimate::BlockUse& block : cost.blocks) add_row(table, block.name, block.use, milliwatts(block.use));
  table.rule();
  add_row(table, "total", cost.total, milliwatts(cost.total));
  table.row({device.name, grouped(device.dsp), grouped(device.lut), grouped(device.ff), grouped(device.bram36),
             grouped(device.lutram), grouped(device.uram), ""});
  table.row({"used", percent(cost.total.dsp, device.dsp), percent(cost.total.lut, device.lut),
             percent(cost.total.ff, device.ff), percent(cost.total.bram36, device.bram36),
             percent(cost.total.lutram, device.lutram), percent(cost.total.uram, device.uram), ""});
  return table.text();
}

// Holds an estimate, and whether the design fits, its clock included.
struct Judged {
  estimate::Estimate cost;
  estimate::Timing timing;
  bool slack_allowed;

  std::vector<std::string> misfits() const { return estimate::misfits(cost, timing, slack_allowed); }
};

// Says what the clock leaves open, if the design fits otherwise.
std::string timing_line(const Judged& judged) {
  const estimate::Timing& timing = judged.timing;
  if (timing.verdict() == estimate::TimingVerdict::fits) return "";
  return fmt::format("{}{}\n", timing.missed() ? "slack allowed: " : "", timing.text());
}

std::string answer(const contract::ConfigBase& config, const Judged& judged) {
  const std::vector<std::string> misfits = judged.misfits();
  if (misfits.empty()) return fmt::format("{} fits {}\n{}", config.name, config.device.name, timing_line(judged));
  std::string text = fmt::format("{} does not fit {}:", config.name, config.device.name);
  for (const std::string& reason : misfits) text += " " + reason + ";";
  text.back() = '\n';
  return text;
}

// Writes the parts of the critical path: "3.959 ns: registers 0.15, LUTs 0.60 ...".
std::string ways(const estimate::Fmax& fmax) {
  std::string text;
  for (const estimate::PathPart& part : fmax.parts)
    if (part.ns > 0) text += fmt::format("{} {} {:.2f}", text.empty() ? "" : ",", part.name, part.ns);
  return text.empty() ? text : fmt::format("  {:.3f} ns:{}\n", fmax.ns(), text);
}

std::string frequency(double clock_hz, const estimate::Fmax& fmax) {
  const std::string block = fmax.block.empty() ? "" : fmax.block + ": ";
  const std::string scatter = fmax.block.empty() ? "" : fmt::format(" +-{:.0f} %", 1e2 * fmax.uncertainty());
  return fmt::format("\nFmax {:.0f} MHz{}, set by {}{}; the clock is {:.6g} MHz{}\n", fmax.hz / 1e6, scatter, block,
                     fmax.limit, clock_hz / 1e6, clock_hz > fmax.hz ? ", faster than that" : "") +
         ways(fmax);
}

std::string power(const contract::Device& device, const estimate::Power& p) {
  return fmt::format(
      "power {:.2f} W\n"
      "  blocks {:.2f}: DSP {:.2f}, block RAM {:.2f}, logic {:.2f}, registers {:.2f}; dynamic, at 12.5 % toggling and "
      "assumed energies per cycle\n"
      "  processing system {:.2f}: {}\n"
      "  static {:.2f}: by the device's LUTs, solved from the UESTC thesis's figure for the ZCU102\n",
      p.total_w(), p.blocks_w(), p.dsp_w, p.bram_w, p.logic_w, p.registers_w, p.processing_system_w,
      estimate::processing_system_source(device), p.static_w);
}

Json json_of(const contract::Resources& use) {
  return {{"dsp", use.dsp},       {"lut", use.lut},       {"ff", use.ff},
          {"bram36", use.bram36}, {"lutram", use.lutram}, {"uram", use.uram}};
}

std::string json_of(const contract::ConfigBase& config, const contract::ResolvedConfig& resolved,
                    const Judged& judged) {
  const contract::Device& d = config.device;
  const estimate::Estimate& cost = judged.cost;
  Json json{{"schema", 1},
            {"config",
             {{"name", config.name},
              {"hash", config.hash},
              {"resolved", report::resolved_json(resolved)},
              {"costs", report::costs_json(resolved)}}},
            {"clock_hz", config.clock_hz()}};
  for (const estimate::BlockUse& block : cost.blocks) {
    json["blocks"].push_back(json_of(block.use));
    json["blocks"].back()["name"] = block.name;
  }
  json["total"] = json_of(cost.total);
  json["device"] = json_of(contract::Resources{d.dsp, d.lut, d.ff, static_cast<double>(d.bram36), d.lutram, d.uram});
  json["device"]["name"] = d.name;
  json["fits"] = cost.fit.fits && !judged.timing.missed();
  json["misfits"] = judged.misfits();
  json["timing"] = report::timing_json(judged.timing, judged.slack_allowed);
  Json& fmax = json["fmax"];
  fmax = {{"hz", cost.fmax.hz},
          {"limit", cost.fmax.limit},
          {"block", cost.fmax.block},
          {"ns", cost.fmax.ns()},
          {"uncertainty", cost.fmax.uncertainty()},
          {"parts_ns", Json::object()}};
  for (const estimate::PathPart& part : cost.fmax.parts) fmax["parts_ns"][part.name] = part.ns;
  const estimate::Power& p = cost.power;
  json["power_w"] = {{"processing_system", p.processing_system_w},
                     {"static", p.static_w},
                     {"dsp", p.dsp_w},
                     {"bram", p.bram_w},
                     {"logic", p.logic_w},
                     {"registers", p.registers_w},
                     {"total", p.total_w()}};
  return json.dump(2) + "\n";
}

// Returns the least that a network asks of the array, and whether the network can be scheduled.
std::pair<std::string, bool> asked(const accelerators::Accelerator& accelerator, const std::string& path) {
  network::LoadOptions load_options;
  load_options.values = false;
  network::Network network = network::load_network(path, load_options);
  accelerator.prepare(network, load_options);
  compile::Options options;
  options.values = false;
  const compile::Compiled compiled = accelerator.compile(network, options);
  if (const auto* misfit = std::get_if<compile::Unschedulable>(&compiled))
    return {fmt::format("{} cannot be scheduled: {}: {}\n", network.name, misfit->layer, misfit->reason), false};
  std::int64_t macs = 0, columns = 0;
  for (const contract::LayerPlan& plan : std::get<contract::Program>(compiled).layers) {
    macs += plan.macs;
    columns += plan.pass_columns;
  }
  const int pictures = accelerator.pictures();
  return {fmt::format("{}{}: {} multiply-accumulates; at least {} cycles, {:.3f} ms, in which the array is fed\n",
                      network.name, pictures > 1 ? fmt::format(", {} pictures at once", pictures) : "", grouped(macs),
                      grouped(columns), static_cast<double>(columns) / accelerator.config().clock_hz() * 1e3),
          true};
}

}  // namespace

int estimate(const Arguments& arguments) {
  Options options("estimate");
  options.positional("CONFIG", true)
      .positional("NETWORK", false)
      .value("json", "F", "write the estimate as JSON")
      .flag("allow-slack", "a clock above Fmax is no misfit; it is marked")
      .values("set", "key.path=value", "override a configuration key; may repeat");
  options.example("estimate zcu102_stream", "resources against the device, Fmax, power")
      .example("estimate zcu102_stream alexnet --json e.json", "with the network's traffic, as JSON");
  if (!options.parse(arguments)) return kDone;
  const auto accelerator = accelerators::read_accelerator(config_file(options.text("CONFIG")), options.list("set"));
  const contract::ConfigBase& config = accelerator->config();
  const estimate::Estimate cost = accelerator->estimate();
  const Judged judged{cost, estimate::timing(config.clock_hz(), cost.fmax), options.on("allow-slack")};
  const std::string json = options.text("json");
  base::check_outputs({json});
  const auto [network, schedulable] = options.has("NETWORK")
                                          ? asked(*accelerator, network_file(options.text("NETWORK")))
                                          : std::pair<std::string, bool>{"", true};
  (base::is_standard_output(json) ? base::print_error_text : base::print_text)(
      answer(config, judged) + "\n" + resource_table(config.device, config.clock_hz(), cost) +
      frequency(config.clock_hz(), cost.fmax) + power(config.device, cost.power) + network);
  if (!json.empty()) base::write_file(json, json_of(config, accelerator->resolved(), judged));
  return judged.misfits().empty() && schedulable ? kDone : kDoesNotFit;
}

}  // namespace fansim::cli
