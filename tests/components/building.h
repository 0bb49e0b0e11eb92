// Builds one registered function from the text of its block, for the tests of components.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "components/builtin.h"
#include "registry/building/resolve.h"
#include "registry/reading/cfg_reader.h"

namespace weft::testing {

// The product of the block `[block]` followed by `text`. Problems fail the test and throw.
template <class T>
T build(std::string_view text) {
  Catalogue catalogue;
  add_builtin(catalogue);
  Problems problems;
  const Config config = read_cfg("[block]\n" + std::string(text), "test", problems);
  auto result = resolve_at(config, "block", catalogue, {}, problems);
  for (const Problem& problem : problems) ADD_FAILURE() << problem.str();
  T* product = result && result->is_product() ? result->product().get<T>() : nullptr;
  if (product == nullptr) throw std::runtime_error("the block gives no such product");
  return std::move(*product);
}

}  // namespace weft::testing
