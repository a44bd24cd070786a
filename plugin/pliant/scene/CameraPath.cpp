// SPDX-License-Identifier: Zlib
#include "pliant/scene/CameraPath.h"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <sstream>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"

namespace pliant::scene {
namespace {

constexpr std::size_t kMostKeys = 1'000'000;
constexpr double kLongest = 1.0e6;   // s
constexpr double kFarthest = 1.0e5;  // m

CameraKey readKey(const std::string& line, const std::string& where) {
    std::istringstream text(line);
    std::array<double, 8> numbers{};
    bool good = true;
    for (double& number : numbers) good = good && (text >> number) && std::isfinite(number);
    std::string rest;
    if (!good || text >> rest)
        throw Error(where, "a line of a camera path has eight finite numbers: time, place, rotation",
                    "record one with the key z in a window");
    CameraKey key;
    key.time = numbers[0];
    key.from = {numbers[1], numbers[2], numbers[3]};
    const Eigen::Quaterniond turn(numbers[7], numbers[4], numbers[5], numbers[6]);
    if (!(key.time >= 0.0 && key.time <= kLongest) || !(key.from.norm() <= kFarthest))
        throw Error(where, "a time is within 0 and 1e6 s, and a place within 1e5 m");
    if (!(turn.norm() > 1e-6)) throw Error(where, "the rotation is none: its quaternion is zero");
    const Matrix3 axes = turn.normalized().toRotationMatrix();
    key.to = key.from - axes.col(2);
    key.up = axes.col(1);
    return key;
}

}  // namespace

std::vector<CameraKey> readCameraPath(const std::string& path) {
    std::vector<CameraKey> keys;
    std::istringstream text(readTextFile(path));
    int number = 0;
    for (std::string line; std::getline(text, line);) {
        const std::string where = path + ":" + std::to_string(++number);
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        const CameraKey key = readKey(line, where);
        if (!keys.empty() && key.time <= keys.back().time)
            throw Error(where, "the places of a camera path stand in the order of their times");
        if (keys.size() == kMostKeys)
            throw Error(where, "there are more than " + std::to_string(kMostKeys) + " places", "record a shorter path");
        keys.push_back(key);
    }
    if (keys.empty()) throw Error(path, "the camera path has no places", "record one with the key z in a window");
    return keys;
}

}  // namespace pliant::scene
