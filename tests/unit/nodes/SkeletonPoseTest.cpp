// SPDX-License-Identifier: Zlib
// Poses out of osgAnimation's skeletons.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <osg/Group>
#include <osgAnimation/Bone>
#include <osgAnimation/Skeleton>
#include <osgAnimation/StackedQuaternionElement>
#include <osgAnimation/StackedTranslateElement>
#include <osgAnimation/UpdateBone>
#include <osgDB/ReadFile>
#include <osgDB/WriteFile>
#include <osgUtil/UpdateVisitor>

#include "osgPliant/SkeletonPose.h"

namespace osgPliant {
namespace {

constexpr double pi = 3.14159265358979323846;

/// A bone whose place and turn its update callback sets.
osg::ref_ptr<osgAnimation::Bone> boneAt(const std::string& name, const osg::Vec3& place, const osg::Quat& turn) {
    osg::ref_ptr<osgAnimation::Bone> bone = new osgAnimation::Bone(name);
    osg::ref_ptr<osgAnimation::UpdateBone> update = new osgAnimation::UpdateBone(name);
    update->getStackedTransforms().push_back(new osgAnimation::StackedTranslateElement("translate", place));
    update->getStackedTransforms().push_back(new osgAnimation::StackedQuaternionElement("rotate", turn));
    bone->setUpdateCallback(update);
    return bone;
}

/// "upper" turned by 90 degrees about z, "lower" 1 m along it, turned by 30 degrees about x.
osg::ref_ptr<osgAnimation::Skeleton> twoBones() {
    osg::ref_ptr<osgAnimation::Skeleton> skeleton = new osgAnimation::Skeleton;
    skeleton->setDefaultUpdateCallback();
    const auto upper = boneAt("upper", osg::Vec3(0, 0, 2), osg::Quat(0.5 * pi, osg::Vec3(0, 0, 1)));
    upper->addChild(boneAt("lower", osg::Vec3(1, 0, 0), osg::Quat(pi / 6, osg::Vec3(1, 0, 0))));
    skeleton->addChild(upper);
    return skeleton;
}

void update(osg::Node& node) {
    osgUtil::UpdateVisitor visitor;
    osg::ref_ptr<osg::FrameStamp> stamp = new osg::FrameStamp;
    visitor.setFrameStamp(stamp);
    node.accept(visitor);
}

pliant::Skeleton character() {
    pliant::Skeleton bones;
    bones.bones.resize(3);
    bones.bones[0].name = "upper";
    bones.bones[1].name = "lower";
    bones.bones[1].parent = 0;
    bones.bones[2].name = "tail";
    bones.bones[2].parent = 1;
    bones.bones[2].stance.translation = pliant::Vector3(0, 7, 0);
    return bones;
}

void expectPose(osgAnimation::Skeleton& skeleton) {
    update(skeleton);
    SkeletonPose source(skeleton, character());
    EXPECT_THAT(source.getMissing(), testing::ElementsAre("tail"));
    pliant::Pose pose;
    ASSERT_TRUE(source.read(pose));
    ASSERT_EQ(pose.size(), 3U);
    EXPECT_LT((pose[0].translation - pliant::Vector3(0, 0, 2)).norm(), 1e-6);
    EXPECT_LT((pose[0].direction(pliant::Vector3::UnitX()) - pliant::Vector3::UnitY()).norm(), 1e-6);
    EXPECT_LT((pose[1].translation - pliant::Vector3(1, 0, 0)).norm(), 1e-6);
    EXPECT_LT((pose[1].direction(pliant::Vector3::UnitY()) - pliant::Vector3(0, std::cos(pi / 6), 0.5)).norm(), 1e-6);
    EXPECT_EQ(pose[2].translation, pliant::Vector3(0, 7, 0)) << "a bone that is not there keeps its stance";
    std::vector<pliant::Similarity> world;
    pliant::bonesInWorld(character(), pose, world);
    EXPECT_LT((world[1].translation - pliant::Vector3(0, 1, 2)).norm(), 1e-6);
}

TEST(SkeletonPose, BonesByTheirNames) {
    expectPose(*twoBones());
}

// What stands between two bones of a character belongs to the lower one.
TEST(SkeletonPose, BonesThatTheCharacterDoesNotHaveArePassedThrough) {
    const osg::ref_ptr<osgAnimation::Skeleton> skeleton = new osgAnimation::Skeleton;
    skeleton->setDefaultUpdateCallback();
    const auto upper = boneAt("upper", osg::Vec3(0, 0, 2), osg::Quat());
    const auto between = boneAt("twist", osg::Vec3(0, 1, 0), osg::Quat(0.5 * pi, osg::Vec3(0, 0, 1)));
    between->addChild(boneAt("lower", osg::Vec3(1, 0, 0), osg::Quat()));
    upper->addChild(between);
    skeleton->addChild(upper);
    update(*skeleton);
    pliant::Pose pose;
    ASSERT_TRUE(SkeletonPose(*skeleton, character()).read(pose));
    EXPECT_LT((pose[1].translation - pliant::Vector3(0, 2, 0)).norm(), 1e-6);
}

TEST(SkeletonPose, FramesThatAreNoneKeepTheStance) {
    const osg::ref_ptr<osgAnimation::Skeleton> skeleton = twoBones();
    update(*skeleton);
    auto& upper = dynamic_cast<osgAnimation::Bone&>(*skeleton->getChild(0));
    SkeletonPose source(*skeleton, character());
    pliant::Pose pose;
    upper.setMatrixInSkeletonSpace(osg::Matrix::scale(3, 3, 3));
    ASSERT_TRUE(source.read(pose));
    EXPECT_NEAR(pose[0].scale, 3.0, 1e-12);
    for (const osg::Matrix& bad : {osg::Matrix::scale(-1, 1, 1), osg::Matrix::scale(0, 0, 0),
                                   osg::Matrix::translate(std::numeric_limits<double>::quiet_NaN(), 0, 0)}) {
        upper.setMatrixInSkeletonSpace(bad);
        EXPECT_FALSE(source.read(pose));
        EXPECT_EQ(pose[0].translation, pliant::Vector3(0, 0, 0));
        EXPECT_EQ(pose[0].scale, 1.0);
    }
}

TEST(SkeletonPose, FromAFileOfOpenSceneGraph) {
    const std::string path = testing::TempDir() + "pliant_skeleton.osgt";
    ASSERT_TRUE(osgDB::writeNodeFile(*twoBones(), path));
    const osg::ref_ptr<osg::Node> read = osgDB::readRefNodeFile(path);
    std::filesystem::remove(path);
    auto* skeleton = dynamic_cast<osgAnimation::Skeleton*>(read.get());
    ASSERT_NE(skeleton, nullptr);
    expectPose(*skeleton);
}

}  // namespace
}  // namespace osgPliant
