#pragma once

#include <memory>
#include <string>

#include "abut/serve/live_run.hpp"

namespace abut {

/// Serves one page over HTTP, and the live run behind it. It knows a handful of addresses and answers 404 to any other:
/// no file of the machine can be asked for. Requests that name another host (DNS rebinding) or come from another site's
/// page are refused, unless the server was bound to an address that is not the machine's own.
class PageServer {
 public:
  /// `live` may be null (a finished result); otherwise it must outlive the server.
  PageServer(std::string page, LiveRun* live);
  ~PageServer();

  /// Binds and starts to answer in a thread. port 0 takes any free one. Returns the port. SystemError when the address
  /// is busy or not ours.
  int start(const std::string& host, int port);
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// 127.0.0.0/8, ::1 or localhost.
bool is_loopback(const std::string& host);

}  // namespace abut
