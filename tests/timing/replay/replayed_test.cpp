// SPDX-License-Identifier: Apache-2.0
#include "timing/replay/replayed.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "base/random.h"

namespace fansim::replayed_test {

using timing::Clock;
using timing::Edge;

namespace {

const timing::TwoClocks kClocks({200, 1}, {300, 1}, 2);

// A server behind a clock crossing. Told of a customer in the fabric, it tells when the port begins with the customer,
// who takes as long as comes next of what is taken in; told of an answer at the port, it tells when the fabric sees it.
class Server {
 public:
  struct Event {
    enum class What : std::uint8_t { customer, answer, begun, seen };
    What what = What::customer;
    int beats = 0;
    Edge edge = 0;
    Clock clock() const { return what == What::customer || what == What::seen ? Clock::fabric : Clock::port; }
  };
  struct Inputs {
    std::vector<int> service;
    std::size_t next = 0, taken = 0;
    int take() { return service[next++]; }
  };

  void follow(const Event& told, Inputs& inputs, std::vector<Event>& events) {
    if (told.what == Event::What::customer) {
      const int takes = inputs.take();
      const Edge from = std::max({kClocks.seen_by_port(told.edge), free_, again_[again_.count() - 3]});
      again_.add(from + 11);
      free_ = from + takes;
      waiting_.push(takes);
      events.push_back({Event::What::begun, takes, from});
    } else {
      answered_ = std::max(told.edge, answered_ + 1);
      events.push_back({Event::What::seen, waiting_.pop(), kClocks.seen_by_fabric(answered_)});
    }
  }

  template <class V>
  void visit(V& v) {
    v.origin(Clock::port, std::max<Edge>(0, free_));
    v.edge(Clock::port, free_);
    std::int64_t customers = again_.count();
    v.counter(customers);
    v.history(Clock::port, again_, customers - 3, customers, free_);
    v.edge(Clock::port, answered_);
    v.queue(waiting_, [&](int& takes) { v.number(takes); });
    v.idle(waiting_.empty());
    v.told_from(answered_ + 1);
  }

 private:
  timing::History again_{4};  // when, for the third customer after each, the port is warm again
  Edge free_ = timing::kLongAgo, answered_ = timing::kLongAgo;
  timing::Queue<int> waiting_;
};

struct ServerTrace {
  static void take(Server::Inputs& inputs, std::vector<std::uint64_t>& words) {
    if (inputs.taken < inputs.next) words.push_back(inputs.next - inputs.taken);
    for (; inputs.taken < inputs.next; ++inputs.taken)
      words.push_back(static_cast<std::uint64_t>(inputs.service[inputs.taken]));
  }
  static bool again(Server::Inputs& inputs, const std::uint64_t* words) {
    const std::size_t count = *words++;
    for (std::size_t i = 0; i < count; ++i)
      if (static_cast<std::uint64_t>(inputs.service[inputs.next + i]) != words[i]) return false;
    inputs.next += count;
    inputs.taken = inputs.next;
    return true;
  }
};

using Events = std::vector<Server::Event>;
using What = Server::Event::What;

// Tells a random story, in which each event follows from those before; all that was told by the end.
template <class Follow>
std::vector<Edge> story(std::uint64_t seed, Edge from, Follow&& follow) {
  base::Random random(seed);
  Server::Inputs inputs;
  for (int i = 0; i < 400; ++i) inputs.service.push_back(random.chance(80) ? 4 : random.uniform(1, 9));
  timing::Queue<Server::Event> begun;
  std::vector<Edge> told;
  Edge now = from;
  const auto tell = [&](const Server::Event& event) {
    Events events;
    follow(event, inputs, events);
    for (const Server::Event& e : events) {
      told.insert(told.end(), {static_cast<Edge>(e.what), e.beats, e.edge});
      if (e.what == What::begun) begun.push(e);
    }
  };
  for (int i = 0; i < 400; ++i) {
    now += random.chance(80) ? 6 : random.uniform(0, 90);
    if (begun.size() == 3 || (!begun.empty() && random.chance(50))) {
      const Server::Event customer = begun.pop();
      tell({What::answer, 0, customer.edge + customer.beats});
      --i;
    } else {
      tell({What::customer, 0, now});
    }
  }
  return told;
}

}  // namespace

TEST_CASE("a replayed machine tells what the machine itself tells") {
  timing::TransitionTable table;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    const Edge from = static_cast<Edge>(seed) * 1'000'000;
    Server plain;
    const std::vector<Edge> expected = story(seed, from, [&](const Server::Event& told, auto& inputs, Events& events) {
      plain.follow(told, inputs, events);
    });
    timing::Replayed<Server, ServerTrace> replayed(kClocks, Server(), table);
    REQUIRE(story(seed, from, [&](const Server::Event& told, auto& inputs, Events& events) {
              replayed.follow(told, inputs, [&](const Server::Event& event) { events.push_back(event); });
            }) == expected);
  }
  CHECK(table.replayed() > table.told() / 2);
  CHECK(table.replayed() < table.told());
}

TEST_CASE("a machine whose state somebody else changes goes on from that") {
  timing::TransitionTable table;
  timing::Replayed<Server, ServerTrace> replayed(kClocks, Server(), table);
  Server::Inputs inputs{{4, 4, 4, 4, 4, 4}};
  Edge begun = 0;
  const auto hear = [&](const Server::Event& event) { begun = event.edge; };
  replayed.follow({What::customer, 0, 100}, inputs, hear);
  const Edge first = begun;
  replayed.machine() = Server();
  replayed.changed();
  replayed.follow({What::customer, 0, 100}, inputs, hear);
  CHECK(begun == first);  // at once, with no other in its way
  replayed.follow({What::customer, 0, 100}, inputs, hear);
  CHECK(begun == first + 4);
}

}  // namespace fansim::replayed_test
