#include <algorithm>
#include <filesystem>
#include <iostream>
#include <thread>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/json_file.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/pipeline/list_devices.h"
#include "framework/pipeline/pipeline_card.h"
#include "framework/pipeline/pipeline_hashes.h"
#include "framework/text/printable.h"
#include "framework/training/run_summary.h"
#include "registry/base/compiler.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/plugins/plugin.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/name_list.h"
#include "tools/setup.h"
#include "tools/terminal.h"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

List list_of(const std::vector<std::string>& texts) {
  return List(texts.begin(), texts.end());
}

void add_plugins(const std::vector<PluginInfo>& plugins, Object& facts) {
  List names;
  List brought;
  for (const PluginInfo& plugin : plugins) {
    names.emplace_back(
        fmt::format("{} {} ({})", plugin.name, plugin.version, plugin.file.string()));
    for (const std::string& library : plugin.brings) {
      brought.emplace_back(fmt::format("{} (of {})", library, plugin.name));
    }
  }
  facts.set("plugins", std::move(names));
  if (!brought.empty()) facts.set("not_in_any_hash", std::move(brought));
}

Object build_facts(const std::vector<PluginInfo>& plugins) {
  Object facts;
  facts.set("weft", WEFT_VERSION);
  facts.set("compiler", std::string(compiler_name()));
  facts.set("plugin_abi", std::string(abi_tag()));
  facts.set("threads", static_cast<std::int64_t>(std::thread::hardware_concurrency()));
  const DeviceList devices = list_devices();
  facts.set("devices", list_of(devices.devices));
  if (!devices.why_no_gpu.empty()) facts.set("no_gpu", devices.why_no_gpu);
  add_plugins(plugins, facts);
  return facts;
}

Object pipeline_facts(const fs::path& folder) {
  if (!is_there(folder / "meta.json")) {
    // A name that leads to no folder is a mistake of the command line, a folder is read.
    const bool is_folder = fs::is_directory(folder);
    const char* fault =
        fs::exists(folder) ? "it has no meta.json" : "there is nothing of that name";
    throw Error(is_folder ? ErrorKind::data : ErrorKind::usage,
                fmt::format("{} is no pipeline: {}", folder.string(), fault));
  }
  return read_json_object(folder / "meta.json");
}

// A list for people: no more lines than they read. `--json` has all of it.
class FactList {
 public:
  void print(const Object& facts, std::size_t depth = 0) {
    const std::string indent(2 * std::min(depth, kDeepest), ' ');
    for (const auto& [key, value] : facts) {
      if (++lines_ > kMostLines) continue;
      const std::string name = shortened(key, kLongestKey);
      if (value.is_object()) {
        std::cout << fmt::format("{}{}\n", indent, name);
        print(value.as_object(), depth + 1);
      } else {
        const std::string text = value.is_string() ? value.as_string() : to_json(value);
        std::cout << fmt::format("{}{:<18}{}\n", indent, name, shortened(text, kLongestMessage));
      }
    }
  }
  void finish() const {
    if (lines_ <= kMostLines) return;
    std::cout << fmt::format("... and {} entries more; --json has all\n", lines_ - kMostLines);
  }

 private:
  static constexpr std::size_t kMostLines = 1000, kLongestKey = 200, kDeepest = 20;
  std::size_t lines_ = 0;
};

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
    constexpr std::size_t kMostShown = 100;
    const std::size_t shown = std::min(kMostShown, check.differences.size());
    for (std::size_t i = 0; i < shown; ++i) {
      std::cout << to_json_string(check.differences[i]) << '\n';
    }
    if (shown < check.differences.size()) std::cout << "... and more; --json has all\n";
    std::cout << fmt::format("{} files checked, {} differ\n", check.files,
                             check.differences.size());
  }
  return check.differences.empty() ? 0 : exit_code(ErrorKind::data);
}

}  // namespace

int run_info(const Words& words) {
  CommandLine line(
      "info [PIPELINE]",
      "Shows this build and its devices, the card of a pipeline, or what became of a run.",
      "weft info out/model-best");
  line.positional("PIPELINE", "folder of a saved pipeline, or of a run (--output of train)", false);
  line.flag("verify", "check the hashes of the pipeline's files");
  line.flag("markdown,m", "as Markdown: a pipeline's card, or a list for a report");
  line.also("markdown", {"-md"});
  line.option("exclude,e", "KEYS", "leave out these entries, separated by commas");
  line.flag("silent,s", "print nothing; the exit code says whether it is a pipeline");
  line.accept_json();
  line.accept_code();
  line.accept_pipelines();
  if (!line.parse(words)) return 0;
  const std::vector<std::string> folders = line.texts("pipelines");
  set_pipeline_folders({folders.begin(), folders.end()});
  const std::string name = line.text("PIPELINE");
  const fs::path folder = name.empty() ? fs::path() : find_pipeline(name);
  const std::vector<PluginInfo> plugins = inspect_plugins(line);
  if (line.has("verify")) return verify(line, folder);
  Object facts = folder.empty()          ? build_facts(plugins)
                 : is_run_folder(folder) ? describe_run(read_run(folder))
                                         : pipeline_facts(folder);
  for (const std::string& key : split_names(line.text("exclude"))) facts.erase(key);
  if (line.has("silent")) return 0;
  if (line.has("json")) {
    std::cout << to_standard_json(facts) << '\n';
  } else if (line.has("markdown")) {
    facts.erase(kFileHashes);
    const bool is_card = !folder.empty() && !is_run_folder(folder);
    std::cout << (is_card ? pipeline_card(facts) : entries_as_markdown(facts, "Info about weft"));
  } else {
    Object shown = facts;
    shown.erase(kFileHashes);  // long; --verify uses them
    FactList list;
    list.print(shown);
    list.finish();
  }
  return 0;
}

}  // namespace weft::tools
