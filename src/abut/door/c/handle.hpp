#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "abut/c_base.h"
#include "abut/errors.hpp"

namespace abut::c {

/// Of the last failure.
struct Failure {
  abut_status status = ABUT_OK;
  std::string message;
  std::vector<Mistake> mistakes;
  std::vector<std::string> allowed;  ///< of each mistake, one word a line
};

/// What a handle stands for. Handles are numbers that are never given twice, so that one that was freed, one of another
/// kind and any value that never was a handle are told from those that live without being followed.
class Object {
 public:
  virtual ~Object() = default;

  std::shared_ptr<const Failure> failure() const;
  void set_failure(std::shared_ptr<const Failure> failure);

  /// After a broken invariant: it can only be freed.
  std::atomic<bool> is_broken = false;

 private:
  friend class Use;

  mutable std::mutex mutex_;  ///< of the failure, which several readers may set
  std::shared_ptr<const Failure> failure_;
  std::atomic<std::int32_t> users_ = 0;  ///< readers; -1: one that writes
};

enum class Access { read, write };

/// An object in use, for as long as this lives.
class Use {
 public:
  enum class Answer { ok, unknown, busy };

  Use() = default;
  Use(const void* handle, Access access);
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use();

  Answer answer() const { return answer_; }
  Object* object() const { return object_; }

 private:
  Object* object_ = nullptr;
  Access access_ = Access::read;
  Answer answer_ = Answer::unknown;
};

const void* add_handle(std::unique_ptr<Object> object);
/// Takes the object out where it is accepted and nobody uses it.
std::pair<std::unique_ptr<Object>, Use::Answer> remove_handle(const void* handle, bool (*accepts)(const Object&));
/// Null where there is none. Whoever uses the object meanwhile does not mind.
std::shared_ptr<const Failure> find_failure(const void* handle);
std::size_t count_handles();

}  // namespace abut::c
