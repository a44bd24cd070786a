// SPDX-License-Identifier: Zlib
// Stands in for libFuzzer where there is none: runs each file, and each file of each folder, that it is given.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "Door.h"

int main(int argc, char** argv) {
    namespace fs = std::filesystem;
    std::vector<std::string> files;
    for (const std::string& given : std::vector<std::string>(argv + 1, argv + argc)) {
        if (given.rfind('-', 0) == 0) continue;  // libFuzzer's options
        if (!fs::is_directory(given)) {
            files.push_back(given);
            continue;
        }
        for (const fs::directory_entry& entry : fs::directory_iterator(given)) files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) {
        const std::string bytes = pliant::fuzz::MemoryFolder::read(file);
        std::fprintf(stderr, "%s\n", file.c_str());
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    std::fprintf(stderr, "%zu files\n", files.size());
    return files.empty() ? 1 : 0;
}
