#include "framework/regex/pcre2_piece.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <algorithm>
#include <atomic>
#include <charconv>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include <pcre2.h>

#include "registry/base/error.h"

namespace weft {
namespace {

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

// Backtracking steps that are not counted, of a pattern whose alternatives have few items together:
// between two of them, all may be tried.
constexpr std::uint32_t kQuickLimit = 400;
constexpr std::size_t kFewItems = 1024, kMostItems = std::size_t{1} << 30;

// Steps are counted by call-outs before each item, which make code four times as large: a longer
// pattern would not fit into 64 KiB, and its text is not kept.
constexpr std::size_t kLongestCounted = 50'000;
constexpr std::uint64_t kWalkPerStep = 32;
// A class of characters beyond Latin-1 is looked through range by range, and a back reference byte
// by byte.
constexpr std::size_t kNarrowItem = 1024;  // in bytes of the pattern: a step whatever it is
constexpr std::uint64_t kItemBytesPerStep = 256, kRepeatedPerStep = 8;
constexpr std::size_t kItemsPerStep = 16;  // of a wide class, where steps are only estimated

struct FreePcre2 {
  void operator()(pcre2_code* p) const { pcre2_code_free(p); }
  void operator()(pcre2_match_data* p) const { pcre2_match_data_free(p); }
  void operator()(pcre2_match_context* p) const { pcre2_match_context_free(p); }
  void operator()(pcre2_jit_stack* p) const { pcre2_jit_stack_free(p); }
};
template <class T>
using Owned = std::unique_ptr<T, FreePcre2>;

template <class T>
Owned<T> checked(T* made) {
  if (made == nullptr) throw std::bad_alloc();
  return Owned<T>(made);
}

// Null, and `error` is set, where the pattern cannot be compiled.
Owned<pcre2_code> compiled(std::string_view text, std::uint32_t options, int& error) {
  PCRE2_SIZE offset = 0;
  Owned<pcre2_code> code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                                       PCRE2_UTF | PCRE2_UCP | options, &error, &offset, nullptr));
  if (code == nullptr && error == PCRE2_ERROR_HEAP_FAILED) throw std::bad_alloc();
  return code;
}

// Every step of a match with call-outs, and how far its repetitions walked.
struct StepCounter {
  std::uint64_t steps = 0, most = 0, at_each_place = 0;
  std::size_t place = 0;
  std::string_view pattern = {};
  std::uint64_t width = 0;  // further steps of the item before, for each byte that it took
};

// Of a class with many ranges.
std::uint64_t width_of(const pcre2_callout_block& block) {
  const std::size_t bytes = block.next_item_length;
  return bytes < kNarrowItem ? 0 : bytes / kItemBytesPerStep;
}

// Of the back reference `\g{N}`, which is compared with the text of its group.
std::uint64_t repeated_by(const pcre2_callout_block& block, std::string_view pattern) {
  const std::string_view item = pattern.substr(block.pattern_position, block.next_item_length);
  if (!item.starts_with("\\g{")) return 0;
  std::uint32_t group = 0;
  std::from_chars(item.data() + 3, item.data() + item.size(), group);
  if (group == 0 || group >= block.capture_top) return 0;
  const PCRE2_SIZE begin = block.offset_vector[std::size_t{2} * group];
  const PCRE2_SIZE end = block.offset_vector[std::size_t{2} * group + 1];
  return begin == PCRE2_UNSET || end < begin ? 0 : (end - begin) / kRepeatedPerStep;
}

// PCRE2 calls this before each item of the pattern. A repetition of one character is a single item
// that may walk far, so the distance from the last call counts as well. Item 0 is the start of an
// attempt at a new place.
int count_step(pcre2_callout_block* block, void* data) {
  auto& counter = *static_cast<StepCounter*>(data);
  const std::size_t place = block->current_position;
  const std::size_t walked = place > counter.place ? place - counter.place : 0;
  counter.place = place;
  counter.steps += 1 + walked / kWalkPerStep + walked * counter.width;
  counter.width = width_of(*block);
  counter.steps += counter.width + repeated_by(*block, counter.pattern);
  if (block->pattern_position == 0) counter.steps += counter.at_each_place;
  return counter.steps > counter.most ? PCRE2_ERROR_CALLOUT : 0;
}

}  // namespace

struct MatchMemory::Impl {
  Owned<pcre2_match_data> data = checked(pcre2_match_data_create(1, nullptr));
  Owned<pcre2_match_context> context = checked(pcre2_match_context_create(nullptr));
  Owned<pcre2_jit_stack> stack =
      checked(pcre2_jit_stack_create(std::size_t{32} << 10, kJitStack, nullptr));

  Impl() {
    pcre2_set_heap_limit(context.get(), kHeapLimitKiB);
    pcre2_jit_stack_assign(context.get(), nullptr, stack.get());
  }

  int interpret(const pcre2_code* code, const MatchSubject& subject, std::uint32_t options) {
    const std::uint32_t empty = subject.not_empty_here ? PCRE2_NOTEMPTY_ATSTART : 0;
    return pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(subject.text.data()), subject.text.size(),
                       subject.from, PCRE2_NO_UTF_CHECK | empty | options, data.get(),
                       context.get());
  }

  // With as much stack as it takes; without a JIT by the interpreter.
  int run(const pcre2_code* code, const MatchSubject& subject) {
    const int rc = interpret(code, subject, 0);
    if (rc != PCRE2_ERROR_JIT_STACKLIMIT) return rc;
    const Owned<pcre2_jit_stack> large(pcre2_jit_stack_create(kJitStack, kLargeJitStack, nullptr));
    if (large != nullptr) {
      pcre2_jit_stack_assign(context.get(), nullptr, large.get());
      const int again = interpret(code, subject, 0);
      pcre2_jit_stack_assign(context.get(), nullptr, stack.get());
      if (again != PCRE2_ERROR_JIT_STACKLIMIT) return again;
    }
    // The interpreter takes what it needs from the heap.
    return interpret(code, subject, PCRE2_NO_JIT);
  }

  int run_within(std::uint32_t limit, const pcre2_code* code, const MatchSubject& subject) {
    pcre2_set_match_limit(context.get(), limit);
    return run(code, subject);
  }

  int run_counting(StepCounter& counter, const pcre2_code* code, const MatchSubject& subject) {
    pcre2_set_match_limit(context.get(), UINT32_MAX);
    pcre2_set_callout(context.get(), count_step, &counter);
    const int rc = run(code, subject);
    pcre2_set_callout(context.get(), nullptr, nullptr);
    return rc;
  }

  PieceMatch result(int rc) const {
    if (rc == PCRE2_ERROR_NOMEMORY) throw std::bad_alloc();
    if (rc == PCRE2_ERROR_NOMATCH) return {PieceMatch::End::none};
    if (rc == PCRE2_ERROR_MATCHLIMIT || rc == PCRE2_ERROR_CALLOUT) return {PieceMatch::End::limit};
    if (rc < 0) return {PieceMatch::End::failed, 0, 0, rc};
    const PCRE2_SIZE* found = pcre2_get_ovector_pointer(data.get());
    return {PieceMatch::End::found, found[0], found[1]};
  }
};

MatchMemory::MatchMemory() : impl_(std::make_unique<Impl>()) {}
MatchMemory::~MatchMemory() = default;

struct Pcre2Piece::Impl {
  Owned<pcre2_code> code;
  std::string text;  // to compile once more; empty if it is too long for that
  std::uint32_t options = 0;
  std::uint32_t breadth = 1;  // cost of a backtracking step, in steps of the budget
  std::uint64_t width = 0;    // further steps that its widest class takes at a character
  std::uint32_t quick_limit = kQuickLimit;
  std::atomic<unsigned> uses = 0;
  std::once_flag made, counting_made;
  Owned<pcre2_code> fast_code, counting_code;

  // The code to interpret for `bytes`, or nothing once there is machine code.
  const pcre2_code* to_interpret(std::size_t bytes) {
    if (bytes > kBriefText || uses.load(std::memory_order_relaxed) >= kBriefUses) return nullptr;
    uses.fetch_add(1, std::memory_order_relaxed);
    return code.get();
  }

  // How a short match ends; nothing where it is not one, or there is machine code.
  std::optional<PieceMatch> interpreted(MatchMemory::Impl& memory, const MatchSubject& subject) {
    const pcre2_code* brief = to_interpret(subject.text.size());
    if (brief == nullptr) return std::nullopt;
    pcre2_set_match_limit(memory.context.get(), kBriefLimit);
    const PieceMatch match = memory.result(memory.interpret(brief, subject, 0));
    const bool ended = match.end == PieceMatch::End::found || match.end == PieceMatch::End::none;
    return ended ? std::optional(match) : std::nullopt;
  }

  // Threads may be interpreting the code, so it is a copy that machine code is made of. Without a
  // JIT the interpreter is used.
  const pcre2_code* fast() {
    std::call_once(made, [this] {
      fast_code = checked(pcre2_code_copy(code.get()));
      pcre2_jit_compile(fast_code.get(), PCRE2_JIT_COMPLETE);
      uses = kBriefUses;
    });
    return fast_code.get();
  }

  // The same with call-outs; null where that is too large.
  const pcre2_code* counting() {
    std::call_once(counting_made, [this] {
      int error = 0;
      if (!text.empty()) counting_code = compiled(text, options | PCRE2_AUTO_CALLOUT, error);
      if (counting_code != nullptr) pcre2_jit_compile(counting_code.get(), PCRE2_JIT_COMPLETE);
    });
    return counting_code.get();
  }

  // How a match ends that is tried with more and more steps: those of the try that failed, at each
  // place, are all that is known of it.
  PieceMatch within_growing_limits(MatchMemory::Impl& memory, const MatchSubject& subject,
                                   const MatchEffort& effort, MatchBudget& budget) {
    // The repetitions of all places may walk to the end.
    const std::uint64_t places = effort.places;
    constexpr std::uint64_t kMostWalks = std::uint64_t{1} << 40;  // beyond any budget
    const std::uint64_t walked =
        places > 1 ? std::min(places * places / (2 * kWalkPerStep), kMostWalks) : 0;
    const std::uint64_t walks = walked * (1 + width * kWalkPerStep);
    if (!budget.spend(walks + places * effort.steps_at_each)) return {PieceMatch::End::limit};
    std::uint64_t passed = 0;
    for (std::uint32_t limit = 4 * quick_limit; passed < MatchBudget::kSteps; limit *= 4) {
      const PieceMatch match = memory.result(memory.run_within(limit, fast(), subject));
      if (match.end != PieceMatch::End::limit) return match;
      passed = std::uint64_t{limit} * (breadth + width) * places;
      if (!budget.spend(passed)) break;
    }
    return {PieceMatch::End::limit};
  }
};

Pcre2Piece::Pcre2Piece(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Pcre2Piece::~Pcre2Piece() = default;

std::unique_ptr<Pcre2Piece> Pcre2Piece::compile(std::string text, const PieceTraits& traits) {
  auto impl = std::make_unique<Impl>();
  impl->breadth = 1 + static_cast<std::uint32_t>(std::min(traits.items, kMostItems) / kFewItems);
  impl->quick_limit = std::max(kQuickLimit / impl->breadth, 8U);
  impl->width = traits.width / kItemsPerStep;
  impl->options = traits.at_start_only ? PCRE2_ANCHORED : 0;
  // PCRE2 10.42 takes `a*` before `(?:bc)?+ab` for one that need not give an `a` back.
  if (traits.has_atomic) impl->options |= PCRE2_NO_AUTO_POSSESS;
  int error = 0;
  impl->code = compiled(text, impl->options, error);
  if (impl->code == nullptr && error == PCRE2_ERROR_PATTERN_TOO_LARGE) return nullptr;
  if (impl->code == nullptr) throw Error(ErrorKind::data, message_of(error));
  if (text.size() <= kLongestCounted) impl->text = std::move(text);
  return std::unique_ptr<Pcre2Piece>(new Pcre2Piece(std::move(impl)));
}

PieceMatch Pcre2Piece::quick(MatchMemory& memory, const MatchSubject& subject) const {
  MatchMemory::Impl& with = memory.impl();
  if (const auto match = impl_->interpreted(with, subject)) return *match;
  return with.result(with.run_within(impl_->quick_limit, impl_->fast(), subject));
}

PieceMatch Pcre2Piece::counted(MatchMemory& memory, const MatchSubject& subject,
                               const MatchEffort& effort, MatchBudget& budget) const {
  MatchMemory::Impl& with = memory.impl();
  if (const auto match = impl_->interpreted(with, subject)) return *match;
  const pcre2_code* code = impl_->counting();
  if (code == nullptr) return impl_->within_growing_limits(with, subject, effort, budget);
  StepCounter counter{0, budget.left(), effort.steps_at_each, subject.from, impl_->text};
  const PieceMatch match = with.result(with.run_counting(counter, code, subject));
  return budget.spend(counter.steps) ? match : PieceMatch{PieceMatch::End::limit};
}

std::string Pcre2Piece::message_of(int code) {
  PCRE2_UCHAR buffer[256];
  pcre2_get_error_message(code, buffer, sizeof buffer);
  return reinterpret_cast<const char*>(buffer);
}

}  // namespace weft
