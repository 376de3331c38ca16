#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "abut/api.hpp"

namespace abut {

/// One thing that is wrong with what a user gave: a scene, a rule, an option.
struct Mistake {
  std::string file;     ///< or the name that was given for the text; empty for what was built in code
  int line = 0;         ///< from 1; 0 where there is no such place
  int column = 0;       ///< from 1, in characters
  std::string message;  ///< one sentence
  std::string hint;     ///< what would help; may be empty
  std::string found;    ///< the word or value that stands there; empty where nothing does, or where it does not matter
  std::vector<std::string> allowed;  ///< the words that may stand there; empty where any number or text may
};

/// Something from outside is wrong; nothing was changed. what() is a report for people, of all mistakes with their
/// places; mistakes() has them one by one.
class ABUT_API InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& report);
  InputError(const std::string& report, std::vector<Mistake> mistakes);
  InputError(const InputError&) noexcept;
  InputError& operator=(const InputError&) noexcept;
  ~InputError() override;

  /// At least one.
  const std::vector<Mistake>& mistakes() const noexcept { return *mistakes_; }

 private:
  std::shared_ptr<const std::vector<Mistake>> mistakes_;  // copies of an exception must not throw
};

/// A file or the machine refused; what() names the file.
class ABUT_API SystemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  SystemError(const SystemError&) noexcept;
  SystemError& operator=(const SystemError&) noexcept;
  ~SystemError() override;
};

/// The library has contradicted itself: a defect of abut, not of the program that uses it. What was being worked on (a
/// world, a pair) is not to be gone on with; all else is unharmed. Please report what() with the scene.
class ABUT_API InvariantError : public std::logic_error {
 public:
  InvariantError(const char* condition, const char* file, int line, const std::string& message);
  InvariantError(const InvariantError&) noexcept;
  InvariantError& operator=(const InvariantError&) noexcept;
  ~InvariantError() override;

  const char* condition() const noexcept { return condition_; }  ///< that does not hold
  const char* file() const noexcept { return file_; }            ///< where it was asked for
  int line() const noexcept { return line_; }

 private:
  const char* condition_;
  const char* file_;
  int line_;
};

}  // namespace abut
