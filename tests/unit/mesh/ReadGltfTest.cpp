// SPDX-License-Identifier: Zlib
// glTF, as text and as .glb with everything inside.
#include <cstdint>
#include <cstring>

#include "TemporaryFolder.h"
#include "pliant/mesh/MeshSize.h"
#include "pliant/mesh/ReadSurface.h"

namespace {

using namespace pliant;
using pliant::test::errorOf;
using pliant::test::TemporaryFolder;
using testing::HasSubstr;
using testing::IsEmpty;

template <typename Number>
void append(std::string& bytes, Number value) {
    char raw[sizeof(Number)];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof raw);
}

/// glTF needs its numbers as base64: three vertices (0 0 0), (1 0 0), (0 1 0) and the indices 0 1 2.
std::string gltfText(const std::string& nodes) {
    return "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":" + nodes +
           ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1},\"indices\":0,\"material\":0}]}],"
           "\"materials\":[{\"name\":\"red\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0.25,0.125,1],"
           "\"metallicFactor\":0}}],"
           "\"buffers\":[{\"uri\":\"data:application/octet-stream;base64,"
           "AAABAAIAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPwAAAAA=\",\"byteLength\":44}],"
           "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":6,\"target\":34963},"
           "{\"buffer\":0,\"byteOffset\":8,\"byteLength\":36,\"target\":34962}],"
           "\"accessors\":[{\"bufferView\":0,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\",\"max\":[2],"
           "\"min\":[0]},"
           "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"max\":[1,1,0],\"min\":[0,0,0]}]}";
}

TEST(ReadGltf, AppliesItsNodesAndKeepsMaterials) {
    const TemporaryFolder folder;
    const SurfaceFile file = readSurface(folder.write(
        "a.gltf", gltfText("[{\"translation\":[10,0,0],\"children\":[1]},{\"mesh\":0,\"scale\":[-2,2,2]}]")));
    ASSERT_EQ(file.mesh.triangleCount(), 1);
    const BoundingBox box = boundingBox(file.mesh.positions);
    EXPECT_EQ(box.lower, Vector3(8, 0, 0));
    EXPECT_EQ(box.upper, Vector3(10, 2, 0));
    // The mirroring node turned the triangle; its corners are turned with it, so its normal stays that of the format.
    const auto corner = file.mesh.triangles.col(0);
    const Vector3 a = file.mesh.positions.col(corner[0]), b = file.mesh.positions.col(corner[1]),
                  c = file.mesh.positions.col(corner[2]);
    EXPECT_GT((b - a).cross(c - a).z(), 0.0);
    EXPECT_EQ(file.mesh.materials.at(0).name, "red");
    EXPECT_EQ(file.mesh.materials.at(0).diffuse, Vector3(0.5, 0.25, 0.125));
}

/// A triangle whose texture, of this kind and these bytes, is inside the file.
std::string glbBytes(const std::string& kind, const std::string& picture) {
    std::string buffer;
    for (const int index : {0, 1, 2, 0}) append(buffer, static_cast<std::uint16_t>(index));
    for (const float x : {0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F}) append(buffer, x);
    for (const float t : {0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 1.0F}) append(buffer, t);
    const std::size_t pictureAt = buffer.size();
    buffer += picture;
    buffer.resize((buffer.size() + 3) / 4 * 4);
    const auto view = [](std::size_t at, std::size_t size) {
        return "{\"buffer\":0,\"byteOffset\":" + std::to_string(at) + ",\"byteLength\":" + std::to_string(size) + "}";
    };
    std::string json =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1,\"TEXCOORD_0\":2},\"indices\":0,"
        "\"material\":0}]}],\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}],"
        "\"textures\":[{\"source\":0}],\"images\":[{\"bufferView\":3,\"mimeType\":\"image/" +
        kind + "\"}],\"buffers\":[{\"byteLength\":" + std::to_string(buffer.size()) + "}],\"bufferViews\":[" +
        view(0, 6) + "," + view(8, 36) + "," + view(44, 24) + "," + view(pictureAt, picture.size()) +
        "],\"accessors\":[{\"bufferView\":0,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"},"
        "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"max\":[1,1,0],\"min\":[0,0,0]},"
        "{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"}]}";
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string bytes = "glTF";
    for (const std::size_t number : {std::size_t(2), 12 + 8 + json.size() + 8 + buffer.size(), json.size()})
        append(bytes, static_cast<std::uint32_t>(number));
    bytes += "JSON" + json;
    append(bytes, static_cast<std::uint32_t>(buffer.size()));
    return bytes + std::string("BIN\0", 4) + buffer;
}

// Assimp took 2.4 GB for a file of 300 bytes that said so.
TEST(ReadGltf, ChunksOfGlbEndWithTheFile) {
    const TemporaryFolder folder;
    const std::string whole = glbBytes("png", "picture");
    for (const std::size_t at : {std::size_t(12), std::size_t(20) + static_cast<unsigned char>(whole[12]) +
                                                      256 * static_cast<unsigned char>(whole[13])}) {
        std::string bytes = whole;
        bytes[at + 3] = '\x7f';
        EXPECT_THAT(errorOf([&] { readSurface(folder.write("a.glb", bytes)); }),
                    HasSubstr("bytes goes beyond the end of the file"))
            << at;
    }
}

TEST(ReadGltf, GlbBringsItsTextureAlong) {
    const TemporaryFolder folder;
    const std::string picture("\x89PNG\r\n\x1a\n any bytes \0 at all", 28);
    const SurfaceFile file = readSurface(folder.write("a.glb", glbBytes("png", picture)));
    EXPECT_THAT(file.notes, IsEmpty());
    const SurfaceMaterial& material = file.mesh.materials.at(0);
    ASSERT_NE(material.embeddedTexture, nullptr);
    EXPECT_EQ(material.embeddedTexture->bytes, picture);
    EXPECT_EQ(material.embeddedTexture->extension, "png");
    EXPECT_EQ(material.diffuseTexture, "");
    EXPECT_EQ(file.mesh.texcoords.cols(), 3);
    EXPECT_EQ(
        readSurface(folder.write("b.glb", glbBytes("jpeg", picture))).mesh.materials.at(0).embeddedTexture->extension,
        "jpg");
    const SurfaceFile other = readSurface(folder.write("c.glb", glbBytes("ktx2", picture)));
    EXPECT_EQ(other.mesh.materials.at(0).embeddedTexture, nullptr);
    ASSERT_EQ(other.notes.size(), 1u);
    EXPECT_THAT(other.notes[0], HasSubstr("neither PNG nor JPEG"));
}

TEST(ReadGltf, Refusals) {
    const TemporaryFolder folder;
    EXPECT_THAT(errorOf([&] { readSurface(folder.write("a.gltf", "{\"asset\":")); }),
                HasSubstr("a.gltf: cannot be read as glTF 2.0"));
    EXPECT_THAT(errorOf([&] { readSurface(folder.write("a.glb", "glTF?")); }), HasSubstr("a.glb: cannot be read"));
    // Other readers of Assimp's look into files of this name, too, and some never stop.
    for (const std::string& start :
         {std::string("solid"), std::string("xof 0302txt 0032"), std::string("glTF"), std::string("ID3"),
          std::string(20, '\0'), std::string("PK\3\4"), std::string("glTF\1\0\0\0\x14\0\0\0\0\0\0\0\0\0\0\0", 20)})
        EXPECT_THAT(errorOf([&] { readSurface(folder.write("b.glb", (start + std::string(20, '\0')).substr(0, 20))); }),
                    HasSubstr("b.glb: cannot be read as glTF 2.0: it begins with something else"));
    EXPECT_THAT(errorOf([&] { readSurface(folder.path("none.glb")); }), HasSubstr("none.glb: cannot be read: no such"));
}

}  // namespace
