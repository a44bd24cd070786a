// SPDX-License-Identifier: Zlib
#include "osgPliant/SkeletonPose.h"

#include <cmath>
#include <map>
#include <osg/NodeVisitor>

namespace osgPliant {

namespace {

/// All bones below a skeleton by name; of equals the first.
class BoneNames : public osg::NodeVisitor {
public:
    BoneNames() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) { setNodeMaskOverride(~0U); }

    void apply(osg::Transform& node) override {
        if (auto* bone = dynamic_cast<osgAnimation::Bone*>(&node)) found.emplace(bone->getName(), bone);
        traverse(node);
    }

    std::map<std::string, osgAnimation::Bone*> found;
};

/// Without shear. OpenSceneGraph multiplies rows, so its matrices are transposed.
bool similarityOf(const osg::Matrixd& m, pliant::Similarity& frame) {
    pliant::Matrix3 linear;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) linear(row, column) = m(column, row);
    const pliant::Vector3 place(m(3, 0), m(3, 1), m(3, 2));
    if (!linear.allFinite() || !place.allFinite()) return false;
    const double scale = linear.colwise().norm().mean();
    const double volume = linear.col(0).cross(linear.col(1)).dot(linear.col(2));
    if (!(scale > 1e-12) || !(volume > 1e-6 * scale * scale * scale)) return false;
    pliant::Matrix3 turn;  // of sheared axes the first stays, and the second stays in the plane of both
    turn.col(0) = linear.col(0).normalized();
    turn.col(2) = linear.col(0).cross(linear.col(1)).normalized();
    turn.col(1) = turn.col(2).cross(turn.col(0));
    frame.rotation = pliant::Rotation(Eigen::Quaterniond(turn).normalized());
    frame.translation = place;
    frame.scale = scale;
    return true;
}

}  // namespace

SkeletonPose::SkeletonPose(osgAnimation::Skeleton& skeleton, const pliant::Skeleton& bones)
    : _skeleton(&skeleton), _bones(bones), _world(bones.bones.size()) {
    BoneNames names;
    skeleton.accept(names);
    for (const pliant::Bone& bone : bones.bones) {
        const auto source = names.found.find(bone.name);
        _sources.emplace_back(source == names.found.end() ? nullptr : source->second);
        if (!_sources.back()) _missing.push_back(bone.name);
    }
}

SkeletonPose::~SkeletonPose() = default;

bool SkeletonPose::read(pliant::Pose& pose) {
    bool areAllTaken = true;
    pose.resize(_bones.bones.size());
    for (std::size_t b = 0; b < pose.size(); ++b) {
        const pliant::Bone& bone = _bones.bones[b];
        const pliant::Similarity above =
            bone.parent < 0 ? pliant::Similarity() : _world[static_cast<std::size_t>(bone.parent)];
        pose[b] = bone.stance;
        if (_sources[b]) {
            if (similarityOf(_sources[b]->getMatrixInSkeletonSpace(), _world[b]))
                pose[b] = above.inverse() * _world[b];
            else
                areAllTaken = false;
        }
        _world[b] = above * pose[b];
    }
    return areAllTaken;
}

}  // namespace osgPliant
