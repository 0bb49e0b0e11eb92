#include "tests/conformance/conformance_components/rule_component.h"

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <utility>

#include <unistd.h>

#include "framework/io/atomic_file.h"
#include "framework/io/msgpack_node.h"
#include "framework/nn/model.h"
#include "framework/ops/context.h"
#include "framework/pipeline/language_words.h"
#include "framework/pipeline/slots.h"
#include "registry/building/resolve.h"
#include "registry/value/json.h"

namespace weft::conformance {
namespace {

namespace fs = std::filesystem;

Node node_of(const Json& json) {
  return *parse_json(json.dump());
}

ComponentPtr build(const std::string& factory, const Catalogue& catalogue, const Json& settings) {
  Object block = node_of(settings).as_object();
  block.set("factory", factory);
  Object root;
  root.set("one", std::move(block));
  Problems problems;
  auto selected =
      resolve_selected(Config(std::move(root)), "one", "factory", "factories", catalogue, problems);
  if (!selected) throw std::runtime_error(problems.empty() ? factory : problems[0].str());
  const Argument made = selected->function->call(selected->arguments);
  return *made.product().get<ComponentPtr>();
}

// A folder that goes when its owner does.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("weft_records_" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

// The outer keys of a table are hashed.
std::string packed_tables(const Json& tables) {
  MsgpackWriter out;
  out.map(static_cast<std::uint32_t>(tables.size()));
  for (const auto& [name, table] : tables.items()) {
    out.str(name);
    out.map(static_cast<std::uint32_t>(table.size()));
    for (const auto& [key, value] : table.items()) {
      out.unsigned_integer(string_id(key));
      write_node(out, node_of(value));
    }
  }
  return out.take();
}

}  // namespace

RuleComponent::RuleComponent(const std::string& factory, const std::string& lang,
                             const Catalogue& catalogue, const Json& settings)
    : component_(build(factory, catalogue, settings)) {
  auto vocab = std::make_shared<Vocab>(lang);
  set_language_words(*vocab, catalogue);
  vocab_ = std::move(vocab);
  component_->bind(factory, vocab_);
}

void RuleComponent::initialize(const Json& settings) {
  Context ctx;
  InitRandom random(0);
  const Object object = node_of(settings).as_object();
  InitContext init{ctx, random, {}, {}, object};
  component_->initialize(init);
}

void RuleComponent::load_tables(const Json& tables) {
  const Folder folder;
  fs::create_directories(folder.path / "lookups");
  write_file(folder.path / "lookups" / "lookups.bin", packed_tables(tables));
  component_->from_disk(folder.path);
}

void RuleComponent::run(Doc& doc) const {
  Context ctx;
  Slots slots(ctx);
  Doc* const docs[] = {&doc};
  component_->predict(ctx, docs, slots);
}

Json RuleComponent::saved(const std::string& file) const {
  const Folder folder;
  component_->to_disk(folder.path);
  const std::string bytes = read_file(folder.path / file);
  MemoryCursor cursor(bytes, file);
  MsgpackReader reader(cursor);
  return Json::parse(to_standard_json(read_node(reader)));
}

}  // namespace weft::conformance
