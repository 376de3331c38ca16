#pragma once

#include <memory>
#include <string>

#include "abut/serve/live_run.hpp"

namespace abut {

/// Serves one page over HTTP, and the live run behind it. It knows a handful of addresses and answers 404 to any other:
/// no file of the machine can be asked for. All of them begin with a token that only who started the program knows;
/// without it there is a line that says so. Requests that name another host (DNS rebinding; unless the server was bound
/// to an address that is not the machine's own) or come from another site's page are refused.
class PageServer {
 public:
  /// `live` may be null (a finished result); otherwise it must outlive the server.
  PageServer(std::string page, LiveRun* live);
  ~PageServer();

  /// Binds and starts to answer in a thread. port 0 takes any free one. Returns the port. SystemError when the address
  /// is busy or not ours.
  int start(const std::string& host, int port);
  void stop();
  /// Where the page is: "/TOKEN/", made anew for each server.
  const std::string& path() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// An address of 127.0.0.0/8, ::1, or localhost in letters of any size, with or without a dot behind it.
bool is_loopback(const std::string& host);

}  // namespace abut
