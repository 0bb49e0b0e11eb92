// Local SGD: each rank steps alone on its own shards of every batch; every so many steps
// parameters, moments and averages become their means over the ranks. Source: Stich, "Local SGD
// Converges Fast and Communicates Little"; docs/distributed.md, "local.v1".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "framework/training/apart_ranks.h"
#include "registry/base/export.h"

namespace weft {

struct LocalOptions {
  std::size_t min_shards = 1;
  std::int64_t steps = 8;  // from one mean to the next
};

class WEFT_API LocalRanks final : public ApartRanks {
 public:
  LocalRanks(std::shared_ptr<Communicator> comm, const LocalOptions& options);

  void begin(ShardRunner& runner, Optimizer& optimizer) override;
  void apply(ShardRunner& runner, Optimizer& optimizer, double most_norm) override;
  void stepped(std::int64_t step) override;
  // All ranks have them.
  void share_weights() override {}
  std::map<std::string, OptimizerState> states(const Optimizer& optimizer) override;

 private:
  bool meet(bool interrupted) override;
  bool must_meet(bool) const override { return false; }
  void average() const;

  LocalOptions options_;
  Optimizer* optimizer_ = nullptr;
};

}  // namespace weft
