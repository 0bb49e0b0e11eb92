// States and gold annotation of dependency parses, brought from the host to a device for kernels
// that are queued while these live. There a state has room for all that its parse can come to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "framework/backends/cuda/device_stream.h"
#include "framework/ops/arc_system.h"

namespace weft::cuda {

class PlacedArcStates {
 public:
  // `rounds`: the most steps that one of the parses takes.
  PlacedArcStates(DeviceStream& stream, std::span<const transition::ArcState> states, int rounds)
      : lists_(states, rounds),
        tokens_(stream, static_cast<std::int64_t>(lists_.tokens.size())),
        numbers_(stream, static_cast<std::int64_t>(lists_.numbers.size())),
        states_(stream, placed(states)),
        count_(states.size()) {
    stage(stream, tokens_, lists_.tokens);
    stage(stream, numbers_, lists_.numbers);
  }

  std::span<const transition::PlacedArcSystem::State> all() const {
    return {states_.data(), count_};
  }

 private:
  using State = transition::PlacedArcSystem::State;

  // The tokens of all states one behind the other; of each state so many numbers for its stack as
  // it has tokens, then as many for tokens that were put back.
  struct Lists {
    std::vector<std::size_t> room;  // of each state, in tokens
    std::vector<transition::ArcToken> tokens;
    std::vector<std::int32_t> numbers;

    Lists(std::span<const transition::ArcState> states, int rounds) {
      for (const transition::ArcState& state : states) {
        // A step takes one token of the buffer at most, and a sentence starts one token further on.
        const std::int64_t end =
            std::min<std::int64_t>(state.length(), std::int64_t{state.next()} + rounds + 2);
        room.push_back(static_cast<std::size_t>(end - state.first_held()));
        add(tokens, state.held(), room.back());
        add(numbers, state.stack_tokens(), room.back());
        add(numbers, state.returned(), room.back());
      }
    }
    template <class T>
    static void add(std::vector<T>& to, const std::vector<T>& from, std::size_t room) {
      const std::size_t begin = to.size();
      to.insert(to.end(), from.begin(), from.end());
      to.resize(begin + room);
    }
  };

  template <class T>
  static void stage(DeviceStream& stream, const Scratch<T>& to, const std::vector<T>& from) {
    if (!from.empty()) stream.stage(to.data(), from.data(), from.size() * sizeof(T));
  }

  std::vector<State> placed(std::span<const transition::ArcState> states) const {
    std::vector<State> all;
    transition::ArcToken* tokens = tokens_.data();
    std::int32_t* numbers = numbers_.data();
    for (std::size_t i = 0; i < states.size(); ++i) {
      const transition::ArcState& state = states[i];
      const std::size_t room = lists_.room[i];
      all.emplace_back(state, State::Tokens(tokens, state.held().size()),
                       State::Numbers(numbers, state.stack_depth()),
                       State::Numbers(numbers + room, state.returned().size()));
      tokens += room;
      numbers += 2 * room;
    }
    return all;
  }

  Lists lists_;
  Scratch<transition::ArcToken> tokens_;
  Scratch<std::int32_t> numbers_;
  Staged<State> states_;
  std::size_t count_;
};

// Pieces of a document share its gold annotation.
class PlacedArcGold {
 public:
  PlacedArcGold(DeviceStream& stream, std::span<const transition::ArcGold* const> parses)
      : views_(stream, placed(stream, parses)) {}

  const transition::ArcGoldView* all() const { return views_.data(); }

 private:
  struct Arrays {
    Staged<std::int32_t> head, next_mark, kids, kids_begin;
    Staged<std::uint8_t> known;
    Staged<std::uint64_t> label;
    Staged<std::int8_t> starts;

    Arrays(DeviceStream& stream, const transition::ArcGold& gold)
        : head(stream, gold.head),
          next_mark(stream, gold.next_mark),
          kids(stream, gold.kids),
          kids_begin(stream, gold.kids_begin),
          known(stream, gold.known),
          label(stream, gold.label),
          starts(stream, gold.starts) {}
  };

  std::vector<transition::ArcGoldView> placed(DeviceStream& stream,
                                              std::span<const transition::ArcGold* const> parses) {
    std::vector<transition::ArcGoldView> views;
    for (const transition::ArcGold* gold : parses) {
      const Arrays& arrays = of_documents_.try_emplace(gold, stream, *gold).first->second;
      transition::ArcGoldView& view = views.emplace_back();
      view.head = arrays.head.data();
      view.known = arrays.known.data();
      view.label = arrays.label.data();
      view.starts = arrays.starts.data();
      view.next_mark = arrays.next_mark.data();
      view.kids = arrays.kids.data();
      view.kids_begin = arrays.kids_begin.data();
    }
    return views;
  }

  std::map<const transition::ArcGold*, Arrays> of_documents_;
  Staged<transition::ArcGoldView> views_;
};

}  // namespace weft::cuda
