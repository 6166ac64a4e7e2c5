// SPDX-License-Identifier: Apache-2.0
#include <tlm_utils/simple_initiator_socket.h>

#include <catch2/catch.hpp>
#include <deque>
#include <random>

#include "axi/dma.h"
#include "axi/pins/link.h"
#include "axi/tlm/memory_target.h"
#include "axi/tlm/register_target.h"
#include "ddr_rig.h"
#include "memory/outside_memory.h"
#include "support/foreign_memory.h"

namespace fansim::tlm_test {

namespace {

constexpr std::size_t kSize = 1 << 16;

struct Payload : tlm::tlm_generic_payload {
  Payload(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t>& data) {
    set_command(command);
    set_address(address);
    set_data_ptr(data.data());
    set_data_length(static_cast<unsigned>(data.size()));
    set_streaming_width(static_cast<unsigned>(data.size()));
  }
};

// Models a foreign processor: a thread that makes blocking calls.
struct Processor : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Processor> socket{"socket"};
  std::function<void(Processor&)> program;
  bool finished = false;

  explicit Processor(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Processor);
    SC_THREAD(run);
  }
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, double delay_ns = 0) {
    sc_core::sc_time delay(delay_ns, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }
  void write(std::uint64_t address, std::uint32_t value) {
    std::vector<std::uint8_t> data(4);
    std::memcpy(data.data(), &value, 4);
    Payload payload(tlm::TLM_WRITE_COMMAND, address, data);
    REQUIRE(access(payload) == tlm::TLM_OK_RESPONSE);
  }
  std::uint32_t read(std::uint64_t address) {
    std::vector<std::uint8_t> data(4);
    Payload payload(tlm::TLM_READ_COMMAND, address, data);
    REQUIRE(access(payload) == tlm::TLM_OK_RESPONSE);
    std::uint32_t value = 0;
    std::memcpy(&value, data.data(), 4);
    return value;
  }
  void run() {
    program(*this);
    finished = true;
  }
};

struct Port : axi::PortStreams {
  Port() : PortStreams("port") {}
  template <class Manager, class Memory>
  void join(Manager& manager, Memory& memory) {
    manager.ar(ar);
    memory.ar(ar);
    memory.r(r);
    manager.r(r);
    manager.aw(aw);
    memory.aw(aw);
    manager.w(w);
    memory.w(w);
    memory.b(b);
    manager.b(b);
  }
};

}  // namespace

TEST_CASE("a foreign processor reads and writes the clocked DDR at any address and length and byte enables") {
  const std::uint64_t seed = std::random_device{}();
  INFO("seed " << seed);
  test::Bench bench;
  axi::MemoryTarget target("target", {}, kSize);
  std::vector<std::uint8_t> expected = test::random_bytes(kSize, seed);
  auto ddr = memory::make_ddr("ddr", {}, {}, std::vector<std::uint8_t>(expected));
  Port port;
  port.join(target, *ddr);
  Processor processor("processor");
  processor.socket.bind(target.requests.socket);
  int wrong = 0;
  sc_core::sc_time spent;
  processor.program = [&](Processor& p) {
    base::Random random(seed);
    for (int n = 0; n < 300; ++n) {
      const bool write = random.chance(50);
      const auto length = static_cast<std::size_t>(random.chance(10) ? random.uniform(1, 9000) : random.uniform(1, 40));
      const auto address = static_cast<std::size_t>(random.uniform(0, static_cast<int>(kSize - length)));
      std::vector<std::uint8_t> data = test::random_bytes(length, random.next());
      const std::vector<std::uint8_t> before = data;
      Payload payload(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, data);
      std::vector<std::uint8_t> enables(static_cast<std::size_t>(random.uniform(1, 9)), TLM_BYTE_ENABLED);
      if (random.chance(40)) {
        for (auto& enable : enables) enable = random.chance(50) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
        payload.set_byte_enable_ptr(enables.data());
        payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
      }
      const sc_core::sc_time start = sc_core::sc_time_stamp();
      wrong += p.access(payload, random.uniform(0, 20)) != tlm::TLM_OK_RESPONSE;
      spent += sc_core::sc_time_stamp() - start;
      for (std::size_t i = 0; i < length; ++i) {
        const bool enabled = enables[i % enables.size()] == TLM_BYTE_ENABLED;
        if (write && enabled) expected[address + i] = before[i];
        if (!write) wrong += data[i] != (enabled ? expected[address + i] : before[i]);
      }
    }
  };
  REQUIRE(bench.run_until([&] { return processor.finished; }));
  CHECK(wrong == 0);
  CHECK(std::equal(expected.begin(), expected.end(), ddr->data()));
  // Nobody reads DDR in less than its latency.
  CHECK(spent / 300 > sc_core::sc_time(4 * contract::DdrConfig{}.read_latency / 2, sc_core::SC_NS));
}

TEST_CASE("errors of a request are told by its response and the next one is served") {
  test::Bench bench;
  axi::MemoryTarget target("target", {}, kSize);
  auto ddr = memory::make_ddr("ddr", {}, {}, std::vector<std::uint8_t>(kSize));
  Port port;
  port.join(target, *ddr);
  Processor processor("processor");
  processor.socket.bind(target.requests.socket);
  std::vector<tlm::tlm_response_status> seen;
  unsigned debugged = 1;
  bool direct = true;
  processor.program = [&](Processor& p) {
    std::vector<std::uint8_t> data(16);
    Payload outside(tlm::TLM_READ_COMMAND, kSize - 8, data);
    Payload narrow(tlm::TLM_READ_COMMAND, 0, data);
    narrow.set_streaming_width(8);
    Payload nothing(tlm::TLM_IGNORE_COMMAND, 0, data);
    Payload sound(tlm::TLM_READ_COMMAND, kSize - 16, data);
    for (Payload* payload : {&outside, &narrow, &nothing, &sound}) seen.push_back(p.access(*payload));
    debugged = p.socket->transport_dbg(sound);
    tlm::tlm_dmi dmi;
    direct = p.socket->get_direct_mem_ptr(sound, dmi);
  };
  REQUIRE(bench.run_until([&] { return processor.finished; }));
  CHECK(seen == std::vector<tlm::tlm_response_status>{tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_BURST_ERROR_RESPONSE,
                                                      tlm::TLM_COMMAND_ERROR_RESPONSE, tlm::TLM_OK_RESPONSE});
  CHECK(debugged == 0);
  CHECK_FALSE(direct);
}

namespace {

// Models an initiator of four phases that follows its rules and remembers what it saw.
struct PhasedInitiator : sc_core::sc_module, tlm::tlm_mm_interface {
  tlm_utils::simple_initiator_socket<PhasedInitiator> socket{"socket"};
  std::vector<std::string> seen;
  struct Transaction {
    Transaction(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t> bytes)
        : data(std::move(bytes)), payload(command, address, data) {}
    std::vector<std::uint8_t> data;
    Payload payload;
  };
  std::deque<Transaction> all;
  std::size_t begun = 0, ended = 0;
  int responses_open = 0, overlaps = 0;

  explicit PhasedInitiator(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_bw(this, &PhasedInitiator::nb_transport_bw);
    SC_HAS_PROCESS(PhasedInitiator);
    SC_METHOD(end_response);
    sensitive << respond_;
    dont_initialize();
  }
  void add(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t> bytes) {
    Transaction& t = all.emplace_back(command, address, std::move(bytes));
    t.payload.set_mm(this);
    t.payload.acquire();
  }
  void begin() {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay(7, sc_core::SC_NS);
    seen.push_back("BEGIN_REQ");
    const auto status = socket->nb_transport_fw(all[begun++].payload, phase, delay);
    REQUIRE(status == tlm::TLM_ACCEPTED);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    seen.emplace_back(phase.get_name());
    if (phase == tlm::END_REQ) {
      if (begun < all.size()) begin();
      return tlm::TLM_ACCEPTED;
    }
    overlaps += responses_open++ > 0;
    REQUIRE(payload.is_response_ok());
    responding_ = &payload;
    respond_.notify(30, sc_core::SC_NS);
    return tlm::TLM_ACCEPTED;
  }
  void end_response() {
    --responses_open;
    ++ended;
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    socket->nb_transport_fw(*responding_, phase, delay);
  }
  void free(tlm::tlm_generic_payload*) override {}

  sc_core::sc_event respond_;
  tlm::tlm_generic_payload* responding_ = nullptr;
};

}  // namespace

TEST_CASE("an initiator of four phases gets END_REQ and then one BEGIN_RESP at a time and its bytes") {
  test::Bench bench;
  axi::MemoryTarget target("target", {}, kSize);
  const std::vector<std::uint8_t> initial = test::random_bytes(kSize, 5);
  auto ddr = memory::make_ddr("ddr", {}, {}, std::vector<std::uint8_t>(initial));
  Port port;
  port.join(target, *ddr);
  PhasedInitiator initiator("initiator");
  initiator.socket.bind(target.requests.socket);
  const std::vector<std::uint8_t> written = test::random_bytes(200, 6);
  initiator.add(tlm::TLM_READ_COMMAND, 0x1003, std::vector<std::uint8_t>(100));
  initiator.add(tlm::TLM_READ_COMMAND, 0x2000, std::vector<std::uint8_t>(64));
  initiator.add(tlm::TLM_WRITE_COMMAND, 0x1000, written);
  initiator.add(tlm::TLM_READ_COMMAND, 0x1000, std::vector<std::uint8_t>(200));
  bench.at_each_edge([&](sim::Edge edge) {
    if (edge == 5) initiator.begin();
  });
  REQUIRE(bench.run_until([&] { return initiator.ended == 4; }, 10000));
  CHECK(std::equal(initiator.all[0].data.begin(), initiator.all[0].data.end(), initial.begin() + 0x1003));
  CHECK(std::equal(initiator.all[1].data.begin(), initiator.all[1].data.end(), initial.begin() + 0x2000));
  CHECK(initiator.all[3].data == written);
  CHECK(initiator.overlaps == 0);
  for (const char* phase : {"BEGIN_REQ", "END_REQ", "BEGIN_RESP"})
    CHECK(std::count(initiator.seen.begin(), initiator.seen.end(), phase) == 4);
}

TEST_CASE("the DDR's own socket grants direct memory and takes byte enables at no time") {
  test::Bench bench;
  const std::vector<std::uint8_t> initial = test::random_bytes(kSize, 7);
  auto ddr = memory::make_ddr("ddr", {}, {}, std::vector<std::uint8_t>(initial));
  Port port;
  axi::MemoryTarget target("target", {}, kSize);
  port.join(target, *ddr);
  Processor unused("unused"), processor("processor");
  unused.socket.bind(target.requests.socket);
  unused.program = [](Processor&) {};
  processor.socket.bind(ddr->socket);
  bool same = true, granted = false;
  std::vector<tlm::tlm_response_status> seen;
  processor.program = [&](Processor& p) {
    tlm::tlm_dmi dmi;
    std::vector<std::uint8_t> data(8, 0xaa);
    Payload payload(tlm::TLM_WRITE_COMMAND, 0x100, data);
    granted =
        p.socket->get_direct_mem_ptr(payload, dmi) && dmi.is_read_write_allowed() && dmi.get_end_address() == kSize - 1;
    std::uint8_t enables[] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
    payload.set_byte_enable_ptr(enables);
    payload.set_byte_enable_length(2);
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    seen.push_back(p.access(payload));
    same = same && sc_core::sc_time_stamp() == start && payload.is_dmi_allowed();
    for (std::size_t i = 0; i < 8; ++i)
      same = same && dmi.get_dmi_ptr()[0x100 + i] == (i % 2 == 0 ? 0xaa : initial[0x100 + i]);
    Payload outside(tlm::TLM_READ_COMMAND, kSize, data);
    seen.push_back(p.access(outside));
  };
  REQUIRE(bench.run_until([&] { return processor.finished; }));
  CHECK(same);
  CHECK(granted);
  CHECK(seen == std::vector<tlm::tlm_response_status>{tlm::TLM_OK_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE});
}

namespace {

// Contains a DMA with its registers behind a target socket, its two streams connected to each other, and a memory on
// its port.
struct CopyRig : sc_core::sc_module {
  CopyRig(const sc_core::sc_module_name& name, std::unique_ptr<memory::Ddr> memory)
      : sc_module(name), ddr(std::move(memory)) {
    registers.request(request);
    dma.registers.host(request);
    dma.registers.host_response(response);
    registers.response(response);
    dma.registers.pl(no_request);
    dma.registers.pl_response(no_response);
    dma.mm2s.ar(port.ar);
    ddr->ar(port.ar);
    ddr->r(port.r);
    dma.mm2s.r(port.r);
    dma.s2mm.aw(port.aw);
    ddr->aw(port.aw);
    dma.s2mm.w(port.w);
    ddr->w(port.w);
    ddr->b(port.b);
    dma.s2mm.b(port.b);
    dma.mm2s.m_axis(stream);
    dma.s2mm.s_axis(stream);
  }
  sim::Stream<axi::LiteRequest> request{"request"}, no_request{"no_request"};
  sim::Stream<axi::LiteResponse> response{"response"}, no_response{"no_response"};
  sim::Stream<axi::StreamBeat> stream{"stream"};
  Port port;
  axi::RegisterTarget registers{"registers"};
  axi::Dma dma{"dma", {}, {}};
  std::unique_ptr<memory::Ddr> ddr;
};

// Copies 5000 bytes as a driver does: it writes registers over TLM and polls for the end.
void copy(Processor& p) {
  p.write(0x30, 1);
  p.write(0x00, 1);
  p.write(0x48, 0x8000);
  p.write(0x58, 5000);
  p.write(0x18, 0x1003);
  p.write(0x28, 5000);
  while ((p.read(0x34) & 2) == 0) {
  }
}

template <class Foreign>
void copies_through(Foreign& foreign, test::Bench& bench) {
  const std::vector<std::uint8_t> initial = test::random_bytes(kSize, 8);
  auto outside = std::make_unique<memory::OutsideMemory>("outside", contract::DdrConfig{}, contract::AxiConfig{},
                                                         std::vector<std::uint8_t>(initial));
  outside->outside.bind(foreign.socket);
  CopyRig rig("rig", std::move(outside));
  Processor host("host");
  host.socket.bind(rig.registers.requests.socket);
  host.program = copy;
  REQUIRE(bench.run_until([&] { return host.finished; }));
  for (std::size_t i = 0; i < kSize; ++i) {
    const bool copied = i >= 0x8000 && i < 0x8000 + 5000;
    if (foreign.store.bytes[i] == initial[copied ? i - 0x8000 + 0x1003 : i]) continue;
    FAIL("byte " << i);
  }
  CHECK(std::equal(foreign.store.bytes.begin(), foreign.store.bytes.end(), rig.ddr->data()));
}

}  // namespace

TEST_CASE("a host outside programs the DMA whose data lie in a loosely timed memory of somebody else") {
  test::Bench bench;
  test::BlockingMemory foreign("foreign", kSize);
  copies_through(foreign, bench);
}

TEST_CASE("a host outside programs the DMA whose data lie in a memory of four phases and any order") {
  test::Bench bench;
  test::PhasedMemory foreign("foreign", kSize);
  copies_through(foreign, bench);
  CHECK(foreign.transactions > 2 * 5000 / 256);
}

TEST_CASE("TLM at both ends of pins: requests become bursts on checked wires and transactions again") {
  test::Bench bench;
  test::PhasedMemory foreign("foreign", kSize);
  memory::OutsideMemory outside("outside", {}, {}, test::random_bytes(kSize, 9));
  outside.outside.bind(foreign.socket);
  axi::MemoryTarget target("target", {}, kSize);
  axi::PortStreams near("near"), far("far");
  target.ar(near.ar);
  target.r(near.r);
  target.aw(near.aw);
  target.w(near.w);
  target.b(near.b);
  outside.ar(far.ar);
  outside.r(far.r);
  outside.aw(far.aw);
  outside.w(far.w);
  outside.b(far.b);
  const auto wires = axi::link_memory("wires", bench.clock, 128, near, far);
  Processor processor("processor");
  processor.socket.bind(target.requests.socket);
  const std::vector<std::uint8_t> sent = test::random_bytes(5003, 10);
  std::vector<std::uint8_t> got(sent.size());
  std::vector<tlm::tlm_response_status> seen;
  processor.program = [&](Processor& p) {
    std::vector<std::uint8_t> data = sent;
    Payload write(tlm::TLM_WRITE_COMMAND, 0x1ffd, data), read(tlm::TLM_READ_COMMAND, 0x1ffd, got);
    for (Payload* payload : {&write, &read}) seen.push_back(p.access(*payload));
  };
  REQUIRE(bench.run_until([&] { return processor.finished; }));
  CHECK(seen == std::vector<tlm::tlm_response_status>(2, tlm::TLM_OK_RESPONSE));
  CHECK(got == sent);
  CHECK(std::equal(sent.begin(), sent.end(), foreign.store.bytes.begin() + 0x1ffd));
  CHECK(wires->beats_checked() > 2 * 313);
}

TEST_CASE("a register access that is no word of its own is refused") {
  test::Bench bench;
  CopyRig rig("rig", memory::make_ddr("ddr", {}, {}, std::vector<std::uint8_t>(kSize)));
  Processor host("host");
  host.socket.bind(rig.registers.requests.socket);
  std::vector<tlm::tlm_response_status> seen;
  host.program = [&](Processor& p) {
    std::vector<std::uint8_t> word(4), half(2);
    std::uint8_t enable = TLM_BYTE_ENABLED;
    Payload odd(tlm::TLM_READ_COMMAND, 2, word);
    Payload small(tlm::TLM_READ_COMMAND, 0, half);
    Payload nothing(tlm::TLM_IGNORE_COMMAND, 0, word);
    Payload enabled(tlm::TLM_WRITE_COMMAND, 0, word);
    enabled.set_byte_enable_ptr(&enable);
    enabled.set_byte_enable_length(1);
    Payload sound(tlm::TLM_READ_COMMAND, 4, word);
    for (Payload* payload : {&odd, &small, &nothing, &enabled, &sound}) seen.push_back(p.access(*payload));
  };
  REQUIRE(bench.run_until([&] { return host.finished; }));
  CHECK(seen == std::vector<tlm::tlm_response_status>{tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_BURST_ERROR_RESPONSE,
                                                      tlm::TLM_COMMAND_ERROR_RESPONSE,
                                                      tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, tlm::TLM_OK_RESPONSE});
}

TEST_CASE("an error from outside is a violation that names the access") {
  test::Bench bench;
  test::BlockingMemory foreign("foreign", kSize / 2);
  auto outside = std::make_unique<memory::OutsideMemory>("outside", contract::DdrConfig{}, contract::AxiConfig{},
                                                         std::vector<std::uint8_t>(kSize));
  outside->outside.bind(foreign.socket);
  CopyRig rig("rig", std::move(outside));
  Processor host("host");
  host.socket.bind(rig.registers.requests.socket);
  host.program = copy;
  CHECK_THROWS_WITH(bench.run_until([&] { return host.finished; }),
                    Catch::Contains("moved 0 of 65536 bytes by debug transport"));
}

}  // namespace fansim::tlm_test
