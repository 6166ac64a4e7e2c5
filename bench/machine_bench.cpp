// SPDX-License-Identifier: Apache-2.0
// Measures the speed of both engines: cycles per second of the clocked engine with values, without values and while it
// records a waveform, and of the fast engine without and with values. Each runs in a process of its own, because a
// process can elaborate only once. It prints medians. The fast engine's ratios compare like with like: with the clocked
// engine without or with values; the other ratios are to the first row. Seconds are those of the processor and, beside
// them, wall-clock seconds, where the fast engine times layers on all cores.
//   machine_bench | tiled_bench [CONFIG NETWORK [REPEATS [KEY=VALUE...]]]
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "accelerators/registry.h"
#include "base/error.h"
#include "cli/options/shipped.h"
#include "count.h"
#include "network/network.h"
#include "platform/clocked_machine.h"

using namespace fansim;

namespace {

enum class Mode { values, timing_only, waveform, fast_timing_only, fast_values };
constexpr Mode kModes[] = {Mode::values, Mode::timing_only, Mode::waveform, Mode::fast_timing_only, Mode::fast_values};
constexpr const char* kNames[] = {"clocked, values", "clocked, timing only", "clocked, waveform of 20,000 cycles",
                                  "fast, timing only", "fast, values"};
constexpr sim::Edge kRecorded = 20'000;

struct Figure {
  double cycles_per_second = 0;
  double seconds = 0;
  double cycles_per_wall_second = 0;
  double megabytes = 0;  // peak resident set
};

using Settings = std::vector<std::string>;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::int64_t sum(const std::vector<contract::LayerResult>& layers) {
  std::int64_t cycles = 0;
  for (const contract::LayerResult& layer : layers) cycles += layer.cycles;
  return cycles;
}

std::int64_t run_fast(const accelerators::Accelerator& accelerator, contract::Program program, bool values) {
  timing::EngineOptions options;
  options.values = values;
  return sum(accelerator.run(std::move(program), options));
}

std::int64_t run_clocked(Mode mode, const accelerators::Accelerator& accelerator, contract::Program program,
                         bool values) {
  platform::MachineOptions options;
  options.values = values;
  const std::string vcd = fmt::format("/tmp/machine_bench.{}.vcd", getpid());
  sim::Edge recorded = 0;
  if (mode == Mode::waveform) {
    options.waveform = std::make_unique<sim::Waveform>(vcd, sim::WaveformWindow{1, kRecorded, "*"});
    options.stop_requested = [&] { return ++recorded >= kRecorded; };  // asked once per recorded edge
  }
  const auto machine = accelerator.machine(std::move(program), std::move(options));
  machine->run();
  unlink(vcd.c_str());
  return mode == Mode::waveform ? recorded : sum(machine->layers());
}

Figure measure(Mode mode, const std::string& config_path, const std::string& network_path, const Settings& settings) {
  const auto accelerator = accelerators::read_accelerator(config_path, settings);
  network::LoadOptions load;
  load.values = mode != Mode::timing_only && mode != Mode::fast_timing_only;
  network::Network network = network::load_network(network_path, load);
  accelerator->prepare(network, load);
  compile::Options compile_options;
  compile_options.values = load.values;
  compile_options.memory = mode != Mode::fast_timing_only;  // this mode never reads it
  auto compiled = accelerator->compile(network, compile_options);

  contract::Program program = std::get<contract::Program>(std::move(compiled));
  const auto begun = std::chrono::steady_clock::now();
  const std::clock_t start = std::clock();
  const std::int64_t cycles = mode == Mode::fast_timing_only || mode == Mode::fast_values
                                  ? run_fast(*accelerator, std::move(program), load.values)
                                  : run_clocked(mode, *accelerator, std::move(program), load.values);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {static_cast<double>(cycles) / seconds, seconds, static_cast<double>(cycles) / wall,
          static_cast<double>(usage.ru_maxrss) / 1024.0};
}

// Returns nothing if the child has reported an error.
std::optional<Figure> measure_in_child(Mode mode, const std::string& config, const std::string& network,
                                       const Settings& settings) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    try {
      const Figure figure = measure(mode, config, network, settings);
      const bool sent = write(ends[1], &figure, sizeof figure) == sizeof figure;
      _exit(sent ? 0 : 1);
    } catch (const std::exception& error) {
      fmt::print(stderr, BENCH ": {}\n", error.what());
      std::fflush(stderr);
      _exit(1);
    }
  }
  close(ends[1]);  // otherwise a child that ends without a figure would never be noticed
  Figure figure;
  const bool read_whole = read(ends[0], &figure, sizeof figure) == sizeof figure;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return read_whole ? std::optional<Figure>(figure) : std::nullopt;
}

}  // namespace

// Replaces the main() of SystemC's library, which prints a banner.
int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  return sc_core::sc_elab_and_sim(argc, argv);
}

int sc_main(int argc, char* argv[]) {
  const std::optional<int> repeats = argc > 3 ? bench::count_of(argv[3], 1000) : 3;
  if (argc == 2 || !repeats) {
    const std::string problem = repeats ? "" : fmt::format(": REPEATS is '{}'; allowed: 1..1000", argv[3]);
    fmt::print(stderr, BENCH " [CONFIG NETWORK [REPEATS [KEY=VALUE...]]]{}\n", problem);
    return 2;
  }
  const Settings settings(argv + std::min(argc, 4), argv + argc);
  std::string config, network;
  try {
    config = cli::config_file(argc > 2 ? argv[1] : CONFIG);
    network = cli::network_file(argc > 2 ? argv[2] : NETWORK);
  } catch (const base::UserError& error) {
    fmt::print(stderr, BENCH ": {}\n", error.what());
    return 2;
  }

  std::map<Mode, double> rates, walls;  // medians
  for (const Mode mode : kModes) {
    std::vector<double> rate, wall;
    double megabytes = 0, seconds = 0;
    // Runs of a few hundredths of a second are measured more often.
    const int times = mode == Mode::fast_timing_only ? 5 * *repeats : *repeats;
    for (int i = 0; i < times; ++i) {
      const std::optional<Figure> figure = measure_in_child(mode, config, network, settings);
      if (!figure) return 2;
      rate.push_back(figure->cycles_per_second);
      wall.push_back(figure->cycles_per_wall_second);
      seconds = i == 0 ? figure->seconds : std::min(seconds, figure->seconds);
      megabytes = std::max(megabytes, figure->megabytes);
    }
    rates[mode] = median(rate);
    walls[mode] = median(wall);
    const Mode base = mode == Mode::fast_timing_only ? Mode::timing_only : Mode::values;
    fmt::print(
        "{:34} {:8.2f} M cycles/s (best {:.2f}, {:.3f} s)  {:6.2f} x  wall {:.2f} M cycles/s, {:.2f} x  "
        "peak memory {:.0f} MB\n",
        kNames[static_cast<int>(mode)], rates[mode] / 1e6, *std::max_element(rate.begin(), rate.end()) / 1e6, seconds,
        rates[mode] / rates[base], walls[mode] / 1e6, walls[mode] / walls[base], megabytes);
    std::fflush(stdout);
  }
  return 0;
}
