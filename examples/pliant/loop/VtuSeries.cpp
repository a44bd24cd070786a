// SPDX-License-Identifier: Zlib
#include "loop/VtuSeries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/WriteVtk.h"
#include "pliant/model/CharacterShape.h"

namespace pliant::program {
namespace {

/// A name that every file system takes.
std::string plainName(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c) && c != '-'; }, '_');
    return name;
}

/// The vertices of a body of the model without q and with it, 3 x n, world.
void placedVertices(const scene::LoadedModel& model, const Poses& poses, int body, Points& rest, Points& bent) {
    const double* q = poses.qOf(body);
    if (const CharacterModel* character = model.character().get()) {
        std::vector<MovingFrame> bones(static_cast<std::size_t>(poses.boneCount));
        for (std::size_t b = 0; b < bones.size(); ++b) bones[b].map = poses.bonesOf(body)[b];
        fleshPoints(*character, bones, nullptr, rest);
        fleshPoints(*character, bones, q, bent);
        return;
    }
    const RigidTransform& frame = poses.worldFromBody[static_cast<std::size_t>(body)];
    const RigidTransform& mesh = model->meshFromBody;
    const VectorX u = model->basis * Eigen::Map<const VectorX>(q, poses.dimension);
    const Points inBody = mesh.rotation.transpose() * (model->mesh.positions.colwise() - mesh.translation);
    rest = (frame.rotation * inBody).colwise() + frame.translation;
    bent = rest + frame.rotation * Eigen::Map<const Points>(u.data(), 3, inBody.cols());
}

}  // namespace

VolumeMesh placedMeshes(const scene::LoadedModel& model, const Poses& poses, const std::vector<char>& isShown,
                        VectorX& displacement) {
    const VolumeMesh& one = model->mesh;
    const Eigen::Index n = one.positions.cols(), m = one.elements.cols(),
                       count = std::count_if(isShown.begin(), isShown.end(), [](char shown) { return shown != 0; });
    VolumeMesh all;
    all.kind = one.kind;
    all.materials = one.materials;
    all.positions.resize(3, count * n);
    all.elements.resize(one.elements.rows(), count * m);
    if (one.elementShare.size() > 0) all.elementShare.resize(count * m);
    displacement.resize(3 * count * n);
    Points rest, bent;
    Eigen::Index next = 0;
    for (int body = 0; body < poses.count(); ++body) {
        if (isShown[static_cast<std::size_t>(body)] == 0) continue;
        placedVertices(model, poses, body, rest, bent);
        all.positions.middleCols(next * n, n) = bent;
        Eigen::Map<Points>(displacement.data() + 3 * next * n, 3, n) = bent - rest;
        all.elements.middleCols(next * m, m) = one.elements.array() + static_cast<int>(next * n);
        if (one.elementShare.size() > 0) all.elementShare.segment(next * m, m) = one.elementShare;
        all.elementMaterial.insert(all.elementMaterial.end(), one.elementMaterial.begin(), one.elementMaterial.end());
        ++next;
    }
    return all;
}

VtuSeries::VtuSeries(const std::string& path, const scene::SceneDescription& scene, const Models& models)
    : m_path(path), m_scene(scene), m_models(models) {}

void VtuSeries::add(const scene::ScenePoses& poses) {
    const std::filesystem::path list(m_path);
    const std::filesystem::path folder = list.parent_path() / list.stem();
    files::makeFolder(folder);
    for (std::size_t m = 0; m < m_models.size(); ++m) {
        VectorX displacement;
        const VolumeMesh mesh = placedMeshes(m_models[m], poses.models[m], poses.isShown[m], displacement);
        const std::string file = fmt::format("{}_{}_{:05}.vtu", m, plainName(m_scene.models[m].label), m_frames);
        writeVtu(mesh, {{"displacement", displacement}}, (folder / file).string());
        m_members.push_back({poses.time, m, list.stem().string() + "/" + file});
    }
    ++m_frames;
}

void VtuSeries::close() const {
    std::string text =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
        "  <Collection>\n";
    for (const Member& member : m_members)
        text += fmt::format("    <DataSet timestep=\"{}\" group=\"\" part=\"{}\" file=\"{}\"/>\n", member.time,
                            member.model, member.file);
    writeTextFile(m_path, text + "  </Collection>\n</VTKFile>\n");
}

}  // namespace pliant::program
