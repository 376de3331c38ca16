#include "abut/serve/http_server.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace abut {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostHeadBytes = 1u << 14, kMostBodyBytes = 1u << 16;
constexpr std::size_t kMostConnections = 256, kMostStreams = 64;
constexpr std::chrono::seconds kRequestTime{5}, kAnswerTime{10}, kLastTime{1};
/// Between two looks at answers that have no end: half of what the eye takes for smooth.
constexpr int kStreamPeriod = 20, kIdlePeriod = 200;  // [ms]

const char* reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 413:
      return "Content Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return status < 500 ? "Refused" : "Error";
  }
}

HttpResponse refuse(int status) {
  const char* text = status == 403   ? "this page answers only to the machine it runs on"
                     : status == 404 ? "there is nothing here"
                     : status == 503 ? "too many pages are open; close one"
                                     : "this request is not understood";
  return {status, "text/plain; charset=utf-8", std::string(text) + "\n", nullptr};
}

struct Connection {
  int socket = -1;
  enum class State { reading, waiting, writing } state = State::reading;
  std::string in, out;
  std::size_t sent = 0;
  bool has_head = false;
  bool has_ended = false;  ///< the other side sends no more
  bool is_shut = false;    ///< everything has been sent, and the other side told so
  HttpRequest request;
  std::size_t body_bytes = 0;
  std::function<bool(std::string&)> more;
  Clock::time_point since = Clock::now();  ///< when it began to be in this state, or last took a part of an answer

  ~Connection() { ::close(socket); }
  /// Nothing is left to be sent.
  void drop() {
    more = nullptr;
    out.clear();
    sent = 0;
    state = State::writing;
    has_ended = is_shut = true;
  }
};
using Shared = std::shared_ptr<Connection>;

void set_nonblocking(int file) { ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) | O_NONBLOCK); }

}  // namespace

struct HttpServer::Impl {
  Impl(Guard guard_, Handler handler_) : guard(std::move(guard_)), handler(std::move(handler_)) {}

  bool listen_on(const std::string& host, int port);
  void serve();
  void accept_all();
  void read_some(Connection& c);
  void look_at_request(const Shared& c);
  void answer(Connection& c, HttpResponse response);
  void write_some(Connection& c);
  void ask_for_more(Connection& c);
  void close_late();
  void take_answers();
  void work();
  void wake() const {
    const char byte = 0;
    [[maybe_unused]] const ssize_t ignored = ::write(wake_ends[1], &byte, 1);
  }

  Guard guard;
  Handler handler;
  int listener = -1;
  int wake_ends[2] = {-1, -1};
  std::list<Shared> connections;  ///< of the thread of the server, the oldest first
  std::thread server, worker;
  std::atomic<bool> is_ending{false};

  std::mutex mutex;  ///< of what follows
  std::condition_variable has_work;
  std::deque<Shared> to_do;
  std::vector<std::pair<Shared, HttpResponse>> done;
};

bool HttpServer::Impl::listen_on(const std::string& host, int port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  if (::getaddrinfo(host.c_str(), fmt::format("{}", port).c_str(), &hints, &found) != 0) return false;
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, ::freeaddrinfo);
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    listener = ::socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC, address->ai_protocol);
    if (listener < 0) continue;
    const int yes = 1;
    ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::bind(listener, address->ai_addr, address->ai_addrlen) == 0 && ::listen(listener, SOMAXCONN) == 0) break;
    ::close(std::exchange(listener, -1));
  }
  if (listener >= 0) set_nonblocking(listener);
  return listener >= 0;
}

void HttpServer::Impl::accept_all() {
  for (;;) {
    const int socket = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    // Small pieces, so that what a page does not take does not gather in the system either.
    const int bytes = 1 << 18;
    ::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    if (connections.size() >= kMostConnections) {
      const auto oldest = std::find_if(connections.begin(), connections.end(),
                                       [](const Shared& c) { return c->state == Connection::State::reading; });
      connections.erase(oldest == connections.end() ? connections.begin() : oldest);
    }
    connections.push_back(std::make_shared<Connection>());
    connections.back()->socket = socket;
  }
}

void HttpServer::Impl::read_some(Connection& c) {
  char block[1 << 14];
  const ssize_t count = ::recv(c.socket, block, sizeof block, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    c.has_ended = true;
    if (c.more) c.drop();
    return;
  }
  // What comes behind a request is of no interest.
  if (c.state == Connection::State::reading) c.in.append(block, static_cast<std::size_t>(count));
}

void HttpServer::Impl::look_at_request(const Shared& c) {
  if (!c->has_head) {
    const std::size_t end = c->in.find("\r\n\r\n");
    if (std::min(end, c->in.size()) > kMostHeadBytes) return answer(*c, refuse(431));
    if (end == std::string::npos) return;
    c->has_head = true;
    int status = parse_http_head(c->in.substr(0, end), c->request);
    if (status == 0) status = guard(c->request);
    if (status != 0) return answer(*c, refuse(status));
    c->in.erase(0, end + 4);
    const std::string length = c->request.header("content-length");
    const bool is_number =
        length.size() < 10 && std::all_of(length.begin(), length.end(), [](char d) { return d >= '0' && d <= '9'; });
    if (!is_number) return answer(*c, refuse(length.size() < 10 ? 400 : 413));
    c->body_bytes = length.empty() ? 0 : std::stoul(length);
    if (c->body_bytes > kMostBodyBytes) return answer(*c, refuse(413));
  }
  if (c->in.size() < c->body_bytes) return;
  c->request.body = c->in.substr(0, c->body_bytes);
  c->state = Connection::State::waiting;
  const std::lock_guard lock(mutex);
  to_do.push_back(c);
  has_work.notify_one();
}

void HttpServer::Impl::answer(Connection& c, HttpResponse response) {
  const auto is_stream = [](const Shared& other) { return other->more != nullptr; };
  if (response.more &&
      std::count_if(connections.begin(), connections.end(), is_stream) >= static_cast<std::ptrdiff_t>(kMostStreams))
    response = refuse(503);
  c.out = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n",
      response.status, reason_of(response.status), response.type);
  if (!response.more) c.out += fmt::format("Content-Length: {}\r\n", response.body.size());
  c.out += "\r\n" + response.body;
  c.sent = 0;
  c.more = std::move(response.more);
  c.state = Connection::State::writing;
  c.since = Clock::now();
}

void HttpServer::Impl::ask_for_more(Connection& c) {
  if (!c.more || c.sent < c.out.size()) return;
  c.out.clear();
  c.sent = 0;
  if (!c.more(c.out)) c.more = nullptr;
  c.since = Clock::now();
}

void HttpServer::Impl::write_some(Connection& c) {
  if (c.sent == c.out.size()) return;
  const ssize_t count = ::send(c.socket, c.out.data() + c.sent, c.out.size() - c.sent, MSG_NOSIGNAL);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count < 0) return c.drop();
  c.sent += static_cast<std::size_t>(count);
  if (count > 0) c.since = Clock::now();
}

void HttpServer::Impl::close_late() {
  const auto now = Clock::now();
  connections.remove_if([now](const Shared& c) {
    using State = Connection::State;
    if (c->state == State::reading) return c->has_ended || now - c->since > kRequestTime;
    if (c->state == State::waiting) return false;
    if (c->sent < c->out.size()) return now - c->since > kAnswerTime;
    if (c->more) return false;
    // Closing before the other side has stopped to send would take the answer away from it.
    if (!c->is_shut) {
      ::shutdown(c->socket, SHUT_WR);
      c->is_shut = true;
      c->since = now;
    }
    return c->has_ended || now - c->since > kLastTime;
  });
}

void HttpServer::Impl::take_answers() {
  std::vector<std::pair<Shared, HttpResponse>> ready;
  {
    const std::lock_guard lock(mutex);
    ready.swap(done);
  }
  for (auto& [connection, response] : ready) {
    if (connection->state == Connection::State::waiting) answer(*connection, std::move(response));
  }
}

void HttpServer::Impl::serve() {
  std::vector<pollfd> files;
  while (!is_ending) {
    files.assign({{listener, POLLIN, 0}, {wake_ends[0], POLLIN, 0}});
    bool has_stream = false;
    for (const Shared& c : connections) {
      const bool has_output = c->state == Connection::State::writing && c->sent < c->out.size();
      // One that has ended is watched only for what is still to be sent.
      const bool is_watched = !c->has_ended || has_output;
      files.push_back({is_watched ? c->socket : -1,
                       static_cast<short>((c->has_ended ? 0 : POLLIN) | (has_output ? POLLOUT : 0)), 0});
      has_stream = has_stream || c->more != nullptr;
    }
    ::poll(files.data(), files.size(), has_stream ? kStreamPeriod : kIdlePeriod);
    char drained[64];
    while (::read(wake_ends[0], drained, sizeof drained) > 0) {
    }
    std::size_t i = 2;
    for (const Shared& c : connections) {
      if ((files[i].revents & (POLLHUP | POLLERR)) != 0 && c->has_ended) c->drop();
      if ((files[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !c->has_ended) read_some(*c);
      if (c->state == Connection::State::reading) look_at_request(c);
      ++i;
    }
    take_answers();
    for (const Shared& c : connections) {
      if (c->state != Connection::State::writing) continue;
      ask_for_more(*c);
      write_some(*c);
    }
    close_late();
    accept_all();
  }
  connections.clear();
}

void HttpServer::Impl::work() {
  for (;;) {
    Shared next;
    {
      std::unique_lock lock(mutex);
      has_work.wait(lock, [this] { return is_ending || !to_do.empty(); });
      if (is_ending) return;
      next = std::move(to_do.front());
      to_do.pop_front();
    }
    HttpResponse response = handler(next->request);
    {
      const std::lock_guard lock(mutex);
      done.emplace_back(std::move(next), std::move(response));
    }
    wake();
  }
}

HttpServer::HttpServer(Guard guard, Handler handler)
    : impl_(std::make_unique<Impl>(std::move(guard), std::move(handler))) {}

HttpServer::~HttpServer() { stop(); }

int HttpServer::start(const std::string& host, int port) {
  Impl& s = *impl_;
  if (!s.listen_on(host, port) || ::pipe2(s.wake_ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(s.listener, reinterpret_cast<sockaddr*>(&address), &size);
  s.server = std::thread([&s] { s.serve(); });
  s.worker = std::thread([&s] { s.work(); });
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

void HttpServer::stop() {
  Impl& s = *impl_;
  if (s.server.joinable()) {
    {
      const std::lock_guard lock(s.mutex);
      s.is_ending = true;
    }
    s.has_work.notify_all();
    s.wake();
    s.server.join();
    s.worker.join();
  }
  for (int* file : {&s.listener, &s.wake_ends[0], &s.wake_ends[1]}) {
    if (*file >= 0) ::close(std::exchange(*file, -1));
  }
}

}  // namespace abut
