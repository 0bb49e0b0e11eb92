// Everything a config can name: functions by kind and name. An object, not a global: a program
// makes one, adds the built-in functions and the plugins, and passes it on. Copies share what they
// hold: an owner of one keeps the functions alive, and sees what is added later.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "registry/functions/function.h"

namespace weft {

class Registration;

class WEFT_API Catalogue {
 public:
  Catalogue();

  // Declares a kind, with or without functions in it. Adding a function declares its kind too.
  void add_kind(std::string kind, std::string doc = "");
  // A function that cannot be built reserves its name; one of another library that can takes its
  // place, whichever comes first. Any other name that the kind has already throws Error(plugin),
  // naming both libraries.
  void add(Function function);
  // All functions of a library's list (see registration.h). `library` is how messages call it.
  void add(const Registration* list, std::string_view library);

  // A library whose functions draw random numbers of their own, as Python's do, is told the seed of
  // a run before one of them is called.
  void on_seed(std::function<void(std::int64_t)> follow);
  void seed(std::int64_t number) const;

  // The function, or null. `spacy.X.v1` falls back to `spacy-legacy.X.v1`.
  const Function* find(std::string_view kind, std::string_view name) const;
  bool has_kind(std::string_view kind) const;

  std::vector<std::string> kinds() const;                       // sorted
  std::vector<std::string> names(std::string_view kind) const;  // sorted; empty for an unknown kind
  std::string_view kind_doc(std::string_view kind) const;

 private:
  struct Contents;
  std::shared_ptr<Contents> contents_;
};

}  // namespace weft
