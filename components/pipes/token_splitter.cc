// The factory `token_splitter`: long tokens in pieces. spaCy 3.8.
#include <cstdint>
#include <memory>

#include <fmt/format.h>

#include "components/pipes/stateless_component.h"
#include "framework/io/atomic_file.h"
#include "framework/io/json_file.h"
#include "framework/io/pretty_json.h"
#include "framework/text/split_tokens.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::int64_t min_length = 25;
  std::int64_t split_length = 10;
};

template <class V>
void fields(V& v, Settings& c) {
  v("min_length", c.min_length, "characters of a token that is cut, at least; 0: none is",
    at_least(0), keyword_only);
  v("split_length", c.split_length, "characters of a piece; 0: no token is cut", at_least(0),
    keyword_only);
}

class TokenSplitter final : public StatelessComponent {
 public:
  explicit TokenSplitter(const Settings& settings) : settings_(settings) {}

  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override {
    Object cfg;
    cfg.set("min_length", settings_.min_length);
    cfg.set("split_length", settings_.split_length);
    write_file(folder / "cfg", to_pretty_json(cfg));
  }
  void from_disk(const std::filesystem::path& folder) override {
    const std::filesystem::path file = folder / "cfg";
    const Object cfg = read_json_object(file);
    read(cfg, "min_length", file, settings_.min_length);
    read(cfg, "split_length", file, settings_.split_length);
  }

 protected:
  void change(Doc& doc) const override {
    split_tokens(doc, static_cast<std::size_t>(settings_.min_length),
                 static_cast<std::size_t>(settings_.split_length));
  }

 private:
  static void read(const Object& cfg, const char* key, const std::filesystem::path& file,
                   std::int64_t& value) {
    const Node* node = cfg.find(key);
    if (node == nullptr) return;
    const bool fits =
        std::holds_alternative<std::int64_t>(node->value()) && node->as_integer() >= 0;
    if (!fits) {
      throw Error(ErrorKind::data,
                  fmt::format("{}: {} is a number of characters", file.string(), key));
    }
    value = node->as_integer();
  }

  Settings settings_;
};

ComponentPtr token_splitter(const Settings& c) {
  return std::make_shared<TokenSplitter>(c);
}

const Registration registered =
    Registration{"token_splitter", token_splitter, "long tokens in pieces"}.meta(
        R"({"retokenizes": true})");

}  // namespace
}  // namespace weft
