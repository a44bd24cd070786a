// SPDX-License-Identifier: Zlib
#include "stats/WriteJson.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"

namespace pliant::program {

void writeJson(const std::string& path, const nlohmann::ordered_json& json) {
    const std::string place = files::placeOfWholeFile(path).string();
    const std::string beside = place + "." + std::to_string(getpid());
    std::ofstream file(beside);
    file << json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
    file.close();
    if (!file || std::rename(beside.c_str(), place.c_str()) != 0) {
        std::remove(beside.c_str());
        throw Error(path, "cannot write the statistics", "choose another file");
    }
}

}  // namespace pliant::program
