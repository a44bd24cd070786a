// SPDX-License-Identifier: Zlib
#include "ReducedOnce.h"

#include <xxhash.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ReducedBy.h"
#include "pliant/reduce/InputHash.h"

namespace pliant::test {

std::string reducedBy() {
    return PLIANT_REDUCED_BY;
}

std::string reducedByOf(const std::string& folder) {
    std::string define, name, sum;
    std::ifstream(folder + "/ReducedBy.h") >> define >> name >> sum;
    return sum.size() > 2 ? sum.substr(1, sum.size() - 2) : std::string();
}

std::string keptModel(const std::string& input, const ReduceOptions& options, const std::string& reducedBy,
                      const std::string& folder) {
    const ReduceOptions decided = options.decidedFor(input);
    const char* instructions = std::getenv("PLIANT_TEST_INSTRUCTIONS");
    const std::string made =
        reducedBy + inputHash(input, decided) + decided.canonical() + (instructions ? instructions : "");
    const XXH128_hash_t hash = XXH3_128bits(made.data(), made.size());
    std::array<char, 33> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                  static_cast<unsigned long long>(hash.low64));
    return (folder.empty() ? std::string(PLIANT_TEST_MODELS) : folder) + "/" + digits.data() + ".pliant";
}

std::shared_ptr<const ReducedModel> reducedOnce(const std::string& input, const ReduceOptions& options) {
    if (const char* others = std::getenv("PLIANT_TEST_MODELS_OF")) {
        const std::string theirs = keptModel(input, options, reducedByOf(others), others);
        if (std::filesystem::exists(theirs)) return loadModel(theirs);
    }
    const std::string path = keptModel(input, options, reducedBy());
    // A model is written under another name first: what is there is whole, also while another program makes the same.
    if (!std::filesystem::exists(path)) saveModel(*reduceFile(input, options), path);
    return loadModel(path);
}

}  // namespace pliant::test
