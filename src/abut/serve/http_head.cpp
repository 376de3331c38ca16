#include <algorithm>
#include <cctype>
#include <string_view>

#include "abut/serve/http_server.hpp"

namespace abut {

namespace {

constexpr std::size_t kMostHeaders = 100;

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string::npos;
  });
}

bool is_visible(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c == '\t' || (c >= 32 && c != 127); });
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

int parse_request_line(std::string_view line, HttpRequest& request) {
  const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
  if (first == std::string::npos || second == std::string::npos) return 400;
  const std::string_view method = line.substr(0, first), target = line.substr(first + 1, second - first - 1),
                         version = line.substr(second + 1);
  if (!is_token(method) || target.empty() || target[0] != '/' || !is_visible(target)) return 400;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return 400;
  request.method = method;
  request.path = target.substr(0, target.find('?'));
  return 0;
}

}  // namespace

int parse_http_head(const std::string& head, HttpRequest& request) {
  std::string_view left = head;
  for (std::size_t i = 0; !left.empty() || i == 0; ++i) {
    const std::size_t end = std::min(left.find("\r\n"), left.size());
    const std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 2, left.size()));
    if (i == 0) {
      if (const int status = parse_request_line(line, request); status != 0) return status;
      continue;
    }
    if (i > kMostHeaders) return 431;
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, std::min(colon, line.size()));
    if (colon == std::string::npos || !is_token(name) || !is_visible(line)) return 400;
    std::string key(name);
    std::transform(key.begin(), key.end(), key.begin(), [](unsigned char c) { return std::tolower(c); });
    const bool is_new = request.headers.emplace(key, trim(line.substr(colon + 1))).second;
    // One host, one length, one origin [Fielding, Nottingham and Reschke 2022, 3.2]: of two neither is to be believed.
    const bool is_single = key == "host" || key == "content-length" || key == "origin" || key == "sec-fetch-site";
    if (!is_new && is_single) return 400;
  }
  if (!request.headers.contains("host")) return 400;
  if (request.headers.contains("transfer-encoding")) return 411;
  return 0;
}

}  // namespace abut
