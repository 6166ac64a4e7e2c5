// SPDX-License-Identifier: Apache-2.0
#include "axi/read_bursts.h"

#include <fmt/format.h>

namespace fansim::axi {

std::string ReadBursts::take(const ReadBeat& beat, sim::Edge now) {
  if (in_flight_.empty()) return "read data that nobody asked for";
  if (beat.resp > Resp::exokay) return fmt::format("RRESP is {}", beat.resp == Resp::slverr ? "SLVERR" : "DECERR");
  int& left = in_flight_.front().beats;
  if (beat.last != (--left == 0)) return fmt::format("RLAST is {} with {} beats to come", int{beat.last}, left);
  if (left > 0) return {};
  in_flight_.pop();
  take_from_ = now + 1 + gap_;
  return {};
}

}  // namespace fansim::axi
