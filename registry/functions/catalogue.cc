#include "registry/functions/catalogue.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {

struct Catalogue::Contents {
  using Functions = std::map<std::string, Function, std::less<>>;
  struct Kind {
    std::string doc;
    Functions functions;
  };
  std::map<std::string, Kind, std::less<>> kinds;
  std::vector<Functions::node_type> supplied;  // reservations, for those who found them before
  std::vector<std::function<void(std::int64_t)>> followers;  // of seeds
  std::string adding = "this program";  // the library whose functions are being added
};

Catalogue::Catalogue() : contents_(std::make_shared<Contents>()) {}

void Catalogue::add_kind(std::string kind, std::string doc) {
  auto& entry = contents_->kinds[std::move(kind)];
  if (!doc.empty()) entry.doc = std::move(doc);
}

void Catalogue::add(Function function) {
  if (function.library().empty()) function.set_library(contents_->adding);
  auto& functions = contents_->kinds[function.kind()].functions;
  const auto found = functions.find(function.name());
  if (found != functions.end()) {
    const Function& known = found->second;
    if (known.library() == function.library() || known.built() == function.built()) {
      throw Error(
          ErrorKind::plugin,
          fmt::format("{} registers {} in {}, which {} has registered already", function.library(),
                      function.name(), function.kind(), known.library()));
    }
    if (known.built()) return;
    contents_->supplied.push_back(functions.extract(found));
  }
  std::string name = function.name();
  functions.emplace(std::move(name), std::move(function));
}

void Catalogue::add(const Registration* list, std::string_view library) {
  contents_->adding = library;
  for (; list != nullptr; list = list->next()) {
    if (list->hook() != nullptr) {
      list->hook()(*this);
    } else {
      add(list->function());
    }
  }
  contents_->adding = "this program";
}

void Catalogue::on_seed(std::function<void(std::int64_t)> follow) {
  contents_->followers.push_back(std::move(follow));
}

void Catalogue::seed(std::int64_t number) const {
  for (const auto& follow : contents_->followers) follow(number);
}

const Function* Catalogue::find(std::string_view kind, std::string_view name) const {
  const auto found = contents_->kinds.find(kind);
  if (found == contents_->kinds.end()) return nullptr;
  const auto& functions = found->second.functions;
  auto function = functions.find(name);
  constexpr std::string_view current = "spacy.";
  if (function == functions.end() && name.starts_with(current)) {
    function = functions.find(fmt::format("spacy-legacy.{}", name.substr(current.size())));
  }
  return function == functions.end() ? nullptr : &function->second;
}

bool Catalogue::has_kind(std::string_view kind) const {
  return contents_->kinds.contains(kind);
}

std::vector<std::string> Catalogue::kinds() const {
  std::vector<std::string> result;
  for (const auto& [name, kind] : contents_->kinds) result.push_back(name);
  return result;
}

std::vector<std::string> Catalogue::names(std::string_view kind) const {
  std::vector<std::string> result;
  const auto found = contents_->kinds.find(kind);
  if (found == contents_->kinds.end()) return result;
  for (const auto& [name, function] : found->second.functions) result.push_back(name);
  return result;
}

std::string_view Catalogue::kind_doc(std::string_view kind) const {
  const auto found = contents_->kinds.find(kind);
  return found == contents_->kinds.end() ? std::string_view() : std::string_view(found->second.doc);
}

}  // namespace weft
