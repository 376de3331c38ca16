#pragma once

#include <stddef.h>
#include <stdint.h>

#include "abut/api.hpp"

/* What all of the C interface shares.
 *
 * Every function returns a status, but for the few that cannot fail. Nothing is thrown and nothing aborts. Results come
 * through the last arguments, which may be NULL only where that is said; they are written where the status is ABUT_OK
 * (or ABUT_STOPPED), and a handle asked for is NULL otherwise.
 *
 * Handles are looked up, never followed: NULL, a handle of another kind, one that was freed and any other value are
 * answered by ABUT_ERROR_HANDLE. Free each one once; freeing NULL does nothing. What was made from a handle does not
 * need it any longer.
 *
 * Threads: different handles may be used at the same time. One handle belongs to one thread at a time; who comes
 * meanwhile gets ABUT_ERROR_BUSY at once, and nothing has happened. Scenes, models, states and runs may be read by
 * many threads together.
 *
 * Texts are UTF-8 and end with a zero. Those that come out of a handle live until that handle is used again or freed.
 *
 * Structs begin with `size`, which the caller sets to sizeof the struct before each call, or for good; later versions
 * append members, and neither side touches what the other does not know. abut_motion and abut_wrench stay as they are.
 */

#ifdef __cplusplus
#define ABUT_C_BEGIN extern "C" {
#define ABUT_C_END }
#else
#define ABUT_C_BEGIN
#define ABUT_C_END
#endif

ABUT_C_BEGIN

typedef enum abut_status {
  ABUT_OK = 0,
  ABUT_ERROR_ARGUMENT = 1, /* NULL, an index or a size that cannot be; nothing was changed */
  ABUT_ERROR_HANDLE = 2,   /* not a handle of this kind, or one that was freed */
  ABUT_ERROR_BUSY = 3,     /* another thread is using the handle */
  ABUT_ERROR_INPUT = 4,    /* a scene, a name, a value is wrong: abut_error_mistake() says where; nothing was changed */
  ABUT_ERROR_SYSTEM = 5,   /* a file or the machine refused; memory is used up */
  ABUT_ERROR_INVARIANT = 6, /* a defect of abut, please report: the handle can only be freed, all else is unharmed */
  ABUT_STOPPED = 7          /* a world or run cannot go on; it still shows its last instant */
} abut_status;

/* Of the library: "0.1.0", and the same as ABUT_VERSION_NUMBER. */
ABUT_API const char* abut_version(void);
ABUT_API int abut_version_number(void);
/* "input", "handle", ...: a word for messages of the program's own. Never NULL. */
ABUT_API const char* abut_status_name(int status);

/* The last failure on a handle of whatever kind, or with NULL of the calling thread (the only one that knows why a
 * handle was not made). Later successes leave it. ABUT_OK, an empty message and no mistakes where there was none, or
 * where the handle is none. Texts live until this thread asks for the failure of another handle, or has a call that
 * fails. */
ABUT_API abut_status abut_error_status(const void* handle);
/* A report for people, of all mistakes with their places: may have many lines. */
ABUT_API const char* abut_error_message(const void* handle);
ABUT_API size_t abut_error_count(const void* handle);

/* One thing that is wrong with what was given. */
typedef struct abut_mistake {
  size_t size;
  const char* file;    /* or the name that was given for the text; empty for what was built in code */
  int32_t line;        /* from 1; 0 where there is no such place */
  int32_t column;      /* from 1, in characters */
  const char* message; /* one sentence */
  const char* hint;    /* what would help; may be empty */
  const char* found;   /* the word or value that stands there; may be empty */
  const char* allowed; /* the words that may stand there, one a line; empty where any number or text may */
} abut_mistake;

ABUT_API abut_status abut_error_mistake(const void* handle, size_t index, abut_mistake* mistake);

/* How many handles of this process have not been freed: what checkers of leaks cannot see. */
ABUT_API size_t abut_count_handles(void);

ABUT_C_END
