// The store of the ranks: its messages, and a server among clients that are none.
#include "framework/comm/store.h"

#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "framework/comm/comm_error.h"
#include "framework/comm/socket.h"
#include "framework/comm/store_message.h"

namespace weft {
namespace {

using std::chrono::milliseconds;

TEST(StoreMessage, ComesBackWholeAndNotBefore) {
  const std::string bytes = store_request({StoreRequest::Kind::set, "key", "some value"});
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(parse_store_request(bytes.substr(0, length)).has_value()) << length;
  }
  const auto parsed = parse_store_request(bytes + "more");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->length, bytes.size());
  EXPECT_EQ(parsed->request.key, "key");
  EXPECT_EQ(parsed->request.value, "some value");
}

TEST(StoreMessage, TellsNoValueFromAnEmptyOne) {
  const auto none = parse_store_answer(store_answer(std::nullopt));
  const auto empty = parse_store_answer(store_answer(""));
  ASSERT_TRUE(none && empty);
  EXPECT_EQ(none->value, std::nullopt);
  EXPECT_EQ(empty->value, "");
}

TEST(StoreMessage, RefusesImpossibleLengthsBeforeTheyCome) {
  const std::string much("\xff\xff\xff\xff", 4);
  EXPECT_THROW(parse_store_request("S" + much + much), Error);
  EXPECT_THROW(parse_store_request("G" + std::string("\1\0\0\0", 4) + much), Error);
  EXPECT_THROW(parse_store_request("S" + std::string(8, '\0')), Error);
  EXPECT_THROW(parse_store_request("?"), Error);
  EXPECT_THROW(parse_store_answer("+" + much), Error);
  EXPECT_THROW(parse_store_answer("-" + std::string("\1\0\0\0x", 5)), Error);
}

TEST(Store, KeepsValuesForOthersWhileStrangersAreSentAway) {
  Descriptor socket = listen_at("127.0.0.1", 0);
  const std::uint16_t port = port_of(socket);
  const StoreServer server(std::move(socket));
  const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  const Descriptor stranger = connect_to("127.0.0.1", port, soon);
  send_all(stranger, "GET / HTTP/1.1\r\n\r\n, and more that is no request of a rank");
  StoreClient first("127.0.0.1", port, milliseconds(5000));
  StoreClient second("127.0.0.1", port, milliseconds(5000));
  EXPECT_EQ(first.own_address(), "127.0.0.1");
  EXPECT_EQ(second.find("address"), std::nullopt);
  const std::string large(200'000, 'x');
  first.set("address", large);
  EXPECT_EQ(second.get("address", milliseconds(5000)), large);
  EXPECT_THROW(second.get("nobody", milliseconds(30)), PeerLost);
}

TEST(Store, APeerThatNeverReadsStopsNobody) {
  Descriptor socket = listen_at("127.0.0.1", 0);
  const std::uint16_t port = port_of(socket);
  const StoreServer server(std::move(socket));
  StoreClient client("127.0.0.1", port, milliseconds(20'000));
  client.set("large", std::string(kLongestStoreValue, 'x'));
  const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  const Descriptor deaf = connect_to("127.0.0.1", port, soon);
  const std::string request = store_request({StoreRequest::Kind::get, "large", ""});
  for (int i = 0; i < 100; ++i) send_all(deaf, request);
  for (int i = 0; i < 5; ++i) {  // once the answers of the other fill the line
    std::this_thread::sleep_for(milliseconds(20));
    EXPECT_EQ(client.find("large").value_or("").size(), kLongestStoreValue);
  }
}

// Whether the server has ended the connection.
bool is_ended(const Descriptor& peer, int milliseconds) {
  pollfd one{peer.get(), POLLIN, 0};
  char byte = 0;
  return ::poll(&one, 1, milliseconds) == 1 && ::recv(peer.get(), &byte, 1, 0) <= 0;
}

TEST(Store, APeerThatAsksNothingIsSentAway) {
  Descriptor socket = listen_at("127.0.0.1", 0);
  const std::uint16_t port = port_of(socket);
  const StoreServer server(std::move(socket), milliseconds(2000));
  StoreClient rank("127.0.0.1", port, milliseconds(20'000));
  rank.set("key", "value");
  const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  const Descriptor silent = connect_to("127.0.0.1", port, soon);
  const Descriptor slow = connect_to("127.0.0.1", port, soon);
  send_all(slow, store_request({StoreRequest::Kind::get, "key", ""}).substr(0, 5));
  EXPECT_TRUE(is_ended(silent, 20'000));
  EXPECT_TRUE(is_ended(slow, 20'000));
  EXPECT_EQ(rank.find("key"), "value") << "a rank may be silent between its questions";
}

TEST(Store, OfTooManySilentPeersTheFirstAreSentAway) {
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  if (files.rlim_cur < 700) GTEST_SKIP() << "a process may have too few files open";
  Descriptor socket = listen_at("127.0.0.1", 0);
  const std::uint16_t port = port_of(socket);
  const StoreServer server(std::move(socket), std::chrono::hours(1));
  const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  std::vector<Descriptor> silent;
  for (int i = 0; i < 300; ++i) silent.push_back(connect_to("127.0.0.1", port, soon));
  StoreClient rank("127.0.0.1", port, milliseconds(20'000));
  rank.set("key", "value");  // all before it have been accepted
  EXPECT_TRUE(is_ended(silent.front(), 20'000));
  EXPECT_FALSE(is_ended(silent.back(), 0));
  EXPECT_EQ(rank.find("key"), "value");
}

TEST(Store, WhatIsNoAnswerEndsTheConnection) {
  Descriptor socket = listen_at("127.0.0.1", 0);
  StoreClient client("127.0.0.1", port_of(socket), milliseconds(5000));
  const Descriptor peer(::accept(socket.get(), nullptr, nullptr));
  ASSERT_TRUE(send_all(peer, "?? this is no answer"));
  EXPECT_THAT([&] { client.find("key"); },
              testing::ThrowsMessage<PeerLost>(testing::HasSubstr("no answer of a store")));
  EXPECT_THROW(client.find("key"), PeerLost);
}

// The kernel takes a connection for a rank 0 that has stopped.
TEST(Store, ARequestWaitsNoLongerThanItSays) {
  Descriptor socket = listen_at("127.0.0.1", 0);
  StoreClient client("127.0.0.1", port_of(socket), milliseconds(600'000));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(client.set("weft/aborted", "why", milliseconds(50)), PeerLost);
  EXPECT_THROW(client.find("weft/aborted", milliseconds(50)), PeerLost);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Store, AClientNamesThePlaceWhereNobodyAnswers) {
  Descriptor socket = listen_at("127.0.0.1", 0);
  const std::uint16_t port = port_of(socket);
  socket.reset();
  EXPECT_THAT(
      [&] { StoreClient("127.0.0.1", port, milliseconds(60)); },
      testing::ThrowsMessage<PeerLost>(testing::HasSubstr("127.0.0.1:" + std::to_string(port))));
}

// Names that end in `.invalid` are unknown everywhere.
TEST(Store, AClientNamesTheAddressThatNobodyKnows) {
  EXPECT_THAT([] { StoreClient("rank-0.invalid", 7000, milliseconds(60)); },
              testing::ThrowsMessage<PeerLost>(
                  testing::AllOf(testing::HasSubstr("rank-0.invalid:7000"),
                                 testing::HasSubstr("MASTER_ADDR says where rank 0 runs"))));
}

// A queue that is full drops what comes, as a firewall does: the system itself tries for minutes.
TEST(Store, AClientGivesUpWherePacketsAreDropped) {
  Descriptor full(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(full.get(), reinterpret_cast<const sockaddr*>(&at), sizeof(at)), 0);
  ASSERT_EQ(::listen(full.get(), 0), 0);
  const std::uint16_t port = port_of(full);
  std::vector<Descriptor> taken;
  const auto fill = [&] {
    while (true) {
      taken.push_back(
          connect_to("127.0.0.1", port, std::chrono::steady_clock::now() + milliseconds(200)));
    }
  };
  EXPECT_THAT(fill, testing::ThrowsMessage<PeerLost>(testing::HasSubstr("timed out")));
}

}  // namespace
}  // namespace weft
