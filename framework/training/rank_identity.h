// The things that all ranks of a run must have alike: config, data, version, plugins, processor,
// checkpoint. They are compared before the first step. Source: docs/distributed.md, "Refused".
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "framework/comm/communicator.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

struct RankIdentity {
  Node config;  // filled, without variables
  Object data;  // data_facts
  std::string version, processor, plugins, checkpoint;
};

// Empty where the other rank may take part; else one sentence without the ranks: "the config
// differs: training.dropout is 0.2 there and 0.1 here". Paths of data may differ.
WEFT_API std::string difference_of(const RankIdentity& root, const RankIdentity& other,
                                   bool allow_mixed_hardware);

// This build, and the processor that it runs on.
WEFT_API std::string version_of_build();
WEFT_API std::string processor_of_rank();

// The meeting of all ranks before the first step: each tells of its identity, or of the error that
// its preparations ended by. Throws Error(config) naming the first rank that differs from rank 0;
// the error of a rank that failed. Rank 0 throws what is to be told, the others AgreedFailure.
WEFT_API void meet(Communicator& comm, const RankIdentity& mine, bool allow_mixed_hardware);
[[noreturn]] WEFT_API void meet_after_failure(Communicator& comm, const Error& error);

}  // namespace weft
