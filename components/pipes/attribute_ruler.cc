// The factory `attribute_ruler`: sets attributes of tokens by patterns. It has no network.
// spaCy 3.8.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/msgpack_node.h"
#include "framework/matching/attribute_rules.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/document_error.h"
#include "framework/pipeline/has_patterns.h"
#include "framework/pipeline/score_sessions.h"
#include "framework/text/example.h"
#include "framework/text/symbols.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

[[noreturn]] void fail(const std::string& place, const std::string& what) {
  throw Error(ErrorKind::data, place + ": " + what);
}

// One entry of a list of rules, as files and readers give it.
AttributeRule rule_of(const Node& node, const std::string& place) {
  if (!node.is_object()) fail(place, fmt::format("a rule is a map, not {}", node.type_name()));
  const Node* patterns = node.as_object().find("patterns");
  const Node* attrs = node.as_object().find("attrs");
  const Node* index = node.as_object().find("index");
  if (patterns == nullptr || !patterns->is_list()) fail(place, "'patterns' is no list");
  if (attrs == nullptr || !attrs->is_object()) fail(place, "'attrs' is no map");
  AttributeRule rule{patterns->as_list(), attrs->as_object(), 0};
  if (index == nullptr) return rule;
  if (!std::holds_alternative<std::int64_t>(index->value())) fail(place, "'index' is no number");
  rule.index = index->as_integer();
  return rule;
}

struct AttributeRulerInit {
  std::optional<std::vector<Object>> patterns;
  std::optional<std::map<std::string, Object>> tag_map;
  std::optional<std::map<std::string, std::map<std::string, Object>>> morph_rules;
};

template <class V>
void fields(V& v, AttributeRulerInit& c) {
  v("patterns", c.patterns, "rules: patterns, and the attributes of what they find", strict);
  v("tag_map", c.tag_map, "attributes of tokens by their tags", strict);
  v("morph_rules", c.morph_rules, "attributes of tokens by their tags and texts", strict);
}

// spaCy keeps the numbers of attributes where a program gave these in the place of their names.
std::string name_of_attribute(std::int64_t number) {
  const auto name = symbol_name(static_cast<StringId>(number));
  return name ? std::string(*name) : std::to_string(number);
}

class AttributeRuler final : public Component, public HasPatterns {
 public:
  AttributeRuler(bool validate, Scorer scorer) : validate_(validate), scorer_(std::move(scorer)) {}

  Signature init_settings() const override { return signature_of<AttributeRulerInit>(); }
  // All rules come from the settings; those that were there before go.
  void initialize(InitContext& init) override {
    rules_.reset();
    if (const Node* patterns = init.given("patterns")) {
      add_list(*patterns, "the patterns of " + name());
    }
    if (const Node* map = init.given("tag_map")) add_all(rules_of_tag_map(map->as_object()));
    if (const Node* by_tag = init.given("morph_rules")) {
      add_all(rules_of_morph_rules(by_tag->as_object()));
    }
  }

  std::vector<GivenPattern> given_patterns(const Object& settings) const override {
    std::vector<GivenPattern> given;
    const Node* rules = settings.find("patterns");
    if (rules == nullptr || !rules->is_list()) return given;
    for (std::size_t i = 0; i < rules->as_list().size(); ++i) {
      const std::string place = fmt::format("{}, rule {}", name(), i + 1);
      const AttributeRule rule = rule_of(rules->as_list()[i], place);
      for (const Node& pattern : rule.patterns) {
        if (pattern.is_list()) given.push_back({place, pattern.as_list()});
      }
    }
    return given;
  }

  std::vector<std::string> pattern_warnings() const override {
    std::vector<std::string> warnings;
    if (!rules_) return warnings;
    for (const std::string& one : rules_->warnings()) warnings.push_back(name() + ", " + one);
    return warnings;
  }

  void predict(Context&, std::span<Doc* const> docs, Slots&) const override {
    if (!rules_) return;
    for (Doc* doc : docs) apply(*doc);
  }

  Scores score(std::span<const Example> examples) const override {
    return scorer_ ? scorer_.score(examples) : Scores();
  }
  ScoreSessionPtr start_scores() const override { return start_session(scorer_, *this); }

  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override {
    MsgpackWriter out;
    out.array(static_cast<std::uint32_t>(rules_ ? rules_->rules().size() : 0));
    if (rules_) {
      for (const AttributeRule& rule : rules_->rules()) {
        out.map(3);
        out.str("patterns");
        write_node(out, rule.patterns);
        out.str("attrs");
        write_node(out, rule.attrs);
        out.str("index");
        out.integer(rule.index);
      }
    }
    write_file(folder / "patterns", out.take());
  }
  void from_disk(const std::filesystem::path& folder) override {
    const std::string file = (folder / "patterns").string();
    const std::string bytes = read_file(file, kMostTable);
    MemoryCursor cursor(bytes, file);
    MsgpackReader reader(cursor);
    const Node rules = read_node(reader, name_of_attribute);
    cursor.require_end();
    rules_.reset();
    add_list(rules, file);
  }

 private:
  void add_list(const Node& list, const std::string& place) {
    if (!list.is_list()) fail(place, fmt::format("rules are a list, not {}", list.type_name()));
    for (std::size_t i = 0; i < list.as_list().size(); ++i) {
      const std::string here = fmt::format("{}, rule {}", place, i + 1);
      AttributeRule rule = rule_of(list.as_list()[i], here);
      try {
        add(std::move(rule));
      } catch (const Error& error) {
        fail(place, error.what());
      }
    }
  }
  void add_all(std::vector<AttributeRule> rules) {
    for (AttributeRule& rule : rules) add(std::move(rule));
  }
  void add(AttributeRule rule) {
    if (!rules_) rules_.emplace(vocab().strings(), validate_);
    rules_->add(std::move(rule));
  }

  void apply(Doc& doc) const {
    try {
      rules_->apply(doc);
    } catch (const Error& error) {
      throw document_error(error, name(), doc);
    }
  }

  bool validate_;
  Scorer scorer_;
  std::optional<AttributeRules> rules_;  // none: no rules
};

constexpr const char* kDefaultScorer = R"(
[scorer]
@scorers = "spacy.attribute_ruler_scorer.v1"
)";

struct Settings {
  bool validate = false;
  std::optional<Scorer> scorer;
};

template <class V>
void fields(V& v, Settings& c) {
  v("validate", c.validate, "check patterns more strictly");
  v.block("scorer", c.scorer, kDefaultScorer, "how what it sets is scored");
}

ComponentPtr attribute_ruler(const Settings& c) {
  return std::make_shared<AttributeRuler>(c.validate, c.scorer.value_or(Scorer()));
}

const Registration registered{"attribute_ruler", attribute_ruler,
                              "attributes of tokens that patterns match"};

}  // namespace
}  // namespace weft
