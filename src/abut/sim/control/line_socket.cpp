#include "abut/sim/control/line_socket.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "abut/base/error.hpp"

namespace abut {

namespace {

/// An answer longer than this is none [bytes].
constexpr std::size_t kMostBytes = std::size_t{1} << 20;

int connect_to_path(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    throw InputError(fmt::format("the path of the socket '{}' is too long", path));
  std::copy(path.begin(), path.end(), address.sun_path);
  const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0 || ::connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return made;
  ::close(made);
  return -1;
}

int connect_to_port(const std::string& address) {
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  place.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return made;
  if (::connect(made, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0) {
    const int yes = 1;
    ::setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return made;
  }
  ::close(made);
  return -1;
}

}  // namespace

LineSocket::LineSocket(const std::string& address)
    : socket_(address.find('/') != std::string::npos ? connect_to_path(address) : connect_to_port(address)) {
  if (socket_ < 0)
    throw InputError(fmt::format("nobody listens at '{}': {}. Start the controller's program first.\nNothing was run.",
                                 address, std::strerror(errno)));
}

LineSocket::~LineSocket() { ::close(socket_); }

bool LineSocket::send(const std::string& line) {
  const std::string text = line + "\n";
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t count = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

LineSocket::Answer LineSocket::receive(double timeout, std::string& line) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  while (true) {
    if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
      line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return Answer::line;
    }
    if (read_.size() > kMostBytes) return Answer::gone;
    const double left = timeout - std::chrono::duration<double>(Clock::now() - start).count();
    if (left <= 0.0) return Answer::late;
    pollfd waiting{socket_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min(std::ceil(1000.0 * left), 1e9)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return Answer::late;
    std::array<char, 4096> bytes;
    const ssize_t count = ready < 0 ? -1 : ::recv(socket_, bytes.data(), bytes.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Answer::gone;
    read_.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace abut
