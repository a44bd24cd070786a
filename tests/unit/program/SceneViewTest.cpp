// SPDX-License-Identifier: Zlib
// The picture of a scene: joints that can be seen, and a camera that sees what falls where it falls to.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <osgDB/WriteFile>

#include "../bridge/BarModel.h"
#include "PaintedScene.h"
#include "PixelOf.h"
#include "btPliantScene/btPliantConversions.h"
#include "draw/SceneView.h"
#include "loop/OutputFiles.h"
#include "osgPliant/HeadlessViewer.h"

namespace pliant::program {
namespace {

scene::RigidGroup makeBall(const std::string& name, const Vector3& position) {
    scene::RigidGroup ball;
    ball.name = name;
    ball.shape = scene::RigidShape::Sphere;
    ball.radius = 0.2;
    ball.mass = 1;
    ball.placement.position = position;
    return ball;
}

/// Half the picture's width and height from its middle, 1 at the border.
Eigen::Vector2d inPicture(const osgPliant::CameraPlace& view, const Vector3& x, double aspect) {
    const osg::Matrixd toEye = osg::Matrixd::lookAt(view.eye, view.centre, view.up);
    const osg::Matrixd toPicture = osg::Matrixd::perspective(view.fieldOfView, aspect, 0.01, 1000.0);
    const osg::Vec3d p = osg::Vec3d(x.x(), x.y(), x.z()) * toEye * toPicture;
    return {p.x(), p.y()};
}

// Below a user's own root: first fixed function, then a program of the root's, which paints everything red.
TEST(SceneView, BelongsInAnybodysGraphWithoutAStage) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const auto scene = scene::parseScene(
        "ground: {colour: [0, 0, 1]}\nrigid: [{shape: sphere, radius: 0.7, position: [0, 0, 0.7], colour: [0, 1, "
        "0]}]\n",
        "own.yaml", sceneOptions());
    osgPliant::SceneNodeOptions options;
    options.ofStage = false;
    const osg::ref_ptr<osgPliant::SceneNode> node =
        new osgPliant::SceneNode(scene, {}, test::aboutTheOrigin(), options);
    scene::ScenePoses poses;
    poses.rigid = {RigidTransform{Matrix3::Identity(), Vector3(0, 0, 0.7)}};
    poses.isRigidShown = {1};
    node->show(poses);
    const osg::ref_ptr<osg::Group> root = new osg::Group;
    root->addChild(node);
    osgPliant::HeadlessOptions size;
    size.width = size.height = 96;
    osgPliant::HeadlessViewer viewer(size);
    viewer.setScene(root);
    viewer.setCamera(osg::Vec3d(0, -4, 2), osg::Vec3d(0, 0, 0.7), osg::Vec3d(0, 0, 1), 35.0);
    const auto at = [&](int s, int t) {
        const unsigned char* p = test::pixelOf(*viewer.render(0.0), s, t);
        return std::array<int, 3>{p[0], p[1], p[2]};
    };
    const auto ball = at(48, 48), ground = at(48, 4);
    EXPECT_GT(ball[1], 100);
    EXPECT_LT(ball[0] + ball[2], 60) << "highlights apart";
    EXPECT_GT(ground[2], 60);
    EXPECT_LT(ground[1], 40);
    osg::ref_ptr<osg::Program> red = new osg::Program;
    red->addShader(new osg::Shader(osg::Shader::FRAGMENT, "void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }"));
    root->getOrCreateStateSet()->setAttributeAndModes(red);
    EXPECT_EQ(at(48, 48), (std::array<int, 3>{255, 0, 0}));
}

/// Where the end of a body of makeBar() is that lies along x, in the world.
Vector3 endOf(const ReducedModel& bar, const std::vector<double>& q, const RigidTransform& place) {
    Vector3 sum = Vector3::Zero();
    int count = 0;
    for (int v = 0; v < bar.surfaceVertexCount(); ++v) {
        if (bar.surface.positions(0, v) < 0.4) continue;
        Vector3 x = bar.surface.positions.col(v).cast<double>();
        for (int j = 0; j < bar.dimension(); ++j)
            x += q[static_cast<std::size_t>(j)] * bar.surfaceBasis.block<3, 1>(3 * v, j).cast<double>();
        sum += place.rotation * x + place.translation;
        ++count;
    }
    return sum / count;
}

/// Two bars, green and blue, without a stage.
osg::ref_ptr<osgPliant::SceneNode> makeTwoBars(const std::shared_ptr<const ReducedModel>& bar) {
    const auto scene =
        scene::parseScene(std::string("models: {bar: {file: ") + PLIANT_MEDIA_DIR +
                              "/solids/jelly.obj}}\nbodies: [{model: bar, colours: [[0, 1, 0], [0, 0, 1]], grid: "
                              "{count: [2, 1, 1], spacing: 1}}]\n",
                          "own.yaml", sceneOptions());
    osgPliant::SceneNodeOptions options;
    options.ofStage = false;
    return new osgPliant::SceneNode(scene, {bar}, test::aboutTheOrigin(), options);
}

// Bodies of a model in a user's graph: they bend, stand where their poses say, have their colours below fixed
// function, and are what a program of the root makes of them.
TEST(SceneView, BodiesBelongInAnybodysGraphWithoutAStage) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const auto bar = test::makeBar();
    const osg::ref_ptr<osgPliant::SceneNode> node = makeTwoBars(bar);
    scene::ScenePoses poses = test::restPoses(*bar, 2);
    const std::vector<double> rest(static_cast<std::size_t>(bar->dimension()), 0.0);
    std::vector<double> bent = rest;
    bent[1] = 0.3 / std::abs(endOf(*bar, {0.0, 1.0, 0.0}, {}).z());  // moves the end by 0.3 m
    for (std::size_t body = 0; body < 2; ++body)
        poses.models[0].worldFromBody[body].translation = Vector3(0, 0, body == 0 ? 0.5 : -0.5);
    std::copy(bent.begin(), bent.end(), poses.models[0].qOf(1));
    node->show(poses);
    const osg::ref_ptr<osg::Group> root = new osg::Group;
    root->addChild(node);
    osgPliant::HeadlessOptions size;
    size.width = size.height = 96;
    osgPliant::HeadlessViewer viewer(size);
    viewer.setScene(root);
    const osgPliant::CameraPlace camera{osg::Vec3d(0, -3, 0), osg::Vec3d(), osg::Vec3d(0, 0, 1), 35.0};
    viewer.setCamera(camera.eye, camera.centre, camera.up, camera.fieldOfView);
    using Colour = std::array<int, 3>;
    const auto at = [&](const Vector3& x) {
        const Eigen::Vector2d place = 48.0 * (Eigen::Vector2d::Ones() + inPicture(camera, x, 1.0));
        const unsigned char* p =
            test::pixelOf(*viewer.render(0.0), static_cast<int>(place.x()), static_cast<int>(place.y()));
        return Colour{p[0], p[1], p[2]};
    };
    const auto& places = poses.models[0].worldFromBody;
    const Vector3 straight = endOf(*bar, rest, places[0]), end = endOf(*bar, bent, places[1]);
    const Vector3 left = endOf(*bar, rest, places[1]);
    EXPECT_NEAR(std::abs(end.z() - left.z()), 0.3, 1e-6);
    const Colour green = at(straight), blue = at(end), behind = at(left);
    EXPECT_GT(green[1], 60);
    EXPECT_LT(green[0] + green[2], 40);
    EXPECT_GT(blue[2], 60);
    EXPECT_LT(blue[0] + blue[1], 40);
    EXPECT_EQ(behind, at(Vector3(0, 0, 0))) << "nothing is where the end was at rest";
    osg::ref_ptr<osg::Program> red = new osg::Program;
    red->addShader(new osg::Shader(osg::Shader::VERTEX, "void main() { gl_Position = ftransform(); }"));
    red->addShader(new osg::Shader(osg::Shader::FRAGMENT, "void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }"));
    root->getOrCreateStateSet()->setAttributeAndModes(red);
    for (const Vector3& x : {straight, end}) EXPECT_EQ(at(x), (Colour{255, 0, 0}));
    EXPECT_EQ(at(left), behind);
}

// Like the nodes of osgPliant that do not go into files (tests/unit/nodes/SceneFileTest.cpp).
TEST(SceneView, DoesNotGoIntoFilesOfOpenSceneGraph) {
    const osg::ref_ptr<osgPliant::SceneNode> node = new osgPliant::SceneNode;
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "SceneView_Files";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    ::testing::internal::CaptureStderr();
    EXPECT_FALSE(osgDB::writeNodeFile(*node, (folder / "node.osgt").string()));
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("SceneNode"), std::string::npos);
    std::filesystem::remove_all(folder);
}

TEST(SceneView, AGroupWithoutASurfaceIsAnError) {
    scene::RigidGroup group;
    group.shape = scene::RigidShape::Hull;
    EXPECT_THROW(osgPliant::createRigidShape({}, group), Error);
}

TEST(SceneView, JointsAreSeen) {
    osgPliant::HeadlessOptions options;
    options.width = 400;
    options.height = 320;
    osgPliant::HeadlessViewer viewer(options);
    if (!viewer.isValid()) GTEST_SKIP() << viewer.getProblem();
    scene::SceneDescription scene;
    scene.rigid = {makeBall("upper", Vector3(0, 0, 1)), makeBall("lower", Vector3(0, 0, 0))};
    scene::JointGroup hook;
    hook.kind = scene::JointKind::Point;
    hook.at = Vector3(0, 0, 1.6);
    hook.ends = {{"upper", "", -1, ""}};
    scene::JointGroup spring;
    spring.kind = scene::JointKind::Spring;
    spring.at = Vector3(0, 0, 0.8);
    spring.offset = Vector3(0, 0, -0.6);
    spring.stiffness = 100;
    spring.ends = {{"upper", "", -1, ""}, {"lower", "", -1, ""}};
    scene.joints = {hook, spring};
    const SceneWorld world(scene, {}, 1);
    const auto draw = [&](bool joints) {
        SceneView view(world, {}, {joints});
        viewer.setScene(view.root());
        viewer.setCamera(osg::Vec3d(0, -6, 0.8), osg::Vec3d(0, 0, 0.8), osg::Vec3d(0, 0, 1));
        return osg::ref_ptr<osg::Image>(new osg::Image(*viewer.render(0.0), osg::CopyOp::DEEP_COPY_ALL));
    };
    const auto with = draw(true), without = draw(false);
    // 320 pixels are 2 * 6 * tan(17.5 degrees) m high.
    const auto changed = [&](double height) {
        const auto row = static_cast<int>(160 + (height - 0.8) * 320 / (12 * std::tan(17.5 * M_PI / 180)));
        int count = 0;
        for (int x = 190; x < 210; ++x)
            count += std::abs(test::pixelOf(*with, x, row)[0] - test::pixelOf(*without, x, row)[0]) > 20;
        return count;
    };
    EXPECT_GT(changed(1.4), 0) << "the rod from the hook to the ball that hangs";
    EXPECT_GT(changed(1.62), 0) << "the hook";
    EXPECT_GT(changed(0.5), 0) << "the spring";
    EXPECT_EQ(changed(1.0), 0) << "the ball";
}

// Bullet's wire frame of a ball, before it and around it; whoever has poses alone draws none.
TEST(SceneView, FilesHaveTheLayersThatTheSceneShows) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pliant_layers_in_files";
    std::filesystem::create_directories(folder);
    scene::SceneDescription scene;
    scene.rigid = {makeBall("ball", Vector3(0, 0, 0))};
    scene.output.width = scene.output.height = 120;
    const auto picture = [&](const char* name, bool objects, bool hasWorld) {
        scene.show.layers[static_cast<std::size_t>(DebugLayer::Objects)] = objects;
        scene::OutputFile file;
        file.kind = scene::OutputKind::Picture;
        file.file = name;
        scene.outputs = {file};
        const SceneWorld world(scene, {}, 1);
        OutputPlan plan;
        plan.folder = folder.string();
        plan.standard = world.physics().getWholeView();
        plan.bounds = world.physics().getBounds();
        plan.frames = 1;
        plan.world = hasWorld ? &world : nullptr;
        OutputFiles files(scene, {}, plan);
        files.add(world.physics().getPoses(), 0, true);
        files.close();
        std::ifstream made(folder / name, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(made), {});
    };
    const std::string plain = picture("plain.png", false, true);
    ASSERT_FALSE(plain.empty());
    EXPECT_NE(picture("shown.png", true, true), plain);
    EXPECT_EQ(picture("posed.png", true, false), plain);
    std::filesystem::remove_all(folder);
}

/// Balls one above the other, beside each other in threes.
scene::SceneDescription fallingBalls() {
    scene::SceneDescription scene;
    scene.ground.emplace();
    for (int i = 0; i < 9; ++i)
        scene.rigid.push_back(makeBall("ball" + std::to_string(i), Vector3(i % 3 * 0.5, i / 3 * 0.5, 1 + i * 0.4)));
    return scene;
}

/// The balls' places in the picture, 1 at its border.
Eigen::Matrix2Xd placesOf(const scene::SceneCameras& cameras, const scene::ScenePoses& poses) {
    const osgPliant::CameraPlace view = osgPliant::cameraPlace(cameras.views().front().point);
    Eigen::Matrix2Xd places(2, static_cast<Eigen::Index>(poses.rigid.size()));
    for (Eigen::Index i = 0; i < places.cols(); ++i)
        places.col(i) = inPicture(view, poses.rigid[static_cast<std::size_t>(i)].translation, 16.0 / 9.0);
    return places;
}

double widthOf(const Eigen::Matrix2Xd& places) {
    return places.row(0).maxCoeff() - places.row(0).minCoeff();
}

// The heap is a fifth of the height that it falls from: the picture of the fall alone showed next to nothing of it.
TEST(SceneView, ACameraOfItsOwnComesNearerToWhatHasFallen) {
    SceneWorld world(fallingBalls(), {}, 1);
    scene::SceneCameras cameras(world.scene(), world.physics().getWholeView());
    scene::SceneCameras still(world.scene(), world.physics().getViewPoint());
    for (int frame = 0; frame < 120; ++frame) {
        cameras.follow(world.physics().getPoses());
        EXPECT_LT(placesOf(cameras, world.physics().getPoses()).cwiseAbs().maxCoeff(), 1.0) << frame;
        for (int step = 0; step < 4; ++step) world.step();
    }
    scene::ScenePoses poses = world.physics().getPoses();
    const double distance = (cameras.views().front().point.eye - cameras.views().front().point.centre).norm();
    const scene::ViewPoint start = still.views().front().point;
    EXPECT_LT(distance, 0.7 * (start.eye - start.centre).norm());
    EXPECT_GT(widthOf(placesOf(cameras, poses)), 1.4 * widthOf(placesOf(still, poses)));

    // One that is gone is let go, and a time before that of the last call begins anew.
    poses.rigid[0].translation = Vector3(1e4, 0, 0);
    poses.time += 10.0;
    cameras.follow(poses);
    const scene::ViewPoint without = cameras.views().front().point;
    EXPECT_LT((without.eye - without.centre).norm(), 1.1 * distance);
    poses.time = 0.0;
    cameras.follow(poses);
    EXPECT_EQ(cameras.views().front().point.eye, start.eye);
    EXPECT_EQ(cameras.views().front().point.centre, start.centre);
}

TEST(SceneView, ACameraOfItsOwnSeesWhereThingsFallTo) {
    scene::SceneDescription scene;
    scene.ground.emplace();
    scene::RigidGroup thrown = makeBall("thrown", Vector3(0, 0, 3));
    thrown.velocity.linear = Vector3(4, 0, 2);
    scene.rigid = {thrown};
    SceneWorld world(scene, {}, 1);
    const osgPliant::CameraPlace view = viewPoint(world);
    const double aspect = 16.0 / 9.0;
    double widest = 0.0;
    for (int step = 0; step < 120; ++step) {  // until it has landed
        const Vector3 centre = fromBullet(world.rigids()[0].m_body->getCenterOfMassPosition());
        const Eigen::Vector2d p = inPicture(view, centre, aspect);
        widest = std::max(widest, p.cwiseAbs().maxCoeff());
        EXPECT_LT(widest, 1.0) << "at " << centre.transpose();
        world.step();
    }
    EXPECT_LT(fromBullet(world.rigids()[0].m_body->getCenterOfMassPosition()).z(), 0.3);
    EXPECT_GT(widest, 0.6) << "the picture is not for the most part empty";
}

// As in every drawing: x runs to the right, whichever axis is up.
TEST(SceneView, ACameraOfItsOwnLooksFromTheFront) {
    for (const Vector3& down : {Vector3(0, 0, -9.81), Vector3(0, -9.81, 0)}) {
        scene::SceneDescription scene;
        scene.gravity = down;
        scene.rigid = {makeBall("ball", Vector3(0, 0, 0))};
        const osgPliant::CameraPlace view = viewPoint(SceneWorld(scene, {}, 1));
        const auto at = [&](const Vector3& x) { return inPicture(view, x, 1.0); };
        const Eigen::Vector2d right = at(Vector3(0.1, 0, 0)) - at(Vector3::Zero());
        EXPECT_GT(right.x(), 2.0 * std::abs(right.y())) << down.transpose();
        EXPECT_GT((at(-0.01 * down) - at(Vector3::Zero())).y(), 0.0) << down.transpose();
    }
}

TEST(SceneView, ACameraThatLooksStraightDownSees) {
    scene::SceneDescription scene;
    scene.camera = scene::Camera();
    scene.camera->from = Vector3(1, 2, 5);
    scene.camera->to = Vector3(1, 2, 0);
    const SceneWorld world(scene, {}, 1);
    const Eigen::Vector2d p = inPicture(viewPoint(world), Vector3(1, 2.5, 0), 1.0);
    EXPECT_NEAR(p.x(), 0.0, 1e-9);
    EXPECT_NEAR(p.y(), 0.5 / (5 * std::tan(17.5 * M_PI / 180)), 1e-6) << "y is up in the picture";
}

}  // namespace
}  // namespace pliant::program
