// The factory `sentencizer`: sentences end at punctuation. It has no network. spaCy 3.8.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/json_file.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/score_sessions.h"
#include "framework/text/doc.h"
#include "framework/text/example.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/base/seeded_hash.h"
#include "registry/functions/registration.h"
#include "registry/value/json.h"

namespace weft {
namespace {

// Marks that end sentences in many scripts, one after the other.
// The formatter cuts lines of such scripts in another place each time.
// clang-format off
constexpr std::string_view kUsualMarks =
    "!.?։؟۔܀܁܂߹।॥၊။።፧፨᙮᜵᜶᠃᠉᥄᥅"
    "᪨᪩᪪᪫᭚᭛᭞᭟᰻᰼᱾᱿‼‽⁇⁈⁉⸮⸼。꓿꘎꘏꛳"
    "꛷꡶꡷꣎꣏꤯꧈꧉꩝꩞꩟꫰꫱꯫﹒﹖﹗！．？｡𐩖𐩗𑁇"
    "𑁈𑂾𑂿𑃀𑃁𑅁𑅂𑅃𑇅𑇆𑇍𑇞𑇟𑈸𑈹𑈻𑈼𑊩𑑋𑑌𑗂𑗃𑗉𑗊"
    "𑗋𑗌𑗍𑗎𑗏𑗐𑗑𑗒𑗓𑗔𑗕𑗖𑗗𑙁𑙂𑜼𑜽𑜾𑩂𑩃𑪛𑪜𑱁𑱂"
    "𖩮𖩯𖫵𖬷𖬸𖭄𛲟𝪈";
// clang-format on

std::vector<std::string> usual_marks() {
  std::vector<std::string> marks;
  for (std::size_t pos = 0; pos < kUsualMarks.size();) {
    const std::size_t start = pos;
    next_code_point(kUsualMarks, pos);
    marks.emplace_back(kUsualMarks.substr(start, pos - start));
  }
  return marks;
}

class Sentencizer final : public Component {
 public:
  Sentencizer(std::vector<std::string> marks, bool overwrite, Scorer scorer)
      : overwrite_(overwrite), scorer_(std::move(scorer)) {
    take_marks(std::move(marks));
  }

  void initialize(InitContext&) override {}

  void predict(Context&, std::span<Doc* const> docs, Slots&) const override {
    for (Doc* doc : docs) mark_starts(*doc);
  }

  Scores score(std::span<const Example> examples) const override {
    return scorer_ ? scorer_.score(examples) : Scores();
  }
  ScoreSessionPtr start_scores() const override { return start_session(scorer_, *this); }

  bool has_state() const override { return true; }
  // The file stands beside the folders of the other components.
  void to_disk(const std::filesystem::path& folder) const override {
    List marks;
    for (const std::string& mark : marks_) marks.emplace_back(mark);
    Object object;
    object.set("punct_chars", std::move(marks));
    object.set("overwrite", overwrite_);
    write_file(file_of(folder), to_json(object));
  }
  void from_disk(const std::filesystem::path& folder) override { read(file_of(folder)); }

 private:
  static std::filesystem::path file_of(std::filesystem::path folder) {
    return folder.replace_extension(".json");
  }

  void take_marks(std::vector<std::string> marks) {
    marks_ = marks.empty() ? usual_marks() : std::move(marks);
    std::sort(marks_.begin(), marks_.end());
    ends_ = {marks_.begin(), marks_.end()};
  }

  void read(const std::filesystem::path& file) {
    const Object object = read_json_object(file);
    if (const Node* overwrite = object.find("overwrite")) {
      if (!overwrite->is_bool()) fail(file, "overwrite is true or false");
      overwrite_ = overwrite->as_bool();
    }
    const Node* listed = object.find("punct_chars");
    std::vector<std::string> marks;
    if (listed != nullptr && !listed->is_null()) {
      if (!listed->is_list()) fail(file, "punct_chars is a list of texts");
      for (const Node& mark : listed->as_list()) {
        if (!mark.is_string()) fail(file, "punct_chars is a list of texts");
        marks.push_back(mark.as_string());
      }
    }
    take_marks(std::move(marks));
  }
  [[noreturn]] static void fail(const std::filesystem::path& file, const char* what) {
    throw Error(ErrorKind::data, fmt::format("{}: {}", file.string(), what));
  }

  // A sentence starts at the first token after an end mark that is neither one nor punctuation.
  void mark_starts(Doc& doc) const {
    std::vector<std::int8_t> starts(doc.sent_starts().begin(), doc.sent_starts().end());
    bool ended = false;
    for (int i = 0; i < doc.size(); ++i) {
      const bool mark = ends_.contains(std::string(doc.word(i)));
      const bool first = i == 0 || (ended && !mark && !doc.has_flag(i, Attr::is_punct));
      if (ended && first) ended = false;
      if (mark) ended = true;
      std::int8_t& start = starts[static_cast<std::size_t>(i)];
      if (overwrite_ || start == 0) start = first ? 1 : -1;
    }
    doc.set_sent_starts(std::move(starts));
  }

  std::vector<std::string> marks_;  // sorted
  std::unordered_set<std::string, SeededHash> ends_;
  bool overwrite_ = false;
  Scorer scorer_;
};

constexpr const char* kDefaultScorer = R"(
[scorer]
@scorers = "spacy.senter_scorer.v1"
)";

struct Settings {
  std::optional<std::vector<std::string>> punct_chars;
  bool overwrite = false;
  std::optional<Scorer> scorer;
};

template <class V>
void fields(V& v, Settings& c) {
  v("punct_chars", c.punct_chars, "tokens that end sentences; null or none: 128 usual marks");
  v("overwrite", c.overwrite, "replace sentence starts that are set");
  v.block("scorer", c.scorer, kDefaultScorer, "how sentences are scored");
}

ComponentPtr sentencizer(const Settings& c) {
  return std::make_shared<Sentencizer>(c.punct_chars.value_or(std::vector<std::string>()),
                                       c.overwrite, c.scorer.value_or(Scorer()));
}

const Registration registered =
    Registration{"sentencizer", sentencizer, "sentences by their punctuation"}.meta(R"({
  "default_score_weights": {"sents_f": 1.0, "sents_p": 0.0, "sents_r": 0.0},
  "assigns": ["token.is_sent_start", "doc.sents"]
})");

}  // namespace
}  // namespace weft
