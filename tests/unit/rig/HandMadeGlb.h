// SPDX-License-Identifier: Zlib
// A small character as a file made by hand: two bones, a skin of four vertices and two triangles, one clip.
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pliant::test {

using nlohmann::json;

/// JSON and bytes of a .glb, to be changed before it is written.
struct HandMadeGlb {
    json file;
    std::string bytes;

    /// Appends numbers. @return the number of their accessor
    template <typename Number>
    int add(const std::vector<Number>& numbers, int kind, const char* type, std::size_t components) {
        file["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", numbers.size() * sizeof(Number)}});
        bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
        bytes.resize((bytes.size() + 3) / 4 * 4, '\0');
        file["accessors"].push_back({{"bufferView", file["bufferViews"].size() - 1},
                                     {"componentType", kind},
                                     {"count", numbers.size() / components},
                                     {"type", type}});
        return static_cast<int>(file["accessors"].size()) - 1;
    }
    int addFloats(const std::vector<float>& numbers, const char* type, std::size_t components) {
        return add(numbers, 5126, type, components);
    }

    json& attributes() { return file["meshes"][0]["primitives"][0]["attributes"]; }
    json& accessor(const json& number) { return file["accessors"][number.get<std::size_t>()]; }

    /// As a .glb.
    std::string glb() const {
        json whole = file;
        if (!whole.contains("buffers")) whole["buffers"] = {{{"byteLength", bytes.size()}}};
        std::string text = whole.dump();
        text.resize((text.size() + 3) / 4 * 4, ' ');
        std::string all = "glTF";
        const auto put = [&](std::size_t number) {
            const auto value = static_cast<std::uint32_t>(number);
            all.append(reinterpret_cast<const char*>(&value), 4);
        };
        put(2);
        put(28 + text.size() + bytes.size());
        put(text.size());
        all += "JSON" + text;
        put(bytes.size());
        return all + std::string("BIN\0", 4) + bytes;
    }
};

/// "upper" at the origin, "lower" at x = 1 below it; vertices at x = 0, 1, 2 and (2, 1, 0); the clip "bend" turns the
/// lower bone by 90 degrees about z in one second.
inline HandMadeGlb twoBonedGlb() {
    HandMadeGlb made;
    made.file = {{"asset", {{"version", "2.0"}}},
                 {"nodes",
                  {{{"name", "upper"}, {"children", {1}}},
                   {{"name", "lower"}, {"translation", {1, 0, 0}}},
                   {{"name", "skin"}, {"mesh", 0}, {"skin", 0}}}},
                 {"bufferViews", json::array()},
                 {"accessors", json::array()}};
    const int indices = made.add<std::uint16_t>({0, 1, 3, 1, 2, 3}, 5123, "SCALAR", 1);
    const int positions = made.addFloats({0, 0, 0, 1, 0, 0, 2, 0, 0, 2, 1, 0}, "VEC3", 3);
    const int joints = made.add<std::uint8_t>({0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 5121, "VEC4", 4);
    const int weights = made.addFloats({1, 0, 0, 0, .5F, .5F, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 4);
    const int inverse = made.addFloats(
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1}, "MAT4", 16);
    const int times = made.addFloats({0, 1}, "SCALAR", 1);
    const int turns = made.addFloats({0, 0, 0, 1, 0, 0, 0.70710678F, 0.70710678F}, "VEC4", 4);
    made.file["meshes"] = {{{"primitives",
                             {{{"attributes", {{"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}},
                               {"indices", indices}}}}}};
    made.file["skins"] = {{{"joints", {0, 1}}, {"inverseBindMatrices", inverse}}};
    made.file["animations"] = {{{"name", "bend"},
                                {"samplers", {{{"input", times}, {"output", turns}, {"interpolation", "LINEAR"}}}},
                                {"channels", {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "rotation"}}}}}}}};
    return made;
}

}  // namespace pliant::test
