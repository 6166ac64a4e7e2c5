// SPDX-License-Identifier: Apache-2.0
// These targets are faults of machines, single and in campaigns: their notation, and what a campaign keeps.
#include "base/error.h"
#include "base/file.h"
#include "fuzz/call.h"
#include "fuzz/supervised.h"
#include "fuzz/target.h"
#include "fuzz/workshop.h"
#include "inject/result_text.h"

namespace fansim::test {
namespace {

const std::vector<std::string> kCampaign{"inject", "tiny_stream", kTiny,    "--count", "4",      "--jobs",
                                         "1",      "--json",      "c.json", "--html",  "c.html", "--resume"};

std::vector<std::string> kept_in(const std::string& file) {
  std::vector<std::string> command = kCampaign;
  command.push_back(file);
  return command;
}

// A line of a campaign's store.
void read_result(const std::string& file) {
  const auto result = inject::result_of(base::read_file(file));
  if (!result) throw base::UserError("no result");
  inject::text_of(*result);
}

// Returns what a campaign has kept when it is finished. It runs in a child, because a process can elaborate only once.
std::string made_campaign() {
  const pid_t child = start("errors.txt", [] { call(kept_in("faults.db")); });
  wait_for_end(child, 60, [] { return Work{}; });
  return base::read_file("faults.db");
}

}  // namespace

void add_faults(std::vector<Target>& targets) {
  Target fault;
  fault.name = "fault";
  fault.file = "faults.txt";
  fault.seeds = {"kind=flip, at=weight_buffer.half0, word=7, bit=6, layer=c, cycle=9\n",
                 "kind=stuck, at=accumulator.sums, value=1, cycles=100\nkind=flip, at=ddr.data, rate=1000\n",
                 "kind=slverr, at=ddr.read, nth=3, count=2\n",
                 "kind=stall, at=ddr.write, cycles=30\n",
                 "kind=repeat, at=host.job_interrupt\n",
                 "kind=flip, at=ddr.data\n"};
  fault.words = {"kind",
                 "at",
                 "word",
                 "bit",
                 "value",
                 "layer",
                 "cycle",
                 "nth",
                 "count",
                 "cycles",
                 "rate",
                 "flip",
                 "stuck",
                 "drop",
                 "slverr",
                 "decerr",
                 "repeat",
                 "halt",
                 "stall",
                 "f",
                 "c",
                 "p",
                 "lines.lines",
                 "window.taps",
                 "array.weights",
                 "array.products",
                 "host.layer_interrupt",
                 "dma.mm2s",
                 "dma.s2mm",
                 "pooling.lines"};
  fault.command = {"run",   "tiny_stream",  kTiny,           "--set", "host.timeout=2000",
                   "--set", "host.retry=1", "@lines --fault"};
  fault.one_each = true;
  fault.codes = {0, 1, 2, 3, 4};  // 4: what waits for ever, by the watchdog
  targets.push_back(fault);

  Target result;
  result.name = "campaign_result";
  result.file = "result.json";
  result.read = read_result;
  inject::Result seed;
  seed.first_wrong = "c";
  seed.wrong_values = 3;
  seed.values = 4;
  seed.lost = 7;
  seed.note = "stopped";
  result.seeds = {inject::text_of(seed)};
  targets.push_back(result);

  Target campaign;
  campaign.name = "campaign_store";
  campaign.kind = Mutator::Kind::bytes;
  campaign.file = "m.db";
  campaign.seeds = {made_campaign()};
  campaign.command = kept_in("@");
  campaign.one_each = true;
  targets.push_back(campaign);
}

}  // namespace fansim::test
