// SPDX-License-Identifier: Zlib
// restoreState() of a world in contact. The input is what stands behind the envelope of 40 bytes; it is sealed here, as
// whoever writes a blob on purpose does. An accepted state is saved and restored again to the same bytes, and steps.
#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "../Door.h"
#include "StateWorld.h"

namespace {

using pliant::StateStatus;
using Blob = std::vector<std::byte>;

Blob sealed(const std::uint8_t* data, std::size_t size) {
    Blob blob;
    pliant::StateWriter writer(pliant::StateKind::World, blob);
    writer.put(data, size);
    writer.seal();
    return blob;
}

bool restores(btPliantSystem& system, const Blob& blob) {
    return system.restoreState(blob.data(), blob.size()) == StateStatus::Ok;
}

void expectSameAgain(btPliantSystem& system) {
    Blob once, twice;
    system.saveState(once);
    pliant::fuzz::expect(restores(system, once), "what was saved is restored");
    system.saveState(twice);
    pliant::fuzz::expect(once == twice, "what is saved, restored and saved again is the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto scene = pliant::fuzz::makeStateWorld();
    static const Blob good = [] {
        Blob blob;
        scene->system->saveState(blob);
        return blob;
    }();
    static pliant::fuzz::Acceptance acceptance("state");
    const Blob blob = sealed(data, size);
    const pliant::fuzz::MemoryLimit limit(size);
    const bool accepted = restores(*scene->system, blob);
    if (accepted) {
        expectSameAgain(*scene->system);
        scene->step(3);
        pliant::fuzz::expect(restores(*scene->system, good), "a good state is restored after a bad one");
    }
    acceptance.note(accepted);
    return 0;
}

#ifdef PLIANT_FUZZER
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

// A state of another size is refused at once: seven of eight changes are of a number in place, half of them by a
// little.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    static constexpr std::array<double, 8> kSpecial{0.0,  -1.0,  1e12,   -1e12,
                                                    1e30, 1e300, 1e-300, std::numeric_limits<double>::quiet_NaN()};
    std::mt19937 engine(seed);
    if (size < 16 || engine() % 8 == 0) return LLVMFuzzerMutate(data, size, most);
    const std::size_t at = engine() % (size - 8);
    if (engine() % 2 == 0) {
        data[at] = static_cast<std::uint8_t>(data[at] ^ (1U << (engine() % 8)));
    } else if (engine() % 2 == 0) {
        std::memcpy(data + at, &kSpecial[engine() % kSpecial.size()], sizeof(double));
    } else {
        const auto word = static_cast<std::uint32_t>(engine());
        std::memcpy(data + at, &word, sizeof word);
    }
    return size;
}
#endif
