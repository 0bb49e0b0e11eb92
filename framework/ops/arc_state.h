// Where one dependency parse stands: stack, buffer and arcs of the arc-eager system
// (docs/parsing.md; spaCy 3.8, StateC). Tokens are numbers from the start of their document.
//
// Only tokens that a move can still touch are held, so that pieces of a long document are as large
// as the piece and not as the document.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft::transition {

inline constexpr std::int32_t kNoToken = -1;

// Numbers of a token while a parse may still touch it.
struct ArcToken {
  std::int32_t head = kNoToken;
  std::int32_t left = kNoToken, right = kNoToken;     // youngest children
  std::int32_t older = kNoToken, younger = kNoToken;  // among the children of the same head
  std::uint64_t label = 0;
  bool stacked = false, returned = false, starts = false, blocked = false;
};

// Where a state keeps its tokens: in memory of its own, which grows.
struct OwnLists {
  template <class T>
  using List = std::vector<T>;
};

// In memory of somebody else, as kernels of a device have it. There is room for all that the parse
// can come to; copies of a state share it.
struct BorrowedLists {
  template <class T>
  class List {
   public:
    constexpr List() = default;
    constexpr List(T* memory, std::size_t size) : memory_(memory), size_(size) {}
    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T& operator[](std::size_t i) const { return memory_[i]; }
    constexpr T& back() const { return memory_[size_ - 1]; }
    constexpr void push_back(const T& value) { memory_[size_++] = value; }
    constexpr void pop_back() { --size_; }
    constexpr void resize(std::size_t size) {
      while (size_ < size) push_back(T());
    }

   private:
    T* memory_ = nullptr;
    std::size_t size_ = 0;
  };
};

template <class Lists>
class ArcStateIn {
 public:
  using Tokens = typename Lists::template List<ArcToken>;
  using Numbers = typename Lists::template List<std::int32_t>;

  constexpr ArcStateIn() = default;
  // At the first token of a document of `length` tokens; `first` is its row in the batch.
  constexpr ArcStateIn(std::int32_t first, std::int32_t length) : first_(first), length_(length) {}
  // Where another one stands; the lists hold what its lists hold.
  template <class Others>
  constexpr ArcStateIn(const ArcStateIn<Others>& other, Tokens tokens, Numbers stack,
                       Numbers returned)
      : first_(other.first()),
        length_(other.length()),
        next_(other.next()),
        steps_(other.steps()),
        base_(other.first_held()),
        tokens_(std::move(tokens)),
        stack_(std::move(stack)),
        returned_(std::move(returned)) {}

  constexpr std::int32_t first() const { return first_; }
  constexpr std::int32_t length() const { return length_; }
  // How many moves were made since the start of the document.
  constexpr std::int32_t steps() const { return steps_; }

  constexpr bool is_final() const {
    return stack_.empty() && returned_.empty() && next_ >= length_;
  }
  // The row of the token that comes next.
  constexpr int row() const { return first_ + std::max(buffer(0), 0); }

  // The tokens that are held, from number `first_held` on.
  constexpr const Tokens& held() const { return tokens_; }
  constexpr std::int32_t first_held() const { return base_; }

  // ---- stack: from the top, kNoToken beyond its end
  constexpr std::int32_t stack(std::size_t depth) const {
    return depth < stack_.size() ? stack_[stack_.size() - 1 - depth] : kNoToken;
  }
  constexpr std::size_t stack_depth() const { return stack_.size(); }
  constexpr const Numbers& stack_tokens() const { return stack_; }  // bottom first
  constexpr bool in_stack(std::int32_t token) const {
    return find(token) != nullptr && find(token)->stacked;
  }

  // ---- buffer: tokens that were put back, then all that were never taken; always ascending
  constexpr std::int32_t buffer(std::size_t place) const {
    if (place < returned_.size()) return returned_[returned_.size() - 1 - place];
    const std::int64_t token = next_ + static_cast<std::int64_t>(place - returned_.size());
    return token < length_ ? static_cast<std::int32_t>(token) : kNoToken;
  }
  // The first token that was never taken.
  constexpr std::int32_t next() const { return next_; }
  // Tokens that were put back, the last of them first in the buffer.
  constexpr const Numbers& returned() const { return returned_; }
  constexpr bool in_buffer(std::int32_t token) const {
    return token >= next_ || (find(token) != nullptr && find(token)->returned);
  }

  // ---- arcs; the youngest child is the one whose arc was added last
  constexpr std::int32_t head(std::int32_t token) const { return number(token, &ArcToken::head); }
  constexpr bool has_head(std::int32_t token) const { return head(token) != kNoToken; }
  constexpr std::uint64_t label(std::int32_t token) const {
    return find(token) == nullptr ? 0 : find(token)->label;
  }
  constexpr std::int32_t youngest_left(std::int32_t token) const {
    return number(token, &ArcToken::left);
  }
  constexpr std::int32_t youngest_right(std::int32_t token) const {
    return number(token, &ArcToken::right);
  }
  // The next older child of the same head on the same side.
  constexpr std::int32_t older(std::int32_t child) const { return number(child, &ArcToken::older); }

  // A BREAK put a sentence start here.
  constexpr bool is_broken(std::int32_t token) const {
    return find(token) != nullptr && find(token)->starts;
  }
  // It was put back and has not been given a child on its left since.
  constexpr bool is_blocked(std::int32_t token) const {
    return find(token) != nullptr && find(token)->blocked;
  }

  // ---- moves; the caller asks first whether they are possible
  constexpr void shift();
  constexpr void reduce();
  constexpr void arc_left(std::uint64_t label);  // from the buffer's first token to the stack's top
  constexpr void arc_right(std::uint64_t label);  // the other way round
  constexpr void start_sentence();                // at the second token of the buffer

  // Forgets the tokens on the left that no later move and no feature can touch.
  void trim();

 private:
  constexpr const ArcToken* find(std::int32_t token) const {
    const std::int64_t at = std::int64_t{token} - base_;
    return token < 0 || at < 0 || at >= static_cast<std::int64_t>(tokens_.size())
               ? nullptr
               : &tokens_[static_cast<std::size_t>(at)];
  }
  constexpr std::int32_t number(std::int32_t token, std::int32_t ArcToken::*field) const {
    const ArcToken* found = find(token);
    return found == nullptr ? kNoToken : found->*field;
  }
  constexpr ArcToken& at(std::int32_t token) {
    const auto place = static_cast<std::size_t>(token - base_);
    if (place >= tokens_.size()) tokens_.resize(place + 1);
    return tokens_[place];
  }
  constexpr void push();
  constexpr void pop();
  constexpr void add_arc(std::int32_t head, std::int32_t child, std::uint64_t label);
  constexpr void remove_arc(std::int32_t child);

  std::int32_t first_ = 0, length_ = 0, next_ = 0, steps_ = 0;
  std::int32_t base_ = 0;  // the token at tokens_[0]
  Tokens tokens_;          // up to the last one that something is known of
  Numbers stack_;
  Numbers returned_;
};
using ArcState = ArcStateIn<OwnLists>;

template <class Lists>
constexpr void ArcStateIn<Lists>::push() {
  const std::int32_t token = buffer(0);
  if (returned_.empty()) {
    ++next_;
  } else {
    returned_.pop_back();
  }
  ArcToken& taken = at(token);
  taken.returned = false;
  taken.stacked = true;
  stack_.push_back(token);
}

template <class Lists>
constexpr void ArcStateIn<Lists>::pop() {
  at(stack_.back()).stacked = false;
  stack_.pop_back();
}

template <class Lists>
constexpr void ArcStateIn<Lists>::remove_arc(std::int32_t child) {
  const ArcToken taken = at(child);
  if (taken.younger != kNoToken) {
    at(taken.younger).older = taken.older;
  } else {
    ArcToken& head = at(taken.head);
    (child < taken.head ? head.left : head.right) = taken.older;
  }
  if (taken.older != kNoToken) at(taken.older).younger = taken.younger;
  at(child).older = at(child).younger = kNoToken;
}

template <class Lists>
constexpr void ArcStateIn<Lists>::add_arc(std::int32_t head, std::int32_t child,
                                          std::uint64_t label) {
  if (has_head(child)) remove_arc(child);
  at(std::max(head, child));  // both are there before anything refers to them
  ArcToken& from = at(head);
  std::int32_t& youngest = child < head ? from.left : from.right;
  ArcToken& to = at(child);
  to.head = head;
  to.label = label;
  to.older = youngest;
  if (youngest != kNoToken) at(youngest).younger = child;
  youngest = child;
}

template <class Lists>
constexpr void ArcStateIn<Lists>::shift() {
  ++steps_;
  push();
}

template <class Lists>
constexpr void ArcStateIn<Lists>::reduce() {
  ++steps_;
  const std::int32_t top = stack(0);
  pop();
  if (has_head(top) || stack_.empty()) return;
  returned_.push_back(top);
  at(top).returned = at(top).blocked = true;
}

template <class Lists>
constexpr void ArcStateIn<Lists>::arc_left(std::uint64_t label) {
  ++steps_;
  const std::int32_t head = buffer(0);
  add_arc(head, stack(0), label);
  at(head).blocked = false;
  pop();
}

template <class Lists>
constexpr void ArcStateIn<Lists>::arc_right(std::uint64_t label) {
  ++steps_;
  add_arc(stack(0), buffer(0), label);
  push();
}

template <class Lists>
constexpr void ArcStateIn<Lists>::start_sentence() {
  ++steps_;
  at(buffer(1)).starts = true;
}

template <class Lists>
void ArcStateIn<Lists>::trim() {
  std::int32_t least = next_;
  const auto reach = [&](std::int32_t token) {
    least = std::min(least, token);
    for (std::int32_t child = youngest_left(token); child != kNoToken; child = older(child)) {
      least = std::min(least, child);
    }
  };
  reach(next_);  // which may have children already
  for (const std::int32_t token : stack_) reach(token);
  for (const std::int32_t token : returned_) reach(token);
  if (least <= base_) return;
  const std::size_t gone = std::min(static_cast<std::size_t>(least - base_), tokens_.size());
  tokens_.erase(tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(gone));
  base_ = least;
}

}  // namespace weft::transition
