#include "abut/serve/page_server.hpp"

#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "abut/base/error.hpp"
#include "abut/serve/http_server.hpp"

namespace abut {
namespace {

using Clock = std::chrono::steady_clock;

/// A connection to the server, by hand.
class Link {
 public:
  explicit Link(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{10, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Link() { ::close(socket_); }
  Link(Link&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  void send(const std::string& text) const { (void)::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }
  /// Until the other side closes, or at most this much.
  std::string receive(std::size_t most = 1u << 20) const {
    std::string text;
    char block[4096];
    while (text.size() < most) {
      const ssize_t count = ::recv(socket_, block, sizeof block, 0);
      if (count <= 0) break;
      text.append(block, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int socket_;
};

struct Answer {
  int status = 0;
  std::string body;
};

Answer ask(int port, const std::string& line, const std::string& headers = "", const std::string& body = "") {
  const Link link(port);
  std::string head = line + " HTTP/1.1\r\n";
  if (headers.find("Host:") == std::string::npos) head += fmt::format("Host: 127.0.0.1:{}\r\n", port);
  if (!body.empty()) head += fmt::format("Content-Length: {}\r\n", body.size());
  link.send(head + headers + "\r\n" + body);
  const std::string text = link.receive();
  const std::size_t end = text.find("\r\n\r\n");
  if (text.size() < 12 || end == std::string::npos) return {};
  return {std::stoi(text.substr(9, 3)), text.substr(end + 4)};
}

LiveSource make_source() {
  LiveSource source;
  source.name = "ball";
  source.path = "ball.toml";
  source.version = "1";
  source.scene_text =
      "[run]\nduration = 1000\nmethod = \"explicit\"\nstep = 1e-3\nrecord_interval = 1e-3\n[[body]]\nname = \"ball\"\n"
      "mass = 1\nshape = { type = \"sphere\", radius = 0.1 }\n";
  source.describe = [](const Model&) { return std::string("a ball"); };
  source.summarize = [](const RunSummary&, const Model&) { return std::string("{}"); };
  return source;
}

class PageServerTest : public testing::Test {
 protected:
  PageServerTest() : run_(make_source(), 1000.0), server_("<!doctype html>hello", &run_) {
    port_ = server_.start("127.0.0.1", 0);
  }
  ~PageServerTest() override { run_.shut_down(); }
  std::string path(const std::string& name = "") const { return server_.path() + name; }

  LiveRun run_;
  PageServer server_;
  int port_ = 0;
};

TEST_F(PageServerTest, ServesThePageAndNothingElse) {
  EXPECT_EQ(ask(port_, "GET " + path()).body, "<!doctype html>hello");
  EXPECT_EQ(ask(port_, "GET " + path() + "?x=1").status, 200);
  for (const char* other :
       {"../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "index.html", "src", "pause"})
    EXPECT_EQ(ask(port_, "GET " + path(other)).status, 404) << other;
  EXPECT_EQ(ask(port_, "POST " + path("set"), "", R"({"body.ball.mass": "x"})").status, 400);
  EXPECT_EQ(ask(port_, "POST " + path("set"), "", "not json").status, 400);
  EXPECT_EQ(ask(port_, "POST " + path("set"), "", std::string(60000, '[')).status, 400);
  EXPECT_EQ(ask(port_, "POST " + path("speed"), "", R"({"speed": 0})").status, 400);
  EXPECT_EQ(ask(port_, "POST " + path("pause"), "", "{}").status, 200);
  EXPECT_EQ(ask(port_, "POST " + path("pause"), "", std::string(1u << 17, ' ')).status, 413);
}

TEST_F(PageServerTest, NothingIsToldWithoutTheToken) {
  EXPECT_EQ(path().size(), 34u);
  const Answer answer = ask(port_, "GET /");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body.find("hello"), std::string::npos);
  std::string wrong = path();
  wrong[1] = wrong[1] == '0' ? '1' : '0';
  const std::string lines[] = {"GET " + wrong, "GET /events", "POST /pause", "POST " + wrong + "pause"};
  for (const std::string& line : lines) EXPECT_EQ(ask(port_, line, "", "{}").status, 404) << line;
}

TEST_F(PageServerTest, OnlyThisMachineAndThisPageAreAnswered) {
  const std::string line = "GET " + path();
  for (const char* host :
       {"127.evil.example", "127.0.0.1.evil.example", "127.", "127.1", "evil.example", "10.0.0.1", ""})
    EXPECT_EQ(ask(port_, line, fmt::format("Host: {}\r\n", host)).status, 403) << host;
  for (const char* host : {"127.0.0.1", "127.8.8.8:80", "LOCALHOST", "localhost.:99", "[::1]:5"})
    EXPECT_EQ(ask(port_, line, fmt::format("Host: {}\r\n", host)).status, 200) << host;
  EXPECT_EQ(ask(port_, line, "Host: 127.0.0.1\r\nHost: evil.example\r\n").status, 400);
  EXPECT_EQ(ask(port_, "POST " + path("reset"), "Origin: http://evil.example\r\n", "{}").status, 403);
  EXPECT_EQ(ask(port_, "GET " + path("events"), "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: image\r\n").status, 403);
  // A link to it may stand anywhere.
  EXPECT_EQ(
      ask(port_, line, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n").status,
      200);
}

TEST_F(PageServerTest, EventsComeAsTheyHappen) {
  const Link link(port_);
  link.send(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path("events")));
  const std::string text = link.receive(200000);
  EXPECT_EQ(text.substr(0, 15), "HTTP/1.1 200 OK");
  EXPECT_NE(text.find("event: begin\n"), std::string::npos);
  EXPECT_NE(text.find("event: rows\n"), std::string::npos);
}

TEST_F(PageServerTest, AThousandConnectionsAndThirtySlowOnesLockNobodyOut) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 4096);
  ::setrlimit(RLIMIT_NOFILE, &limit);
  std::vector<Link> slow;
  for (int i = 0; i < 30; ++i) {
    slow.emplace_back(port_);
    slow.back().send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ");
  }
  std::vector<Link> idle;
  for (int i = 0; i < 1000; ++i) idle.emplace_back(port_);
  for (const Link& link : slow) link.send("b");
  const auto begin = Clock::now();
  EXPECT_EQ(ask(port_, "GET " + path()).status, 200);
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(3));
}

TEST_F(PageServerTest, TooManyListenersAreTold) {
  std::vector<Link> listeners;
  for (int i = 0; i < 64; ++i) {
    listeners.emplace_back(port_);
    listeners.back().send(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path("events")));
    EXPECT_EQ(listeners.back().receive(1).substr(0, 15), "HTTP/1.1 200 OK");
  }
  EXPECT_EQ(ask(port_, "GET " + path("events")).status, 503);
  EXPECT_EQ(ask(port_, "GET " + path()).status, 200);
}

TEST_F(PageServerTest, EndsAtOnceBesideListenersThatDoNotRead) {
  std::vector<Link> listeners;
  for (int i = 0; i < 4; ++i) {
    listeners.emplace_back(port_);
    listeners.back().send(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path("events")));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto begin = Clock::now();
  server_.stop();
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(1));
}

TEST(PageServer, BusyPortIsAnError) {
  PageServer first("a", nullptr), second("b", nullptr);
  const int port = first.start("127.0.0.1", 0);
  EXPECT_THROW(second.start("127.0.0.1", port), SystemError);
  EXPECT_THROW(second.start("192.0.2.1", 0), SystemError);
}

TEST(PageServer, KnowsLoopback) {
  EXPECT_TRUE(is_loopback("127.0.0.1") && is_loopback("localhost") && is_loopback("::1"));
  EXPECT_FALSE(is_loopback("0.0.0.0") || is_loopback("example.org"));
}

TEST(HttpHead, IsReadOrRefused) {
  HttpRequest request;
  EXPECT_EQ(parse_http_head("GET /a?b=c HTTP/1.1\r\nHost:  x \r\nACCEPT: y", request), 0);
  EXPECT_EQ(request.path, "/a");
  EXPECT_EQ(request.header("host"), "x");
  EXPECT_EQ(request.header("accept"), "y");
  for (const char* head :
       {"", "GET", "GET / ", "GET / HTTP/2", "GET a HTTP/1.1\r\nHost: x", "G T / HTTP/1.1\r\nHost: x",
        "GET /\x01 HTTP/1.1\r\nHost: x", "GET / HTTP/1.1", "GET / HTTP/1.1\r\nHost", "GET / HTTP/1.1\r\nHost : x",
        "GET / HTTP/1.1\r\nHost: x\r\n folded: y",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2"}) {
    HttpRequest other;
    EXPECT_EQ(parse_http_head(head, other), 400) << head;
  }
  HttpRequest chunked;
  EXPECT_EQ(parse_http_head("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked", chunked), 411);
}

}  // namespace
}  // namespace abut
