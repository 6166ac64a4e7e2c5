// SPDX-License-Identifier: Apache-2.0
#include "cli/reproduce_faq_parts.h"
#include "cli/reproduce_papers.h"

namespace fansim::cli {

Reproduction reproduce_faq() {
  const TemporaryFolder folder;
  FaqRows rows;
  add_faq_performance(rows, folder);
  add_faq_loads(rows, folder);
  add_faq_resources(rows);
  return {rows.take(), {}, {}};
}

}  // namespace fansim::cli
