// SPDX-License-Identifier: Zlib
// Model files and characters. What is accepted is saved and loaded again, to the same bytes, and its bodies step.
#include <algorithm>
#include <random>
#include <vector>

#include "../Door.h"
#include "LoadAndStep.h"
#include "OpenedModel.h"

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Some of the files that were accepted: libFuzzer's corpus fills with those that are refused, each in a new way, and
/// what is made of these is refused as well.
std::vector<Bytes>& acceptedFiles() {
    static std::vector<Bytes> files;
    return files;
}

void keep(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t most = 64;
    std::vector<Bytes>& files = acceptedFiles();
    static std::size_t count = 0;
    if (files.size() < most)
        files.emplace_back(data, data + size);
    else if (count % 97 == 0)
        files[count / 97 % most].assign(data, data + size);
    ++count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static pliant::fuzz::Acceptance acceptance("model");
    const bool accepted = pliant::fuzz::loadAndStep(data, size);
    if (accepted) keep(data, size);
    acceptance.note(accepted);
    return 0;
}

#ifdef PLIANT_FUZZER
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

// Bytes that are changed without their checksums are refused at once: sections are edited, and the file is sealed
// again.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    std::mt19937 engine(seed);
    const std::vector<Bytes>& accepted = acceptedFiles();
    const bool fromAccepted = !accepted.empty() && engine() % 4 != 0;
    const Bytes base = fromAccepted ? accepted[engine() % accepted.size()] : Bytes(data, data + size);
    auto opened = pliant::fuzz::openModel(base.data(), base.size());
    if (!opened || opened->sections.empty()) return LLVMFuzzerMutate(data, size, most);
    if (engine() % 16 == 0) {  // one section by libFuzzer's own hand, which knows what was compared
        Bytes& bytes = opened->sections[engine() % opened->sections.size()].bytes;
        const std::size_t before = bytes.size();
        bytes.resize(before + 64);
        bytes.resize(LLVMFuzzerMutate(bytes.data(), before, bytes.size()));
    } else {
        pliant::fuzz::editModel(*opened, engine);
    }
    const Bytes sealed = pliant::fuzz::sealModel(*opened);
    if (sealed.size() > most) return size;
    std::copy(sealed.begin(), sealed.end(), data);
    return sealed.size();
}
#endif
