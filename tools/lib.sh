# shellcheck shell=bash
# Shared by ./abut and ./check; sourced, never run.

# Compile jobs that fit this machine: one a core, and no more than memory allows. The largest translation units peak at
# 1.5 GB, most at half of that, and a compiler killed for memory is a poor first impression.
abut_jobs() {
  local cores memory_kb fitting
  cores=$(nproc 2>/dev/null || echo 1)
  memory_kb=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null || true)
  fitting=$((${memory_kb:-3000000} / 1500000))
  if ((fitting < 1)); then fitting=1; fi
  echo "${CMAKE_BUILD_PARALLEL_LEVEL:-$((fitting < cores ? fitting : cores))}"
}

# abut_configure ROOT PRESET: configures build/PRESET when it is new, when it was made for another folder (a moved or
# copied tree), or when the presets changed since. Everything else CMake notices by itself during the build.
abut_configure() {
  local root=$1 preset=$2
  local build=$root/build/$preset
  local cache=$build/CMakeCache.txt
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then rm -rf -- "$build"; fi
  if [[ ! -f $build/build.ninja || $root/CMakePresets.json -nt $cache ]]; then
    (cd -- "$root" && cmake --preset "$preset")
  fi
}
