#include "framework/training/shuffle_window.h"

#include <utility>
#include <vector>

#include "framework/ops/random.h"

namespace weft {
namespace {

class WindowStream : public ExampleStream {
 public:
  WindowStream(ExampleStreamPtr examples, std::size_t window, const RandomStream& random)
      : examples_(std::move(examples)), window_(window), random_(random) {}

  ExamplePtr next() override {
    while (examples_ && held_.size() < window_) {
      if (ExamplePtr example = examples_->next()) {
        held_.push_back(std::move(example));
      } else {
        examples_ = nullptr;
      }
    }
    if (held_.empty()) return nullptr;
    std::swap(held_[random_.below(given_++, held_.size())], held_.back());
    ExamplePtr chosen = std::move(held_.back());
    held_.pop_back();
    return chosen;
  }

 private:
  ExampleStreamPtr examples_;  // null at its end
  std::size_t window_;
  RandomStream random_;
  std::uint64_t given_ = 0;
  std::vector<ExamplePtr> held_;
};

}  // namespace

ExampleStreamPtr shuffled_in_window(ExampleStreamPtr examples, std::size_t window,
                                    std::uint64_t seed, std::int64_t epoch) {
  const RandomStream random(seed, static_cast<std::uint64_t>(epoch), site_hash("shuffle window"));
  return std::make_unique<WindowStream>(std::move(examples), window, random);
}

}  // namespace weft
