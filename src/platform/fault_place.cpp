// SPDX-License-Identifier: Apache-2.0
#include "platform/fault_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "platform/host.h"
#include "rules/fault_draw.h"

namespace fansim::platform {
namespace {

using contract::Fault;
using Kind = Fault::Kind;

// Returns the name without that of the top level.
std::string place_name(const std::string& full) { return full.substr(full.find('.') + 1); }

class StoragePlace final : public FaultPlace {
 public:
  StoragePlace(std::string called, sim::Storage& storage) : FaultPlace(std::move(called)), storage_(storage) {}

  bool has(Kind kind) const override { return kind == Kind::flip || kind == Kind::stuck; }
  const sim::Storage* storage() const override { return &storage_; }

  std::string misfit(const Fault& fault) const override {
    if (fault.kind == Kind::stuck && storage_.of == sim::Storage::Of::shift_registers)
      return fmt::format("{}: bits of shift registers move on, none is stuck", name);
    return rules::misfit(fault, storage_.words(), storage_.word_bits());
  }

  void happen(const Fault& fault, const FaultScene& scene, sim::Edge next, base::Random random) override {
    if (fault.rate > 0) {
      expect(fault, scene, next, random);
      return;
    }
    const rules::HitBit hit = rules::hit_bit(fault, random, storage_.words(), storage_.word_bits());
    scene.tell(rules::happened(fault, hit));
    if (fault.kind == Kind::flip) {
      storage_.flip(hit.word, hit.bit);
      return;
    }
    hold(hit, fault.value != 0, scene, next, fault.cycles == 0 ? -1 : next + fault.cycles);
  }

 private:
  void expect(const Fault& fault, const FaultScene& scene, sim::Edge next, base::Random random) {
    const sim::Edge then = next + rules::cycles_to_next(random, fault.rate);
    scene.scheduler.at(then, [=, &scene]() mutable {
      Fault one = fault;
      one.rate = 0;
      happen(one, scene, then, random);
      random.next();
      random.next();  // skips what the call above has drawn
      expect(fault, scene, then, random);
    });
  }

  void hold(rules::HitBit hit, bool value, const FaultScene& scene, sim::Edge next, sim::Edge end) {
    if (next == end) return;
    storage_.hold(hit.word, hit.bit, value);
    scene.scheduler.at(next + 1, [=, &scene] { hold(hit, value, scene, next + 1, end); });
  }

  sim::Storage& storage_;
};

// The whole memory behind all its ports.
class DdrImage final : public sim::Storage {
 public:
  explicit DdrImage(memory::Ddr& ddr) : Storage(ddr, "data", Of::ddr), ddr_(ddr) {}

  std::size_t words() const override { return ddr_.size(); }
  int word_bits() const override { return 8; }
  void flip(std::size_t word, int bit) override {
    ddr_.change([=](std::uint8_t* memory) { memory[word] ^= static_cast<std::uint8_t>(1 << bit); });
  }
  void hold(std::size_t word, int bit, bool value) override {
    if ((ddr_.data()[word] >> bit & 1) != int{value}) flip(word, bit);
  }

 private:
  memory::Ddr& ddr_;
};

class MemoryPlace final : public FaultPlace {
 public:
  explicit MemoryPlace(memory::Ddr& ddr) : FaultPlace(Fault::kMemory), image_(ddr), place_(Fault::kMemory, image_) {}

  bool has(Kind kind) const override { return place_.has(kind); }
  const sim::Storage* storage() const override { return &image_; }
  std::string misfit(const Fault& fault) const override { return place_.misfit(fault); }
  void happen(const Fault& fault, const FaultScene& scene, sim::Edge next, base::Random random) override {
    place_.happen(fault, scene, next, random);
  }

 private:
  DdrImage image_;
  StoragePlace place_;
};

// The answers of one direction of a memory port.
class AnswersPlace final : public FaultPlace {
 public:
  using FaultPlace::FaultPlace;
  memory::Answers answers;

  bool has(Kind kind) const override { return kind == Kind::slverr || kind == Kind::decerr || kind == Kind::stall; }
  void happen(const Fault& fault, const FaultScene& scene, sim::Edge, base::Random) override {
    if (fault.kind == Kind::stall) {
      const std::string how = fault.cycles == 0 ? "is never answered" : fmt::format("waits {} cycles", fault.cycles);
      answers.delay(fault.nth, fault.cycles,
                    [this, &scene, how] { scene.tell(fmt::format("{}: a burst {}", name, how)); });
    } else {
      const bool slave = fault.kind == Kind::slverr;
      answers.fail(fault.nth, fault.count, slave ? axi::Resp::slverr : axi::Resp::decerr, [this, &scene, slave] {
        scene.tell(fmt::format("{}: a burst is answered {}", name, slave ? "SLVERR" : "DECERR"));
      });
    }
  }
};

class LinePlace final : public FaultPlace {
 public:
  LinePlace(std::string called, InterruptLine& line) : FaultPlace(std::move(called)), line_(line) {}

  bool has(Kind kind) const override { return kind == Kind::drop || kind == Kind::repeat; }
  void happen(const Fault& fault, const FaultScene& scene, sim::Edge, base::Random) override {
    const bool lost = fault.kind == Kind::drop;
    line_.disturb(fault.nth, lost ? -1 : 1, [this, &scene, lost] {
      scene.tell(fmt::format("{}: one {}", name, lost ? "is lost" : "comes twice"));
    });
  }

 private:
  InterruptLine& line_;
};

class ChannelPlace final : public FaultPlace {
 public:
  ChannelPlace(std::string called, axi::DmaRegisters& registers, bool is_s2mm)
      : FaultPlace(std::move(called)), registers_(registers), is_s2mm_(is_s2mm) {}

  bool has(Kind kind) const override { return kind == Kind::halt; }
  void happen(const Fault&, const FaultScene& scene, sim::Edge, base::Random) override {
    registers_.stop(is_s2mm_);
    scene.tell(fmt::format("{}: the run bit is lost", name));
  }

 private:
  axi::DmaRegisters& registers_;
  const bool is_s2mm_;
};

class Collector {
 public:
  std::vector<std::unique_ptr<FaultPlace>> places;

  void collect(const std::vector<sc_core::sc_object*>& objects) {
    for (sc_core::sc_object* object : objects) {
      if (auto* module = dynamic_cast<sim::Module*>(object)) add(*module);
      collect(object->get_child_objects());
    }
  }

 private:
  void add(sim::Module& module) {
    module.expect_faults();
    for (sim::Storage* storage : module.storages())
      places.push_back(std::make_unique<StoragePlace>(place_name(storage->full_name()), *storage));
    const std::string name = place_name(module.name());
    if (auto* port = dynamic_cast<memory::Ddr*>(&module)) {
      auto reads = std::make_unique<AnswersPlace>(name + ".read"),
           writes = std::make_unique<AnswersPlace>(name + ".write");
      port->answer_by(reads->answers, writes->answers);
      places.push_back(std::move(reads));
      places.push_back(std::move(writes));
    }
    if (auto* host = dynamic_cast<Host*>(&module)) {
      add(name + ".job_interrupt", host->job_interrupt());
      add(name + ".layer_interrupt", host->layer_interrupt());
    }
    if (auto* registers = dynamic_cast<axi::DmaRegisters*>(&module)) {
      const std::string dma = name.substr(0, name.rfind('.'));
      places.push_back(std::make_unique<ChannelPlace>(dma + ".mm2s", *registers, false));
      places.push_back(std::make_unique<ChannelPlace>(dma + ".s2mm", *registers, true));
    }
  }

  void add(const std::string& name, InterruptLine* line) {
    if (line) places.push_back(std::make_unique<LinePlace>(name, *line));
  }
};

}  // namespace

std::vector<std::unique_ptr<FaultPlace>> fault_places(memory::Ddr& ddr) {
  Collector collector;
  collector.collect(sc_core::sc_get_top_level_objects());
  collector.places.push_back(std::make_unique<MemoryPlace>(ddr));
  std::sort(collector.places.begin(), collector.places.end(),
            [](const auto& a, const auto& b) { return a->name < b->name; });
  return std::move(collector.places);
}

}  // namespace fansim::platform
