// As much of NCCL as its engine calls, over Gloo between processes of one machine: collectives are
// queued on the stream and go on after the call has returned, and errors show later, as NCCL's do.
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>
#include <nccl.h>
#include <unistd.h>

#include "framework/comm/open_engine.h"
#include "framework/comm/socket.h"
#include "tests/fake_nccl/fake_stream.h"

struct ncclComm {
  int rank = 0, size = 1;
  std::shared_ptr<weft::Communicator> over;
  std::atomic<ncclResult_t> state{ncclInProgress};
};

namespace {

using weft::testing::FakeStream;

// Longer than any test: it is the engine that has to notice.
constexpr std::chrono::seconds kLong{600};

weft::Descriptor listening;  // of the rank that made the id
struct Id {
  std::uint16_t port;
};

struct Group {
  bool is_open = false;
  ncclComm* comm = nullptr;
  cudaStream_t stream = nullptr;
  std::vector<std::function<weft::Work()>> calls;
};
thread_local Group group;

weft::DType dtype_of(ncclDataType_t type) {
  switch (type) {
    case ncclFloat32:
      return weft::DType::f32;
    case ncclFloat64:
      return weft::DType::f64;
    case ncclInt32:
      return weft::DType::i32;
    case ncclInt64:
      return weft::DType::i64;
    case ncclUint64:
      return weft::DType::u64;
    default:
      return weft::DType::u8;
  }
}

weft::ReduceOp op_of(ncclRedOp_t op) {
  return op == ncclSum ? weft::ReduceOp::sum : weft::ReduceOp::max;
}

// All calls of a group are under way at the same time.
void queue(ncclComm* comm, cudaStream_t stream, std::vector<std::function<weft::Work()>> calls) {
  reinterpret_cast<FakeStream*>(stream)->queue([comm, calls = std::move(calls)] {
    try {
      std::vector<weft::Work> works;
      for (const auto& call : calls) works.push_back(call());
      for (const weft::Work& work : works) work.wait(kLong);
    } catch (const std::exception&) {
      comm->state = ncclRemoteError;
    }
  });
}

ncclResult_t start(ncclComm* comm, cudaStream_t stream, std::function<weft::Work()> call) {
  if (comm->state != ncclSuccess) return ncclInvalidUsage;  // called before it was ready
  if (group.is_open) {
    group.comm = comm;
    group.stream = stream;
    group.calls.push_back(std::move(call));
  } else {
    queue(comm, stream, {std::move(call)});
  }
  return ncclSuccess;
}

}  // namespace

extern "C" {

const char* ncclGetErrorString(ncclResult_t result) {
  return result == ncclRemoteError ? "a remote process exited" : "a fault of the fake NCCL";
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  listening = weft::listen_at("127.0.0.1", 0);
  const Id own{weft::port_of(listening)};
  std::memset(id->internal, 0x5a, sizeof id->internal);
  std::memcpy(id->internal, &own, sizeof own);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* made, int size, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  if (config->blocking != 0) return ncclInvalidArgument;
  auto* comm = new ncclComm();
  comm->rank = rank;
  comm->size = size;
  *made = comm;
  Id known{};
  std::memcpy(&known, id.internal, sizeof known);
  weft::Launch launch{.rank = rank, .size = size, .address = "127.0.0.1", .port = known.port};
  if (rank == 0) launch.listening = ::dup(listening.get());
  std::thread([comm, launch] {
    try {
      comm->over = weft::open_communicator("gloo", launch, {.deadline = kLong});
      comm->state = ncclSuccess;
    } catch (const std::exception&) {
      comm->state = ncclSystemError;
    }
  }).detach();
  return ncclInProgress;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* state) {
  *state = comm->state;
  return ncclSuccess;
}

// Until all ranks have come here, each may still need the others.
ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  comm->state = ncclInProgress;
  std::thread([comm] {
    try {
      comm->over->barrier().wait(kLong);
      comm->state = ncclSuccess;
    } catch (const std::exception&) {
      comm->state = ncclRemoteError;
    }
  }).detach();
  return ncclInProgress;
}

// Nobody may use it afterwards; the process of the test ends soon.
ncclResult_t ncclCommDestroy(ncclComm_t) {
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  if (comm->state != ncclInProgress && comm->over) comm->over->abort("ncclCommAbort");
  // Queued calls still refer to it; the process of the test ends soon.
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* in, void* out, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  if (in != out) return ncclInvalidArgument;
  return start(comm, stream, [=] {
    return comm->over->all_reduce({out, count, dtype_of(type)}, op_of(op));
  });
}

ncclResult_t ncclReduceScatter(const void* in, void* out, std::size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  const std::size_t all = count * static_cast<std::size_t>(comm->size);
  return start(comm, stream, [=] {
    return comm->over->reduce_scatter({in, all, dtype_of(type)}, {out, count, dtype_of(type)},
                                      op_of(op));
  });
}

ncclResult_t ncclBroadcast(const void* in, void* out, std::size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream) {
  if (in != out) return ncclInvalidArgument;
  return start(comm, stream, [=] {
    return comm->over->broadcast({out, count, dtype_of(type)}, root);
  });
}

ncclResult_t ncclSend(const void* data, std::size_t count, ncclDataType_t type, int to,
                      ncclComm_t comm, cudaStream_t stream) {
  return start(comm, stream, [=] {
    return comm->over->send({data, count, dtype_of(type)}, to, 0);
  });
}

ncclResult_t ncclRecv(void* data, std::size_t count, ncclDataType_t type, int from, ncclComm_t comm,
                      cudaStream_t stream) {
  return start(comm, stream, [=] {
    return comm->over->receive({data, count, dtype_of(type)}, from, 0);
  });
}

ncclResult_t ncclGroupStart() {
  group = {};
  group.is_open = true;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  group.is_open = false;
  if (!group.calls.empty()) queue(group.comm, group.stream, std::move(group.calls));
  return ncclSuccess;
}

}  // extern "C"
