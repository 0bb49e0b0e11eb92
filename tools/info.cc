#include <iostream>
#include <thread>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/pipeline/pipeline_hashes.h"
#include "registry/error.h"
#include "registry/input_file.h"
#include "registry/json.h"
#include "registry/plugin.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

Object build_facts(const CommandLine& line) {
  Object facts;
  facts.set("weft", WEFT_VERSION);
  facts.set("compiler", "GCC " __VERSION__);
  facts.set("plugin_abi", std::string(abi_tag()));
  facts.set("threads", static_cast<std::int64_t>(std::thread::hardware_concurrency()));
  facts.set("devices", List{"cpu"});
  List plugins;
  for (const std::string& library : line.texts("code")) {
    const PluginInfo info = inspect_plugin(library.substr(0, library.find('@')));
    plugins.emplace_back(fmt::format("{} {} ({})", info.name, info.version, info.file.string()));
  }
  facts.set("plugins", std::move(plugins));
  return facts;
}

Object pipeline_facts(const fs::path& folder) {
  if (!is_there(folder / "meta.json")) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is no pipeline: it has no meta.json", folder.string()));
  }
  auto meta = parse_json(read_file(folder / "meta.json", kMostSettings));
  if (!meta || !meta->is_object()) {
    throw Error(ErrorKind::data,
                fmt::format("{} is no JSON object", (folder / "meta.json").string()));
  }
  return std::move(meta->as_object());
}

void print_facts(const Object& facts, const std::string& indent) {
  for (const auto& [key, value] : facts) {
    if (value.is_object()) {
      std::cout << fmt::format("{}{}\n", indent, key);
      print_facts(value.as_object(), indent + "  ");
    } else {
      const std::string text = value.is_string() ? value.as_string() : to_json(value);
      std::cout << fmt::format("{}{:<18}{}\n", indent, key, text);
    }
  }
}

// 0: all files are as they were saved; 3: some are not.
int verify(const CommandLine& line, const fs::path& folder) {
  if (folder.empty()) throw Error(ErrorKind::usage, "--verify needs a PIPELINE");
  static_cast<void>(pipeline_facts(folder));  // says what is wrong with meta.json, if anything
  const HashCheck check = check_pipeline_files(folder);
  List differences;
  for (const std::string& difference : check.differences) differences.emplace_back(difference);
  if (line.has("json")) {
    Object document;
    document.set("files", static_cast<std::int64_t>(check.files));
    document.set("differences", std::move(differences));
    std::cout << to_standard_json(document) << '\n';
  } else {
    for (const std::string& difference : check.differences) {
      std::cout << to_json_string(difference) << '\n';
    }
    std::cout << fmt::format("{} files checked, {} differ\n", check.files,
                             check.differences.size());
  }
  return check.differences.empty() ? 0 : exit_code(ErrorKind::data);
}

}  // namespace

int run_info(const Words& words) {
  CommandLine line("info [PIPELINE]",
                   "Shows this build and its devices, or the card of a pipeline.",
                   "weft info out/model-best");
  line.positional("PIPELINE", "folder of a saved pipeline", false);
  line.flag("verify", "check the hashes of the pipeline's files");
  line.accept_json();
  line.accept_code();
  if (!line.parse(words)) return 0;
  const fs::path folder = line.path("PIPELINE");
  if (line.has("verify")) return verify(line, folder);
  const Object facts = folder.empty() ? build_facts(line) : pipeline_facts(folder);
  if (line.has("json")) {
    std::cout << to_standard_json(facts) << '\n';
  } else {
    Object shown = facts;
    shown.erase(kFileHashes);  // long; --verify uses them
    print_facts(shown, "");
  }
  return 0;
}

}  // namespace weft::tools
