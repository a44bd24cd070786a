// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <osg/MatrixTransform>
#include <osgDB/WriteFile>
#include <osgUtil/IntersectionVisitor>
#include <osgUtil/LineSegmentIntersector>
#include <random>
#include <thread>

#include "CharacterModels.h"
#include "SkinModels.h"
#include "osgPliant/BodyPoint.h"
#include "osgPliant/CharacterGroup.h"
#include "osgPliant/Conversions.h"
#include "osgPliant/SoftwareDeformation.h"
#include "pliant/model/CharacterShape.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::CharacterGroup;
using osgPliant::ModelGeometry;
using pliant::AffineMap;
using pliant::Points;
using pliant::Vector3;

namespace {

/// p of every drawn vertex, by the core's reference.
Points referencePoints(const pliant::CharacterModel& character, const std::vector<AffineMap>& bones,
                       const std::vector<double>& q) {
    return freezeCharacter(character, bones, q)->surface.positions;
}

/// A point of the analytic torus by its two angles, and its normal.
Vector3 torusPoint(double a, double b, Vector3* normal = nullptr) {
    const TorusOptions shape;
    const Vector3 out(std::cos(a), 0.0, std::sin(a));
    const Vector3 n = out * std::cos(b) + Vector3(0.0, std::sin(b), 0.0);
    if (normal) *normal = n;
    return out * shape.ringRadius + n * shape.tubeRadius;
}

Vector3 skinnedPoint(const std::vector<AffineMap>& bones, const Vector3& x) {
    Vector3 p = Vector3::Zero();
    for (int b = 0; b < torusBones; ++b) {
        const AffineMap& bone = bones[static_cast<std::size_t>(b)];
        p += torusWeight(b, x) * (bone.leftCols<3>() * x + bone.col(3));
    }
    return p;
}

/// Normal of the analytic torus on its bones, by central differences of its two parameters.
Vector3 trueNormal(const std::vector<AffineMap>& bones, double a, double b) {
    const double h = 1e-5;
    const auto at = [&](double da, double db) { return skinnedPoint(bones, torusPoint(a + da, b + db)); };
    const Vector3 n = (at(0, h) - at(0, -h)).cross(at(h, 0) - at(-h, 0)).normalized();
    return n;
}

double degrees(const Vector3& a, const Vector3& b) {
    return std::atan2(a.cross(b).norm(), a.dot(b)) * 180.0 / 3.14159265358979323846;
}

struct NormalErrors {
    double mean = 0.0, largest = 0.0, withoutGradients = 0.0;
};

/// Angles between drawn normals and those of the analytic surface, q = 0.
NormalErrors normalErrors(int around, int tube, double bend) {
    TorusOptions options;
    options.around = around;
    options.tube = tube;
    const auto character = makeTorusCharacter(options);
    const osg::ref_ptr<ModelGeometry> geometry = new ModelGeometry(character, ModelGeometry::Float);
    const std::vector<double> q(10, 0.0);
    const std::vector<AffineMap> bones = makeBones(3, Vector3(0.1, 0.2, 0.3), bend);
    const pliant::PointsF normals =
        geometry->getDeformation()->getNormals(q.data(), bones.data(), character->flesh->surface.normals.cast<float>());
    osgPliant::VertexBones without = geometry->getDeformation()->getVertexBones();
    without.weightGradients.setZero();
    NormalErrors errors;
    for (int i = 0; i <= around; ++i) {
        for (int j = 0; j <= tube; ++j) {
            const Eigen::Index v = i * (tube + 1) + j;
            const double pi2 = 2.0 * 3.14159265358979323846;
            const Vector3 truth = trueNormal(bones, pi2 * i / around, pi2 * j / tube);
            const double error = degrees(normals.col(v).cast<double>(), truth);
            errors.mean += error / static_cast<double>(normals.cols());
            errors.largest = std::max(errors.largest, error);
            const auto stiff = osgPliant::skinVertex(without, v, bones.data(),
                                                     character->flesh->surface.positions.col(v), Vector3::Zero());
            errors.withoutGradients += degrees(stiff.cofactors * character->flesh->surface.normals.col(v), truth) /
                                       static_cast<double>(normals.cols());
        }
    }
    return errors;
}

std::vector<osgUtil::LineSegmentIntersector::Intersection> shoot(osg::Node& node, const osg::Vec3d& from,
                                                                 const osg::Vec3d& to) {
    osg::ref_ptr<osgUtil::LineSegmentIntersector> ray = new osgUtil::LineSegmentIntersector(from, to);
    osgUtil::IntersectionVisitor visitor(ray);
    node.accept(visitor);
    return {ray->getIntersections().begin(), ray->getIntersections().end()};
}

TEST(CharacterGroup, LooksOfCharactersDoNotGoIntoFiles) {
    const auto character = makeTorusCharacter();
    const osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(character), 1);
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "CharacterGroup_Files";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    ::testing::internal::CaptureStderr();
    EXPECT_FALSE(osgDB::writeNodeFile(*group, (folder / "group.osgt").string()));
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("character"), std::string::npos);
    std::filesystem::remove_all(folder);
}

}  // namespace

TEST(CharacterGroup, VerticesAreThoseOfTheCore) {
    const auto character = makeTorusCharacter();
    const osg::ref_ptr<ModelGeometry> geometry = new ModelGeometry(character);
    for (int seed = 0; seed < 4; ++seed) {
        const auto bones = makeBones(seed, Vector3(0.3, -0.2, 0.1), 1.0);
        const auto q = makeCoordinates(10, seed, 0.05);
        const Points expected = referencePoints(*character, bones, q);
        const pliant::PointsF drawn = geometry->getDeformation()->getPositions(q.data(), bones.data());
        EXPECT_LT((drawn.cast<double>() - expected).cwiseAbs().maxCoeff(), 5e-7) << "float rounding";
    }
}

// The gradients of the weights are of the first order in the size of triangles, symmetric meshes do better.
TEST(CharacterGroup, NormalsAreThoseOfTheSkinnedSurface) {
    const NormalErrors coarse = normalErrors(48, 24, 0.6), fine = normalErrors(96, 48, 0.6);
    RecordProperty("mean_degrees", std::to_string(fine.mean));
    EXPECT_LT(fine.mean, 0.1);
    EXPECT_LT(fine.largest, 0.5 * coarse.largest);
    EXPECT_LT(fine.mean, 0.35 * coarse.mean) << "slope 2";
    EXPECT_GT(fine.withoutGradients, 20.0 * fine.mean);
}

// Every bone in one motion is a body in that motion.
TEST(CharacterGroup, BonesThatMoveAsOneAreABody) {
    const auto character = makeTorusCharacter();
    const osg::ref_ptr<ModelGeometry> geometry = new ModelGeometry(character, ModelGeometry::Float);
    const std::vector<AffineMap> one(torusBones, makeBones(2, Vector3(1.0, 2.0, 3.0), 0.8, false)[1]);
    const auto q = makeCoordinates(10, 5, 0.04);
    const pliant::Matrix3 turn = one[0].leftCols<3>();
    const auto& deformation = *geometry->getDeformation();
    const pliant::PointsF x = deformation.getPositions(q.data(), one.data());
    const Points expected =
        (turn * deformation.getPositions(q.data()).cast<double>()).colwise() + Vector3(one[0].col(3));
    EXPECT_LT((x.cast<double>() - expected).cwiseAbs().maxCoeff(), 1e-6);
    const pliant::PointsF rest = character->flesh->surface.normals.cast<float>();
    const pliant::PointsF n = deformation.getNormals(q.data(), one.data(), rest);
    const pliant::PointsF changes = deformation.getNormalChanges(q.data());
    for (Eigen::Index v = 0; v < n.cols(); ++v)
        EXPECT_LT(degrees(n.col(v).cast<double>(), turn * (rest.col(v) + changes.col(v)).cast<double>()), 1e-2);
}

TEST(CharacterGroup, BoundsHoldEveryVertexInRandomPoses) {
    const auto character = makeTorusCharacter();
    const osg::ref_ptr<CharacterGroup> group = new CharacterGroup(character, 40);
    double slack = 1e9;
    for (int i = 0; i < 40; ++i) {
        const auto bones = makeBones(i, Vector3(2.0 * i, 0.5 * i, -1.0), 0.05 * i);
        const auto q = makeCoordinates(10, i, 0.05);
        group->setCharacter(i, bones, q.data());
        const osg::BoundingBoxd box = group->getBodyBound(i);
        const Points points = referencePoints(*character, bones, q);
        for (Eigen::Index v = 0; v < points.cols(); ++v)
            EXPECT_TRUE(box.contains(osgPliant::toOsg(points.col(v)))) << "character " << i;
        for (int axis = 0; axis < 3; ++axis) slack = std::min(slack, box._max[axis] - points.row(axis).maxCoeff());
    }
    EXPECT_LT(slack, 0.3) << "the box is of use";
    updateOnce(*group);
    for (int i = 0; i < 40; ++i) {
        const osg::BoundingBoxd box = group->getBodyBound(i);
        for (unsigned int corner = 0; corner < 8; ++corner)
            EXPECT_TRUE(group->getBound().contains(osg::Vec3f(box.corner(corner))));
    }
}

TEST(CharacterGroup, RaysHitTheSkinnedTriangles) {
    const auto character = makeTorusCharacter();
    const osg::ref_ptr<CharacterGroup> group = new CharacterGroup(character, 3);
    std::vector<Points> points;
    for (int i = 0; i < 3; ++i) {
        const auto bones = makeBones(i, Vector3(3.0 * i, 0.0, 0.0));
        group->setCharacter(i, bones, makeCoordinates(10, i, 0.04).data());
        points.push_back(referencePoints(*character, bones, makeCoordinates(10, i, 0.04)));
    }
    updateOnce(*group);
    const pliant::Triangles& triangles = character->flesh->surface.triangles;
    int hits = 0;
    for (int i = 0; i < 3; ++i) {
        const Points& x = points[static_cast<std::size_t>(i)];
        for (Eigen::Index t = 5; t < triangles.cols(); t += 97) {
            const Vector3 a = x.col(triangles(0, t)), b = x.col(triangles(1, t)), c = x.col(triangles(2, t));
            const Vector3 middle = (a + b + c) / 3.0, out = (b - a).cross(c - a).normalized();
            const auto found =
                shoot(*group, osgPliant::toOsg(middle + 0.004 * out), osgPliant::toOsg(middle - 0.004 * out));
            if (found.empty()) continue;
            const osgPliant::BodyHit hit = BodyGroup::getHit(found.front());
            EXPECT_EQ(hit.body, i);
            EXPECT_LT((osgPliant::fromOsg(hit.point) - middle).norm(), 1e-5);
            if (hit.triangle != static_cast<int>(t)) continue;
            ++hits;
            Vector3 rest = Vector3::Zero();
            for (Eigen::Index corner = 0; corner < 3; ++corner)
                rest += character->flesh->surface.positions.col(triangles(corner, t)) / 3.0;
            EXPECT_LT((osgPliant::fromOsg(hit.restPoint) - rest).norm(), 1e-4);
        }
    }
    EXPECT_GT(hits, 60);
    EXPECT_TRUE(shoot(*group, osg::Vec3d(0.0, 5.0, 0.0), osg::Vec3d(0.0, 4.0, 0.0)).empty());
}

// At a vertex of the flesh, by the core's reference.
TEST(CharacterGroup, PointsRideOnTheFlesh) {
    const auto character = onBones(makeBrickTorus());
    const osg::ref_ptr<CharacterGroup> group = new CharacterGroup(character, 1);
    const auto bones = makeBones(2, Vector3(1.0, 0.5, 0.0));
    const auto q = makeCoordinates(brickTorusDimension, 3);
    group->setCharacter(0, bones, q.data());
    std::vector<pliant::MovingFrame> frames(torusBones);
    for (std::size_t b = 0; b < torusBones; ++b) frames[b].map = bones[b];
    Points points;
    fleshPoints(*character, frames, q.data(), points);
    for (const Eigen::Index v : {0, 17, 60}) {
        const osg::ref_ptr<osgPliant::BodyPoint> point =
            new osgPliant::BodyPoint(group, 0, osgPliant::toOsg(Vector3(character->flesh->mesh.positions.col(v))));
        const osg::Matrixd matrix = point->getMatrix();
        EXPECT_LT((osgPliant::fromOsg(matrix.getTrans()) - points.col(v)).norm(), 1e-9) << v;
        const pliant::RigidTransform frame = osgPliant::fromOsg(matrix);
        EXPECT_LT((frame.rotation.transpose() * frame.rotation - pliant::Matrix3::Identity()).norm(), 1e-9);
    }
}

TEST(CharacterGroup, SkeletonsOfTheCoreAreTakenAsTheyAre) {
    const auto character = makeTorusCharacter();
    const osg::ref_ptr<CharacterGroup> group = new CharacterGroup(character, 3);
    pliant::Pose pose = bindPose(character->skeleton);
    pose[2].rotation = pliant::Rotation(Eigen::AngleAxisd(0.4, Vector3(1, 2, 3).normalized()));
    std::vector<pliant::Similarity> maps;
    restToNow(character->skeleton, pose, maps);
    std::vector<pliant::MovingFrame> frames;
    motionOf(character->skeleton, pose, frames);
    const auto q = makeCoordinates(10, 1);
    group->setCharacter(0, maps, q.data());
    group->setCharacter(1, frames, q.data());
    std::vector<AffineMap> first, second;
    std::vector<double> back;
    ASSERT_TRUE(group->getCharacter(0, first, back));
    ASSERT_TRUE(group->getCharacter(1, second, back));
    EXPECT_EQ(back, q);
    for (std::size_t b = 0; b < torusBones; ++b) {
        EXPECT_LT((first[b] - second[b]).cwiseAbs().maxCoeff(), 1e-12);
        EXPECT_LT((first[b] - frames[b].map).cwiseAbs().maxCoeff(), 1e-12);
    }
    EXPECT_FALSE(group->getCharacter(2, first, back)) << "not placed";
}

TEST(CharacterGroup, WhatDoesNotFitIsLeft) {
    const auto character = makeTorusCharacter();
    const osg::ref_ptr<CharacterGroup> group = new CharacterGroup(character, 1);
    EXPECT_EQ(group->getBoneCount(), torusBones);
    EXPECT_EQ(group->getCharacterModel(), character);
    group->setCharacter(0, std::vector<AffineMap>(torusBones - 1, AffineMap::Identity()), nullptr);
    group->setCharacter(1, makeBones(1, Vector3::Zero()), nullptr);
    group->setCharacter(-1, makeBones(1, Vector3::Zero()), nullptr);
    EXPECT_FALSE(group->getBodiesBound().valid());
    auto broken = makeBones(1, Vector3::Zero());
    broken[2](0, 3) = std::nan("");
    group->setCharacter(0, broken, nullptr);
    EXPECT_FALSE(group->getBodiesBound().valid()) << "nothing to draw";
    const osg::ref_ptr<CharacterGroup> none = new CharacterGroup;
    none->setBodyCount(2);
    none->setCharacter(0, broken, nullptr);
    EXPECT_EQ(none->getBoneCount(), 0);
    // A plain model has no bones.
    const osg::ref_ptr<CharacterGroup> plain = new CharacterGroup(new ModelGeometry(makeTorus()), 1);
    plain->setCharacter(0, {AffineMap::Identity()}, nullptr);
    EXPECT_FALSE(plain->getBodyVisible(0));
}

TEST(CharacterGroup, LivesAsBodiesDo) {
    const auto character = makeTorusCharacter();
    osg::ref_ptr<CharacterGroup> group = new CharacterGroup(character, 2);
    const auto bones = makeBones(4, Vector3(1, 0, 0));
    const auto q = makeCoordinates(10, 4);
    group->setCharacter(0, bones, q.data());
    const osg::ref_ptr<CharacterGroup> copy = osg::clone(group.get());
    EXPECT_EQ(copy->getBodyBound(0)._max, group->getBodyBound(0)._max);
    // setBody() moves it with its bones, and removeBody() forgets them.
    const osg::BoundingBoxd before = group->getBodyBound(0);
    group->setBody(0, group->getWorldFromBody(0) * osg::Matrixd::translate(0, 7, 0), q.data());
    EXPECT_NEAR(group->getBodyBound(0).yMax(), before.yMax() + 7.0, 1e-9);
    group->removeBody(0);
    group->setBody(0, osg::Matrixd(), std::vector<double>(10, 0.0).data());
    EXPECT_NEAR(group->getBodyBound(0).xMax(), 0.47, 1e-3) << "as bound";
    // Another look.
    const osg::ref_ptr<osgPliant::SoftwareDeformation> software = new osgPliant::SoftwareDeformation(copy);
    software->follow();
    copy->setModelGeometry(new ModelGeometry(makeTorus()));
    EXPECT_EQ(copy->getBoneCount(), 0);
    updateOnce(*copy);
    software->follow();
    copy->setModelGeometry(new ModelGeometry(character));
    EXPECT_EQ(copy->getBoneCount(), torusBones);
    copy->setCharacter(1, bones, q.data());
    updateOnce(*copy);
    EXPECT_TRUE(copy->getBodyVisible(1));
    // A hit outlives the group.
    const auto hits = shoot(*copy, osg::Vec3d(1.35, 1, 0), osg::Vec3d(1.35, -1, 0));
    group = nullptr;
    copy->setBodyCount(0);
    for (const auto& hit : hits) BodyGroup::getHit(hit);
    updateOnce(*copy);
}
