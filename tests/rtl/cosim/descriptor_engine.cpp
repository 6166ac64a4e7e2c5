// SPDX-License-Identifier: Apache-2.0
#include "axi/descriptor_engine.h"

#include "cosim/dma_channel.h"
#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

using namespace contract::dma_map;

constexpr int kFaults = 13;

contract::DmaConfig config_of(const Parameters& p) {
  contract::DmaConfig config;
  config.mode = contract::DmaMode::scatter_gather;
  config.sg_start = p["START"];
  config.sg_command = p["COMMAND"];
  config.sg_queue = p["QUEUE"];
  config.length_bits = p["LENGTH_BITS"];
  config.address_bits = p["ADDRESS_BITS"];
  return config;
}

std::uint64_t bits(int value) { return static_cast<std::uint64_t>(value); }

// The lane is registers, data movers and the memory that holds the descriptors: a few places, each with new words
// whenever it is read.
template <class Model>
class DescriptorEngineLane final : public Lane<Model> {
 public:
  DescriptorEngineLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        config_(config_of(p)),
        lines_(name + "_lines"),
        channels_{DmaChannelSide(name + "_mm2s", lines_.mm2s_run, this->random),
                  DmaChannelSide(name + "_s2mm", lines_.s2mm_run, this->random)},
        ar((name + "_ar").c_str()),
        r((name + "_r").c_str()),
        aw((name + "_aw").c_str()),
        w((name + "_w").c_str()),
        b((name + "_b").c_str()),
        engine_(name.c_str(), config_, lines_.halt, lines_.mm2s_run, lines_.s2mm_run) {
    this->longest_way = 40;
    engine_.ar(ar);
    engine_.r(r);
    engine_.aw(aw);
    engine_.w(w);
    engine_.b(b);
    wire_reads();
    wire_writes();
    for (int c : {0, 1}) {
      axi::DescriptorChain& chain = c == 0 ? engine_.mm2s : engine_.s2mm;
      DmaChannelSide& side = channels_[static_cast<std::size_t>(c)];
      chain.start(side.start);
      chain.event(side.event);
      chain.command(side.command);
      chain.done(side.done);
      wire_registers(c, side);
      wire_mover(c, side);
    }
  }

  std::vector<std::string> unreached() const override {
    std::vector<std::string> states;
    const auto need = [&](std::int64_t count, const char* state) {
      if (count == 0) states.push_back(state);
    };
    const std::uint32_t errors = channels_[0].errors_seen | channels_[1].errors_seen;
    need(errors & kSrSgIntErr, "complete descriptor");
    need(errors & kSrDmaIntErr, "descriptor of no bytes");
    need(errors & (kSrSgSlvErr | kSrSgDecErr), "error on the descriptor port");
    need(errors & (kSrDmaSlvErr | kSrDmaDecErr), "transfer with an error");
    need(channels_[0].extended + channels_[1].extended, "chain that was extended");
    need(channels_[0].restarted + channels_[1].restarted, "start before the chain before had stopped");
    need(resets_, "reset of a busy channel");
    return states;
  }

 private:
  void wire_reads() {
    const int address_bits = config_.address_bits;
    this->output(COSIM_OUTPUT(ar), [address_bits](Model& m, const axi::ReadBurst& burst, const auto& field) {
      field("address", 0, m.ar_address, 0, address_bits, burst.address);
      field("beats", 0, m.ar_beats, 0, 9, bits(burst.beats));
    });
    this->input(
        COSIM_INPUT(r),
        [](Model& m, const axi::ReadBeat& beat, const auto& field) {
          byte_fields(m.r_data, beat.data, 4, field);
          field("resp", 0, m.r_resp, 0, 2, static_cast<std::uint64_t>(beat.resp));
          field("last", 0, m.r_last, 0, 1, beat.last);
        },
        left_words_,
        [this](axi::ReadBeat& beat) {
          const std::uint32_t word = descriptor_word(word_);
          std::memcpy(beat.data.data(), &word, sizeof word);
          word_ = (word_ + 1) % kDescWords;
          beat.last = word_ == 0;
          beat.resp = resp(1);
        });
  }
  void wire_writes() {
    const int address_bits = config_.address_bits;
    this->output(COSIM_OUTPUT(aw), [address_bits](Model& m, const axi::WriteBurst& burst, const auto& field) {
      field("address", 0, m.aw_address, 0, address_bits, burst.address);
      field("beats", 0, m.aw_beats, 0, 9, bits(burst.beats));
    });
    this->output(COSIM_OUTPUT(w), [](Model& m, const axi::WriteBeat& beat, const auto& field) {
      byte_fields(m.w_data, beat.data, 4, field);
      field("strobe", 0, m.w_strobe, 0, 4, beat.strobe);
      field("last", 0, m.w_last, 0, 1, beat.last);
    });
    this->input(
        COSIM_INPUT(b),
        [](Model& m, const axi::WriteResponse& response, const auto& field) {
          field("resp", 0, m.b_resp, 0, 2, static_cast<std::uint64_t>(response.resp));
        },
        left_responses_, [this](axi::WriteResponse& response) { response.resp = resp(3); });
  }

  void wire_registers(int c, DmaChannelSide& side) {
    const int address_bits = config_.address_bits;
    this->input(
        COSIM_INPUT_AT(start, side.start, c),
        [c, address_bits](Model& m, const axi::DescriptorStart& start, const auto& field) {
          field("current", c, m.start_current, address_bits * c, address_bits, start.current);
          field("tail", c, m.start_tail, address_bits * c, address_bits, start.tail);
          field("first", c, m.start_first, c, 1, start.first);
          field("cyclic", c, m.start_cyclic, c, 1, start.cyclic);
        },
        side.left_starts, [this, &side](axi::DescriptorStart& start) { side.make(start, place(), place()); });
    this->watched_output(COSIM_OUTPUT_AT(event, side.event, c),
                         [c, address_bits](Model& m, const axi::DescriptorEvent& event, const auto& field) {
                           field("kind", c, m.event_kind, 2 * c, 2, static_cast<std::uint64_t>(event.kind));
                           field("address", c, m.event_address, address_bits * c, address_bits, event.address);
                           field("errors", c, m.event_errors, 11 * c, 11, event.errors);
                           field("packet_ended", c, m.event_packet_ended, c, 1, event.packet_ended);
                           field("starts", c, m.event_starts, 32 * c, 32, bits(event.starts));
                         });
  }

  void wire_mover(int c, DmaChannelSide& side) {
    const int address_bits = config_.address_bits;
    this->output(COSIM_OUTPUT_AT(command, side.command, c),
                 [c, address_bits](Model& m, const axi::TransferCommand& command, const auto& field) {
                   field("address", c, m.command_address, address_bits * c, address_bits, command.address);
                   field("bytes", c, m.command_bytes, 26 * c, 26, command.bytes);
                   field("ends", c, m.command_ends, c, 1, command.ends);
                   field("fresh", c, m.command_fresh, c, 1, command.fresh);
                 });
    this->input(
        COSIM_INPUT_AT(done, side.done, c),
        [c](Model& m, const axi::TransferDone& done, const auto& field) {
          field("bytes", c, m.done_bytes, 26 * c, 26, done.bytes);
          field("errors", c, m.done_errors, 3 * c, 3, done.errors / kSrDmaIntErr);
          field("begins", c, m.done_begins, c, 1, done.begins);
          field("ends", c, m.done_ends, c, 1, done.ends);
        },
        side.left_done, [&side](axi::TransferDone& done) { side.make(done); });
  }

  // Returns one of the places that hold descriptors.
  std::uint64_t place() {
    constexpr std::uint64_t kApart = 0x1000'0040;  // across every width of an address
    return kApart * bits(this->random.uniform(1, 6)) * (config_.address_bits > 32 ? 0x101 : 1) &
           mask(config_.address_bits) & ~bits(kDescBytes - 1);
  }

  std::uint32_t descriptor_word(int i) {
    const auto any = static_cast<std::uint32_t>(this->random.next());
    if (i == kDescNext / 4) {
      next_ = place();
      return static_cast<std::uint32_t>(next_) | (any & (kDescBytes - 1));
    }
    if (i == kDescNext / 4 + 1) return static_cast<std::uint32_t>(next_ >> 32) | (any & ~mask32(config_.address_bits));
    if (i == kDescControl / 4 && this->random.chance(3)) return any & ~((1U << config_.length_bits) - 1);
    if (i == kDescStatus / 4) return this->random.chance(4) ? any | kDescComplete : any & ~kDescComplete;
    return any;
  }
  // Returns the bits that an address has in its upper half.
  static std::uint32_t mask32(int address_bits) { return static_cast<std::uint32_t>(mask(address_bits) >> 32); }

  axi::Resp resp(int errors) {
    return this->random.chance(errors) ? static_cast<axi::Resp>(this->random.uniform(1, 3)) : axi::Resp::okay;
  }

  void next_phase() override {
    for (DmaChannelSide& side : channels_) side.next_phase();
    halts_in_ = this->random.chance(20) ? this->random.uniform(20, 300) : 0;
  }

  void before_edge() override {
    for (; taken_ < ar.pops(); ++taken_) left_words_ += kDescWords;
    for (; answered_ < std::min(aw.pops(), w.pops()); ++answered_) ++left_responses_;
    for (DmaChannelSide& side : channels_) side.before_edge(lines_.halt.next());
    reset();
  }

  // A reset waits until neither channel runs anything.
  void reset() {
    const bool busy = channels_[0].busy || channels_[1].busy;
    if (halts_in_ > 0 && --halts_in_ == 0 && busy) {
      lines_.halt.set(true);
      ++resets_;
    }
    if (!lines_.halt.next() || busy) return;
    lines_.halt.set(false);
    for (DmaChannelSide& side : channels_) side.reset();
  }

  void drive_levels(Model& m) override {
    m.halt = lines_.halt.get();
    m.run = static_cast<CData>(lines_.mm2s_run.get() | lines_.s2mm_run.get() << 1);
  }

  const contract::DmaConfig config_;
  DmaLines lines_;
  std::array<DmaChannelSide, 2> channels_;
  sim::Stream<axi::ReadBurst> ar;
  sim::Stream<axi::ReadBeat> r;
  sim::Stream<axi::WriteBurst> aw;
  sim::Stream<axi::WriteBeat> w;
  sim::Stream<axi::WriteResponse> b;
  axi::DescriptorEngine engine_;
  int left_words_ = 0, left_responses_ = 0, word_ = 0, halts_in_ = 0;
  std::uint64_t next_ = 0;  // address of the descriptor whose words are being made
  std::int64_t taken_ = 0, answered_ = 0, resets_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<DescriptorEngineLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
