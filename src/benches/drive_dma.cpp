// SPDX-License-Identifier: Apache-2.0
#include "benches/drive_dma.h"

#include <fmt/format.h>

#include "base/data.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "benches/dma_stimulus.h"

namespace fansim::benches {

DmaBenchConfig dma_bench_config(const std::vector<std::string>& overrides) {
  return load_dma_bench(base::data_path("configs/parts/axi_dma_bench.yaml"), overrides);
}

std::vector<DmaEvent> drive_dma(const std::string& stimulus_file, const std::vector<std::string>& overrides) {
  const DmaBenchConfig config = dma_bench_config(overrides);
  const auto memory_bytes = static_cast<std::uint64_t>(config.memory.kib) * 1024;
  DmaBench bench("bench", config, parse_dma_stimulus(base::read_file(stimulus_file), stimulus_file, memory_bytes));
  bench.run(base::interrupted);
  base::stop_if_interrupted();
  return bench.events();
}

std::string events_csv(const std::vector<DmaEvent>& events) {
  std::string csv = "cycle,event,address,value\n";
  for (const DmaEvent& event : events)
    csv += fmt::format("{},{},{:#x},{:#x}\n", event.cycle, event.what, event.address, event.value);
  return csv;
}

}  // namespace fansim::benches
