// Readers say where they are registered whether they give annotated documents, for the message
// about one that cannot. It has to be true of the reader that is made.
#include <string>

#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/training/reader.h"
#include "registry/building/resolve.h"
#include "registry/functions/catalogue.h"
#include "registry/functions/fact.h"

namespace weft {
namespace {

// A value for a setting that a reader cannot do without.
Node some_value(const Type& type) {
  if (type.kind() == Type::Kind::boolean) return false;
  if (type.kind() == Type::Kind::integer) return 0;
  return type.admits_null() ? Node() : Node("x");
}

bool makes_reader(const Function& function) {
  const Type& made = function.result();
  return made.kind() == Type::Kind::product && made.product_type() == ProductType::of<Reader>();
}

Reader made_by(const Function& function, const Catalogue& catalogue) {
  Object section, values;
  section.set("@readers", function.name());
  for (const FunctionParameter& parameter : function.signature().parameters) {
    if (parameter.required()) section.set(parameter.name, some_value(parameter.type));
  }
  values.set("corpus", std::move(section));
  Problems problems;
  const auto made = resolve_at(Config(std::move(values)), "corpus", catalogue, {}, problems);
  for (const Problem& problem : problems) ADD_FAILURE() << problem.str();
  return made ? *made->product().get<Reader>() : Reader();
}

TEST(AnnotatedReaders, EachSaysOfItselfWhatIsTrue) {
  Catalogue catalogue;
  add_builtin(catalogue);
  int says_so = 0, says_nothing = 0;
  for (const std::string& name : catalogue.names("readers")) {
    const Function& function = *catalogue.find("readers", name);
    if (!function.built() || !makes_reader(function)) continue;
    const bool says = has_fact(function, "read_annotated");
    (says ? says_so : says_nothing) += 1;
    EXPECT_EQ(made_by(function, catalogue).read_annotated != nullptr, says) << name;
  }
  EXPECT_GE(says_so, 5);
  EXPECT_GE(says_nothing, 1);
}

}  // namespace
}  // namespace weft
