// SPDX-License-Identifier: Zlib
// Files that are wrong, one thing at a time: a message with file, place and bone, and neither a crash nor much memory.
#include <filesystem>
#include <functional>

#include "HandMadeGlb.h"
#include "TwoBones.h"
#include "pliant/rig/gltf/ReadRig.h"

namespace pliant::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string told(const std::function<void(HandMadeGlb&)>& damage) {
    HandMadeGlb made = twoBonedGlb();
    damage(made);
    const TemporaryFolder folder;
    const std::string path = folder.write("fox.glb", made.glb());
    return errorOf([&] { readRig(path); });
}

/// Writes a file anew: to write over one waits for the disk, thousands of times.
std::string writeNew(const TemporaryFolder& folder, const std::string& name, const std::string& bytes) {
    std::filesystem::remove(folder.path(name));
    return folder.write(name, bytes);
}

TEST(HostileRig, NodesSkinsAndBones) {
    EXPECT_EQ(told([](HandMadeGlb&) {}), "");
    EXPECT_THAT(told([](HandMadeGlb& f) { f.file["nodes"][1]["children"] = {0}; }),
                AllOf(HasSubstr("fox.glb: nodes[0]"), HasSubstr("\"upper\" is in or below a circle")));
    EXPECT_THAT(told([](HandMadeGlb& f) { f.file["nodes"][2]["children"] = {1}; }),
                HasSubstr("node \"lower\" has two parents, \"upper\" and \"skin\""));
    EXPECT_THAT(told([](HandMadeGlb& f) { f.file["nodes"][0]["children"] = {7}; }),
                HasSubstr("is 7, and there are 3 nodes"));
    EXPECT_THAT(told([](HandMadeGlb& f) {
                    f.file["nodes"][1]["scale"] = {1, 2, 1};
                }),
                AllOf(HasSubstr("fox.glb: nodes[1]: bone \"lower\": is scaled by 1.0"), HasSubstr("shears")));
    EXPECT_THAT(told([](HandMadeGlb& f) {
                    f.file["nodes"][1]["scale"] = {3, 3, 3};
                }),
                HasSubstr("bone \"lower\" is scaled by 3.0"));
    EXPECT_THAT(told([](HandMadeGlb& f) {
                    f.file["nodes"][1].erase("translation");
                    f.file["nodes"][1]["matrix"] = {1, 0, 0, 0, 0.5, 0.866, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1};
                }),
                HasSubstr("bone \"lower\": is sheared"));
    EXPECT_THAT(told([](HandMadeGlb& f) {
                    f.file["nodes"][1].erase("translation");
                    f.file["nodes"][1]["matrix"] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1};
                }),
                HasSubstr("bone \"lower\": is mirrored"));
    EXPECT_THAT(told([](HandMadeGlb& f) {
                    f.file["nodes"][1]["rotation"] = {0, 0, 0, 0};
                }),
                HasSubstr("of the length 0"));
    EXPECT_THAT(told([](HandMadeGlb& f) { f.file["nodes"][2].erase("skin"); }), HasSubstr("no surface with a skin"));
    EXPECT_THAT(told([](HandMadeGlb& f) {
                    f.file["skins"][0]["joints"] = {0, 1, 2};
                }),
                HasSubstr("2 matrices for 3 joints"));
    EXPECT_THAT(told([](HandMadeGlb& f) { f.file["skins"][0]["joints"] = {0}; }),
                HasSubstr("vertex 1 follows joint 1 of 1"));
    EXPECT_THAT(told([](HandMadeGlb& f) { f.file["extensionsRequired"] = {"KHR_draco_mesh_compression"}; }),
                HasSubstr("\"KHR_draco_mesh_compression\" is not read"));
}

TEST(HostileRig, Numbers) {
    const auto position = [](HandMadeGlb& f) -> json& { return f.accessor(f.attributes()["POSITION"]); };
    EXPECT_THAT(told([&](HandMadeGlb& f) { position(f)["count"] = 5; }),
                AllOf(HasSubstr("accessors[1]"), HasSubstr("needs 60 bytes of a bufferView of 48")));
    EXPECT_THAT(told([&](HandMadeGlb& f) { position(f)["count"] = 2147483648.0; }), HasSubstr("needs"));
    EXPECT_THAT(told([&](HandMadeGlb& f) { position(f)["count"] = -1; }),
                HasSubstr("accessors[1].count: -1 is out of range"));
    EXPECT_THAT(told([&](HandMadeGlb& f) { position(f)["count"] = 1.5; }), HasSubstr("no whole number"));
    EXPECT_THAT(told([&](HandMadeGlb& f) { position(f)["count"] = "4"; }),
                HasSubstr("has to be a number, and is string"));
    EXPECT_THAT(told([&](HandMadeGlb& f) { position(f)["byteOffset"] = 4; }), HasSubstr("needs 52 bytes"));
    EXPECT_THAT(told([&](HandMadeGlb& f) { position(f)["componentType"] = 5123; }),
                HasSubstr("5123 is not possible here"));
    EXPECT_THAT(told([&](HandMadeGlb& f) { position(f)["type"] = "VEC2"; }),
                HasSubstr("is \"VEC2\", and VEC3 is needed"));
    EXPECT_THAT(told([&](HandMadeGlb& f) { position(f)["bufferView"] = 99; }), HasSubstr("is 99, and there are"));
    EXPECT_THAT(told([](HandMadeGlb& f) { f.file["bufferViews"][1]["byteOffset"] = 1 << 30; }),
                HasSubstr("of a buffer of"));
    EXPECT_THAT(told([](HandMadeGlb& f) { f.file["bufferViews"][1]["byteStride"] = 4; }),
                HasSubstr("byteStride: 4 is out"));
    EXPECT_THAT(told([](HandMadeGlb& f) {
                    f.file["buffers"] = {{{"byteLength", 100000}}};
                }),
                HasSubstr("instead of 100000"));
    EXPECT_THAT(told([](HandMadeGlb& f) {
                    f.file["buffers"] = {{{"byteLength", 9}, {"uri", "../secret.bin"}}};
                }),
                HasSubstr("is not in the folder of the file"));
    EXPECT_THAT(told([](HandMadeGlb& f) {
                    f.file["buffers"] = {{{"byteLength", 9}, {"uri", "/dev/zero"}}};
                }),
                HasSubstr("is not in the folder"));
    EXPECT_THAT(
        told([](HandMadeGlb& f) {
            f.attributes()["WEIGHTS_0"] = f.addFloats({1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 4);
        }),
        HasSubstr("fox.glb: vertex 1: follows no bone"));
    EXPECT_THAT(
        told([](HandMadeGlb& f) {
            f.file["meshes"][0]["primitives"][0]["indices"] = f.add<std::uint16_t>({0, 1, 4}, 5123, "SCALAR", 1);
        }),
        HasSubstr("triangle 0 names vertex 4 of 4"));
}

TEST(HostileRig, Clips) {
    const auto sampler = [](HandMadeGlb& f) -> json& { return f.file["animations"][0]["samplers"][0]; };
    EXPECT_THAT(told([&](HandMadeGlb& f) {
                    sampler(f)["input"] = f.addFloats({1, 1}, "SCALAR", 1);
                }),
                AllOf(HasSubstr("clip \"bend\", bone \"lower\", rotation"), HasSubstr("times do not grow at key 1")));
    EXPECT_THAT(told([&](HandMadeGlb& f) { sampler(f)["interpolation"] = "CUBICSPLINE"; }),
                HasSubstr("2 times and 2 values, of which there have to be 6"));
    EXPECT_THAT(told([&](HandMadeGlb& f) { sampler(f)["interpolation"] = "SMOOTH"; }),
                HasSubstr("\"SMOOTH\" is unknown"));
    EXPECT_THAT(told([&](HandMadeGlb& f) { f.file["animations"][0]["channels"][0]["sampler"] = 1; }),
                HasSubstr("sampler: 1 is out of range"));
    EXPECT_THAT(told([&](HandMadeGlb& f) {
                    f.file["animations"][0]["channels"].push_back(f.file["animations"][0]["channels"][0]);
                }),
                HasSubstr("is moved twice"));
    EXPECT_THAT(told([&](HandMadeGlb& f) {
                    sampler(f)["output"] = f.addFloats({0, 0, 0, 1, 0, 0, 0, 0}, "VEC4", 4);
                }),
                HasSubstr("the rotation of key 1 has the length 0.0"));
    EXPECT_THAT(told([&](HandMadeGlb& f) {
                    f.file["animations"][0]["channels"][0]["target"]["path"] = "scale";
                    sampler(f)["output"] = f.addFloats({1, 1, 1, 1, 2, 1}, "VEC3", 3);
                }),
                AllOf(HasSubstr("bone \"lower\""), HasSubstr("shears")));
}

// A small file that asks for the same numbers thousands of times.
TEST(HostileRig, MemoryStaysInProportionToTheFile) {
    EXPECT_THAT(told([](HandMadeGlb& f) {
                    json nothing = {{"componentType", 5126}, {"count", 2000000000}, {"type", "VEC3"}};
                    f.attributes()["POSITION"] = f.file["accessors"].size();
                    f.file["accessors"].push_back(nothing);
                }),
                HasSubstr("asks for far more numbers than it holds"));
    EXPECT_THAT(
        told([](HandMadeGlb& f) {
            f.attributes()["POSITION"] = f.addFloats(std::vector<float>(30000, 1.0F), "VEC3", 3);
            json primitive = f.file["meshes"][0]["primitives"][0];
            json attributes = {{"POSITION", f.attributes()["POSITION"]}};
            for (int i = 0; i < 40; ++i) {
                const std::string number = std::to_string(i);
                attributes["JOINTS_" + number] = f.attributes()["JOINTS_0"];
                attributes["WEIGHTS_" + number] =
                    f.file["accessors"].size();  // zeros, of which there are as many as vertices
            }
            f.file["accessors"].push_back({{"componentType", 5126}, {"count", 10000}, {"type", "VEC4"}});
            f.accessor(f.attributes()["JOINTS_0"]) = {{"componentType", 5121}, {"count", 10000}, {"type", "VEC4"}};
            primitive["attributes"] = attributes;
            f.file["meshes"][0]["primitives"] =
                json::array({primitive});  // compilers differ in what braces make of one
        }),
        HasSubstr("asks for far more numbers than it holds"));
}

TEST(HostileRig, CutAtEveryByte) {
    const std::string whole = twoBonedGlb().glb();
    const TemporaryFolder folder;
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const std::string path = writeNew(folder, "cut.glb", whole.substr(0, length));
        EXPECT_THAT(errorOf([&] { readRig(path); }), HasSubstr("cut.glb: ")) << length;
    }
}

// Any byte may be anything: the file is read or refused, with its name. The sanitizers watch over the rest.
TEST(HostileRig, EveryByteFlipped) {
    const std::string whole = twoBonedGlb().glb();
    const TemporaryFolder folder;
    int refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
        const std::string path = writeNew(folder, "bent.glb", damaged);
        const std::string message = errorOf([&] { readRig(path); });
        if (message.empty()) continue;
        ++refused;
        EXPECT_THAT(message, HasSubstr("bent.glb")) << at;
    }
    EXPECT_GT(refused, static_cast<int>(whole.size()) / 3);
}

// Every value of the JSON, replaced by values of every other kind.
TEST(HostileRig, EveryValueOfAnotherKind) {
    const HandMadeGlb good = twoBonedGlb();
    const json flat = good.file.flatten();
    const TemporaryFolder folder;
    for (const auto& item : flat.items())
        for (const json& other :
             {json(nullptr), json(-1), json(1e300), json("x"), json::array(), json::object(), json(true)}) {
            HandMadeGlb made = good;
            made.file[json::json_pointer(item.key())] = other;
            const std::string path = writeNew(folder, "bent.glb", made.glb());
            const std::string message = errorOf([&] { readRig(path); });
            if (!message.empty()) {
                EXPECT_THAT(message, HasSubstr("bent.glb")) << item.key() << " " << other;
            }
        }
}

}  // namespace
}  // namespace pliant::test
