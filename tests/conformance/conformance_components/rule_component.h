// A component of its own, built, initialised and run for a record.
#pragma once

#include <string>

#include "framework/pipeline/component.h"
#include "registry/functions/catalogue.h"
#include "tests/conformance/conformance_components/document.h"

namespace weft::conformance {

class RuleComponent {
 public:
  // The factory's product with `settings` over its defaults, bound to a vocabulary of the language.
  RuleComponent(const std::string& factory, const std::string& lang, const Catalogue& catalogue,
                const Json& settings);

  // As [initialize.components] would.
  void initialize(const Json& settings);
  // Reads lookups.bin with these tables, by name.
  void load_tables(const Json& tables);
  void run(Doc& doc) const;
  // The file of MessagePack of that name that the component writes.
  Json saved(const std::string& file) const;

  const VocabPtr& vocab() const { return vocab_; }

 private:
  VocabPtr vocab_;
  ComponentPtr component_;
};

}  // namespace weft::conformance
