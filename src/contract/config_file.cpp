// SPDX-License-Identifier: Apache-2.0
#include "contract/config_file.h"

#include <climits>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "base/data.h"
#include "base/file.h"
#include "base/overrides.h"

namespace fansim::contract {
namespace {

using base::YamlMap;
using base::YamlNode;

std::string device_file(YamlMap& top, const std::string& config_path) {
  const std::string device = top.text("device");
  if (device.find('/') != std::string::npos || std::filesystem::path(device).extension() == ".yaml") {
    const std::string file = base::beside(config_path, device);
    if (!base::exists(file)) top.fail("device", fmt::format("device file '{}' does not exist", file));
    return file;
  }
  const std::string folder = base::beside(config_path, "../devices"), shipped = base::data_path("configs/devices");
  for (const std::string& place : {folder, shipped}) {
    std::string file = fmt::format("{}/{}.yaml", place, device);
    if (base::exists(file)) return file;
  }
  std::vector<std::string> known = devices_in(folder);
  for (std::string& name : devices_in(shipped)) known.push_back(std::move(name));
  top.fail("device", fmt::format("device '{}' unknown: no {}/{}.yaml{}", device, folder, device,
                                 base::did_you_mean(device, known)));
}

}  // namespace

std::vector<std::string> devices_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  return names;
}

YamlNode load_config_document(const std::string& path, const std::vector<std::string>& overrides) {
  YamlNode document = base::load_yaml(path);
  base::apply_overrides(document, overrides);
  return document;
}

void require_system(YamlMap& top, const std::string& system) {
  const std::string found = top.text("system");
  if (found != system) top.fail("system", fmt::format("system '{}': expected '{}'", found, system));
}

Device load_device(const std::string& path) {
  YamlMap map(base::load_yaml(path));
  Device device;
  device.file = path;
  map.integer("version", 1, 1);
  device.name = map.text("name");
  device.part = map.text("part", "");
  if (map.has("coefficients"))
    device.coefficients = static_cast<Coefficients>(map.choice("coefficients", {"vivado", "yosys"}));
  if (map.has("family"))
    device.family = static_cast<Family>(map.choice("family", {std::begin(kFamilies), std::end(kFamilies)}));
  device.speed_grade = map.text("speed_grade", device.speed_grade);
  if (map.has("core_volts")) device.core_volts = map.number("core_volts", 0.5, 1.5);
  device.dsp = map.integer("dsp", 0);
  device.lut = map.integer("lut", 0);
  device.lutram = map.integer("lutram", 0, device.lut, device.lut);
  device.ff = map.integer("ff", 0);
  device.bram36 = map.integer("bram36", 0);
  device.uram = map.integer("uram", 0, INT_MAX, 0);
  device.slrs = map.integer("slrs", 1, 16, 1);
  device.dsp_fmax_mhz = map.number("dsp_fmax_mhz", 1, 10000);
  device.bram_fmax_mhz = map.number("bram_fmax_mhz", 1, 10000);
  if (device.uram > 0) device.uram_fmax_mhz = map.number("uram_fmax_mhz", 1, 10000);
  if (map.has("clock_fmax_mhz")) device.clock_fmax_mhz = map.number("clock_fmax_mhz", 1, 10000);
  if (map.has("scale")) {
    YamlMap scale = map.child("scale");
    for (const auto& [key, factor] :
         std::initializer_list<std::pair<const char*, double*>>{{"dsp", &device.scale.dsp},
                                                                {"lut", &device.scale.lut},
                                                                {"ff", &device.scale.ff},
                                                                {"bram36", &device.scale.bram36}})
      if (scale.has(key)) *factor = scale.number(key, ResourceScale::kLeast, ResourceScale::kMost);
    scale.finish();
  }
  map.finish();
  return device;
}

Device read_device(YamlMap& top, const std::string& config_path) { return load_device(device_file(top, config_path)); }

namespace {
constexpr double kFastestClockMhz = 891;  // limit of a DSP48E2 with all pipeline registers, speed grade -3 (DS925)
}  // namespace

bool is_clock(const base::Rational& mhz) { return mhz.value() >= 1 && mhz.value() <= kFastestClockMhz; }

base::Rational read_clock(YamlMap& top, const char* key) {
  const base::Rational clock = top.rational(key);
  if (!is_clock(clock))
    top.fail(key, fmt::format("{} {} is out of range; allowed: 1..{}", key, clock.text(), kFastestClockMhz));
  return clock;
}

void prepare_block(YamlMap& map, DdrConfig& ddr) {
  if (!map.has("part")) return;
  YamlMap part = map.child("part");
  ddr.part = read_ddr_part(part);
  part.finish();
}

void BlockRules::check(Problems& problems, const AxiConfig& axi) {
  if ((axi.data_bits & (axi.data_bits - 1)) != 0)
    problems.push_back(
        {"data_bits", fmt::format("data_bits {} is no port width; allowed: 32, 64, 128, 256, 512", axi.data_bits)});
}

void BlockRules::check(Problems& problems, const DdrConfig& ddr) {
  if (ddr.data_bits > 0 && ddr.data_bits < DdrConfig::kLeastBits)
    problems.push_back({"data_bits", fmt::format("data_bits {} is no data path; allowed: 0 (as wide as a port), {} and "
                                                 "more",
                                                 ddr.data_bits, DdrConfig::kLeastBits)});
  constexpr double kParts = DdrConfig::kShareParts;
  if (std::abs(ddr.share * kParts - static_cast<double>(ddr.share_parts())) > 1e-6)
    problems.push_back({"share", fmt::format("share {} is no whole number of ten-thousandths; the nearest is {}",
                                             ddr.share, static_cast<double>(ddr.share_parts()) / kParts)});
  if (ddr.refresh_cycles >= ddr.refresh_interval)
    problems.push_back({"refresh_cycles", fmt::format("refresh_cycles {} must be below refresh_interval {}",
                                                      int{ddr.refresh_cycles}, int{ddr.refresh_interval})});
  if (ddr.fidelity == DdrFidelity::banked && ddr.write_latency < ddr.request_latency)
    problems.push_back({"write_latency", fmt::format("write_latency {} must not be below request_latency {}",
                                                     int{ddr.write_latency}, int{ddr.request_latency})});
}

// Between a port's width and that of all ports the data path would be as one port's.
void BlockRules::check_memory(Problems& problems, const char* port, const DdrConfig& ddr, const MemoryPorts& ports) {
  const int access_bits = ddr.part.access_bytes() * 8;
  if (ddr.fidelity == DdrFidelity::banked && ports.bits > access_bits)
    problems.push_back({port, fmt::format("{}: data_bits {} is wider than a column access of {}: {} bits", port,
                                          ports.bits, ddr.part.name, access_bits)});
  // A rate is what the memory has, whatever the clock: what is left of it beside whole lanes lies idle.
  const bool rate = ddr.data_bits.is_rate();
  if (ddr.fidelity != DdrFidelity::banked && !rate && ddr.data_bits > ports.bits &&
      ddr.data_bits < ports.count * ports.bits)
    problems.push_back(
        {"ddr", fmt::format("ddr: data_bits {}: {} ports of {} bits have a lane each, or one together; "
                            "allowed: {} at most, or {} and more",
                            int{ddr.data_bits}, ports.count, ports.bits, ports.bits, ports.count * ports.bits)});
}

void BlockRules::check_file(YamlMap& map, const DdrConfig& ddr) {
  if (ddr.fidelity == DdrFidelity::banked && !map.has("part")) map.fail("fidelity", "fidelity: banked needs a part");
}

ConfigHash::ConfigHash(const Device& d) {
  add(fmt::format("device={} {} {} {} {} {} {} {}\n", d.name, d.dsp, d.lut, d.ff, d.bram36, d.dsp_fmax_mhz,
                  d.bram_fmax_mhz, static_cast<int>(d.coefficients)));
  add(fmt::format("device.more={} {} {} {} {} {} {} {}\n", d.family_name(), d.speed_grade, d.core_volts, d.lutram,
                  d.uram, d.slrs, d.uram_fmax_mhz, d.clock_fmax_mhz));
  if (!d.scale.none())
    add(fmt::format("device.scale={} {} {} {}\n", d.scale.dsp, d.scale.lut, d.scale.ff, d.scale.bram36));
}

void ConfigHash::add_part(const DdrConfig& ddr) {
  if (ddr.fidelity != DdrFidelity::banked) return;
  (*this)("ddr.part", ddr.part);
  add(fmt::format("ddr.part.clock_mhz={}\nddr.part.mapping={}\n", ddr.part.clock_mhz.text(),
                  ddr.part.mapping.layout()));
}

}  // namespace fansim::contract
