// A batcher whose passes are streams made from its settings.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "framework/training/batcher.h"

namespace weft {

// Stream: a BatchStream with a constructor (Settings, ExampleStream&, std::int64_t& sizes_taken).
template <class Stream, class Settings>
BatcherPtr batcher_of(Settings settings) {
  class StreamBatcher final : public Batcher {
   public:
    explicit StreamBatcher(Settings all) : settings_(std::move(all)) {}
    BatchStreamPtr start(ExampleStream& examples, std::int64_t& sizes_taken) const override {
      return std::make_unique<Stream>(settings_, examples, sizes_taken);
    }

   private:
    Settings settings_;
  };
  return std::make_shared<StreamBatcher>(std::move(settings));
}

}  // namespace weft
