// The factory `entity_ruler`: entities that patterns find, with files of its own. spaCy 3.8.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "components/pipes/ruler_component.h"
#include "framework/io/atomic_file.h"
#include "framework/io/json_file.h"
#include "framework/io/pretty_json.h"
#include "framework/text/span_filter.h"
#include "framework/text/taken_tokens.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/functions/registration.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

struct Settings : PatternSettings {
  bool overwrite_ents = false;
  std::string ent_id_sep = "||";
  std::optional<Scorer> scorer;
};

class EntityRuler final : public RulerComponent {
 public:
  explicit EntityRuler(const Settings& c)
      : RulerComponent(c.phrase_matcher_attr, c.validate, c.scorer.value_or(Scorer())),
        overwrite_(c.overwrite_ents),
        separator_(c.ent_id_sep) {}

  // Of a label that has the separator in it, what stands before the last one.
  std::vector<std::string> labels() const override {
    std::set<std::string> labels;
    for (const std::string& label : RulerComponent::labels()) labels.insert(split(label).first);
    return {labels.begin(), labels.end()};
  }

  void to_disk(const fs::path& folder) const override {
    write_file(folder / "patterns.jsonl", stored_lines());
    Object cfg;
    cfg.set("overwrite", overwrite_);
    cfg.set("phrase_matcher_attr", phrase_attribute() ? Node(*phrase_attribute()) : Node());
    cfg.set("ent_id_sep", separator_);
    write_file(folder / "cfg", to_pretty_json(cfg));
  }
  void from_disk(const fs::path& folder) override {
    clear();
    if (is_there(folder / "cfg")) read_cfg(folder / "cfg");
    add_pattern_file(folder / "patterns.jsonl");
  }

 protected:
  // The longest first; of spans of the same tokens the one whose ids come first.
  void annotate(Doc& doc, std::vector<Span> found) const override {
    sort_longest_first(found);
    TakenTokens taken, annotated;
    std::vector<Span> ents = doc.ents();
    if (!overwrite_) {
      for (const Span& ent : ents) annotated.take(ent);
    }
    std::vector<Span> added;
    for (const Span& span : found) {
      if (annotated.anywhere(span) || taken.at_an_end(span)) continue;
      taken.take(span);
      added.push_back(span);
    }
    std::erase_if(ents, [&](const Span& ent) { return taken.anywhere(ent); });
    ents.insert(ents.end(), added.begin(), added.end());
    doc.set_ents(ents);
  }

 private:
  std::pair<std::string, std::string> split(const std::string& label) const {
    const std::size_t at = separator_.empty() ? label.npos : label.rfind(separator_);
    if (at == label.npos) return {label, ""};
    return {label.substr(0, at), label.substr(at + separator_.size())};
  }

  // A pattern under the label and id that its file tells apart.
  std::string stored_line(const std::string& key, const Node& pattern) const {
    const auto [label, id] = split(key);
    Object entry;
    entry.set("label", label);
    entry.set("pattern", pattern);
    if (!id.empty()) entry.set("id", id);
    return to_json(entry, JsonText::utf8) + "\n";
  }

  // Token patterns, then phrases, each grouped by label and id.
  std::string stored_lines() const {
    std::vector<const std::string*> order[2];
    std::map<std::string, std::string> groups[2];
    std::istringstream lines(this->lines());
    for (std::string line; std::getline(lines, line);) {
      const Node entry = *parse_json(line);
      const Object& object = entry.as_object();
      const Node& pattern = *object.find("pattern");
      const Node* id = object.find("id");
      std::string key = object.find("label")->as_string();
      if (id != nullptr && id->is_string()) key += separator_ + id->as_string();
      const int kind = pattern.is_string() ? 1 : 0;
      const auto [group, is_new] = groups[kind].try_emplace(key);
      if (is_new) order[kind].push_back(&group->first);
      group->second += stored_line(key, pattern);
    }
    std::string stored;
    for (const int kind : {0, 1}) {
      for (const std::string* key : order[kind]) stored += groups[kind][*key];
    }
    return stored;
  }

  void read_cfg(const fs::path& file) {
    const Object object = read_json_object(file);
    if (const Node* overwrite = object.find("overwrite")) {
      if (!overwrite->is_bool()) fail(file, "overwrite is true or false");
      overwrite_ = overwrite->as_bool();
    }
    if (const Node* separator = object.find("ent_id_sep")) {
      if (!separator->is_string()) fail(file, "ent_id_sep is a text");
      separator_ = separator->as_string();
    }
    if (const Node* attribute = object.find("phrase_matcher_attr")) {
      if (!attribute->is_null() && !attribute->is_string()) {
        fail(file, "phrase_matcher_attr is a name or null");
      }
      set_phrase_attribute(attribute->is_null() ? std::optional<std::string>()
                                                : std::optional(attribute->as_string()));
    }
  }
  [[noreturn]] static void fail(const fs::path& file, const char* what) {
    throw Error(ErrorKind::data, fmt::format("{}: {}", file.string(), what));
  }

  bool overwrite_;
  std::string separator_;
};

template <class V>
void fields(V& v, Settings& c) {
  pattern_fields(v, c);
  v("overwrite_ents", c.overwrite_ents, "replace entities that overlap new ones");
  v("ent_id_sep", c.ent_id_sep, "what stands between label and id in files");
  v.block("scorer", c.scorer, kEntityRulerScorer, "how entities are scored");
}

ComponentPtr entity_ruler(const Settings& c) {
  return std::make_shared<EntityRuler>(c);
}

const Registration registered =
    Registration{"entity_ruler", entity_ruler, "entities that patterns find"}.meta(R"({
  "default_score_weights": {"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type": null},
  "assigns": ["doc.ents", "token.ent_type", "token.ent_iob"]
})");

}  // namespace
}  // namespace weft
