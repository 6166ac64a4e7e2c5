// SPDX-License-Identifier: Apache-2.0
// A program of one's own around a run: own_run CONFIG NETWORK WAVEFORM.vcd steps every cycle, compares every byte with
// the reference executor, and says what the copy engine counted.
#include <cstdio>
#include <systemc>

#include "base/error.h"
#include "runs/run.h"

using namespace fansim;

int sc_main(int argc, char* argv[]) {
  if (argc != 4) {
    std::fputs("usage: toy_run CONFIG NETWORK WAVEFORM.vcd\n", stderr);
    return 2;
  }
  runs::Request request;
  request.config = argv[1];
  request.network = argv[2];
  request.engine = runs::Engine::clocked;
  request.verify = request.counters = true;
  request.on_program = [&](const contract::Program&, const accelerators::Accelerator&) {
    return std::make_unique<sim::Waveform>(argv[3], sim::WaveformWindow{});
  };
  try {
    const runs::Run run = runs::run(request);
    for (const contract::LayerResult& layer : run.layers) {
      std::printf("%s: %lld cycles, %lld bursts\n", layer.name.c_str(), static_cast<long long>(layer.cycles),
                  static_cast<long long>(layer.own.at("bursts")));
      for (const contract::BlockCount& count : layer.counters)
        std::printf("  %s.%s %lld %s\n", count.block.c_str(), count.counter.c_str(),
                    static_cast<long long>(count.value), count.unit.c_str());
    }
    std::printf("%zu differences from the reference\n", run.differences.size());
    return run.differences.empty() ? 0 : 1;
  } catch (const base::UserError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
