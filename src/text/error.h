// Error and Result: how an operation says that it failed. An outcome of a candidate (rejected, blocked,
// timed out) is data and never travels this way; a bug aborts through CHECK. Every folder uses this file.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <expected>
#include <string>
#include <utility>

namespace xpu_align {

// Closed: a kind exists because a caller acts on it. The exit code of each is in app/exit_codes.h.
enum class ErrorKind {
  kUsage,        // the command line is wrong
  kConfig,       // a setting, a scope or the run identity is wrong
  kAuth,         // the token was refused
  kNetwork,      // nothing answered, or not in time
  kProtocol,     // an answer or a file is not what its format says
  kNotFound,     // the named thing does not exist
  kTooLarge,     // an answer over its limit: asking for less may help
  kRateLimited,  // the wait budget for a rate limit is spent
  kFileSystem,   // a read, write, fsync or rename failed
  kGit,          // a repository can not be read
  kSandbox,      // the sandbox can not be made
  kDevice,       // interpreter or device unusable
  kArtifact,     // the artifact service did not store a file
  kCancelled,    // a signal asked to stop
};

struct Error {
  ErrorKind kind;
  std::string message;  // one sentence for a person: what happened, to what, what to do
};

template <typename T>
using Result = std::expected<T, Error>;
using Status = std::expected<void, Error>;

inline std::unexpected<Error> Fail(ErrorKind kind, std::string message) {
  return std::unexpected<Error>(Error{kind, std::move(message)});
}
// Passes `error` on with one clause of context in front.
inline std::unexpected<Error> Fail(const Error& error, const std::string& context) {
  return std::unexpected<Error>(Error{error.kind, context + ": " + error.message});
}

#define XPU_ALIGN_CONCAT_INNER(a, b) a##b
#define XPU_ALIGN_CONCAT(a, b) XPU_ALIGN_CONCAT_INNER(a, b)
// TRY(expr): returns the error of a Result or Status, if any.
#define TRY(expr)                                                      \
  do {                                                                 \
    if (auto try_result = (expr); !try_result)                         \
      return std::unexpected<::xpu_align::Error>(try_result.error());  \
  } while (false)
// TRY_ASSIGN(declaration, expr): the value of a Result, or its error returned.
#define TRY_ASSIGN(declaration, expr) \
  TRY_ASSIGN_NAMED(XPU_ALIGN_CONCAT(try_value_, __LINE__), declaration, expr)
#define TRY_ASSIGN_NAMED(name, declaration, expr)                \
  auto name = (expr);                                            \
  if (!name) return std::unexpected<::xpu_align::Error>(name.error()); \
  declaration = std::move(*name)

// A condition that only a bug can break; on in release builds, never used on input.
#define CHECK(condition)                                                                  \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::fprintf(stderr, "bug: %s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                       \
    }                                                                                     \
  } while (false)

}  // namespace xpu_align
