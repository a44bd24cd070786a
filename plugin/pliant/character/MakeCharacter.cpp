// SPDX-License-Identifier: Zlib
#include "pliant/character/MakeCharacter.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "pliant/character/BindSkin.h"
#include "pliant/character/CharacterBasis.h"
#include "pliant/character/FleshWeights.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/MeshSize.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/mesh/voxels/Voxelise.h"
#include "pliant/polynomial/ReducePolynomial.h"
#include "pliant/reduce/CompleteModel.h"
#include "pliant/reduce/InputHash.h"
#include "pliant/rig/PoseMotion.h"
#include "pliant/rig/gltf/ReadRig.h"

namespace pliant {
namespace {

void checkOptions(const CharacterOptions& options, const std::string& where) {
    const auto refuse = [&](const std::string& what) { throw Error(where, what); };
    if (!(options.core > 0.0 && options.core < 1.0)) refuse("the core is a share of the way to the surface, 0 to 1");
    if (options.modes < 1) refuse("at least one mode is needed");
    if (options.dimension < 1 || options.dimension > 200) refuse("the dimension is 1 to 200");
    if (options.clipSamples < 0 || options.clipSamples > 1000) refuse("samples of a clip are 0 to 1000");
    if (!(options.jointRange >= 0.0 && options.jointRange <= 3.2)) refuse("the range of joints is 0 to 3.2 rad");
    if (!options.material.isotropic()) refuse("the flesh of a character is isotropic");
    checkMaterial(options.material, where);
}

VolumeMesh bricksOf(const Rig& rig, const CharacterOptions& options, const std::string& where) {
    const SurfaceClosure closure = examineClosure(rig.surface);
    if (!closure.closed())
        throw Error(where,
                    "the surface of a character encloses its flesh; this one is not closed, " + openEdgesText(closure),
                    "fill its holes and weld its vertices");
    VoxeliseOptions voxels;
    voxels.resolution = options.voxels;
    voxels.solid = voxels.filledShares = true;
    voxels.material = options.material;
    return voxelise(rig.surface, voxels);
}

/// Columns [i + 3 k] of a pair from the mesh frame to the body frame: with C_mesh = R C_body H^-1, H = [R t; 0 1], the
/// coefficients become R' G H^-T. @param loads U' F, r x 12P
MatrixX inBodyFrame(const MatrixX& loads, const RigidTransform& meshFromBody) {
    Eigen::Matrix4d H = Eigen::Matrix4d::Identity();
    H.topLeftCorner<3, 3>() = meshFromBody.rotation;
    H.topRightCorner<3, 1>() = meshFromBody.translation;
    Eigen::Matrix4d inverse = Eigen::Matrix4d::Identity();
    inverse.topLeftCorner<3, 3>() = meshFromBody.rotation.transpose();
    inverse.topRightCorner<3, 1>() = meshFromBody.inversePoint(Vector3::Zero());
    MatrixX result(loads.rows(), loads.cols());
    for (Eigen::Index j = 0; j < loads.rows(); ++j)
        for (Eigen::Index p = 0; p < loads.cols(); p += 12) {
            AffineMap G;
            for (Eigen::Index c = 0; c < 12; ++c) G(c % 3, c / 3) = loads(j, p + c);
            const AffineMap turned = meshFromBody.rotation.transpose() * G * inverse.transpose();
            for (Eigen::Index c = 0; c < 12; ++c) result(j, p + c) = turned(c % 3, c / 3);
        }
    return result;
}

SkinForcing reducedForcing(const FullForcing& full, const MatrixX& meshBasis, const RigidTransform& meshFromBody) {
    SkinForcing forcing;
    forcing.pairs = full.pairs;
    forcing.inertia = inBodyFrame((full.inertia.transpose() * meshBasis).transpose(), meshFromBody);
    forcing.pose = inBodyFrame((full.pose.transpose() * meshBasis).transpose(), meshFromBody);
    return forcing;
}

/// Bind frames and ends in the body frame.
Skeleton inBodyFrame(Skeleton skeleton, const RigidTransform& meshFromBody) {
    const Similarity bodyFromMesh =
        Similarity{Rotation(meshFromBody.rotation).normalized(), meshFromBody.translation, 1.0}.inverse();
    for (Bone& bone : skeleton.bones) {
        bone.bind = bodyFromMesh * bone.bind;
        for (Vector3& end : bone.ends) end = bodyFromMesh.point(end);
    }
    return skeleton;
}

StrainEnergyPolynomial energyOf(const VolumeMesh& mesh, const CharacterBasis& basis, bool linear,
                                const ProgressCallback& progress) {
    if (!linear) return reducePolynomial(mesh, basis.U, progress);
    const auto r = static_cast<std::size_t>(basis.eigenvalues.size());
    StrainEnergyPolynomial energy;
    energy.linearStiffness = basis.eigenvalues.asDiagonal();
    energy.cubic.setZero(static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(r)));
    energy.quartic.setZero(static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(r)));
    return energy;
}

void describe(const std::string& where, const CharacterOptions& options, ReducedModel& model) {
    const std::filesystem::path path(where);
    model.name = path.stem().string();
    model.provenance.generator = "pliant " PLIANT_VERSION;
    model.provenance.inputName = path.filename().string();
    if (files::isFile(path)) model.provenance.inputHash = filesHash({where});
    model.provenance.options = options.canonical();
}

std::shared_ptr<const CharacterModel> make(const Rig& rig, const VolumeMesh& mesh, const CharacterOptions& options,
                                           const std::string& where, const ProgressCallback& progress,
                                           CharacterReport& report) {
    reportProgress(progress, "weights", 0.0);
    const BoneCores cores = boneCores(rig, mesh, options.core, where, report.notes);
    const SkinWeights nodes = fleshWeights(rig, mesh, cores);
    reportProgress(progress, "forcing", 0.0);
    const FullModel full(mesh);
    const FullForcing loads = fullForcing(full, nodes);
    const CharacterBasis basis = characterBasis(full, cores.held, loads, rig, options, progress);

    const auto flesh = std::make_shared<ReducedModel>();
    describe(where, options, *flesh);
    flesh->mesh = mesh;
    flesh->fixedVertices = cores.held;
    flesh->elasticEigenvalues = basis.linearModes;
    flesh->energy = energyOf(mesh, basis, options.linear, progress);
    const SurfaceChoice choice{ContactGeometry::Automatic, true, 0.0, 0.0};
    completeModel(full.massMatrix(), basis.U, rig.surface, rig.surface, choice, progress, report.notes, *flesh);

    const auto character = std::make_shared<CharacterModel>();
    character->skeleton = inBodyFrame(rig.skeleton, flesh->meshFromBody);
    character->clips = rig.clips;
    character->coreRadii = cores.radii;
    character->base = options.base;
    character->linear = options.linear;
    character->skin = bindSkin(rig, *flesh, nodes);
    character->forcing = reducedForcing(loads, basis.U, flesh->meshFromBody);
    character->flesh = flesh;
    report.bones = static_cast<int>((cores.radii.array() > 0.0).count());
    report.held = static_cast<int>(cores.held.size());
    report.pairs = static_cast<int>(loads.pairs.cols());
    report.shapes = basis.shapes;
    return character;
}

template <typename Work>
auto onWorkers(int threads, const Work& work) {
    const int cores = tbb::info::default_concurrency();
    tbb::task_arena workers(threads == 0 ? cores : std::min(threads, cores));
    return workers.execute(work);
}

}  // namespace

std::shared_ptr<const CharacterModel> makeCharacter(const Rig& rig, const VolumeMesh& mesh,
                                                    const CharacterOptions& options, const std::string& where,
                                                    const ProgressCallback& progress, CharacterReport* report) {
    checkOptions(options, where);
    checkSkeleton(rig.skeleton, where);
    for (const Clip& clip : rig.clips) checkClip(rig.skeleton, clip, where);
    if (rig.weights.pointCount() != rig.surface.vertexCount())
        throw Error(where, std::to_string(rig.weights.pointCount()) + " points have weights, the surface has " +
                               std::to_string(rig.surface.vertexCount()));
    checkOneComponent(mesh, where);
    CharacterReport unseen;
    CharacterReport& told = report ? *report : unseen;
    const auto start = std::chrono::steady_clock::now();
    auto made = onWorkers(options.threads, [&] { return make(rig, mesh, options, where, progress, told); });
    told.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return made;
}

std::shared_ptr<const CharacterModel> makeCharacter(const Rig& rig, const CharacterOptions& options,
                                                    const std::string& where, const ProgressCallback& progress,
                                                    CharacterReport* report) {
    checkOptions(options, where);
    reportProgress(progress, "mesh", 0.0);
    const VolumeMesh mesh = bricksOf(rig, options, where);
    reportProgress(progress, "mesh", 1.0);
    return makeCharacter(rig, mesh, options, where, progress, report);
}

std::shared_ptr<const CharacterModel> makeCharacterOf(const std::string& file, const CharacterOptions& options,
                                                      const ProgressCallback& progress, CharacterReport* report) {
    const RigFile read = readRig(file);
    CharacterReport unseen;
    CharacterReport& told = report ? *report : unseen;
    told.notes = read.notes;
    if (const std::string warning = sizeWarning(read.rig.surface.positions, file); !warning.empty())
        told.notes.push_back(warning);
    return makeCharacter(read.rig, options, file, progress, &told);
}

}  // namespace pliant
