// SPDX-License-Identifier: Zlib
// fuzz_seeds FOLDER: writes the seeds of doors whose formats are our own and binary (model, state, import, runs) anew,
// as they have to be whenever one of these formats changes. Those of text are written by hand.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "pliant/rig/import/ImportFile.h"
#include "pliant/view/StateLog.h"
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

/// A log of a group of three coordinates and one of rigid bodies, to be sealed (runs/FuzzRuns.cpp).
void makeRuns(const std::string& folder) {
    const std::string path = folder + "/log.states";
    {
        StateLogWriter log(path, {{"bar.pliant", 2, 3}, {"rigid", 1, 0}});
        for (int frame = 0; frame < 2; ++frame) {
            std::vector<Poses> poses(2);
            poses[0].resize(2, 3);
            poses[1].resize(1, 0);
            for (Poses& group : poses) group.time = 0.5 * frame;
            poses[0].worldFromBody[1].translation = Vector3(1.0, 2.0, 0.25 * frame);
            poses[0].qOf(1)[2] = 0.125 * frame;
            log.add(poses);
        }
        log.close();
    }
    std::ostringstream text;
    text << 's' << std::ifstream(path, std::ios::binary).rdbuf();
    std::ofstream(path, std::ios::binary) << text.str();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "fuzz_seeds FOLDER, the folder tests/fuzz\n"), 2;
    const std::string root = argv[1];
    makeModels(root + "/model/seeds");
    makeStates(root + "/state/seeds");
    makeRigs(root + "/readers/seeds");
    makeMessages(root + "/import/seeds");
    makeRuns(root + "/runs/seeds");
    return 0;
}
