// The store of the ranks as Gloo asks for one.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <gloo/rendezvous/store.h>

#include "framework/comm/store.h"

namespace weft {

class GlooStore final : public gloo::rendezvous::Store {
 public:
  // The client outlives it.
  GlooStore(StoreClient& client, std::chrono::milliseconds wait) : client_(client), wait_(wait) {}

  void set(const std::string& key, const std::vector<char>& data) override {
    client_.set(key, std::string(data.begin(), data.end()));
  }
  std::vector<char> get(const std::string& key) override {
    const std::string value = client_.get(key, wait_);
    return {value.begin(), value.end()};
  }
  void wait(const std::vector<std::string>& keys) override { wait(keys, wait_); }
  void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& most) override {
    for (const std::string& key : keys) client_.get(key, most);
  }

 private:
  StoreClient& client_;
  std::chrono::milliseconds wait_;
};

}  // namespace weft
