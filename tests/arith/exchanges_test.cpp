// SPDX-License-Identifier: Apache-2.0
#include "arith/exchanges.h"

#include <catch2/catch.hpp>
#include <cstdint>

namespace fansim::exchanges_test {

using namespace arith;

namespace {

// By the zero-one principle a network of exchanges gives the median of all values if it does of zeros and ones.
// Sixty-four inputs at once, a bit each: the smaller of two bits is their and, the larger their or.
bool finds_median(const ExchangeNetwork& network, int values) {
  constexpr std::uint64_t kPattern[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                        0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
  for (std::uint64_t block = 0; block < std::uint64_t{1} << (values > 6 ? values - 6 : 0); ++block) {
    std::vector<std::uint64_t> bits;
    for (int i = 0; i < values; ++i) bits.push_back(i < 6 ? kPattern[i] : block >> (i - 6) & 1 ? ~std::uint64_t{0} : 0);
    std::uint64_t expected = 0;
    const int of_block = __builtin_popcountll(block);
    for (int lane = 0; lane < 64; ++lane)
      if (of_block + __builtin_popcount(static_cast<unsigned>(lane)) > values / 2) expected |= std::uint64_t{1} << lane;
    for (const Exchange& e : network.exchanges) {
      const std::uint64_t low = bits[e.low], high = bits[e.high];
      bits[e.low] = low & high;
      bits[e.high] = low | high;
    }
    if (bits[static_cast<std::size_t>(network.median)] != expected) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("every network of exchanges finds the median of nine and of twenty-five values") {
  for (const MedianNetwork kind : {MedianNetwork::exchange19, MedianNetwork::sorting, MedianNetwork::bubble})
    for (const int values : {9, 25}) {
      INFO(static_cast<int>(kind) << " of " << values);
      CHECK(finds_median(median_network(kind, values), values));
    }
}

TEST_CASE("networks of nine have the exchanges that they are known for") {
  CHECK(median_network(MedianNetwork::exchange19, 9).exchanges.size() == 19);
  CHECK(median_network(MedianNetwork::sorting, 9).exchanges.size() == 25);
  CHECK(median_network(MedianNetwork::sorting, 9).depth == 7);
  // Passes of 8, 7, 6, 5 and 4 exchanges.
  CHECK(median_network(MedianNetwork::bubble, 9).exchanges.size() == 30);
}

TEST_CASE("an exchange waits for the layers of both its values") {
  const ExchangeNetwork network = median_network(MedianNetwork::exchange19, 25);
  std::vector<int> layers(25);
  for (std::size_t i = 0; i < network.exchanges.size(); ++i) {
    const Exchange& e = network.exchanges[i];
    CHECK(network.layer[i] >= std::max(layers[e.low], layers[e.high]));
    layers[e.low] = layers[e.high] = network.layer[i] + 1;
  }
}

TEST_CASE("leaving out an exchange of the nineteen is noticed") {
  ExchangeNetwork network = median_network(MedianNetwork::exchange19, 9);
  for (std::size_t i = 0; i < network.exchanges.size(); ++i) {
    ExchangeNetwork less = network;
    less.exchanges.erase(less.exchanges.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK_FALSE(finds_median(less, 9));
  }
}

}  // namespace fansim::exchanges_test
