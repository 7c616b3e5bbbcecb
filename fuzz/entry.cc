// The entry point of libFuzzer.

#include "fuzz/input.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it by this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    parley::fuzz::try_input(parley::fuzz::Input(bytes, size));
    return 0;
}
