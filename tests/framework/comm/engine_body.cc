#include "tests/framework/comm/engine_body.h"

#include <algorithm>
#include <csignal>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "framework/comm/open_engine.h"
#include "framework/comm/socket.h"

namespace weft::testing {
namespace {

constexpr std::size_t kCounts[] = {0, 1, 3, 1000, 65'537};

// Small whole numbers: sums of them are exact in any order.
template <class T>
T value(int rank, std::size_t i) {
  return static_cast<T>((i * 7 + static_cast<std::size_t>(rank) * 13) % 101);
}

template <class T>
std::vector<T> values(int rank, std::size_t count) {
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = value<T>(rank, i);
  return all;
}

template <class T>
std::vector<T> reduced(int ranks, std::size_t count, ReduceOp op) {
  std::vector<T> all = values<T>(0, count);
  for (int rank = 1; rank < ranks; ++rank) {
    for (std::size_t i = 0; i < count; ++i) {
      const T more = value<T>(rank, i);
      all[i] = op == ReduceOp::sum ? all[i] + more : std::max(all[i], more);
    }
  }
  return all;
}

template <class T>
CommBuffer buffer(std::vector<T>& all) {
  return {all.data(), all.size(), DTypeOf<T>::value};
}

template <class T>
bool reduces(Communicator& comm, std::size_t count, ReduceOp op) {
  std::vector<T> all = values<T>(comm.rank(), count);
  comm.all_reduce(buffer(all), op).wait();
  if (all != reduced<T>(comm.size(), count, op)) return false;
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<T> in = values<T>(comm.rank(), count * ranks), part(count);
  comm.reduce_scatter(buffer(in), buffer(part), op).wait();
  const std::vector<T> whole = reduced<T>(comm.size(), count * ranks, op);
  const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(count) * comm.rank();
  return std::equal(part.begin(), part.end(), begin);
}

bool gathers(Communicator& comm, std::size_t count) {
  std::vector<float> mine = values<float>(comm.rank(), count), all, expected;
  all.resize(count * static_cast<std::size_t>(comm.size()));
  for (int rank = 0; rank < comm.size(); ++rank) {
    const std::vector<float> of_rank = values<float>(rank, count);
    expected.insert(expected.end(), of_rank.begin(), of_rank.end());
  }
  comm.all_gather(buffer(mine), buffer(all)).wait();
  return all == expected;
}

// Parts of different sizes, some of them empty.
bool gathers_parts(Communicator& comm) {
  std::vector<std::uint8_t> expected;
  std::vector<std::size_t> bytes;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const auto part = values<std::uint8_t>(rank, static_cast<std::size_t>(rank % 3) * 501);
    bytes.push_back(part.size());
    expected.insert(expected.end(), part.begin(), part.end());
  }
  std::vector<std::uint8_t> mine =
      values<std::uint8_t>(comm.rank(), bytes[static_cast<std::size_t>(comm.rank())]);
  std::vector<std::uint8_t> all(expected.size());
  comm.all_gather_v(buffer(mine), buffer(all), bytes).wait();
  if (all != expected) return false;
  // From the place where it stands in the result.
  const auto rank = static_cast<std::size_t>(comm.rank());
  const auto place = std::accumulate(bytes.begin(), bytes.begin() + comm.rank(), std::size_t{0});
  std::fill(all.begin(), all.end(), std::uint8_t{255});
  std::copy(mine.begin(), mine.end(), all.begin() + static_cast<std::ptrdiff_t>(place));
  comm.all_gather_v({all.data() + place, bytes[rank], DType::u8}, buffer(all), bytes).wait();
  return all == expected;
}

std::size_t part_between(int from, int to) {
  return static_cast<std::size_t>((from * 3 + to * 5) % 4) * 333;
}

bool exchanges(Communicator& comm) {
  std::vector<std::uint8_t> in, out, expected;
  std::vector<std::size_t> to, from;
  for (int other = 0; other < comm.size(); ++other) {
    to.push_back(part_between(comm.rank(), other));
    from.push_back(part_between(other, comm.rank()));
    const auto sent = values<std::uint8_t>(comm.rank() * 10 + other, to.back());
    const auto got = values<std::uint8_t>(other * 10 + comm.rank(), from.back());
    in.insert(in.end(), sent.begin(), sent.end());
    expected.insert(expected.end(), got.begin(), got.end());
  }
  out.resize(expected.size());
  comm.all_to_all_v(buffer(in), to, buffer(out), from).wait();
  return out == expected;
}

bool broadcasts(Communicator& comm, std::size_t count) {
  for (int root = 0; root < comm.size(); ++root) {
    std::vector<double> data = values<double>(comm.rank(), count);
    comm.broadcast(buffer(data), root).wait();
    if (data != values<double>(root, count)) return false;
  }
  return true;
}

// To the next rank, two messages that are received in the other order.
bool sends(Communicator& comm, std::size_t count) {
  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  std::vector<float> first = values<float>(comm.rank(), count), second = {7.0F};
  std::vector<float> got_first(count), got_second(1);
  const std::vector<Work> all = {
      comm.receive(buffer(got_second), before, 2), comm.receive(buffer(got_first), before, 1),
      comm.send(buffer(first), next, 1), comm.send(buffer(second), next, 2)};
  for (const Work& work : all) work.wait();
  return got_first == values<float>(before, count) && got_second == second;
}

bool tells_texts(Communicator& comm) {
  const auto text_of = [](int rank) {
    return std::string(static_cast<std::size_t>(rank) * 3, 'x');
  };
  const std::vector<std::string> all = all_gather_texts(comm, text_of(comm.rank()));
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (all[static_cast<std::size_t>(rank)] != text_of(rank)) return false;
  }
  return broadcast_text(comm, "of " + std::to_string(comm.rank())) == "of 0";
}

}  // namespace

std::string check_operations(Communicator& comm, bool with_messages) {
  for (const std::size_t count : kCounts) {
    for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max}) {
      if (!reduces<float>(comm, count, op)) return fmt::format("reducing {} f32", count);
      if (!reduces<double>(comm, count, op)) return fmt::format("reducing {} f64", count);
      if (!reduces<std::int64_t>(comm, count, op)) return fmt::format("reducing {} i64", count);
    }
    if (!gathers(comm, count)) return fmt::format("gathering {}", count);
    if (!broadcasts(comm, count)) return fmt::format("broadcasting {}", count);
    if (with_messages && !sends(comm, count)) return fmt::format("sending {}", count);
  }
  if (!gathers_parts(comm)) return "gathering parts";
  if (!exchanges(comm)) return "an exchange";
  if (!tells_texts(comm)) return "texts";
  comm.barrier().wait();
  return "";
}

std::vector<int> run_forked(int ranks, const std::function<int(Communicator&)>& body,
                            const CommOptions& options, const std::string& engine) {
  Descriptor socket = listen_at("127.0.0.1", 0);
  const std::uint16_t port = port_of(socket);
  std::vector<pid_t> children;
  for (int rank = 0; rank < ranks; ++rank) {
    const pid_t child = ::fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    std::signal(SIGPIPE, SIG_IGN);  // as the program does
    try {
      Launch launch{
          .rank = rank, .size = ranks, .engine = "gloo", .address = "127.0.0.1", .port = port};
      if (rank == 0) launch.listening = ::dup(socket.get());
      auto comm = open_communicator(engine, launch, options);
      const int code = body(*comm);
      comm.reset();  // as programs do: rank 0 answers the others for a while
      ::_exit(code);
    } catch (const std::exception& error) {
      fmt::print(stderr, "rank {}: {}\n", rank, error.what());
      ::_exit(99);
    }
  }
  socket.reset();
  std::vector<int> codes;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    codes.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }
  return codes;
}

}  // namespace weft::testing
