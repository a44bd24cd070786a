// SPDX-License-Identifier: Zlib
#include <assimp/BaseImporter.h>
#include <assimp/GltfMaterial.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <assimp/Importer.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>

#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/formats/SurfaceFormats.h"

namespace pliant {

namespace {

using Transform = Eigen::Matrix<double, 3, 4, Eigen::ColMajor | Eigen::DontAlign>;

Transform identity() {
    Transform t = Transform::Zero();
    t.leftCols<3>().setIdentity();
    return t;
}

/// `outer` after the node's own transform.
Transform compose(const Transform& outer, const aiMatrix4x4& m) {
    Matrix3 linear;
    linear << m.a1, m.a2, m.a3, m.b1, m.b2, m.b3, m.c1, m.c2, m.c3;
    Transform t;
    t.leftCols<3>() = outer.leftCols<3>() * linear;
    t.col(3) = outer.leftCols<3>() * Vector3(m.a4, m.b4, m.c4) + outer.col(3);
    return t;
}

/// Textures that are part of the file itself, each read once.
class EmbeddedImages {
public:
    explicit EmbeddedImages(const aiScene& scene) : m_scene(scene) {}

    bool holds(const std::string& name) const { return m_scene.GetEmbeddedTexture(name.c_str()) != nullptr; }

    /// Null, with a warning, for a kind of picture that nobody here draws.
    std::shared_ptr<const EmbeddedImage> get(const std::string& name, const std::string& path,
                                             std::vector<std::string>& warnings) {
        const aiTexture* texture = m_scene.GetEmbeddedTexture(name.c_str());
        const auto found = m_read.find(texture);
        if (found != m_read.end()) return found->second;
        std::string kind = texture->achFormatHint;
        if (kind == "jpeg") kind = "jpg";
        std::shared_ptr<const EmbeddedImage> image;
        if (texture->mHeight == 0 && (kind == "png" || kind == "jpg"))  // mWidth is then the number of bytes
            image = std::make_shared<EmbeddedImage>(
                EmbeddedImage{std::string(reinterpret_cast<const char*>(texture->pcData), texture->mWidth), kind});
        else
            warnings.push_back(path + ": the texture inside the file is neither PNG nor JPEG (\"" + kind +
                               "\") and is not kept; drawn with its colour");
        m_read.emplace(texture, image);
        return image;
    }

private:
    const aiScene& m_scene;
    std::map<const aiTexture*, std::shared_ptr<const EmbeddedImage>> m_read;
};

/// Metallic-roughness to the Phong-like material of a .obj: glossiness gives the exponent, metals tint their highlight.
SurfaceMaterial convert(const aiMaterial& m, EmbeddedImages& images, const std::string& path,
                        std::vector<std::string>& warnings) {
    SurfaceMaterial material;
    aiString text;
    if (m.Get(AI_MATKEY_NAME, text) == aiReturn_SUCCESS) material.name = text.C_Str();
    aiColor4D base(0.8F, 0.8F, 0.8F, 1.0F);
    m.Get(AI_MATKEY_BASE_COLOR, base);
    material.diffuse = Vector3(base.r, base.g, base.b);
    if (m.Get(AI_MATKEY_GLTF_ALPHAMODE, text) == aiReturn_SUCCESS && std::string(text.C_Str()) != "OPAQUE")
        material.opacity = std::clamp(static_cast<double>(base.a), 0.0, 1.0);
    float metallic = 1.0F, roughness = 1.0F;
    m.Get(AI_MATKEY_METALLIC_FACTOR, metallic);
    m.Get(AI_MATKEY_ROUGHNESS_FACTOR, roughness);
    const double metal = metallic, rough = std::clamp(static_cast<double>(roughness), 0.05, 1.0);
    material.specular = (1.0 - metal) * Vector3::Constant(0.04) + metal * material.diffuse;
    material.shininess = std::clamp(2.0 / std::pow(rough, 4.0) - 2.0, 0.0, 1000.0);
    if (m.GetTexture(aiTextureType_BASE_COLOR, 0, &text) == aiReturn_SUCCESS) {
        const std::string name = text.C_Str();
        if (images.holds(name))
            material.embeddedTexture = images.get(name, path, warnings);
        else
            material.diffuseTexture =
                resolveTexture(name, std::filesystem::path(path).parent_path().string(), warnings);
    }
    return material;
}

class SceneReader {
public:
    SceneReader(const aiScene& scene, PolygonSurface& surface) : m_scene(scene), m_surface(surface) {
        // An attribute is kept when one mesh has it; the others get a neutral value.
        for (unsigned i = 0; i < scene.mNumMeshes; ++i) {
            m_texcoords = m_texcoords || scene.mMeshes[i]->HasTextureCoords(0);
            m_colours = m_colours || scene.mMeshes[i]->HasVertexColors(0);
            m_normals = m_normals && scene.mMeshes[i]->HasNormals();
        }
    }

    void addNode(const aiNode& node, const Transform& parent) {
        const Transform transform = compose(parent, node.mTransformation);
        for (unsigned i = 0; i < node.mNumMeshes; ++i) addMesh(*m_scene.mMeshes[node.mMeshes[i]], transform);
        for (unsigned i = 0; i < node.mNumChildren; ++i) addNode(*node.mChildren[i], transform);
    }

    int leftOut() const { return m_leftOut; }

private:
    void addMesh(const aiMesh& mesh, const Transform& transform) {
        const int first = static_cast<int>(m_surface.positions.size());
        const Matrix3 linear = transform.leftCols<3>();
        const double determinant = linear.col(0).cross(linear.col(1)).dot(linear.col(2));
        Matrix3 cofactor;  // carries normals: det(A) A^-T
        cofactor << linear.col(1).cross(linear.col(2)), linear.col(2).cross(linear.col(0)),
            linear.col(0).cross(linear.col(1));
        for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
            const aiVector3D& x = mesh.mVertices[v];
            m_surface.positions.emplace_back(linear * Vector3(x.x, x.y, x.z) + transform.col(3));
            if (m_normals) {
                const aiVector3D& n = mesh.mNormals[v];
                m_surface.normals.emplace_back((determinant < 0.0 ? -1.0 : 1.0) * cofactor * Vector3(n.x, n.y, n.z));
            }
            if (m_texcoords) {
                const aiVector3D uv = mesh.HasTextureCoords(0) ? mesh.mTextureCoords[0][v] : aiVector3D();
                m_surface.texcoords.push_back({uv.x, uv.y});
            }
            if (m_colours) {
                const aiColor4D c = mesh.HasVertexColors(0) ? mesh.mColors[0][v] : aiColor4D(1, 1, 1, 1);
                m_surface.colours.push_back({c.r, c.g, c.b, c.a});
            }
        }
        for (unsigned f = 0; f < mesh.mNumFaces; ++f) addFace(mesh.mFaces[f], first, determinant < 0.0, mesh);
    }

    /// A mirroring node turns faces round: their corners are taken backwards.
    void addFace(const aiFace& face, int first, bool mirrored, const aiMesh& mesh) {
        if (face.mNumIndices < 3) {
            ++m_leftOut;
            return;
        }
        std::vector<int> polygon;
        for (unsigned c = 0; c < face.mNumIndices; ++c) polygon.push_back(first + static_cast<int>(face.mIndices[c]));
        if (mirrored) std::reverse(polygon.begin(), polygon.end());
        m_surface.polygons.push_back(std::move(polygon));
        m_surface.polygonMaterial.push_back(static_cast<int>(mesh.mMaterialIndex));
    }

    const aiScene& m_scene;
    PolygonSurface& m_surface;
    bool m_normals = true, m_texcoords = false, m_colours = false;
    int m_leftOut = 0;
};

/// Assimp asks all of its readers whether they know a file that the one of its name does not, and some of them take a
/// few bytes of another format for a reason to read for ever. So the file has to begin as glTF does, and only the
/// reader of glTF 2.0 is left. @param text the first bytes
void keepGltfAlone(Assimp::Importer& importer, std::string_view text, const std::string& path) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool isJson = first != std::string_view::npos && text[first] == '{';
    const bool isContainer = text.size() >= 20 && text.substr(0, 8) == std::string_view("glTF\2\0\0\0", 8);
    if (!isJson && !isContainer)
        throw Error(path, "cannot be read as glTF 2.0: it begins with something else",
                    "check it with a glTF validator, or export it again");
    for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
        if (std::string(importer.GetImporterInfo(i)->mName) == "glTF2 Importer") continue;
        const std::unique_ptr<Assimp::BaseImporter> other(importer.GetImporter(i));
        importer.UnregisterLoader(other.get());  // which does not delete it
    }
}

/// The chunks of a container have to lie in the file: Assimp makes room for as many bytes as they say that they have.
/// @param size of the file, bytes  @param numberAt reads the 32 bits at a place of it
template <typename NumberAt>
void checkChunks(std::size_t size, const NumberAt& numberAt, const std::string& path) {
    constexpr std::size_t header = 12, chunkHeader = 8;
    std::size_t at = header;
    for (int chunk = 0; chunk < 2 && at + chunkHeader <= size; ++chunk) {  // glTF and the bytes that it names
        const std::size_t length = numberAt(at);
        if (length > size - at - chunkHeader)
            throw Error(path,
                        "cannot be read as glTF 2.0: a chunk of " + std::to_string(length) +
                            " bytes goes beyond the end of the file",
                        "the file is damaged or cut: export it again");
        at += chunkHeader + (length + 3) / 4 * 4;
    }
}

std::uint32_t littleEndian(const char* bytes) {
    std::uint32_t number = 0;
    for (int i = 4; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[i]);
    return number;
}

PolygonSurface surfaceOf(const aiScene* scene, const Assimp::Importer& importer, const std::string& path,
                         std::vector<std::string>& warnings) {
    if (!scene || !scene->mRootNode)
        throw Error(path, std::string("cannot be read as glTF 2.0: ") + importer.GetErrorString(),
                    "check it with a glTF validator, or export it again");
    PolygonSurface surface;
    EmbeddedImages images(*scene);
    for (unsigned m = 0; m < scene->mNumMaterials; ++m)
        surface.materials.push_back(convert(*scene->mMaterials[m], images, path, warnings));
    SceneReader reader(*scene, surface);
    reader.addNode(*scene->mRootNode, identity());
    if (reader.leftOut() > 0)
        warnings.push_back(path + ": " + std::to_string(reader.leftOut()) + " points and lines left out");
    return surface;
}

}  // namespace

PolygonSurface readGltf(const std::string& path, std::vector<std::string>& warnings) {
    if (!files::isFile(path)) throw Error(path, "cannot be read: no such file", "check the name and the path");
    std::array<char, 256> start{};
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), start.size());
    Assimp::Importer importer;
    const std::string_view first(start.data(), static_cast<std::size_t>(file.gcount()));
    keepGltfAlone(importer, first, path);
    file.clear();
    file.seekg(0, std::ios::end);
    const auto numberAt = [&file](std::size_t at) {
        std::array<char, 4> bytes{};
        file.seekg(static_cast<std::streamoff>(at));
        file.read(bytes.data(), bytes.size());
        return littleEndian(bytes.data());
    };
    if (first.substr(0, 4) == "glTF") checkChunks(static_cast<std::size_t>(file.tellg()), numberAt, path);
    return surfaceOf(importer.ReadFile(path, aiProcess_ValidateDataStructure), importer, path, warnings);
}

PolygonSurface readGlb(const std::string& bytes, const std::string& path, std::vector<std::string>& warnings) {
    Assimp::Importer importer;
    keepGltfAlone(importer, bytes, path);
    const auto numberAt = [&bytes](std::size_t at) { return littleEndian(bytes.data() + at); };
    if (bytes.compare(0, 4, "glTF") == 0) checkChunks(bytes.size(), numberAt, path);
    return surfaceOf(importer.ReadFileFromMemory(bytes.data(), bytes.size(), aiProcess_ValidateDataStructure, "glb"),
                     importer, path, warnings);
}

}  // namespace pliant
