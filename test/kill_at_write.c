/* Preloaded into a program: kills it at the N-th change of a file (ABUT_KILL_AT), before it is made or, with
 * ABUT_KILL_HALF, after the first half of what is written. At its end the number of changes is written to the file
 * ABUT_KILL_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_long changes;

static int is_last(void) {
  static const char* at;
  if (at == NULL) at = getenv("ABUT_KILL_AT");
  return atomic_fetch_add(&changes, 1) + 1 == (at == NULL ? -1 : atol(at));
}

static void end(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

#define REAL(name) (real != NULL ? real : (real = dlsym(RTLD_NEXT, name)))

ssize_t write(int file, const void* bytes, size_t size) {
  static ssize_t (*real)(int, const void*, size_t);
  if (file > 2 && is_last()) {
    if (getenv("ABUT_KILL_HALF") != NULL) REAL("write")(file, bytes, size / 2);
    end();
  }
  return REAL("write")(file, bytes, size);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  static ssize_t (*real)(int, const void*, size_t, off_t);
  if (is_last()) {
    /* The first bytes of a record lie in one page: no kill cuts their write. */
    if (getenv("ABUT_KILL_HALF") != NULL && at > 0) REAL("pwrite")(file, bytes, size / 2, at);
    end();
  }
  return REAL("pwrite")(file, bytes, size, at);
}

int ftruncate(int file, off_t size) {
  static int (*real)(int, off_t);
  if (is_last()) end();
  return REAL("ftruncate")(file, size);
}

int rename(const char* from, const char* to) {
  static int (*real)(const char*, const char*);
  if (is_last()) end();
  return REAL("rename")(from, to);
}

int remove(const char* path) {
  static int (*real)(const char*);
  if (is_last()) end();
  return REAL("remove")(path);
}

int unlink(const char* path) {
  static int (*real)(const char*);
  if (is_last()) end();
  return REAL("unlink")(path);
}

int fsync(int file) {
  static int (*real)(int);
  if (is_last()) end();
  (void)real;
  return 0; /* kills lose nothing that the system has */
}

__attribute__((destructor)) static void tell(void) {
  const char* path = getenv("ABUT_KILL_COUNT");
  FILE* file = path == NULL ? NULL : fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%ld", atomic_load(&changes));
  fclose(file);
}
