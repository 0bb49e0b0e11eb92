// The factory `doc_cleaner`: sets attributes of documents, usually to nothing. spaCy 3.8.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "components/pipes/stateless_component.h"
#include "framework/io/atomic_file.h"
#include "framework/io/json_file.h"
#include "framework/io/pretty_json.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"
#include "registry/value/json.h"

namespace weft {
namespace {

struct Settings {
  Object attrs = [] {
    Object attrs;
    attrs.set("tensor", Node());
    attrs.set("_.trf_data", Node());
    return attrs;
  }();
  bool silent = true;
};

template <class V>
void fields(V& v, Settings& c) {
  v("attrs", c.attrs, "value by attribute: cats, ents, spans, user_data; others do not exist here",
    keyword_only);
  v("silent", c.silent, "true", keyword_only,
    Ignored{"attributes that a document has not are passed over"});
}

[[noreturn]] void fail(const std::string& attr, const Node& value, const char* wanted) {
  throw Error(ErrorKind::config,
              fmt::format("doc_cleaner sets {} to {}: the value is {}", printable_brief(attr),
                          printable_brief(to_json(value)), wanted));
}

bool is_empty(const Node& value) {
  return value.is_null() || (value.is_list() && value.as_list().empty()) ||
         (value.is_object() && value.as_object().empty());
}

std::vector<TextCategory> categories_of(const Node& value) {
  if (is_empty(value)) return {};
  if (!value.is_object()) fail("cats", value, "an object of numbers");
  std::vector<TextCategory> cats;
  for (const auto& [label, node] : value.as_object()) {
    if (node.is_float()) {
      cats.push_back({label, node.as_float()});
    } else if (node.is_bool()) {
      cats.push_back({label, node.as_bool()});
    } else if (std::holds_alternative<std::int64_t>(node.value())) {
      cats.push_back({label, node.as_integer()});
    } else {
      fail("cats", value, "an object of numbers");
    }
  }
  return cats;
}

class DocCleaner final : public StatelessComponent {
 public:
  explicit DocCleaner(Settings settings) : settings_(std::move(settings)) { prepare(); }

  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override {
    Object cfg;
    cfg.set("attrs", settings_.attrs);
    cfg.set("silent", settings_.silent);
    write_file(folder / "cfg", to_pretty_json(cfg));
  }
  void from_disk(const std::filesystem::path& folder) override {
    const std::filesystem::path file = folder / "cfg";
    const Object cfg = read_json_object(file);
    const Node* attrs = cfg.find("attrs");
    if (attrs == nullptr || !attrs->is_object()) {
      throw Error(ErrorKind::data, fmt::format("{} has no object 'attrs'", file.string()));
    }
    settings_.attrs = attrs->as_object();
    prepare();
  }

 protected:
  void change(Doc& doc) const override {
    if (clears_ents_) doc.set_ents(std::span<const Span>());
    if (sets_cats_) doc.set_cats(cats_);
    if (clears_spans_) doc.set_span_groups({});
    if (clears_user_data_) doc.set_user_data("");
  }

 private:
  void prepare() {
    clears_ents_ = sets_cats_ = clears_spans_ = clears_user_data_ = false;
    const auto takes_nothing = [](const std::string& attr, const Node& value) {
      if (!is_empty(value)) fail(attr, value, "empty, for nothing else is built in");
      return true;
    };
    for (const auto& [attr, value] : settings_.attrs) {
      if (attr == "cats") {
        cats_ = categories_of(value);
        sets_cats_ = true;
      } else if (attr == "ents") {
        clears_ents_ = takes_nothing(attr, value);
      } else if (attr == "spans") {
        clears_spans_ = takes_nothing(attr, value);
      } else if (attr == "user_data") {
        clears_user_data_ = takes_nothing(attr, value);
      }
    }
  }

  Settings settings_;
  bool clears_ents_ = false, sets_cats_ = false, clears_spans_ = false, clears_user_data_ = false;
  std::vector<TextCategory> cats_;
};

ComponentPtr doc_cleaner(const Settings& c) {
  return std::make_shared<DocCleaner>(c);
}

const Registration registered{"doc_cleaner", doc_cleaner, "attributes of documents taken away"};

}  // namespace
}  // namespace weft
