#include <iostream>

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/suggest.h"
#include "registry/value/json.h"
#include "registry/writing/describe.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& name, const Words& known) {
  const auto near = nearest(name, known);
  throw Error(ErrorKind::usage,
              fmt::format("there is no {} '{}'{}", what, name,
                          near.empty() ? "" : fmt::format(" (did you mean {}?)", join_or(near))));
}

void print_list(const CommandLine& line,
                const std::vector<std::pair<std::string, std::string>>& rows) {
  if (line.has("json")) {
    List list;
    for (const auto& [name, doc] : rows) {
      Object object;
      object.set("name", name);
      object.set("doc", doc);
      list.emplace_back(std::move(object));
    }
    std::cout << to_standard_json(list) << '\n';
    return;
  }
  std::size_t width = 0;
  for (const auto& [name, doc] : rows) width = std::max(width, printable_brief(name).size());
  for (const auto& [name, doc] : rows) {
    std::cout << fmt::format("{:<{}}  {}\n", printable_brief(name), width, doc);
  }
}

void print_kinds(const CommandLine& line, const Catalogue& catalogue) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const std::string& kind : catalogue.kinds()) {
    rows.emplace_back(
        kind, fmt::format("{:>3}  {}", catalogue.names(kind).size(), catalogue.kind_doc(kind)));
  }
  print_list(line, rows);
}

void print_names(const CommandLine& line, const Catalogue& catalogue, const std::string& kind) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const std::string& name : catalogue.names(kind)) {
    const Function& function = *catalogue.find(kind, name);
    rows.emplace_back(name, function.doc() + (function.built() ? "" : " (known, not built yet)"));
  }
  print_list(line, rows);
}

}  // namespace

int run_registry(const Words& words) {
  CommandLine line(
      "registry [KIND [NAME]]",
      "Lists what a config can name; with a name its parameters, defaults and meaning.",
      "weft registry schedules compounding.v1");
  line.positional("KIND", "schedules, architectures, loggers ...", false);
  line.positional("NAME", "one function of that kind", false);
  line.accept_json();
  line.accept_code();
  if (!line.parse(words)) return 0;
  const Catalogue catalogue = load_catalogue(line);
  const std::string kind = line.text("KIND");
  const std::string name = line.text("NAME");
  if (kind.empty()) return print_kinds(line, catalogue), 0;
  if (!catalogue.has_kind(kind)) refuse("kind", kind, catalogue.kinds());
  if (name.empty()) return print_names(line, catalogue, kind), 0;
  const Function* function = catalogue.find(kind, name);
  if (function == nullptr) refuse("name in " + kind, name, catalogue.names(kind));
  if (line.has("json")) {
    std::cout << to_standard_json(describe_json(*function)) << '\n';
  } else {
    std::cout << describe_text(*function);
  }
  return 0;
}

}  // namespace weft::tools
