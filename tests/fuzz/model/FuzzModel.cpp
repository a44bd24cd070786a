// SPDX-License-Identifier: Zlib
// Model files and characters. What is accepted is saved and loaded again, to the same bytes, and its bodies step.
#include <algorithm>
#include <random>

#include "../Door.h"
#include "LoadAndStep.h"
#include "OpenedModel.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static pliant::fuzz::Acceptance acceptance("model");
    acceptance.note(pliant::fuzz::loadAndStep(data, size));
    return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

#ifdef PLIANT_FUZZER
// Bytes that are changed without their checksums are refused at once: sections are edited, and the file is sealed again.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    std::mt19937 engine(seed);
    auto opened = pliant::fuzz::openModel(data, size);
    if (!opened || opened->sections.empty()) return LLVMFuzzerMutate(data, size, most);
    if (engine() % 16 == 0) {  // one section by libFuzzer's own hand, which knows what was compared
        auto& bytes = opened->sections[engine() % opened->sections.size()].bytes;
        const std::size_t before = bytes.size();
        bytes.resize(before + 64);
        bytes.resize(LLVMFuzzerMutate(bytes.data(), before, bytes.size()));
    } else {
        pliant::fuzz::editModel(*opened, engine);
    }
    const std::vector<std::uint8_t> sealed = pliant::fuzz::sealModel(*opened);
    if (sealed.size() > most) return size;
    std::copy(sealed.begin(), sealed.end(), data);
    return sealed.size();
}
#endif
