#include "framework/text/vocab.h"

#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <type_traits>
#include <vector>

#include "framework/io/zeroed_pages.h"
#include "framework/text/number_words.h"
#include "framework/text/plain_word.h"
#include "framework/text/vectors.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {

// Direct-mapped and cut into shards with a lock each: a colliding word takes the place of the last.
// Words are told apart by their ids, as everywhere in the formats; a place without one is free.
// Memory is taken as words need it: a part of the places is used, and twice as many once a quarter
// of them lost a word to another. Words that then belong elsewhere are not found and come in anew.
class Vocab::Cache {
 public:
  explicit Cache(std::size_t size)
      : size_(std::bit_ceil(std::max(size, kShards))),
        used_(std::min(size_, kFirst)),
        pages_(size_ * sizeof(Lexeme)),
        slots_(static_cast<Lexeme*>(pages_.data())) {}

  bool find(StringId orth, Lexeme& lexeme) {
    const std::size_t slot = slot_of(orth);
    const std::lock_guard lock(locks_[slot % kShards]);
    if (slots_[slot].orth != orth) return false;
    lexeme = slots_[slot];
    return true;
  }

  void store(const Lexeme& lexeme) {
    const std::size_t slot = slot_of(lexeme.orth);
    const std::lock_guard lock(locks_[slot % kShards]);
    if (slots_[slot].orth != 0) note_loss();
    slots_[slot] = lexeme;
  }

  void clear() { pages_.clear(); }

 private:
  static_assert(std::is_trivially_copyable_v<Lexeme>, "zeros are a Lexeme");
  static constexpr std::size_t kShards = 64;
  // Some 2 MB, a large page of the system.
  static constexpr std::size_t kFirst = std::size_t{1} << 15;

  std::size_t slot_of(StringId orth) const {
    return orth & (used_.load(std::memory_order_relaxed) - 1);
  }
  void note_loss() {
    std::size_t used = used_.load(std::memory_order_relaxed);
    if (used == size_ || lost_.fetch_add(1, std::memory_order_relaxed) < used / 4) return;
    // Of several threads one doubles.
    if (used_.compare_exchange_strong(used, used * 2, std::memory_order_relaxed)) {
      lost_.store(0, std::memory_order_relaxed);
    }
  }

  std::size_t size_;
  std::atomic<std::size_t> used_, lost_ = 0;
  ZeroedPages pages_;
  Lexeme* slots_;
  std::array<std::mutex, kShards> locks_;
};

namespace {

constexpr LexemeFlags kLikeNum = flag_bit(Attr::like_num);

std::uint64_t next_edition() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

Vocab::Vocab(std::string lang, std::size_t cache_size)
    : lang_(std::move(lang)),
      vectors_(std::make_shared<Vectors>()),
      cache_(std::make_unique<Cache>(cache_size)),
      edition_(next_edition()) {}

Vocab::~Vocab() = default;

Lexeme Vocab::lexeme(std::string_view word, StringId orth) const {
  Lexeme lexeme;
  if (orth == 0) throw Error(ErrorKind::data, "a token with an empty text");
  if (cache_->find(orth, lexeme)) return lexeme;
  if (find_invalid_utf8(word)) throw Error(ErrorKind::data, "a token that is not valid UTF-8");
  lexeme = compute(word, orth);
  cache_->store(lexeme);
  return lexeme;
}

Lexeme Vocab::compute(std::string_view word, StringId orth) const {
  Lexeme lexeme;
  lexeme.orth = orth;
  std::string lowered;
  if (auto plain = plain_word_of(word)) {
    lowered = std::move(plain->lower);
    lexeme.lower = lexeme.norm = string_id(lowered);
    lexeme.shape = string_id(plain->shape);
    lexeme.flags = plain->flags;
    const bool has_own = !lexeme_norms_.empty() || !word_norms_.empty();
    if (has_own) lexeme.norm = string_id(norm_of(word));
  } else {
    lowered = weft::lower(word);
    lexeme.lower = string_id(lowered);
    lexeme.norm = string_id(norm_of(word));
    lexeme.shape = string_id(shape_of(word));
    lexeme.flags = flags_of(word);
  }
  lexeme.prefix = string_id(prefix_of(word));
  lexeme.suffix = string_id(suffix_of(word));
  if (stop_words_.contains(lowered)) lexeme.flags |= flag_bit(Attr::is_stop);
  // Without number words, the flag follows from the text alone.
  if (!number_words_.empty()) {
    lexeme.flags &= ~kLikeNum;
    if (is_number(word, number_words_)) lexeme.flags |= kLikeNum;
  }
  lexeme.length = static_cast<std::uint32_t>(count_code_points(word));
  return lexeme;
}

std::string Vocab::norm_of(std::string_view word) const {
  if (!lexeme_norms_.empty()) {
    const auto found = lexeme_norms_.find(string_id(word));
    if (found != lexeme_norms_.end()) return found->second;
  }
  return word_norms_.empty() ? base_norm_of(word) : word_norms_.norm_of(word);
}

void Vocab::forget_lexemes() {
  cache_->clear();
  edition_ = next_edition();
}

void Vocab::set_lookups(Lookups lookups) {
  lexeme_norms_ = lookups.norms();
  lookups_ = std::move(lookups);
  forget_lexemes();
}

void Vocab::set_stop_words(std::unordered_set<std::string> words) {
  stop_words_ = std::move(words);
  forget_lexemes();
}

void Vocab::set_word_norms(WordNorms norms) {
  word_norms_ = std::move(norms);
  forget_lexemes();
}

void Vocab::set_number_words(std::unordered_set<std::string> words) {
  number_words_ = std::move(words);
  forget_lexemes();
}

}  // namespace weft
