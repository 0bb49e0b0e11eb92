#include "framework/pipeline/component_failure.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/foreign_exception.h"

namespace weft {
namespace {

constexpr int kTokensShown = 8;

std::string beginning(const Doc& doc) {
  return fmt::format("begins with \"{}\"",
                     printable(doc.span_text(0, std::min(doc.size(), kTokensShown))));
}

[[noreturn]] void fail(const ComponentFailure& failure, const std::string& where) {
  throw Error(ErrorKind::internal, fmt::format("the component '{}' failed: {}; {}",
                                               failure.component, failure.what, where));
}

}  // namespace

void run_component(const std::string& name, const std::function<void()>& part) {
  try {
    part();
  } catch (const ComponentFailure&) {
    throw;
  } catch (...) {
    throw ComponentFailure{name, foreign_words().value_or(std::string(kNoStdException))};
  }
}

void throw_failure(const ComponentFailure& failure, const Doc& doc) {
  fail(failure, fmt::format("the document of {} tokens {}", doc.size(), beginning(doc)));
}

void throw_failure(const ComponentFailure& failure) {
  fail(failure, "it fails of none of these documents alone");
}

void throw_failure(const ComponentFailure& failure, std::span<Example* const> examples) {
  if (examples.empty()) fail(failure, "there was no document");
  const Doc& first = examples.front()->reference();
  const std::string place = examples.front()->place().str();
  const std::string at = place.empty() ? "" : place + ", ";
  fail(failure,
       examples.size() == 1
           ? fmt::format("the document ({}{} tokens) {}", at, first.size(), beginning(first))
           : fmt::format("the first of {} documents ({}{} tokens) {}", examples.size(), at,
                         first.size(), beginning(first)));
}

}  // namespace weft
