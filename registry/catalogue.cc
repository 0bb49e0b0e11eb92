#include "registry/catalogue.h"

#include <fmt/format.h>

#include "registry/error.h"
#include "registry/registration.h"

namespace weft {

struct Catalogue::Kind {
  std::string doc;
  std::map<std::string, Function, std::less<>> functions;
};

Catalogue::Catalogue() = default;
Catalogue::~Catalogue() = default;
Catalogue::Catalogue(Catalogue&&) noexcept = default;
Catalogue& Catalogue::operator=(Catalogue&&) noexcept = default;

void Catalogue::add_kind(std::string kind, std::string doc) {
  Kind& entry = kinds_[std::move(kind)];
  if (!doc.empty()) entry.doc = std::move(doc);
}

void Catalogue::add(Function function) {
  if (function.library().empty()) function.set_library(adding_);
  Kind& kind = kinds_[function.kind()];
  const auto found = kind.functions.find(function.name());
  if (found != kind.functions.end()) {
    throw Error(
        ErrorKind::plugin,
        fmt::format("{} registers {} in {}, which {} has registered already", function.library(),
                    function.name(), function.kind(), found->second.library()));
  }
  std::string name = function.name();
  kind.functions.emplace(std::move(name), std::move(function));
}

void Catalogue::add(const Registration* list, std::string_view library) {
  adding_ = library;
  for (; list != nullptr; list = list->next()) {
    if (list->hook() != nullptr) {
      list->hook()(*this);
    } else {
      add(list->function());
    }
  }
  adding_ = "this program";
}

const Function* Catalogue::find(std::string_view kind, std::string_view name) const {
  const auto found = kinds_.find(kind);
  if (found == kinds_.end()) return nullptr;
  const auto& functions = found->second.functions;
  auto function = functions.find(name);
  constexpr std::string_view current = "spacy.";
  if (function == functions.end() && name.starts_with(current)) {
    function = functions.find(fmt::format("spacy-legacy.{}", name.substr(current.size())));
  }
  return function == functions.end() ? nullptr : &function->second;
}

bool Catalogue::has_kind(std::string_view kind) const {
  return kinds_.contains(kind);
}

std::vector<std::string> Catalogue::kinds() const {
  std::vector<std::string> result;
  for (const auto& [name, kind] : kinds_) result.push_back(name);
  return result;
}

std::vector<std::string> Catalogue::names(std::string_view kind) const {
  std::vector<std::string> result;
  const auto found = kinds_.find(kind);
  if (found == kinds_.end()) return result;
  for (const auto& [name, function] : found->second.functions) result.push_back(name);
  return result;
}

std::string_view Catalogue::kind_doc(std::string_view kind) const {
  const auto found = kinds_.find(kind);
  return found == kinds_.end() ? std::string_view() : std::string_view(found->second.doc);
}

}  // namespace weft
