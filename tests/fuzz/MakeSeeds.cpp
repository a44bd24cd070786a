// SPDX-License-Identifier: Zlib
// fuzz_seeds FOLDER: writes the seeds of doors whose formats are our own and binary (model, state, import) anew, as
// they have to be whenever one of these formats changes. Those of text are written by hand.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "pliant/rig/import/ImportFile.h"
#include "state/StateWorld.h"
#include "unit/model/SampleModel.h"
#include "unit/rig/HandMadeGlb.h"
#include "unit/rig/TwoBones.h"

namespace {

using namespace pliant;

void makeModels(const std::string& folder) {
    saveModel(test::sampleModel(), folder + "/sample.pliant");
}

void makeStates(const std::string& folder) {
    std::vector<std::byte> blob;
    fuzz::makeStateWorld()->system->saveState(blob);
    constexpr std::ptrdiff_t envelope = 40;
    std::ofstream(folder + "/contact.bin", std::ios::binary)
        .write(reinterpret_cast<const char*>(blob.data()) + envelope,
               static_cast<std::streamsize>(blob.size()) - envelope);
}

void makeMessages(const std::string& folder) {
    std::ofstream(folder + "/rig.bin", std::ios::binary) << import::packImported({"glTF", {"fox.fbx: a note"}}, "");
    std::ofstream(folder + "/error.bin", std::ios::binary) << import::packImported({}, "fox.fbx: is none");
}

/// Behind the number of their format (readers/FuzzReaders.cpp).
void makeRigs(const std::string& folder) {
    const std::string glb = test::twoBonedGlb().glb();
    std::ofstream(folder + "/surface.glb", std::ios::binary) << '\5' << glb;
    std::ofstream(folder + "/rig.glb", std::ios::binary) << '\14' << glb;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "fuzz_seeds FOLDER, the folder tests/fuzz\n"), 2;
    const std::string root = argv[1];
    makeModels(root + "/model/seeds");
    makeStates(root + "/state/seeds");
    makeRigs(root + "/readers/seeds");
    makeMessages(root + "/import/seeds");
    return 0;
}
