// SPDX-License-Identifier: Apache-2.0
#include "memory/answers.h"

#include <utility>

namespace fansim::memory {

bool Answers::holds(sim::Edge now) {
  bool holds = false;
  for (Trouble& trouble : troubles_) {
    if (!trouble.delays || !concerns(trouble)) continue;
    if (held_from_ == kNotHeld) held_from_ = now;
    tell(trouble);
    holds = holds || trouble.cycles == 0 || now < held_from_ + trouble.cycles;
  }
  return holds;
}

axi::Resp Answers::resp() {
  axi::Resp resp = axi::Resp::okay;
  for (Trouble& trouble : troubles_) {
    if (trouble.delays || !concerns(trouble)) continue;
    tell(trouble);
    resp = axi::worst(resp, trouble.resp);
  }
  return resp;
}

void Answers::tell(Trouble& trouble) {
  if (const auto happens = std::exchange(trouble.happens, nullptr)) happens();
}

}  // namespace fansim::memory
