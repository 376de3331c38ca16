#include "abut/serve/page_server.hpp"

#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <nlohmann/json.hpp>

#include "abut/base/error.hpp"

namespace abut {
namespace {

using Json = nlohmann::json;

/// Requests are small: a few numbers.
constexpr std::size_t kMostBytes = 1u << 16;
/// A page holds one connection for its events; the others come and go.
constexpr std::size_t kNumThreads = 24;
constexpr double kHeartbeat = 5.0;  ///< [s]

/// "localhost:8765" -> "localhost"; "[::1]:80" -> "::1".
std::string host_name(const std::string& host) {
  if (!host.empty() && host[0] == '[') return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

void refuse(httplib::Response& response, int status, const std::string& text) {
  response.status = status;
  response.set_content(text + "\n", "text/plain; charset=utf-8");
}

}  // namespace

bool is_loopback(const std::string& host) { return host == "localhost" || host == "::1" || host.rfind("127.", 0) == 0; }

struct PageServer::Impl {
  std::string page;
  LiveRun* live = nullptr;
  httplib::Server server;
  std::thread thread;
  bool is_local = true;

  void add_routes();
  bool is_allowed(const httplib::Request& request) const;
  void send_events(httplib::Response& response) const;
  template <class Action>
  void add_command(const char* path, Action action);
};

/// A page of another site can make a browser send requests here, but cannot hide where they come from.
bool PageServer::Impl::is_allowed(const httplib::Request& request) const {
  const std::string host = request.get_header_value("Host");
  if (is_local && !is_loopback(host_name(host))) return false;
  const std::string origin = request.get_header_value("Origin");
  return origin.empty() || origin == "http://" + host;
}

void PageServer::Impl::send_events(httplib::Response& response) const {
  auto cursor = std::make_shared<LiveRun::Cursor>();
  response.set_header("Cache-Control", "no-store");
  response.set_chunked_content_provider("text/event-stream", [this, cursor](std::size_t, httplib::DataSink& sink) {
    std::string text;
    if (!live->wait_for_messages(*cursor, kHeartbeat, text)) return false;
    // A comment now and then, so that a closed page is noticed.
    if (text.empty()) text = ": still here\n\n";
    return sink.write(text.data(), text.size());
  });
}

template <class Action>
void PageServer::Impl::add_command(const char* path, Action action) {
  server.Post(path, [action](const httplib::Request& request, httplib::Response& response) {
    try {
      const Json body = request.body.empty() ? Json::object() : Json::parse(request.body);
      action(body);
      response.set_content("{}", "application/json");
    } catch (const InputError& error) {
      refuse(response, 400, error.what());
    } catch (const InvariantError& error) {
      fmt::print(stderr, "{}\n", error.what());
      refuse(response, 500, error.what());
    } catch (const Json::exception&) {
      refuse(response, 400, "this is not the JSON that was expected");
    }
  });
}

void PageServer::Impl::add_routes() {
  server.set_payload_max_length(kMostBytes);
  server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    if (is_allowed(request)) return httplib::Server::HandlerResponse::Unhandled;
    refuse(response, 403, "this page answers only to the machine it runs on");
    return httplib::Server::HandlerResponse::Handled;
  });
  server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.body.empty()) refuse(response, response.status, "there is nothing here");
  });
  server.Get("/", [this](const httplib::Request&, httplib::Response& response) {
    response.set_header("Cache-Control", "no-store");
    response.set_header("X-Content-Type-Options", "nosniff");
    response.set_header("X-Frame-Options", "DENY");
    response.set_content(page, "text/html; charset=utf-8");
  });
  if (live == nullptr) return;
  server.Get("/events", [this](const httplib::Request&, httplib::Response& response) { send_events(response); });
  LiveRun* run = live;
  add_command("/pause", [run](const Json&) { run->pause(); });
  add_command("/resume", [run](const Json&) { run->resume(); });
  add_command("/reset", [run](const Json&) { run->restart(); });
  add_command("/step", [run](const Json& body) {
    const int count = body.value("count", 1);
    if (count < 1 || count > 100000) throw InputError(fmt::format("count must be 1 to 100000, found {}", count));
    run->step(count);
  });
  add_command("/speed", [run](const Json& body) {
    const double speed = body.at("speed").get<double>();
    if (!(speed >= 1e-6 && speed <= 1e6)) throw InputError(fmt::format("speed must be 1e-6 to 1e6, found {}", speed));
    run->set_speed(speed);
  });
  add_command("/set", [run](const Json& body) {
    std::vector<std::pair<std::string, double>> numbers;
    for (const auto& [path, value] : body.items()) {
      if (!value.is_number()) throw InputError(fmt::format("{} must be a number", path));
      numbers.emplace_back(path, value.get<double>());
    }
    run->set_numbers(numbers);
  });
}

PageServer::PageServer(std::string page, LiveRun* live) : impl_(std::make_unique<Impl>()) {
  impl_->page = std::move(page);
  impl_->live = live;
  impl_->add_routes();
}

PageServer::~PageServer() { stop(); }

int PageServer::start(const std::string& host, int port) {
  httplib::Server& server = impl_->server;
  impl_->is_local = is_loopback(host);
  server.new_task_queue = [] { return new httplib::ThreadPool(kNumThreads); };
  // The library would let two servers share one port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  });
  const int bound = port == 0 ? server.bind_to_any_port(host) : (server.bind_to_port(host, port) ? port : -1);
  if (bound < 0) {
    throw SystemError(fmt::format(
        "{}:{} cannot be used: the port is busy, or the address is not this machine's. Try --port 0 for a free one.",
        host, port));
  }
  impl_->thread = std::thread([this] { impl_->server.listen_after_bind(); });
  // Connections queue from now on; stop() has an effect only once the thread listens.
  while (!server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return bound;
}

void PageServer::stop() {
  if (!impl_->thread.joinable()) return;
  impl_->server.stop();
  impl_->thread.join();
}

}  // namespace abut
