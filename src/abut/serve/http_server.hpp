#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace abut {

struct HttpRequest {
  std::string method, path;                    ///< the path without what follows a question mark
  std::map<std::string, std::string> headers;  ///< names in small letters
  std::string body;

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  /// Gives more of the body until it returns false; empty text: nothing yet. Asked again once all before has been sent,
  /// from the thread of the server, which it must not hold up.
  std::function<bool(std::string& text)> more;
};

/// Answers one request a connection, in one thread, and cannot be held up: a request has to be there after 5 s, within
/// 16 KB of head and 64 KB of body; an answer has to be taken, at least a part of it every 10 s; of 256 connections the
/// one that has been silent longest makes way for a new one; of answers without an end there are 64 at most.
class HttpServer {
 public:
  /// Says what is wrong with a request whose head is there (a status of 400 or above), or lets it pass (0).
  using Guard = std::function<int(const HttpRequest&)>;
  /// Called from a thread of its own, one request at a time: it may take long.
  using Handler = std::function<HttpResponse(const HttpRequest&)>;
  HttpServer(Guard guard, Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Binds and starts to answer. port 0 takes any free one. The port; -1 when the address cannot be used.
  int start(const std::string& host, int port);
  /// At once, whatever is under way.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// "GET /path?query HTTP/1.1" and the lines behind it, without the empty one. 0, or the status that answers what is
/// wrong.
int parse_http_head(const std::string& head, HttpRequest& request);

}  // namespace abut
