#include "bench/allocations.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::uint64_t count = 0;  // Benches have one thread.

double status_mib(const char* field) {
    std::FILE* file = std::fopen("/proc/self/status", "r");
    if (file == nullptr) return 0.0;
    char line[256];
    double kib = 0.0;
    while (std::fgets(line, sizeof line, file) != nullptr) {
        if (std::strncmp(line, field, std::strlen(field)) != 0) continue;
        kib = std::strtod(line + std::strlen(field), nullptr);
    }
    std::fclose(file);
    return kib / 1024.0;
}

}  // namespace

void* operator new(std::size_t size) {
    ++count;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    ++count;
    const auto step = static_cast<std::size_t>(alignment);
    if (void* memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace parley::bench {

std::uint64_t allocations() { return count; }
double peak_rss_mib() { return status_mib("VmHWM:"); }
double rss_mib() { return status_mib("VmRSS:"); }

void reset_peak_rss() {
    if (std::FILE* file = std::fopen("/proc/self/clear_refs", "w")) {
        std::fputs("5", file);
        std::fclose(file);
    }
}

}  // namespace parley::bench
