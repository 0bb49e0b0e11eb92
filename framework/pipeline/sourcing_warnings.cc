#include "framework/pipeline/sourcing_warnings.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/check_listeners.h"
#include "framework/pipeline/component_name.h"
#include "framework/pipeline/sourced_component.h"
#include "framework/text/vectors_file.h"
#include "framework/text/vocab.h"

namespace weft {
namespace {

std::vector<Vectors::KeyRow> sorted_keys(const Vectors& vectors) {
  std::vector<Vectors::KeyRow> keys = vectors.keys();
  std::sort(keys.begin(), keys.end());
  return keys;
}

// The name of a table of vectors is its own affair.
bool same_vectors(const Vectors& left, const Vectors& right) {
  if (left.rows() != right.rows()) return false;
  if (left.rows() == 0) return true;
  if (left.width() != right.width() || left.mode() != right.mode() || left.attr() != right.attr()) {
    return false;
  }
  const auto bytes = static_cast<std::size_t>(left.table().size()) * sizeof(float);
  return std::memcmp(left.table().data<float>(), right.table().data<float>(), bytes) == 0 &&
         sorted_keys(left) == sorted_keys(right);
}

Problem warning(Origin place, std::string path, std::string message) {
  Problem problem;
  problem.severity = Severity::warning;
  problem.place = std::move(place);
  problem.path = std::move(path);
  problem.message = std::move(message);
  return problem;
}

Origin place_of(const Config& values, const std::string& path) {
  const Node* node = values.find(path);
  return node == nullptr ? Origin() : node->origin;
}

}  // namespace

Problems vector_warnings(const Language& nlp, const Config& values) {
  Problems warnings;
  std::map<std::filesystem::path, bool> same;  // by the folder of the source
  for (const NamedComponent& named : nlp.pipeline()) {
    const auto source = sourced_component(values, named.name);
    if (!source || !named.component->is_trainable()) continue;
    const auto known = same.find(source->folder);
    const bool is_same = known != same.end() ? known->second
                                             : same_vectors(read_vectors(source->folder / "vocab"),
                                                            nlp.vocab()->vectors());
    same[source->folder] = is_same;
    if (is_same) continue;
    warnings.push_back(warning(
        source->place, "components." + named.name + ".source",
        fmt::format("the word vectors of {} are not those of this pipeline, with which '{}' will "
                    "not do as well; give it the same by [initialize] vectors",
                    source->folder.string(), named.name)));
  }
  return warnings;
}

Problems frozen_warnings(const Language& nlp, const Config& values,
                         const std::vector<std::string>& frozen,
                         const std::vector<std::string>& annotating) {
  Problems warnings;
  const std::string setting = "training.frozen_components";
  for (std::size_t i = 0; i < nlp.pipeline().size(); ++i) {
    const NamedComponent& named = nlp.pipeline()[i];
    for (const Model* node : listeners_in(*named.component)) {
      const NamedComponent* upstream = heard(nlp.pipeline().first(i), *listener_of(*node));
      if (upstream == nullptr) continue;
      const bool is_frozen = names_contain(frozen, named.name);
      const bool hears_frozen = names_contain(frozen, upstream->name);
      if (is_frozen && !hears_frozen) {
        warnings.push_back(warning(
            place_of(values, setting), setting,
            fmt::format("'{0}' is trained while '{1}', which listens to it, is frozen: what '{1}' "
                        "was trained on changes under it; freeze '{0}' too, or give '{1}' its own "
                        "copy by replace_listeners",
                        upstream->name, named.name)));
      }
      if (hears_frozen && !is_frozen && !names_contain(annotating, upstream->name)) {
        warnings.push_back(warning(
            place_of(values, setting), setting,
            fmt::format("'{0}' is frozen and not among annotating_components: '{1}' is trained on "
                        "its vectors all the same, but spaCy stops at a config like this; name "
                        "'{0}' there too",
                        upstream->name, named.name)));
      }
    }
  }
  return warnings;
}

}  // namespace weft
