// SPDX-License-Identifier: Zlib
#include "pliant/rig/gltf/WriteRig.h"

#include <cmath>
#include <fstream>
#include <map>

#include "pliant/math/Error.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/rig/gltf/GlbBuffer.h"

namespace pliant {

namespace {

using gltf::GlbBuffer;
using Json = GlbBuffer::Json;

Json numbersOf(const Vector3& v) {
    return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

Json nodeOf(const Bone& bone) {
    const auto& q = bone.stance.rotation.coeffs();
    Json node = {{"name", bone.name}, {"translation", numbersOf(bone.stance.translation)}};
    if (q != Rotation::Identity().coeffs())
        node["rotation"] = {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]),
                            static_cast<float>(q[3])};
    if (bone.stance.scale != 1.0) node["scale"] = numbersOf(Vector3::Constant(bone.stance.scale));
    return node;
}

MatrixX inverseBindMatrices(const Skeleton& skeleton) {
    MatrixX all = MatrixX::Zero(16, skeleton.boneCount());
    for (int b = 0; b < skeleton.boneCount(); ++b) {
        const Similarity inverse = skeleton.bones[static_cast<std::size_t>(b)].bind.inverse();
        const Matrix3 linear = inverse.scale * inverse.rotation.toRotationMatrix();
        for (Eigen::Index c = 0; c < 3; ++c) all.block<3, 1>(4 * c, b) = linear.col(c);
        all.block<3, 1>(12, b) = inverse.translation;
        all(15, b) = 1.0;
    }
    return all;
}

/// One primitive a material, all with the same vertices.
Json primitivesOf(const Rig& rig, GlbBuffer& buffer) {
    const SurfaceMesh& mesh = rig.surface;
    Json attributes = {{"POSITION", buffer.addFloats(mesh.positions, "VEC3", true)}};
    if (mesh.normals.cols() > 0) attributes["NORMAL"] = buffer.addFloats(mesh.normals, "VEC3");
    if (mesh.texcoords.cols() > 0) {
        MatrixX downwards = mesh.texcoords;
        downwards.row(1) = 1.0 - downwards.row(1).array();
        attributes["TEXCOORD_0"] = buffer.addFloats(downwards, "VEC2");
    }
    if (mesh.colours.cols() > 0)
        attributes["COLOR_0"] = buffer.addFloats(mesh.colours.topRows<4>().cast<double>(), "VEC4");
    attributes["JOINTS_0"] = buffer.add<std::uint16_t>(rig.weights.bones, 5123, "VEC4");
    attributes["WEIGHTS_0"] = buffer.addFloats(rig.weights.weights, "VEC4");
    std::map<int, std::vector<int>> corners;
    for (int t = 0; t < mesh.triangleCount(); ++t)
        for (int c = 0; c < 3; ++c)
            corners[mesh.triangleMaterial.empty() ? 0 : mesh.triangleMaterial[static_cast<std::size_t>(t)]].push_back(
                mesh.triangles(c, t));
    Json primitives = Json::array();
    for (const auto& [material, indices] : corners) {
        const Eigen::Map<const Eigen::RowVectorXi> row(indices.data(), static_cast<Eigen::Index>(indices.size()));
        Json primitive = {{"attributes", attributes}, {"indices", buffer.add<std::uint32_t>(row, 5125, "SCALAR")}};
        if (material < static_cast<int>(mesh.materials.size())) primitive["material"] = material;
        primitives.push_back(primitive);
    }
    return primitives;
}

Json materialsOf(const SurfaceMesh& mesh) {
    Json materials = Json::array();
    for (const SurfaceMaterial& one : mesh.materials) {
        Json colour = numbersOf(one.diffuse);
        colour.push_back(static_cast<float>(one.opacity));
        const double roughness = std::pow(2.0 / (one.shininess + 2.0), 0.25);
        materials.push_back({{"name", one.name},
                             {"pbrMetallicRoughness",
                              {{"baseColorFactor", colour},
                               {"metallicFactor", 0},
                               {"roughnessFactor", static_cast<float>(roughness)}}}});
        if (one.opacity < 1.0) materials.back()["alphaMode"] = "BLEND";
    }
    return materials;
}

/// Arrival, value and departure of each key, or the values alone of steps. @param repeat scales are stored three times
MatrixX storedValues(const Track& track, Eigen::Index repeat) {
    const Eigen::Index keys = track.values.cols(), each = track.steps ? 1 : 3;
    MatrixX all(track.values.rows() * repeat, keys * each);
    for (Eigen::Index k = 0; k < keys; ++k)
        if (track.steps) {
            all.col(k) = track.values.col(k).replicate(repeat, 1);
        } else {
            all.col(3 * k) = track.arrivals.col(k).replicate(repeat, 1);
            all.col(3 * k + 1) = track.values.col(k).replicate(repeat, 1);
            all.col(3 * k + 2) = track.departures.col(k).replicate(repeat, 1);
        }
    return all;
}

void addTrack(const Track& track, int bone, const std::string& path, GlbBuffer& buffer, Json& animation) {
    if (track.times.empty()) return;
    const MatrixX times =
        Eigen::Map<const Eigen::RowVectorXd>(track.times.data(), static_cast<Eigen::Index>(track.times.size()));
    const int input = buffer.addFloats(times, "SCALAR", true);
    const int output =
        buffer.addFloats(storedValues(track, path == "scale" ? 3 : 1), path == "rotation" ? "VEC4" : "VEC3");
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size()}, {"target", {{"node", bone}, {"path", path}}}});
    animation["samplers"].push_back(
        {{"input", input}, {"output", output}, {"interpolation", track.steps ? "STEP" : "CUBICSPLINE"}});
}

Json animationOf(const Clip& clip, GlbBuffer& buffer) {
    Json animation = {{"name", clip.name}, {"channels", Json::array()}, {"samplers", Json::array()}};
    for (const BoneMotion& motion : clip.motions) {
        addTrack(motion.translation, motion.bone, "translation", buffer, animation);
        addTrack(motion.rotation, motion.bone, "rotation", buffer, animation);
        addTrack(motion.scale, motion.bone, "scale", buffer, animation);
    }
    return animation;
}

void addNodes(const Skeleton& skeleton, bool hasSkin, Json& file) {
    Json nodes = Json::array(), joints = Json::array(), roots = Json::array();
    for (int b = 0; b < skeleton.boneCount(); ++b) {
        const Bone& bone = skeleton.bones[static_cast<std::size_t>(b)];
        nodes.push_back(nodeOf(bone));
        joints.push_back(b);
        if (bone.parent < 0)
            roots.push_back(b);
        else
            nodes[static_cast<std::size_t>(bone.parent)]["children"].push_back(b);
    }
    if (hasSkin) {
        roots.push_back(nodes.size());
        nodes.push_back({{"name", "surface of the skin"}, {"mesh", 0}, {"skin", 0}});
        file["skins"] = {{{"joints", joints}}};
    }
    file["scene"] = 0;
    file["scenes"] = {{{"nodes", roots}}};
    file["nodes"] = nodes;
}

/// What the buffer will hold, before it is filled.
std::uint64_t bufferBytes(const Rig& rig) {
    const auto count = [](Eigen::Index n) { return static_cast<std::uint64_t>(n); };
    const SurfaceMesh& mesh = rig.surface;
    std::uint64_t numbers = count(mesh.positions.size() + mesh.normals.size() + mesh.texcoords.size()) +
                            count(mesh.colours.size() + mesh.triangles.size() + rig.weights.weights.size()) +
                            count(rig.weights.bones.size()) / 2 + 16 * count(rig.skeleton.boneCount());
    for (const Clip& clip : rig.clips)
        for (const BoneMotion& motion : clip.motions)
            for (const Track* track : {&motion.translation, &motion.rotation, &motion.scale}) {
                const std::uint64_t repeat = (track->steps ? 1 : 3) * (track == &motion.scale ? 3 : 1);
                numbers += track->times.size() + repeat * count(track->values.size());
            }
    return 4 * numbers;
}

}  // namespace

void checkGlbLimits(std::uint64_t bones, std::uint64_t bytes, const std::string& where) {
    if (bones > mostGlbBones)
        throw Error(where, std::to_string(bones) + " bones; a skin of 16-bit numbers has 65536 at most",
                    "leave bones out that carry no skin");
    if (bytes > mostGlbBytes)
        throw Error(where, std::to_string(bytes) + " bytes; .glb counts its bytes in 32 bits",
                    "take a smaller surface, or fewer keys");
}

std::string rigAsGlb(const Rig& rig, const std::string& where) {
    checkSkeleton(rig.skeleton, where);
    checkGlbLimits(static_cast<std::uint64_t>(rig.skeleton.boneCount()), bufferBytes(rig), where);
    GlbBuffer buffer;
    Json file = {{"asset", {{"version", "2.0"}, {"generator", "Pliant"}}}};
    const bool hasSkin = rig.surface.triangleCount() > 0;
    addNodes(rig.skeleton, hasSkin, file);
    if (hasSkin) {
        file["skins"][0]["inverseBindMatrices"] = buffer.addFloats(inverseBindMatrices(rig.skeleton), "MAT4");
        file["meshes"] = {{{"primitives", primitivesOf(rig, buffer)}}};
    }
    if (!rig.surface.materials.empty()) file["materials"] = materialsOf(rig.surface);
    for (const Clip& clip : rig.clips) file["animations"].push_back(animationOf(clip, buffer));
    if (!buffer.bytes().empty()) {
        file["buffers"] = {{{"byteLength", buffer.bytes().size()}}};
        file["bufferViews"] = buffer.views;
        file["accessors"] = buffer.accessors;
    }
    std::string json = file.dump(-1, ' ', false, Json::error_handler_t::replace);
    json.resize((json.size() + 3) / 4 * 4, ' ');
    checkGlbLimits(0, 28 + static_cast<std::uint64_t>(json.size()) + buffer.bytes().size(), where);
    ByteWriter glb;
    const auto put = [&](std::size_t number) { glb.put(static_cast<std::uint32_t>(number)); };
    glb.putText("glTF");
    put(2);
    put(12 + 8 + json.size() + 8 + buffer.bytes().size());
    put(json.size());
    glb.putText("JSON");
    glb.putText(json);
    put(buffer.bytes().size());
    glb.putText(std::string("BIN\0", 4));
    glb.putText(buffer.bytes());
    return glb.bytes();
}

void writeRig(const Rig& rig, const std::string& path) {
    const std::string bytes = rigAsGlb(rig, path);  // before a file that is there already is touched
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    file.close();
    if (!file) throw Error(path, "cannot be written", "check the folder and the space on its disk");
}

}  // namespace pliant
