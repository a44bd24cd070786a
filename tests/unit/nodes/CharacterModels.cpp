// SPDX-License-Identifier: Zlib
#include "CharacterModels.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include "osgPliant/ModelGeometry.h"
#include "pliant/model/CharacterShape.h"

namespace pliant::test {

namespace {

constexpr double halfTurn = 3.14159265358979323846;

double angleOf(int bone) {
    return 2.0 * halfTurn * bone / torusBones;
}

double unscaledWeight(int bone, const Vector3& x) {
    const double share = std::max(0.0, std::cos(std::atan2(x.z(), x.x()) - angleOf(bone)));
    return share * share;
}

}  // namespace

double torusWeight(int bone, const Vector3& x) {
    double sum = 0.0;
    for (int b = 0; b < torusBones; ++b) sum += unscaledWeight(b, x);
    return unscaledWeight(bone, x) / sum;
}

std::shared_ptr<CharacterModel> onBones(std::shared_ptr<const ReducedModel> flesh) {
    auto character = std::make_shared<CharacterModel>();
    character->flesh = std::move(flesh);
    for (int b = 0; b < torusBones; ++b) {
        Bone bone;
        bone.name = "bone " + std::to_string(b);
        bone.parent = b - 1;
        bone.bind.translation = 0.35 * Vector3(std::cos(angleOf(b)), 0.0, std::sin(angleOf(b)));
        bone.ends = {0.35 * Vector3(std::cos(angleOf(b) + 0.8), 0.0, std::sin(angleOf(b) + 0.8))};
        character->skeleton.bones.push_back(bone);
    }
    character->coreRadii = VectorX::Constant(torusBones, 0.04);
    const auto weightsOf = [&](const Points& points) {
        std::vector<std::vector<Influence>> influences;
        for (Eigen::Index v = 0; v < points.cols(); ++v) {
            influences.emplace_back();
            for (int b = 0; b < torusBones; ++b) influences.back().push_back({b, torusWeight(b, points.col(v))});
        }
        WeightChanges changes;
        return limitWeights(character->skeleton, influences, "torus", changes);
    };
    character->skin.vertices = weightsOf(character->flesh->surface.positions);
    const RigidTransform& mesh = character->flesh->meshFromBody;
    character->skin.nodes =
        weightsOf(mesh.rotation.transpose() * (character->flesh->mesh.positions.colwise() - mesh.translation));
    return character;
}

std::shared_ptr<CharacterModel> makeTorusCharacter(const TorusOptions& options) {
    return onBones(makeTorus(options));
}

std::vector<AffineMap> makeBones(int seed, const Vector3& place, double size, bool scaled) {
    std::mt19937 random(static_cast<unsigned int>(seed) + 100);
    std::uniform_real_distribution<double> uniform(-size, size);
    std::vector<AffineMap> bones;
    for (int b = 0; b < torusBones; ++b) {
        const Vector3 head = 0.35 * Vector3(std::cos(angleOf(b)), 0.0, std::sin(angleOf(b)));
        const Vector3 axis = Vector3(uniform(random), uniform(random), uniform(random));
        const Matrix3 turn =
            Eigen::AngleAxisd(axis.norm(), axis.norm() > 0.0 ? axis.normalized() : Vector3::UnitX()).toRotationMatrix();
        const double scale = scaled ? std::exp(0.5 * uniform(random)) : 1.0;
        const Vector3 move = 0.1 * Vector3(uniform(random), uniform(random), uniform(random));
        AffineMap bone;
        bone.leftCols<3>() = scale * turn;
        bone.col(3) = head + move - scale * (turn * head) + place;
        bones.push_back(bone);
    }
    return bones;
}

std::shared_ptr<ReducedModel> freezeCharacter(const CharacterModel& character, const std::vector<AffineMap>& bones,
                                              const std::vector<double>& q) {
    auto frozen = std::make_shared<ReducedModel>();
    const ReducedModel& flesh = *character.flesh;
    frozen->surface = flesh.surface;
    std::vector<MovingFrame> frames(bones.size());
    for (std::size_t b = 0; b < bones.size(); ++b) frames[b].map = bones[b];
    Points positions;
    surfacePoints(character, frames, q.data(), positions);
    frozen->surface.positions = positions;
    const osg::ref_ptr<osgPliant::ModelGeometry> geometry =
        new osgPliant::ModelGeometry(std::make_shared<CharacterModel>(character), osgPliant::ModelGeometry::Float);
    frozen->surface.normals = geometry->getDeformation()
                                  ->getNormals(q.data(), bones.data(), flesh.surface.normals.cast<float>())
                                  .cast<double>();
    frozen->basis = MatrixX::Zero(0, 0);
    frozen->surfaceBasis = MatrixXf::Zero(positions.size(), 0);
    frozen->surfaceNormalBasis = MatrixXf::Zero(positions.size(), 0);
    return frozen;
}

}  // namespace pliant::test
