// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/energy.h"
#include "report/run_report.h"
#include "report/saturation.h"
#include "report/table.h"

namespace fansim::report {
namespace {

std::string percent(double part, double whole) { return whole > 0 ? fmt::format("{:.1f}", 100 * part / whole) : ""; }

double figure(const char* key, const contract::LayerResult& layer, const RunReport& report) {
  return contract::statistic(key).of(layer, report.design);
}

// Says how many of the cycles the host spent on layers by itself.
std::string host_share(const RunReport& report, const contract::LayerResult& sum) {
  const base::Cycles cycles = host_cycles(report);
  return cycles == 0 ? ""
                     : fmt::format("{:.1f} % of them in software on the host, ",
                                   100.0 * static_cast<double>(cycles) / static_cast<double>(sum.cycles));
}

std::string answer_of(const RunReport& report, const contract::LayerResult& sum) {
  const bool gave_up = report.faults && !report.faults->gave_up.empty();
  const char* verdict = gave_up            ? "THE DRIVER GAVE UP"
                        : !report.verified ? "not verified"
                        : *report.verified ? "verified"
                                           : "VERIFICATION FAILED";
  const std::string above =
      report.timing.missed() ? fmt::format(" ABOVE FMAX {:.0f} MHz", report.timing.fmax_hz / 1e6) : "";
  return fmt::format("{} on {} ({}): {} cycles, {:.3f} ms at {:.6g} MHz{}, {:.1f} GOPS, {}{}\n", report.network.name,
                     report.config.name, report.engine, grouped(sum.cycles), figure("seconds", sum, report) * 1e3,
                     report.design.clock_hz / 1e6, above, figure("gops", sum, report), host_share(report, sum),
                     verdict);
}

// Says what of the total the fabric is at work, and what it waits for the host.
std::string host_and_fabric(const RunReport& report, const contract::LayerResult& sum) {
  if (sum.cycles == 0) return "";
  const base::Cycles host = report.account.host_cycles(sum);
  const auto ms = [&](base::Cycles cycles) { return 1e3 * static_cast<double>(cycles) / report.design.clock_hz; };
  return fmt::format("fabric {:.3f} ms; waiting for the host {:.3f} ms ({} %)\n", ms(sum.cycles - host), ms(host),
                     percent(static_cast<double>(host), static_cast<double>(sum.cycles)));
}

std::string a_frame(const RunReport& report) {
  if (!report.whole) return "";
  const int pictures = report.design.pictures;
  return fmt::format("{:.4g} frames/s{}, {:.4g} mJ a frame at {:.2f} W (estimated)\n", frames_per_s(report),
                     pictures > 1 ? fmt::format(", {} at once", pictures) : "", energy_mj(report), report.power_w) +
         (report.energy ? text(*report.energy, report.processing_system_source) : "");
}

// Has a column for each statistic that defines one, and for each bucket that has any cycles.
class LayerTable {
 public:
  LayerTable(const RunReport& report, const contract::LayerResult& sum) : report_(report) {
    for (const contract::Statistic& statistic : report.account.statistics())
      if (statistic.column().head) columns_.push_back(statistic);
    for (std::size_t b = 0; b < sum.buckets.size(); ++b)
      if (sum.buckets[b] > 0) buckets_.push_back(b);
  }

  std::vector<std::string> heads() const {
    std::vector<std::string> heads{"layer", "type"};
    for (const contract::Statistic& statistic : columns_) heads.emplace_back(statistic.column().head);
    for (const std::size_t b : buckets_) heads.push_back(fmt::format("{} %", report_.account.buckets[b].name));
    return heads;
  }

  std::vector<std::string> cells(const contract::LayerResult& layer) const {
    std::vector<std::string> cells{layer.name, layer.type};
    for (const contract::Statistic& statistic : columns_) cells.push_back(cell(statistic, layer));
    for (const std::size_t b : buckets_) {
      const base::Cycles cycles = layer.buckets.empty() ? 0 : layer.buckets[b];
      cells.push_back(percent(static_cast<double>(cycles), static_cast<double>(layer.cycles)));
    }
    return cells;
  }

 private:
  std::string cell(const contract::Statistic& statistic, const contract::LayerResult& layer) const {
    const contract::Column& column = statistic.column();
    if (statistic.counted && column.decimals == 0) return grouped(statistic.counted->of(layer));
    return fmt::format("{:.{}f}", statistic.of(layer, report_.design) * column.scale, column.decimals);
  }

  const RunReport& report_;
  std::vector<contract::Statistic> columns_;
  std::vector<std::size_t> buckets_;
};

// Has few columns. The last one names the two largest buckets, not counting the first one, which is the machine's work.
class NarrowTable {
 public:
  explicit NarrowTable(const RunReport& report) : report_(report) {}

  std::vector<std::string> heads() const { return {"layer", "cycles", "ms", "MAC %", "the rest, mostly"}; }
  std::vector<std::string> cells(const contract::LayerResult& layer) const {
    constexpr std::size_t kLongestName = 18;
    const std::string name =
        layer.name.size() > kLongestName ? layer.name.substr(0, kLongestName - 2) + ".." : layer.name;
    return {name, grouped(layer.cycles), fmt::format("{:.3f}", figure("seconds", layer, report_) * 1e3),
            fmt::format("{:.1f}", 100 * figure("mac_utilisation", layer, report_)), reasons(layer)};
  }

 private:
  std::string reasons(const contract::LayerResult& layer) const {
    std::vector<std::size_t> order;
    for (std::size_t b = 1; b < layer.buckets.size(); ++b)
      if (layer.buckets[b] > 0) order.push_back(b);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return layer.buckets[a] > layer.buckets[b]; });
    std::string text;
    for (std::size_t i = 0; i < order.size() && i < 2; ++i)
      text += fmt::format("{}{} {} %", i > 0 ? ", " : "", report_.account.buckets[order[i]].name,
                          percent(static_cast<double>(layer.buckets[order[i]]), static_cast<double>(layer.cycles)));
    return text;
  }

  const RunReport& report_;
};

template <class Layers>
std::string layer_table(const Layers& layers, Table table, const RunReport& report, const contract::LayerResult& sum) {
  table.row(layers.heads());
  table.rule();
  for (const contract::LayerResult& layer : report.layers) table.row(layers.cells(layer));
  if (report.layers.size() > 1) {
    contract::LayerResult last = sum;
    last.name = "total";
    table.rule();
    table.row(layers.cells(last));
  }
  return table.text();
}

std::string layer_table(const RunReport& report, const contract::LayerResult& sum, std::size_t columns) {
  std::string all = layer_table(LayerTable(report, sum), Table(2), report, sum);
  if (columns == 0 || widest(all) <= columns) return all;
  return layer_table(NarrowTable(report), Table(1, 4), report, sum) + "all columns: --wide\n";
}

std::string share(const char* name, double used, int available) {
  return fmt::format("{} {} of {} ({} %)", name, used, available, percent(used, available));
}

std::string design(const RunReport& report) {
  const contract::Resources& use = report.resources;
  const contract::Device& device = report.device;
  std::string out = fmt::format(
      "\n{}: {}, {}, {}, {}{}; Fmax {:.0f} MHz, {:.2f} W (estimated)\n", device.name, share("DSP", use.dsp, device.dsp),
      share("LUT", use.lut, device.lut), share("FF", use.ff, device.ff), share("BRAM36", use.bram36, device.bram36),
      use.uram > 0 ? ", " + share("URAM", use.uram, device.uram) : "", report.timing.fmax_hz / 1e6, report.power_w);
  for (const std::string& reason : report.misfits) out += fmt::format("does not fit: {}\n", reason);
  if (const std::string timing = timing_text(report); !timing.empty()) out += timing + "\n";
  return out;
}

constexpr std::size_t kMostPrintedClasses = 20;

std::string confusion(const BatchReport& batch) {
  Table table(1);
  std::vector<std::string> head{"shown / read"};
  for (std::size_t i = 0; i < batch.confusion.size(); ++i) head.push_back(std::to_string(i));
  table.row(head);
  table.rule();
  for (std::size_t shown = 0; shown < batch.confusion.size(); ++shown) {
    std::vector<std::string> row{std::to_string(shown)};
    for (const std::int64_t count : batch.confusion[shown]) row.push_back(grouped(count));
    table.row(row);
  }
  return "\n" + table.text();
}

std::string batch_text(const RunReport& report, const contract::LayerResult& sum) {
  const BatchReport& batch = *report.batch;
  const auto count = static_cast<double>(batch.count);
  std::string out = fmt::format("batch of {}{}: {:.1f} frames/s on the machine, {:.1f} simulated", grouped(batch.count),
                                batch.begin ? fmt::format(", behind {} others", grouped(*batch.begin)) : "",
                                report.design.pictures / figure("seconds", sum, report),
                                batch.seconds > 0 ? count / batch.seconds : 0);
  if (batch.labelled)
    out += fmt::format("; top-1 {:.2f} %, top-5 {:.2f} %", 100 * static_cast<double>(batch.first) / count,
                       100 * static_cast<double>(batch.first_five) / count);
  if (batch.as_floats) {
    out += fmt::format("; as floats {:.2f} %", 100 * static_cast<double>(*batch.as_floats) / count);
    if (batch.labelled)
      out += fmt::format(", whose top-1 is {:.2f} %", 100 * static_cast<double>(batch.floats_first) / count);
  }
  out += "\n";
  if (!batch.confusion.empty() && batch.confusion.size() <= kMostPrintedClasses) out += confusion(batch);
  return out;
}

std::string frames_text(const FrameReport& frames, const contract::Design& design) {
  const int pictures = design.pictures;
  std::string out = fmt::format(
      "{} frames back to back: {} cycles, {:.1f} frames/s; the first takes {}, then {} every {}, {:.1f} frames/s\n",
      grouped(frames.count), grouped(frames.total), design.clock_hz * frames.count / static_cast<double>(frames.total),
      grouped(frames.first), pictures > 1 ? fmt::format("{} begin", pictures) : "one begins", grouped(frames.steady),
      pictures * design.clock_hz / static_cast<double>(frames.steady));
  if (frames.beside > 0)
    out += fmt::format("beside the next frame the host computes {} cycles of each, of which that waits for {}\n",
                       grouped(frames.beside), grouped(frames.waited));
  return out;
}

std::string faults_text(const contract::FaultLog& faults) {
  Table table(4);
  table.row({"cycle", "layer", "who", "what"});
  table.rule();
  for (const contract::FaultEvent& event : faults.events)
    table.row({grouped(event.cycle), event.layer.empty() ? "-" : event.layer, event.source_name(), event.what});
  std::string out = faults.events.empty() ? "\nno fault happened\n" : "\n" + table.text();
  if (!faults.gave_up.empty()) out += fmt::format("the driver gave up: {}\n", faults.gave_up);
  return out;
}

}  // namespace

std::string answer(const RunReport& report) { return answer_of(report, total(report)); }

std::string text(const RunReport& report, std::size_t columns) {
  const contract::LayerResult sum = total(report);
  std::string out = answer_of(report, sum) + saturation_warning(report) +
                    (report.reach ? text(*report.reach, report.design.clock_hz) : "") + host_and_fabric(report, sum) +
                    a_frame(report);
  if (report.batch) out += batch_text(report, sum);
  if (report.frames) out += frames_text(*report.frames, report.design);
  out += "\n" + layer_table(report, sum, columns) + (report.mapping ? mapping_text(report) : "") + design(report);
  if (!report.memory.empty()) out += report.memory + "\n";
  if (report.loading.cycles > 0)
    out += fmt::format("SD card: {} B loaded before the first layer, {} cycles, {:.3f} ms, not in the total\n",
                       grouped(report.loading.bytes), grouped(report.loading.cycles),
                       static_cast<double>(report.loading.cycles) / report.design.clock_hz * 1e3);
  out += saturation_line(report);
  for (const contract::LayerResult& layer : report.layers) {
    if (layer.accumulator_overflows > 0)
      out += fmt::format("{}: {} sums did not fit the accumulator\n", layer.name, grouped(layer.accumulator_overflows));
  }
  if (report.faults) out += faults_text(*report.faults);
  if (report.span) out += text(*report.span, report.design.clock_hz);
  return out;
}

}  // namespace fansim::report
