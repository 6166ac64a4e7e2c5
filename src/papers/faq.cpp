// SPDX-License-Identifier: Apache-2.0
#include "papers/faq_parts.h"
#include "papers/papers.h"

namespace fansim::papers {

Reproduction reproduce_faq() {
  FaqRows rows;
  add_faq_performance(rows);
  add_faq_loads(rows);
  add_faq_resources(rows);
  add_faq_search(rows);
  return {rows.take(), {}, {}};
}

}  // namespace fansim::papers
