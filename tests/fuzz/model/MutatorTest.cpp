// SPDX-License-Identifier: Zlib
// The mutator of fuzz_model: what it makes is a sealed file, of which the loader accepts at least half.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "../Door.h"
#include "LoadAndStep.h"
#include "OpenedModel.h"

namespace pliant::fuzz {
namespace {

std::vector<std::string> seeds() {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(PLIANT_FUZZ_DIR "/model/seeds"))
        all.push_back(MemoryFolder::read(entry.path().string()));
    return all;
}

const std::uint8_t* bytesOf(const std::string& text) {
    return reinterpret_cast<const std::uint8_t*>(text.data());
}

TEST(FuzzModel, ASealedFileIsTheSame) {
    ASSERT_GE(seeds().size(), 1u);
    for (const std::string& seed : seeds()) {
        const auto opened = openModel(bytesOf(seed), seed.size());
        ASSERT_TRUE(opened);
        const std::vector<std::uint8_t> sealed = sealModel(*opened);
        EXPECT_EQ(std::string(sealed.begin(), sealed.end()), seed);
        EXPECT_TRUE(loadAndStep(sealed.data(), sealed.size()));
    }
}

TEST(FuzzModel, HalfOfTheEditedFilesAreAccepted) {
    std::mt19937 engine(3);
    for (const std::string& seed : seeds()) {
        constexpr int count = 150;
        int accepted = 0;
        for (int i = 0; i < count; ++i) {
            OpenedModel model = *openModel(bytesOf(seed), seed.size());
            editModel(model, engine);
            const std::vector<std::uint8_t> sealed = sealModel(model);
            accepted += loadAndStep(sealed.data(), sealed.size());
        }
        EXPECT_GE(2 * accepted, count) << accepted << " of a seed of " << seed.size() << " bytes";
        EXPECT_LT(accepted, count) << "edits are seen";
    }
}

}  // namespace
}  // namespace pliant::fuzz
