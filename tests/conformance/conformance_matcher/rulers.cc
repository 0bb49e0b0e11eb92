// Records of entity_ruler, span_ruler and future_entity_ruler. Phrases are cut at spaces.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "components/weft.h"
#include "framework/nn/model.h"
#include "framework/ops/context.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/slots.h"
#include "framework/pipeline/takes_phrases.h"
#include "registry/building/resolve.h"
#include "registry/value/json.h"
#include "tests/conformance/conformance_matcher/replay.h"

namespace weft::conformance {
namespace {

ComponentPtr component_of(const Json& record) {
  Object block = parse_json(record.at("config").dump())->as_object();
  block.set("factory", record.at("factory").get<std::string>());
  Object root;
  root.set("ruler", std::move(block));
  Problems problems;
  auto selected = resolve_selected(Config(std::move(root)), "ruler", "factory", "factories",
                                   builtin_catalogue(), problems);
  if (!selected) throw std::runtime_error(problems.front().str());
  return *selected->function->call(selected->arguments).product().get<ComponentPtr>();
}

Doc words_at_spaces(std::string_view text, const Setting& setting) {
  Json words = Json::array();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back(std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return document_of({{"words", words}}, setting);
}

void set_spans(Doc& doc, const Json& record, const std::string& key) {
  if (!record.contains("spans")) return;
  SpanGroup group{key, "", {}};
  for (const Json& span : record.at("spans")) {
    group.spans.push_back(
        {span.at(0), span.at(1), doc.vocab()->strings().add(span.at(2).get<std::string>())});
  }
  doc.set_span_group(key, std::move(group));
}

Json spans_of(const Doc& doc, const std::vector<Span>& spans) {
  Json list = Json::array();
  for (const Span& span : spans) {
    list.push_back({span.start, span.end, doc.string(span.label), doc.string(span.id)});
  }
  return list;
}

}  // namespace

Json replay_rulers(const Json& record, const Setting& setting) {
  const ComponentPtr ruler = component_of(record);
  ruler->bind("ruler", setting.english->vocab());
  dynamic_cast<TakesPhrases&>(*ruler).set_make_phrase(
      [&](std::string_view text, bool) { return words_at_spaces(text, setting); });
  Context ctx;
  InitRandom random(0);
  Object settings;
  settings.set("patterns", *parse_json(record.at("patterns").dump()));
  InitContext init{ctx, random, {}, {}, settings};
  ruler->initialize(init);

  Doc doc = document_of(record, setting);
  const Json& config = record.at("config");
  const bool keyed = record.at("factory") == "span_ruler" &&
                     !(config.contains("spans_key") && config.at("spans_key").is_null());
  const std::string key =
      config.contains("spans_key") && keyed ? config.at("spans_key").get<std::string>() : "ruler";
  set_spans(doc, record, key);
  Slots slots(ctx);
  Doc* const docs[] = {&doc};
  ruler->predict(ctx, docs, slots);

  Json iob = Json::array();
  for (int i = 0; i < doc.size(); ++i) iob.push_back(static_cast<int>(doc.ent_iob(i)));
  Json got = {{"ents", spans_of(doc, doc.ents())}, {"iob", std::move(iob)}};
  if (const SpanGroup* group = doc.span_group(key)) got["spans"] = spans_of(doc, group->spans);
  return got;
}

// Of several patterns for the same tokens the reference takes any: each entity has to be one of the
// alternatives for its tokens.
bool is_right_ruler(const Json& record, const Json& got) {
  const Json& wanted = record.at("expect");
  if (wanted.contains("spans") && got.value("spans", Json()) != wanted.at("spans")) return false;
  if (got.at("iob") != wanted.at("iob")) return false;
  const Json& ents = got.at("ents");
  if (ents.size() != wanted.at("ents").size()) return false;
  for (std::size_t i = 0; i < ents.size(); ++i) {
    if (ents[i] == wanted.at("ents").at(i)) continue;
    const auto allows = [&](const Json& group) {
      const auto has = [&](const Json& ent) {
        return std::find(group.begin(), group.end(), ent) != group.end();
      };
      return has(ents[i]) && has(wanted.at("ents").at(i));
    };
    const Json alternatives = wanted.value("alternatives", Json::array());
    if (std::none_of(alternatives.begin(), alternatives.end(), allows)) return false;
  }
  return true;
}

}  // namespace weft::conformance
