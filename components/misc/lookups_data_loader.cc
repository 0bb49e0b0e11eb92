// spacy.LookupsDataLoader.v1: tables from the Python package spacy-lookups-data, which only Python
// can load. Source: spaCy 3.8.
#include <string>
#include <vector>

#include "framework/text/lookups.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct LookupsDataLoader {
  std::string lang;
  std::vector<std::string> tables;
};

template <class V>
void fields(V& v, LookupsDataLoader& c) {
  v.required("lang", c.lang, "language code");
  v.required("tables", c.tables, "names of the tables");
}

Lookups load(const LookupsDataLoader& c) {
  if (c.tables.empty()) return {};
  throw Error(
      ErrorKind::config,
      "spacy.LookupsDataLoader.v1 reads the Python package spacy-lookups-data, which weft"
      " cannot load. Give the JSON files of the package to @misc = \"weft.read_lookups.v1\","
      " or take the tables of a saved pipeline with @callbacks ="
      " \"spacy.copy_from_base_model.v1\" in [initialize.before_init]");
}

const Registration registered{"spacy.LookupsDataLoader.v1", load,
                              "tables from a Python package; says what to use instead"};

}  // namespace
}  // namespace weft
