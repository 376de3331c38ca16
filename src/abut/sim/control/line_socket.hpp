#pragma once

#include <string>

namespace abut {

/// A connection to another process on this machine that exchanges lines of text.
class LineSocket {
 public:
  /// "localhost:PORT", or the path of a socket. Throws InputError where nobody listens there.
  explicit LineSocket(const std::string& address);
  ~LineSocket();
  LineSocket(const LineSocket&) = delete;
  LineSocket& operator=(const LineSocket&) = delete;

  /// A line without its end; false where the other side is gone.
  bool send(const std::string& line);
  enum class Answer { line, gone, late };
  /// The next line, waiting at most `timeout` [s].
  Answer receive(double timeout, std::string& line);

 private:
  int socket_ = -1;
  std::string read_;  ///< and not yet taken
};

}  // namespace abut
