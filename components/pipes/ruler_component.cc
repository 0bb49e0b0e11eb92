#include "components/pipes/ruler_component.h"

#include <fmt/format.h>

#include "framework/pipeline/document_error.h"
#include "framework/pipeline/pattern_lines.h"
#include "framework/pipeline/score_sessions.h"
#include "framework/text/example.h"
#include "registry/base/error.h"
#include "registry/functions/fields.h"

namespace weft {
namespace {

struct RulerInit {
  std::optional<std::vector<Object>> patterns;
};

template <class V>
void fields(V& v, RulerInit& c) {
  v("patterns", c.patterns, "what it finds; see docs/matching.md", strict);
}

}  // namespace

Signature RulerComponent::init_settings() const {
  return signature_of<RulerInit>();
}

void RulerComponent::initialize(InitContext& init) {
  clear();
  if (const Node* given = init.given("patterns")) add_patterns(given->as_list());
}

void RulerComponent::add_pattern(const Node& entry, std::size_t index) {
  if (!patterns_) {
    patterns_.emplace(vocab().strings(), phrase_attribute_.value_or("ORTH"), validate_);
  }
  const auto phrase = [&](std::string_view text, bool annotated) {
    if (make_phrase_) return make_phrase_(text, annotated);
    throw Error(ErrorKind::usage,
                fmt::format("{} is in no pipeline, whose tokenizer its phrases need", name()));
  };
  patterns_->add(entry, fmt::format("{}, {}", name(), pattern_place(entry, index)), phrase);
}

void RulerComponent::add_patterns(const List& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) add_pattern(entries[i], i);
}

void RulerComponent::add_pattern_file(const std::filesystem::path& file) {
  read_pattern_lines(file, [this](const Node& entry, std::size_t i) { add_pattern(entry, i); });
}

std::vector<GivenPattern> RulerComponent::given_patterns(const Object& settings) const {
  std::vector<GivenPattern> given;
  const Node* entries = settings.find("patterns");
  if (entries == nullptr || !entries->is_list()) return given;
  for (std::size_t i = 0; i < entries->as_list().size(); ++i) {
    const Node& entry = entries->as_list()[i];
    const Node* tokens = entry.is_object() ? entry.as_object().find("pattern") : nullptr;
    if (tokens == nullptr || !tokens->is_list()) continue;
    given.push_back({fmt::format("{}, {}", name(), pattern_place(entry, i)), tokens->as_list()});
  }
  return given;
}

std::vector<std::string> RulerComponent::pattern_warnings() const {
  return patterns_ ? patterns_->warnings() : std::vector<std::string>();
}

void RulerComponent::predict(Context&, std::span<Doc* const> docs, Slots&) const {
  for (Doc* doc : docs) {
    std::vector<Span> found;
    if (patterns_) {
      try {
        found = patterns_->find(*doc);
      } catch (const Error& error) {
        throw document_error(error, name(), *doc);
      }
    }
    annotate(*doc, std::move(found));
  }
}

Scores RulerComponent::score(std::span<const Example> examples) const {
  return scorer_ ? scorer_.score(examples) : Scores();
}

ScoreSessionPtr RulerComponent::start_scores() const {
  return start_session(scorer_, *this);
}

std::vector<std::string> RulerComponent::labels() const {
  return patterns_ ? patterns_->labels() : std::vector<std::string>();
}

}  // namespace weft
