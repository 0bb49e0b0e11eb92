#include "framework/text/tokenizer.h"

#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "framework/text/text_cutter.h"
#include "framework/text/word_cutter.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::size_t kMaxCodePoints = std::size_t{1} << 30;

// Memory of one call: match data, caches of chunks and their words. Workspaces are handed out to
// threads and come back filled, so caches stay warm; there are as many as threads were at work at
// once.
struct Workspace {
  explicit Workspace(const TextCutter& cutter) : words(cutter) {}
  CutWorkspace cut;
  WordCutter words;
};

void check_text(std::string_view text) {
  if (const auto bad = find_invalid_utf8(text)) {
    throw Error(ErrorKind::data, fmt::format("the text is not valid UTF-8 at byte {}", *bad));
  }
  // Bytes bound the code points from above, so that most texts need no count.
  if (text.size() >= kMaxCodePoints && count_code_points(text) >= kMaxCodePoints) {
    throw Error(ErrorKind::data, "a text may not have 2^30 characters or more (E025)");
  }
}

}  // namespace

struct Tokenizer::Impl {
  TextCutter cutter;
  mutable std::mutex mutex;
  mutable std::vector<std::unique_ptr<Workspace>> idle;

  explicit Impl(TokenizerRules from) : cutter(std::move(from)) {}

  std::unique_ptr<Workspace> take_workspace() const {
    const std::lock_guard lock(mutex);
    if (idle.empty()) return std::make_unique<Workspace>(cutter);
    auto work = std::move(idle.back());
    idle.pop_back();
    return work;
  }

  void give_back(std::unique_ptr<Workspace> work) const {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(work));
  }

  // The result of `cut`, with the steps that the text may take. An error says which document it is.
  template <class Cut>
  auto with_workspace(std::string_view text, Cut cut) const {
    check_text(text);
    std::unique_ptr<Workspace> work = take_workspace();
    work->cut.scratch.begin_text(text.size());
    try {
      auto result = cut(*work);
      give_back(std::move(work));
      return result;
      // The workspace is not given back: a match that was broken off may have left it half filled.
    } catch (const Error& error) {
      throw Error(error.kind(),
                  fmt::format("the document of {} bytes that starts \"{}\": {}", text.size(),
                              text.substr(0, byte_offset(text, 40)), error.message()));
    }
  }
};

Tokenizer::Tokenizer(TokenizerRules rules) : impl_(std::make_unique<Impl>(std::move(rules))) {}
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

const TokenizerRules& Tokenizer::rules() const {
  return impl_->cutter.rules();
}
std::string_view Tokenizer::norm(std::uint32_t index) const {
  return impl_->cutter.norm(index);
}

TokenizedText Tokenizer::tokenize(std::string_view text) const {
  return impl_->with_workspace(text,
                               [&](Workspace& work) { return impl_->cutter.cut(text, work.cut); });
}

TokenizedDoc Tokenizer::tokenize(std::string_view text, const Vocab& vocab) const {
  return impl_->with_workspace(
      text, [&](Workspace& work) { return work.words.cut(text, vocab, work.cut); });
}

}  // namespace weft
