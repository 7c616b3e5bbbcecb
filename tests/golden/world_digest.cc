// Prints the digest of a built-in scenario's run: `world_digest SCENARIO SEED ROUNDS`. It is what
// `parley digest` prints, from builds that have no parley; tools/compare_digests.sh compares them.

#include "base/number.h"
#include "tests/golden/world_run.h"

#include <cstdio>

int main(int count, char** words) {
    const auto seed = parley::parse_uint64(count > 2 ? words[2] : "");
    const auto rounds = parley::parse_uint64(count > 3 ? words[3] : "", 1, 1'000'000);
    if (count != 4 || !seed || !rounds) {
        std::fprintf(stderr, "usage: world_digest SCENARIO SEED ROUNDS\n");
        return 2;
    }
    const auto digest = parley::golden::digest_of_run(words[1], *seed, *rounds);
    if (!digest) {
        std::fprintf(stderr, "world_digest: %s\n", digest.error().message.c_str());
        return 1;
    }
    std::printf("%s\n", digest->c_str());
    return 0;
}
