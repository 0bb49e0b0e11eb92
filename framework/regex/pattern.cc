#include "framework/regex/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <atomic>
#include <deque>
#include <mutex>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <pcre2.h>

#include "framework/regex/parser.h"
#include "framework/regex/pcre2_syntax.h"
#include "framework/text/unicode.h"
#include "registry/error.h"

namespace weft {
namespace {

// A pattern longer than this is compiled when it is first needed: it can take a second.
constexpr std::size_t kLazySize = 100'000;
constexpr std::size_t kJitStack = 1 << 20;
// Of a match that needs more, as one of a web address with a hundred thousand dots does. Only what
// is used takes memory.
constexpr std::size_t kLargeJitStack = 1 << 28;
constexpr unsigned kHeapLimitKiB = 1 << 19;

// Machine code is made of a pattern when it has been interpreted so often, for a text of more bytes
// or for a match of more steps: a process that cuts one short text ends before that.
constexpr unsigned kBriefUses = 32;
constexpr std::size_t kBriefText = 256;
constexpr unsigned kBriefLimit = 2000;

struct FreePcre2 {
  void operator()(pcre2_code* p) const { pcre2_code_free(p); }
  void operator()(pcre2_match_data* p) const { pcre2_match_data_free(p); }
  void operator()(pcre2_match_context* p) const { pcre2_match_context_free(p); }
  void operator()(pcre2_jit_stack* p) const { pcre2_jit_stack_free(p); }
};
template <class T>
using Owned = std::unique_ptr<T, FreePcre2>;

std::string message_of(int code) {
  PCRE2_UCHAR buffer[256];
  pcre2_get_error_message(code, buffer, sizeof buffer);
  return reinterpret_cast<const char*>(buffer);
}

template <class T>
Owned<T> checked(T* made) {
  if (made == nullptr) throw std::bad_alloc();
  return Owned<T>(made);
}

}  // namespace

struct MatchScratch::Impl {
  Owned<pcre2_match_data> data = checked(pcre2_match_data_create(1, nullptr));
  Owned<pcre2_match_context> context = checked(pcre2_match_context_create(nullptr));
  Owned<pcre2_match_context> brief = checked(pcre2_match_context_create(nullptr));
  Owned<pcre2_jit_stack> stack =
      checked(pcre2_jit_stack_create(std::size_t{32} << 10, kJitStack, nullptr));

  Impl() {
    pcre2_set_match_limit(context.get(), Pattern::kMatchLimit);
    pcre2_set_match_limit(brief.get(), kBriefLimit);
    pcre2_set_heap_limit(context.get(), kHeapLimitKiB);
    pcre2_jit_stack_assign(context.get(), nullptr, stack.get());
  }
};

MatchScratch::MatchScratch() : impl_(std::make_unique<Impl>()) {}
MatchScratch::~MatchScratch() = default;
MatchScratch::MatchScratch(MatchScratch&&) noexcept = default;
MatchScratch& MatchScratch::operator=(MatchScratch&&) noexcept = default;

namespace {

// Compiled code. Any number of threads may use it at once.
class Piece {
 public:
  explicit Piece(Owned<pcre2_code> code) : code_(std::move(code)) {}

  // The code to interpret for `text`, or nothing once there is machine code.
  const pcre2_code* to_interpret(std::string_view text) const {
    if (text.size() > kBriefText || uses_.load(std::memory_order_relaxed) >= kBriefUses) {
      return nullptr;
    }
    uses_.fetch_add(1, std::memory_order_relaxed);
    return code_.get();
  }

  // Threads may be interpreting the code, so it is a copy that machine code is made of. Without a
  // JIT the interpreter is used.
  const pcre2_code* fast() const {
    std::call_once(made_, [this] {
      fast_ = checked(pcre2_code_copy(code_.get()));
      pcre2_jit_compile(fast_.get(), PCRE2_JIT_COMPLETE);
      uses_ = kBriefUses;
    });
    return fast_.get();
  }

 private:
  Owned<pcre2_code> code_;
  mutable std::atomic<unsigned> uses_ = 0;
  mutable std::once_flag made_;
  mutable Owned<pcre2_code> fast_;
};

}  // namespace

struct Pattern::Impl {
  std::string name, source;
  Use use;
  std::vector<RegexFacts> facts;
  RegexNode root;  // only until it is compiled
  mutable std::once_flag compiled;
  mutable std::deque<Piece> pieces;

  void compile() {
    if (root.kind == RegexKind::alternation) {
      compile_alternatives(root.children);
    } else if (!compile_piece(to_pcre2(root))) {
      throw Error(ErrorKind::data, fmt::format("{} is too large a pattern", name));
    }
    root = {};
  }

  // The 8-bit library takes 64 KiB of code at most: a larger alternation is cut in half, which
  // changes nothing where only whether it matches is asked, as `match` does.
  void compile_alternatives(std::span<const RegexNode> alternatives) {
    RegexNode part;
    part.kind = RegexKind::alternation;
    part.children.assign(alternatives.begin(), alternatives.end());
    if (compile_piece(to_pcre2(part))) return;
    if (alternatives.size() == 1 || use == Use::search) {
      throw Error(ErrorKind::data, fmt::format("{} is too large a pattern", name));
    }
    const std::size_t half = alternatives.size() / 2;
    compile_alternatives(alternatives.first(half));
    compile_alternatives(alternatives.subspan(half));
  }

  // False if the piece is too large.
  bool compile_piece(const std::string& text) {
    const std::uint32_t options = PCRE2_UTF | PCRE2_UCP | (use == Use::match ? PCRE2_ANCHORED : 0);
    int error = 0;
    PCRE2_SIZE offset = 0;
    Owned<pcre2_code> code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                                         options, &error, &offset, nullptr));
    if (code == nullptr && error == PCRE2_ERROR_PATTERN_TOO_LARGE) return false;
    if (code == nullptr && error == PCRE2_ERROR_HEAP_FAILED) throw std::bad_alloc();
    if (code == nullptr) {
      throw Error(ErrorKind::data, fmt::format("{}: {}", name, message_of(error)));
    }
    pieces.emplace_back(std::move(code));
    return true;
  }

  std::optional<MatchSpan> run(const Piece& piece, MatchScratch::Impl& scratch,
                               std::string_view text, std::size_t from,
                               std::uint32_t options) const {
    const auto attempt = [&](const pcre2_code* code, std::uint32_t more,
                             const Owned<pcre2_match_context>& context) {
      return pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from,
                         options | PCRE2_NO_UTF_CHECK | more, scratch.data.get(), context.get());
    };
    int rc = PCRE2_ERROR_MATCHLIMIT;
    if (const pcre2_code* code = piece.to_interpret(text)) rc = attempt(code, 0, scratch.brief);
    if (rc < PCRE2_ERROR_NOMATCH) rc = run_fast(piece.fast(), scratch, attempt);
    if (rc == PCRE2_ERROR_NOMATCH) return std::nullopt;
    if (rc == PCRE2_ERROR_NOMEMORY) throw std::bad_alloc();
    if (rc < 0) fail(rc, text);
    const PCRE2_SIZE* found = pcre2_get_ovector_pointer(scratch.data.get());
    return MatchSpan{found[0], found[1]};
  }

  template <class Attempt>
  static int run_fast(const pcre2_code* code, MatchScratch::Impl& scratch, Attempt attempt) {
    int rc = attempt(code, 0, scratch.context);
    if (rc == PCRE2_ERROR_JIT_STACKLIMIT) {
      const Owned<pcre2_jit_stack> large(
          pcre2_jit_stack_create(kJitStack, kLargeJitStack, nullptr));
      if (large != nullptr) {
        pcre2_jit_stack_assign(scratch.context.get(), nullptr, large.get());
        rc = attempt(code, 0, scratch.context);
        pcre2_jit_stack_assign(scratch.context.get(), nullptr, scratch.stack.get());
      }
    }
    // The interpreter takes what it needs from the heap.
    return rc == PCRE2_ERROR_JIT_STACKLIMIT ? attempt(code, PCRE2_NO_JIT, scratch.context) : rc;
  }

  [[noreturn]] void fail(int rc, std::string_view text) const {
    const std::string head(text.substr(0, byte_offset(text, 40)));
    throw Error(ErrorKind::data,
                fmt::format("{} gives up on a piece of {} bytes that starts \"{}\": {}", name,
                            text.size(), head, message_of(rc)));
  }
};

Pattern::Pattern(std::string name, std::string source, Use use) : impl_(std::make_unique<Impl>()) {
  impl_->name = std::move(name);
  impl_->source = std::move(source);
  impl_->use = use;
  try {
    impl_->root = parse_regex(impl_->source);
  } catch (const Error& error) {
    throw Error(ErrorKind::data, fmt::format("{}: {}", impl_->name, error.what()));
  }
  impl_->facts = facts_of_alternatives(impl_->root);
  if (impl_->source.size() <= kLazySize) {
    std::call_once(impl_->compiled, [this] { impl_->compile(); });
  }
}

Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

const std::string& Pattern::name() const {
  return impl_->name;
}
const std::string& Pattern::source() const {
  return impl_->source;
}
const std::vector<RegexFacts>& Pattern::alternatives() const {
  return impl_->facts;
}

std::optional<MatchSpan> Pattern::find(MatchScratch& scratch, std::string_view text,
                                       std::size_t from, bool not_empty_here) const {
  std::call_once(impl_->compiled, [this] { impl_->compile(); });
  const std::uint32_t options = not_empty_here ? PCRE2_NOTEMPTY_ATSTART : 0;
  for (const auto& piece : impl_->pieces) {
    const auto found = impl_->run(piece, *scratch.impl_, text, from, options);
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace weft
