#include "framework/pipeline/starter_config.h"

#include <algorithm>
#include <utility>

namespace weft {
namespace {

// Of the reference: batches of predictions.
constexpr int kBatchOfTexts = 1000;
constexpr int kBatchOfTextsOnGpu = 128;

using Blocks = std::vector<std::pair<std::string, Object>>;

Blocks::iterator find_block(Blocks& blocks, const std::string& name) {
  return std::find_if(blocks.begin(), blocks.end(),
                      [&](const auto& block) { return block.first == name; });
}

// The blocks of the pipeline in order, with those that they refer to in front. Those may refer to
// further ones.
Blocks blocks_of(const StarterOptions& options, const Catalogue& catalogue,
                 const Object& reserved) {
  const auto block_of = [&](const std::string& name) {
    return std::pair(name, starter_block(name, options.lang, options.goal, catalogue, reserved));
  };
  Blocks blocks;
  for (const std::string& name : options.pipeline) blocks.push_back(block_of(name));
  for (std::size_t from_end = 0; from_end < blocks.size(); ++from_end) {
    const Object block = blocks[blocks.size() - 1 - from_end].second;
    for (const std::string& name : components_named_by(block)) {
      const auto there = find_block(blocks, name);
      if (there == blocks.end()) blocks.insert(blocks.begin(), block_of(name));
    }
  }
  return blocks;
}

// A component given by name that others refer to stands in front of them, wherever it was given.
void put_in_front(Blocks& blocks) {
  const Blocks all = blocks;
  for (const auto& [user, block] : all) {
    for (const std::string& name : components_named_by(block)) {
      const auto there = find_block(blocks, name);
      const auto own = find_block(blocks, user);
      if (own < there) std::rotate(blocks.begin(), there, there + 1);
    }
  }
}

Object paths_of(const StarterOptions& options) {
  Object paths;
  paths.set("train", Node());
  paths.set("dev", Node());
  paths.set("vectors", options.vectors ? Node(*options.vectors) : Node());
  return paths;
}

}  // namespace

Config starter_config(const StarterOptions& options, const Catalogue& catalogue,
                      const Object& reserved) {
  Blocks blocks = blocks_of(options, catalogue, reserved);
  put_in_front(blocks);
  List pipeline;
  Object components;
  for (auto& [name, block] : blocks) {
    pipeline.emplace_back(name);
    components.set(name, std::move(block));
  }
  Object system;
  system.set("gpu_allocator", Node());
  Object nlp;
  nlp.set("lang", options.lang);
  nlp.set("pipeline", std::move(pipeline));
  nlp.set("batch_size", options.gpu ? kBatchOfTextsOnGpu : kBatchOfTexts);
  Config config;
  config.root().set("paths", paths_of(options));
  config.root().set("system", std::move(system));
  config.root().set("nlp", std::move(nlp));
  config.root().set("components", std::move(components));
  return config;
}

}  // namespace weft
