// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "primitives/attribute.h"
#include "primitives/port.h"

namespace fansim::primitives {

// One primitive with its attributes set. Its ports are lists in the order of their declaration.
class Instance {
 public:
  struct Result {
    std::vector<Bits> outputs;
    std::string report;
  };
  virtual ~Instance() = default;
  virtual Result step(const std::vector<std::uint64_t>& inputs) = 0;
};

// A primitive that can be driven: its tables, and how to make one with `ATTRIBUTE=VALUE` settings.
struct Primitive {
  const char* name;  // the vendor's name
  const char* meaning;
  std::vector<PortRow> inputs, outputs;
  std::vector<AttributeRow> attributes;
  std::unique_ptr<Instance> (*make)(const std::vector<std::string>& settings);
};

template <class Core>
class CoreInstance final : public Instance {
 public:
  explicit CoreInstance(const typename Core::Attributes& attributes) : core_(attributes) {}
  Result step(const std::vector<std::uint64_t>& values) override {
    typename Core::Inputs inputs;
    inputs.visit(PortWriter(values));
    typename Core::Outputs outputs = core_.step(inputs);
    PortReader reader;
    outputs.visit(reader);
    return {std::move(reader).values(), std::move(outputs.report)};
  }

 private:
  Core core_;
};

template <class Attributes>
void set_attribute(Attributes& attributes, const std::string& setting) {
  AttributeSetter setter(setting);
  attributes.visit(setter);
  if (setter.found()) return;
  AttributeTable table;
  attributes.visit(table);
  std::vector<std::string> names;
  for (const AttributeRow& row : table.rows()) names.push_back(row.name);
  throw base::UserError(setter.where(),
                        "attribute '" + setter.name() + "' unknown" + base::did_you_mean(setter.name(), names));
}

template <class Core>
std::unique_ptr<Instance> make_instance(const std::vector<std::string>& settings) {
  typename Core::Attributes attributes;
  for (const std::string& setting : settings) set_attribute(attributes, setting);
  return std::make_unique<CoreInstance<Core>>(attributes);
}

template <class Core>
Primitive primitive(const char* name, const char* meaning) {
  PortTable inputs, outputs;
  AttributeTable attributes;
  typename Core::Inputs().visit(inputs);
  typename Core::Outputs().visit(outputs);
  typename Core::Attributes().visit(attributes);
  return {name, meaning, inputs.rows(), outputs.rows(), attributes.rows(), make_instance<Core>};
}

}  // namespace fansim::primitives
