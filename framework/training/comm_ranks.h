// Several ranks of a run, as far as every strategy has them: what all know of the parameters, and
// what is done together between steps. Strategies derive from it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/comm/communicator.h"
#include "framework/pipeline/shard_exchange.h"
#include "framework/training/ownership.h"
#include "framework/training/run_ranks.h"
#include "registry/base/export.h"

namespace weft {

class PartsInTurn;
class ReusedBytes;
using OptimizerStates = std::map<std::string, OptimizerState>;

class WEFT_API CommRanks : public RunRanks, public ShardExchange {
 public:
  CommRanks(std::shared_ptr<Communicator> comm, std::size_t min_shards);

  bool is_root() const override { return comm_->is_root(); }
  int size() const override { return comm_->size(); }
  // Throws Error(config) where the ranks have other parameters. All have the weights of rank 0
  // then, which owns all of them until `divide_parameters`.
  void begin(ShardRunner& runner, Optimizer& optimizer) override;
  bool as_root(bool mine) override;
  void share_weights() override;
  void on_root(const std::function<void()>& work) override;
  void annotate(const Language& nlp, std::span<Doc* const> docs, WorkerPool& pool) override;
  std::optional<Scores> from_root(std::optional<Scores> scores) override;
  std::map<std::string, OptimizerState> states(const Optimizer& optimizer) override;
  // Ends the waits of the others.
  bool fail(const Error& error) noexcept override;

  // Of S shards on P ranks those from rank * S / P on.
  Shard own(std::size_t shards) const override;

 protected:
  bool any(bool mine) const;  // whether it holds on some rank
  // From now on parameters are updated by these ranks; the optimizer forgets what belongs to
  // others.
  void divide_parameters(Ownership ownership, Optimizer& optimizer);
  ArrayPart part(std::size_t parameter, int rank) const {
    return ownership_.part(parameter, rank, parameters_[parameter].parameter->value.size());
  }
  ArrayPart my_part(std::size_t parameter) const { return part(parameter, comm_->rank()); }
  bool is_mine(std::size_t parameter) const { return !my_part(parameter).is_empty(); }
  // The weights of a step, whose types all ranks know.
  void share_values();

  std::shared_ptr<Communicator> comm_;
  std::vector<NamedParameter> parameters_;  // all that are trained in some step
  Ownership ownership_;                     // of each

 private:
  void check_layout() const;
  void join(std::size_t parameter, std::span<const OptimizerStates> of_ranks,
            OptimizerStates& all) const;
  void share_types();
  PartsInTurn parts_of(int rank) const;

  std::vector<std::shared_ptr<ReusedBytes>> values_;  // for messages of weights
  std::vector<Tensor> others_;  // of parameters of other ranks, in the type that was left
};

}  // namespace weft
