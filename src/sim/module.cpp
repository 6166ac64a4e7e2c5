// SPDX-License-Identifier: Apache-2.0
#include "sim/module.h"

#include "sim/violation.h"

namespace fansim::sim {

Counter::Counter(Module& owner, const char* counter_name, const char* counter_unit, const char* counter_doc)
    : name(counter_name), unit(counter_unit), doc(counter_doc), owner_(owner) {
  owner.counters_.push_back(this);
}

RegBase::RegBase(Module& owner, const char* name) : owner_(owner), name_(name) { owner.registers_.push_back(this); }

std::string RegBase::full_name() const { return std::string(owner_.name()) + "." + name_; }

void RegBase::wake(Module& reader) const {
  if (&reader.domain() != &owner_.domain())
    throw Violation(full_name(), owner_.now(), std::string("wakes ") + reader.name() + ", which has another clock");
  reader.domain_->wake_next(reader.awake_);
}

ClockDomain& Module::unclocked() {
  static ClockDomain domain{"unclocked", base::Rational{1, 1}};
  return domain;
}

void Module::start_of_simulation() {
  if (domain_ == &unclocked()) violation("nobody steps this block: make a sim::Scheduler before the simulation starts");
}

void Module::violation(const std::string& what) const { throw Violation(name(), now(), what); }

}  // namespace fansim::sim
