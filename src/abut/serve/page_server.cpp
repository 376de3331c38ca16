#include "abut/serve/page_server.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <map>
#include <random>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "abut/base/error.hpp"
#include "abut/serve/http_server.hpp"

namespace abut {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kHeartbeat{5};

/// "localhost:8765" -> "localhost"; "[::1]:80" -> "::1".
std::string host_name(const std::string& host) {
  if (!host.empty() && host[0] == '[') return host.substr(1, std::min(host.find(']'), host.size()) - 1);
  return host.substr(0, host.find(':'));
}

std::string make_token() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace

bool is_loopback(const std::string& host) {
  std::string name = host;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (name.ends_with('.')) name.pop_back();
  if (name == "localhost" || host == "::1") return true;
  in_addr address{};
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 && (ntohl(address.s_addr) >> 24) == 127;
}

struct PageServer::Impl {
  explicit Impl(std::string page_)
      : page(std::move(page_)),
        path("/" + make_token() + "/"),
        server([this](const HttpRequest& request) { return judge(request); },
               [this](const HttpRequest& request) { return answer(request); }) {}

  int judge(const HttpRequest& request) const;
  HttpResponse answer(const HttpRequest& request) const;
  HttpResponse make_events() const;
  void add_commands();

  std::string page, path;
  LiveRun* live = nullptr;
  bool is_local = true;
  std::map<std::string, std::function<void(const Json&)>> commands;
  HttpServer server;
};

/// A page of another site can make a browser send requests here, but cannot hide where they come from.
int PageServer::Impl::judge(const HttpRequest& request) const {
  const std::string host = request.header("host");
  if (is_local && !is_loopback(host_name(host))) return 403;
  const std::string origin = request.header("origin"), site = request.header("sec-fetch-site");
  if (!origin.empty() && origin != "http://" + host) return 403;
  const bool is_link = request.method == "GET" && request.header("sec-fetch-mode") == "navigate" &&
                       request.header("sec-fetch-dest") == "document";
  if ((site == "cross-site" || site == "same-site") && !is_link) return 403;
  if (request.path == "/") return request.method == "GET" ? 0 : 404;
  if (!request.path.starts_with(path)) return 404;
  const std::string name = request.path.substr(path.size());
  const bool is_known = request.method == "GET"    ? name.empty() || (name == "events" && live != nullptr)
                        : request.method == "POST" ? commands.contains(name)
                                                   : false;
  return is_known ? 0 : 404;
}

HttpResponse PageServer::Impl::make_events() const {
  HttpResponse response;
  response.type = "text/event-stream";
  response.more = [run = live, cursor = LiveRun::Cursor(), last = Clock::now()](std::string& text) mutable {
    if (!run->wait_for_messages(cursor, 0.0, text)) return false;
    // A comment now and then, so that a closed page is noticed.
    if (text.empty() && Clock::now() - last > kHeartbeat) text = ": still here\n\n";
    if (!text.empty()) last = Clock::now();
    return true;
  };
  return response;
}

HttpResponse PageServer::Impl::answer(const HttpRequest& request) const {
  if (request.path == "/") {
    HttpResponse response;
    response.body = "Open the whole address that abut view has printed: it ends in a token.\n";
    return response;
  }
  const std::string name = request.path.substr(path.size());
  if (name.empty()) return {200, "text/html; charset=utf-8", page, nullptr};
  if (request.method == "GET") return make_events();
  const auto refuse = [](int status, const std::string& text) {
    return HttpResponse{status, "text/plain; charset=utf-8", text + "\n", nullptr};
  };
  try {
    // Deep nesting would be followed by recursion; what is asked for has one level.
    if (std::count_if(request.body.begin(), request.body.end(), [](char c) { return c == '[' || c == '{'; }) > 100)
      return refuse(400, "this is not the JSON that was expected");
    commands.at(name)(request.body.empty() ? Json::object() : Json::parse(request.body));
    return {200, "application/json", "{}", nullptr};
  } catch (const InputError& error) {
    return refuse(400, error.what());
  } catch (const Json::exception&) {
    return refuse(400, "this is not the JSON that was expected");
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return refuse(500, error.what());
  }
}

void PageServer::Impl::add_commands() {
  LiveRun* run = live;
  commands["pause"] = [run](const Json&) { run->pause(); };
  commands["resume"] = [run](const Json&) { run->resume(); };
  commands["reset"] = [run](const Json&) { run->restart(); };
  commands["step"] = [run](const Json& body) {
    const int count = body.value("count", 1);
    if (count < 1 || count > 100000) throw InputError(fmt::format("count must be 1 to 100000, found {}", count));
    run->step(count);
  };
  commands["speed"] = [run](const Json& body) {
    const double speed = body.at("speed").get<double>();
    if (!(speed >= 1e-6 && speed <= 1e6)) throw InputError(fmt::format("speed must be 1e-6 to 1e6, found {}", speed));
    run->set_speed(speed);
  };
  commands["set"] = [run](const Json& body) {
    std::vector<std::pair<std::string, double>> numbers;
    for (const auto& [name, value] : body.items()) {
      if (!value.is_number()) throw InputError(fmt::format("{} must be a number", name));
      numbers.emplace_back(name, value.get<double>());
    }
    run->set_numbers(numbers);
  };
}

PageServer::PageServer(std::string page, LiveRun* live) : impl_(std::make_unique<Impl>(std::move(page))) {
  impl_->live = live;
  if (live != nullptr) impl_->add_commands();
}

PageServer::~PageServer() { stop(); }

int PageServer::start(const std::string& host, int port) {
  impl_->is_local = is_loopback(host);
  const int bound = impl_->server.start(host, port);
  if (bound >= 0) return bound;
  throw SystemError(fmt::format(
      "{}:{} cannot be used: the port is busy, or the address is not this machine's. Try --port 0 for a free one.",
      host, port));
}

void PageServer::stop() { impl_->server.stop(); }

const std::string& PageServer::path() const { return impl_->path; }

}  // namespace abut
