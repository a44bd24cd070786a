// SPDX-License-Identifier: Zlib
// restoreState() of a world in contact. The input is what stands behind the envelope of 40 bytes; it is sealed here, as
// whoever writes a blob on purpose does. An accepted state is saved and restored again to the same bytes, and steps.
#include <cmath>
#include <memory>
#include <vector>

#include "../Door.h"
#include "StateWorld.h"

namespace {

using pliant::StateStatus;
using Blob = std::vector<std::byte>;

Blob sealed(const std::uint8_t* data, std::size_t size) {
    Blob blob;
    pliant::StateWriter writer(pliant::StateKind::World, blob);
    for (std::size_t i = 0; i < size; ++i) writer.put(data[i]);
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
