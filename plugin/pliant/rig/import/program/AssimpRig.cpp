// SPDX-License-Identifier: Zlib
#include "pliant/math/Error.h"
#include "pliant/rig/gltf/GltfNodes.h"
#include "pliant/rig/import/ImportFile.h"
#include "pliant/rig/import/program/AssimpParts.h"

namespace pliant::import {

namespace {

void markWithParents(const SceneNodes& nodes, int node, std::vector<bool>& needed) {
    for (int n = node; n >= 0 && !needed[static_cast<std::size_t>(n)]; n = nodes.parents[static_cast<std::size_t>(n)])
        needed[static_cast<std::size_t>(n)] = true;
}

int nodeOf(const aiBone& bone, const SceneNodes& nodes, const std::string& path) {
    const auto found = nodes.byName.find(bone.mName.C_Str());
    if (found == nodes.byName.end())
        throw Error(path, std::string("bone \"") + bone.mName.C_Str() + "\" of a skin is no node of the file");
    return found->second;
}

/// Binds skins one after another: each surface is put where it agrees with bones that are bound already, or else where
/// its first bone stands without any clip.
class Binding {
public:
    Binding(Skeleton& skeleton, const std::string& path)
        : m_skeleton(skeleton), m_path(path), m_bound(skeleton.bones.size(), false) {
        bonesInWorld(skeleton, stance(skeleton), m_world);
        for (std::size_t b = 0; b < m_world.size(); ++b) skeleton.bones[b].bind = m_world[b];
    }

    /// @param bones of the mesh's bones  @return stored vertices -> rest space
    Similarity bind(const aiMesh& mesh, const std::vector<int>& bones) {
        std::vector<Similarity> offsets;
        std::size_t first = 0;
        for (unsigned i = 0; i < mesh.mNumBones; ++i) {
            const Bone& bone = boneAt(bones[i]);
            offsets.push_back(
                similarityOf(mesh.mBones[i]->mOffsetMatrix, m_path + ": bone \"" + bone.name + "\" in its bind pose"));
            if (m_bound[static_cast<std::size_t>(bones[i])] && !m_bound[static_cast<std::size_t>(bones[first])])
                first = i;
        }
        const Similarity rest = boneAt(bones[first]).bind * offsets[first];
        for (std::size_t i = 0; i < bones.size(); ++i) {
            Bone& bone = boneAt(bones[i]);
            const Similarity frame = rest * offsets[i].inverse();
            const auto b = static_cast<std::size_t>(bones[i]);
            if (m_bound[b] && gltf::differ(bone.bind, frame))
                throw Error(m_path, "bone \"" + bone.name + "\" is bound in two ways by two skins",
                            "join the surfaces, or export them from one bind pose");
            if (!m_bound[b]) bone.bind = frame;
            m_bound[b] = true;
        }
        return rest;
    }

private:
    Bone& boneAt(int b) { return m_skeleton.bones[static_cast<std::size_t>(b)]; }

    Skeleton& m_skeleton;
    std::string m_path;
    std::vector<bool> m_bound;
    std::vector<Similarity> m_world;
};

/// The surface as it grows, mesh by mesh.
class Surface {
public:
    Surface(const aiScene& scene, Rig& rig) : m_rig(rig) {
        Eigen::Index n = 0;
        for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
            const aiMesh& mesh = *scene.mMeshes[m];
            if (!mesh.HasBones()) continue;
            n += mesh.mNumVertices;
            m_normals = m_normals && mesh.HasNormals();
            m_texcoords = m_texcoords || mesh.HasTextureCoords(0);
            m_colours = m_colours || mesh.HasVertexColors(0);
        }
        SurfaceMesh& all = rig.surface;
        all.positions.resize(3, n);
        all.normals.resize(3, m_normals ? n : 0);
        all.texcoords.setZero(2, m_texcoords ? n : 0);
        all.colours.setOnes(4, m_colours ? n : 0);
        influences.resize(static_cast<std::size_t>(n));
    }

    void add(const aiMesh& mesh, const std::vector<int>& bones, const Similarity& rest, const std::string& path) {
        for (unsigned v = 0; v < mesh.mNumVertices; ++v) addVertex(mesh, v, rest);
        for (unsigned b = 0; b < mesh.mNumBones; ++b)
            for (unsigned w = 0; w < mesh.mBones[b]->mNumWeights; ++w) {
                const aiVertexWeight& one = mesh.mBones[b]->mWeights[w];
                if (one.mVertexId >= mesh.mNumVertices)
                    throw Error(path, "a weight of vertex " + std::to_string(one.mVertexId) + " of " +
                                          std::to_string(mesh.mNumVertices));
                influences[static_cast<std::size_t>(m_first) + one.mVertexId].push_back(
                    {bones[b], static_cast<double>(one.mWeight)});
            }
        for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
            const aiFace& face = mesh.mFaces[f];
            if (face.mNumIndices != 3) {
                hasOthers = true;
                continue;
            }
            for (unsigned c = 0; c < 3; ++c) m_corners.push_back(static_cast<int>(m_first + face.mIndices[c]));
            m_rig.surface.triangleMaterial.push_back(static_cast<int>(mesh.mMaterialIndex));
        }
        m_first += mesh.mNumVertices;
    }

    void close() {
        m_rig.surface.triangles =
            Eigen::Map<const Triangles>(m_corners.data(), 3, static_cast<Eigen::Index>(m_corners.size() / 3));
    }

    std::vector<std::vector<Influence>> influences;
    bool hasOthers = false;

private:
    void addVertex(const aiMesh& mesh, unsigned v, const Similarity& rest) {
        SurfaceMesh& all = m_rig.surface;
        const Eigen::Index at = m_first + v;
        const aiVector3D& x = mesh.mVertices[v];
        all.positions.col(at) = rest.point(Vector3(x.x, x.y, x.z));
        if (m_normals) {
            const aiVector3D& n = mesh.mNormals[v];
            all.normals.col(at) = rest.direction(Vector3(n.x, n.y, n.z).normalized());
        }
        if (mesh.HasTextureCoords(0)) all.texcoords.col(at) << mesh.mTextureCoords[0][v].x, mesh.mTextureCoords[0][v].y;
        if (mesh.HasVertexColors(0)) {
            const aiColor4D& c = mesh.mColors[0][v];
            all.colours.col(at) << c.r, c.g, c.b, c.a;
        }
    }

    Rig& m_rig;
    std::vector<int> m_corners;
    Eigen::Index m_first = 0;
    bool m_normals = true, m_texcoords = false, m_colours = false;
};

void tell(const WeightChanges& changes, int others, bool hasOtherFaces, const std::string& path,
          std::vector<std::string>& notes) {
    if (changes.cutPoints > 0)
        notes.push_back(path + ": " + std::to_string(changes.cutPoints) +
                        " vertices followed more than four bones; at most " +
                        std::to_string(100.0 * changes.largestCut) + " % of a vertex was cut off");
    if (changes.scaledPoints > 0)
        notes.push_back(path + ": the weights of " + std::to_string(changes.scaledPoints) +
                        " vertices did not have the sum 1, and were scaled");
    if (others > 0) notes.push_back(path + ": " + std::to_string(others) + " surfaces without a skin are left out");
    if (hasOtherFaces) notes.push_back(path + ": points and lines are left out");
}

}  // namespace

Rig rigOf(const aiScene& scene, double metresPerUnit, const std::string& path, std::vector<std::string>& notes) {
    const SceneNodes nodes = nodesOf(scene);
    std::vector<bool> needed(nodes.nodes.size(), false);
    int others = 0;
    for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
        const aiMesh& mesh = *scene.mMeshes[m];
        others += !mesh.HasBones();
        for (unsigned b = 0; b < mesh.mNumBones; ++b)
            markWithParents(nodes, nodeOf(*mesh.mBones[b], nodes, path), needed);
    }
    if (static_cast<int>(scene.mNumMeshes) == others)
        throw Error(path, import::kNoSkin, "a character is a surface that is bound to bones");
    Rig rig;
    std::vector<int> boneOfNode;
    rig.skeleton = bonesOf(nodes, needed, metresPerUnit, path, boneOfNode);
    Binding binding(rig.skeleton, path);
    Surface surface(scene, rig);
    for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
        const aiMesh& mesh = *scene.mMeshes[m];
        if (!mesh.HasBones()) continue;
        std::vector<int> bones;
        for (unsigned b = 0; b < mesh.mNumBones; ++b)
            bones.push_back(boneOfNode[static_cast<std::size_t>(nodeOf(*mesh.mBones[b], nodes, path))]);
        surface.add(mesh, bones, binding.bind(mesh, bones), path);
    }
    surface.close();
    WeightChanges changes;
    rig.weights = limitWeights(rig.skeleton, surface.influences, path, changes);
    rig.surface.materials = materialsOf(scene, path, notes);
    rig.clips = clipsOf(scene, nodes, boneOfNode, rig.skeleton, path, notes);
    tell(changes, others, surface.hasOthers, path, notes);
    return rig;
}

Rig motionOf(const aiScene& scene, double metresPerUnit, const std::string& path, std::vector<std::string>& notes) {
    const SceneNodes nodes = nodesOf(scene);
    std::vector<bool> needed(nodes.nodes.size(), false);
    for (unsigned a = 0; a < scene.mNumAnimations; ++a)
        for (unsigned c = 0; c < scene.mAnimations[a]->mNumChannels; ++c) {
            const auto node = nodes.byName.find(scene.mAnimations[a]->mChannels[c]->mNodeName.C_Str());
            if (node != nodes.byName.end()) markWithParents(nodes, node->second, needed);
        }
    Rig rig;
    std::vector<int> boneOfNode;
    rig.skeleton = bonesOf(nodes, needed, metresPerUnit, path, boneOfNode);
    if (rig.skeleton.bones.empty()) throw Error(path, "moves nothing");
    std::vector<Similarity> world;
    bonesInWorld(rig.skeleton, stance(rig.skeleton), world);
    for (std::size_t b = 0; b < world.size(); ++b) rig.skeleton.bones[b].bind = world[b];
    rig.clips = clipsOf(scene, nodes, boneOfNode, rig.skeleton, path, notes);
    return rig;
}

}  // namespace pliant::import
