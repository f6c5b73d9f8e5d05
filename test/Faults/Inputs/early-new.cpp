// For LD_PRELOAD: the allocation by `operator new` of number $GNN_EARLY_AT fails, counted until `main` begins. Without that variable the exit code is
// the number of these allocations.

#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <unistd.h>

static bool isBeforeMain = true;
static int numCalls = 0;

void *operator new(std::size_t size) {
  const char *at = std::getenv("GNN_EARLY_AT");
  if (isBeforeMain && ++numCalls == (at ? std::atoi(at) : 0)) {
    if (std::new_handler handler = std::get_new_handler())
      handler();
    throw std::bad_alloc();
  }
  return std::malloc(size);
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

using Main = int (*)(int, char **, char **);
static Main program;
static int countOrRun(int argc, char **argv, char **environment) {
  isBeforeMain = false;
  if (!std::getenv("GNN_EARLY_AT"))
    _exit(numCalls > 255 ? 255 : numCalls);
  return program(argc, argv, environment);
}

extern "C" int __libc_start_main(Main main, int argc, char **argv, void (*init)(), void (*fini)(), void (*loaderFini)(),
                                 void *stackEnd) {
  using Start = int (*)(Main, int, char **, void (*)(), void (*)(), void (*)(), void *);
  program = main;
  return reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"))(countOrRun, argc, argv, init, fini, loaderFini,
                                                                        stackEnd);
}
