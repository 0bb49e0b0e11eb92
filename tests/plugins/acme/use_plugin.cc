// use_plugin PLUGIN: loads it and builds what a config names.
// use_plugin PLUGIN PIPELINE: loads it and a pipeline that was trained with it, and annotates a
// text. Without the plugin ("-"), the pipeline says what is missing.
#include <iostream>

#include "sprinkler.h"

#include "components/weft.h"
#include "registry/base/error.h"
#include "registry/building/resolve.h"
#include "registry/plugins/plugin.h"
#include "registry/reading/cfg_reader.h"

namespace {

constexpr std::string_view kConfig = R"(
[garden]
@acme.sprinklers = "acme.Sprinkler.v1"
litres = 12
)";

int annotate(const std::string& library, const char* folder) {
  weft::Catalogue catalogue;
  weft::add_builtin(catalogue);
  if (library != "-") weft::load_plugin(library, catalogue);
  const weft::Doc doc = (*weft::load(folder, catalogue))("Ada went to Oslo . Grace stayed .");
  for (const weft::TextCategory& cat : doc.cats()) {
    std::cout << cat.label << ' ' << std::get<std::int64_t>(cat.value) << '\n';
  }
  std::cout << doc.sents().size() << " sentences\n";
  return 0;
}

int build(const char* library) {
  weft::Catalogue catalogue;
  const weft::PluginInfo plugin = weft::load_plugin(library, catalogue);
  weft::Problems problems;
  const weft::Config config = weft::read_cfg(kConfig, "garden.cfg", problems);
  const auto garden = weft::resolve_at(config, "garden", catalogue, weft::Schemas(), problems);
  for (const weft::Problem& problem : problems) std::cerr << problem.str() << '\n';
  if (!garden) return 1;
  const auto& made = *garden->product().get<acme::Sprinkler>();
  std::cout << plugin.name << ' ' << plugin.version << ": " << made.litres << " litres through "
            << made.heads << " heads\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) return 2;
  try {
    return argc == 2 ? build(argv[1]) : annotate(argv[1], argv[2]);
  } catch (const weft::Error& error) {
    std::cerr << error.what() << '\n';
    return weft::exit_code(error.kind());
  }
}
