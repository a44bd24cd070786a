// SPDX-License-Identifier: Zlib
// Files beside a glTF: none outside of its folder, each counted once; and looks that are lost, told once a kind.
#include <filesystem>

#include "HandMadeGlb.h"
#include "TwoBones.h"
#include "pliant/rig/gltf/ReadRig.h"

namespace pliant::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

HandMadeGlb withPicture(const std::string& uri) {
    HandMadeGlb made = twoBonedGlb();
    made.file["images"] = {{{"uri", uri}}};
    made.file["textures"] = {{{"source", 0}}};
    made.file["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
    made.file["meshes"][0]["primitives"][0]["material"] = 0;
    return made;
}

TEST(GltfFiles, PicturesStayInTheFolderOfTheFile) {
    const TemporaryFolder folder;
    folder.write("secret.png", "outside");
    folder.write("fox/fur coat.png", "inside");
    fs::create_symlink(folder.path("secret.png"), folder.path("fox/link.png"));
    fs::create_directory_symlink(folder.path("."), folder.path("fox/up"));
    fs::create_symlink("fur coat.png", folder.path("fox/alias.png"));
    const auto read = [&](const std::string& uri) {
        return readRig(folder.write("fox/fox.glb", withPicture(uri).glb()));
    };
    const std::string inside = fs::canonical(folder.path("fox/fur coat.png")).string();
    for (const char* uri : {"fur%20coat.png", "./fur coat.png", "b/../fur%20coat.png", "alias.png"}) {
        const RigFile file = read(uri);
        EXPECT_EQ(file.rig.surface.materials[0].diffuseTexture, inside) << uri;
        EXPECT_THAT(file.notes, IsEmpty());
    }
    for (const std::string& uri :
         {std::string("../secret.png"), std::string("%2e%2e/secret.png"), std::string("..%2Fsecret.png"),
          folder.path("secret.png"), std::string("link.png"), std::string("up/secret.png"),
          std::string("file:///etc/passwd"), std::string("../nothing.png")}) {
        const RigFile file = read(uri);
        EXPECT_EQ(file.rig.surface.materials[0].diffuseTexture, "") << uri;
        EXPECT_THAT(file.notes, ElementsAre(HasSubstr("is not in the folder of the file"))) << uri;
    }
    const RigFile missing = read("nothing.png");
    EXPECT_THAT(missing.notes, ElementsAre(HasSubstr("there is no picture \"nothing.png\"")));
    EXPECT_EQ(missing.rig.surface.materials[0].diffuseTexture, "");
}

TEST(GltfFiles, LinksOfBuffersThatLeadOutAreRefused) {
    const TemporaryFolder folder;
    HandMadeGlb made = twoBonedGlb();
    folder.write("numbers.bin", made.bytes);
    folder.write("fox/x", "");
    fs::create_symlink(folder.path("numbers.bin"), folder.path("fox/numbers.bin"));
    made.file["buffers"] = {{{"byteLength", made.bytes.size()}, {"uri", "numbers.bin"}}};
    const std::string path = folder.write("fox/fox.gltf", made.file.dump());
    EXPECT_THAT(errorOf([&] { readRig(path); }), HasSubstr("is not in the folder of the file"));
}

// A surface that asks for more numbers than its bytes explain stays refused, under however many names they are told.
TEST(GltfFiles, OneFileOfManyNamesIsCountedOnce) {
    const TemporaryFolder folder;
    HandMadeGlb made = twoBonedGlb();
    made.bytes.resize(1 << 20, '\0');
    folder.write("a.bin", made.bytes);
    folder.write("b/x", "");
    fs::create_hard_link(folder.path("a.bin"), folder.path("hard.bin"));
    fs::create_symlink("a.bin", folder.path("soft.bin"));
    made.file["buffers"] = json::array();
    for (const char* name : {"a.bin", "./a.bin", "b/../a.bin", "hard.bin", "soft.bin", "%61.bin"})
        made.file["buffers"].push_back({{"byteLength", made.bytes.size()}, {"uri", name}});
    // Pictures in views count, an eighth of a number a byte: 200 of the whole file are 25 numbers a byte.
    for (int i = 0; i < 200; ++i) {
        made.file["bufferViews"].push_back({{"buffer", i % 6}, {"byteOffset", 0}, {"byteLength", made.bytes.size()}});
        made.file["images"].push_back({{"bufferView", made.file["bufferViews"].size() - 1}, {"mimeType", "image/png"}});
        made.file["textures"].push_back({{"source", i}});
        made.file["materials"].push_back({{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", i}}}}}});
    }
    const std::string path = folder.write("fox.gltf", made.file.dump());
    EXPECT_THAT(errorOf([&] { readRig(path); }), HasSubstr("asks for far more numbers than it holds"));
}

TEST(GltfFiles, BuffersTogetherAreBounded) {
    const TemporaryFolder folder;
    HandMadeGlb made = twoBonedGlb();
    folder.write("huge.bin", made.bytes);
    fs::resize_file(folder.path("huge.bin"), (std::uintmax_t{1} << 32) + 1);  // a hole: takes no space
    made.file["buffers"] = {{{"byteLength", made.bytes.size()}, {"uri", "huge.bin"}}};
    const std::string path = folder.write("fox.gltf", made.file.dump());
    EXPECT_THAT(errorOf([&] { readRig(path); }), HasSubstr("larger than 4 GiB together"));
}

TEST(GltfFiles, LostLooksAreToldOnceAKind) {
    const TemporaryFolder folder;
    folder.write("fur.png", "fur");
    HandMadeGlb made = withPicture("fur.png");
    const auto notes = [&] { return readRig(folder.write("fox.glb", made.glb())).notes; };
    EXPECT_THAT(notes(), IsEmpty());
    json material = made.file["materials"][0];
    material["emissiveFactor"] = {0, 0, 0};
    material["alphaMode"] = "OPAQUE";
    material["doubleSided"] = false;
    made.file["materials"] = json::array({material});
    EXPECT_THAT(notes(), IsEmpty()) << "what says what holds anyway loses nothing";
    const auto lone = [&](const char* key, const json& value, const char* told) {
        json changed = material;
        changed[key] = value;
        made.file["materials"] = json::array({changed});
        EXPECT_THAT(notes(), ElementsAre(HasSubstr(told)));
        made.file["materials"] = json::array({changed, changed});
        EXPECT_THAT(notes(), ElementsAre(HasSubstr(std::string("of 2 materials, left out: ") + told)));
    };
    lone("normalTexture", {{"index", 0}}, "normal maps");
    lone("occlusionTexture", {{"index", 0}}, "maps of occlusion");
    lone("emissiveFactor", {0, 1, 0}, "light of their own");
    lone("emissiveTexture", {{"index", 0}}, "light of their own");
    lone("doubleSided", true, "two sides");
    lone("alphaMode", "MASK", "cut-out");
    lone("extensions", {{"KHR_materials_sheen", json::object()}}, "the extension KHR_materials_sheen");
    json looks = material["pbrMetallicRoughness"];
    looks["metallicRoughnessTexture"] = {{"index", 0}};
    lone("pbrMetallicRoughness", looks, "maps of metal");
    looks = material["pbrMetallicRoughness"];
    looks["baseColorTexture"]["texCoord"] = 1;
    lone("pbrMetallicRoughness", looks, "textures with coordinates of another set");
    looks["baseColorTexture"]["texCoord"] = 0;
    looks["baseColorTexture"]["extensions"] = {{"KHR_texture_transform", {{"offset", {0.5, 0}}}}};
    lone("pbrMetallicRoughness", looks, "textures that are moved");
    material["alphaMode"] = "CLEAR";
    made.file["materials"] = json::array({material});
    EXPECT_THAT(errorOf([&] { notes(); }), HasSubstr("materials[0].alphaMode: \"CLEAR\" is unknown"));
}

}  // namespace
}  // namespace pliant::test
