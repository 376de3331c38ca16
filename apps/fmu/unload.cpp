// libstdc++ sets memory aside for exceptions when it is loaded. As part of a unit it is loaded with each, and has to
// give that back with each: importers load and unload thousands.
namespace __gnu_cxx {
void __freeres();  // libstdc++'s own, for tools that look for leaks
}

namespace {
__attribute__((destructor)) void give_back() { __gnu_cxx::__freeres(); }
}  // namespace
