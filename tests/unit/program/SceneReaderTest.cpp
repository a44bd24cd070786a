// SPDX-License-Identifier: Zlib
// What a scene file says is read: every part, defaults, and files that cannot be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "SceneText.h"
#include "pliant/scene/GroupName.h"
#include "pliant/scene/SceneModels.h"

namespace pliant::scene {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kModels = "models:\n  cow: {file: cow.obj}\n";
const std::string kBodies = "bodies:\n  - {model: cow}\n";

TEST_F(SceneReaderTest, ReadsEveryPart) {
    const SceneDescription scene = parse(R"(
gravity: [0, -1.5, 0]
time: {duration: 2.5, frames_per_second: 24, substeps: 3}
solver: {iterations: 7, double_precision: true, tangent_tolerance: 0.03, margin: 0.001}
models:
  cow:
    file: cow.obj
    reduce: {modes: 5, dimension: 9, voxels: 12, solid: true, young: 2.0e5, poisson: 0.3, density: 200}
    keep: made/cow.pliant
    damping: {mass: 0.25, stiffness: 0.004, strain_rate: 0.03, form: current}
    newmark: {gamma: 0.6, iterations: 2}
    integrator: analytic
    coupling: inertia
    self_contact: true
    colour: [1, 0.5, 0]
bodies:
  - model: cow
    position: [1, 2, 3]
    rotation: [90, 0, 0]
    grid: {count: [2, 3, 4], spacing: [1, 2, 3]}
    jitter: {position: 0.1, rotation: 5, seed: 11}
    velocity: [1, 0, 0]
    angular_velocity: [0, 2, 0]
    friction: 0.9
    restitution: 0.1
    rolling_friction: 0.02
    sleep: false
  - {model: cow, stack: {count: 6, spacing: 0.5}, motion: anchored}
rigid:
  - {shape: capsule, radius: 0.1, height: 0.5, mass: 2, position: [0, 5, 0]}
  - {shape: mesh, file: cow.obj, scale: 2}
ground: {height: -1, friction: 0.7}
camera: {from: [0, 2, 9], to: [0, 1, 0], field_of_view: 40}
detail: {pixels: 90, least: 5, quiet_energy: 0.02}
light: {direction: [0, -1, 0], shadow: false}
output: {name: herd, size: [640, 360], picture_at: 2}
)");
    EXPECT_EQ(scene.up(), Vector3(0, 1, 0));
    EXPECT_EQ(scene.time.frames(), 60);
    EXPECT_DOUBLE_EQ(scene.time.step(), 1.0 / 72.0);
    EXPECT_EQ(scene.solver.iterations, 7);
    EXPECT_TRUE(scene.solver.doublePrecision);
    EXPECT_DOUBLE_EQ(scene.solver.tangentTolerance, 0.03);
    const ModelEntry& model = scene.models.at(0);
    EXPECT_EQ(model.file, (m_folder / "cow.obj").string());
    EXPECT_EQ(model.keep, (m_folder / "made/cow.pliant").string());
    EXPECT_EQ(program::reduceOptions(model).canonical().substr(0, 34), "modes=5;dimension=9;fixed=;voxels=");
    EXPECT_EQ(program::reduceOptions(model).solid, true);
    EXPECT_EQ(model.damping->form, DampingForm::CurrentStiffness);
    EXPECT_EQ(model.damping->strainRate, 0.03);
    EXPECT_EQ(model.integrator, Integrator::Analytic);
    EXPECT_EQ(model.coupling, Coupling::Inertia);
    EXPECT_TRUE(model.selfContact);
    EXPECT_EQ(scene.bodyCount(), 30);
    EXPECT_DOUBLE_EQ(scene.bodies.at(0).surface.rollingFriction, 0.02);
    EXPECT_DOUBLE_EQ(scene.bodies.at(1).surface.rollingFriction, 0.0);
    EXPECT_FALSE(scene.bodies.at(0).mayFallAsleep);
    EXPECT_EQ(scene.bodies.at(1).motion, Motion::Anchored);
    EXPECT_EQ(scene.rigid.at(0).shape, RigidShape::Capsule);
    EXPECT_DOUBLE_EQ(scene.rigid.at(0).mass, 2.0);
    EXPECT_DOUBLE_EQ(scene.rigid.at(1).scale, 2.0);
    EXPECT_DOUBLE_EQ(scene.ground->height, -1.0);
    EXPECT_DOUBLE_EQ(scene.camera->fieldOfView, 40.0);
    EXPECT_DOUBLE_EQ(scene.detail->pixels, 90.0);
    EXPECT_EQ(scene.detail->least, 5);
    EXPECT_DOUBLE_EQ(scene.detail->quietEnergy, 0.02);
    EXPECT_FALSE(scene.light.shadow);
    EXPECT_EQ(scene.output.name, "herd");
    EXPECT_EQ(scene.output.height, 360);
}

TEST_F(SceneReaderTest, BodiesOfSurfacesHaveTheirOwnKeys) {
    const SceneDescription scene = parse(R"(
models:
  wall: {file: cow.obj, reduce: {solid: false, thickness: 0.002, up: y, units: mm, contact: segments}}
  block: {file: cow.obj, reduce: {contact: surface, crease: 20}}
bodies: [{model: wall}, {model: block}]
)");
    const ReduceOptions& wall = program::reduceOptions(scene.models.at(0));
    const ReduceOptions& block = program::reduceOptions(scene.models.at(1));
    EXPECT_EQ(wall.thickness, 0.002);
    EXPECT_EQ(wall.up, UpAxis::Y);
    EXPECT_DOUBLE_EQ(wall.metresPerUnit, 0.001);
    EXPECT_EQ(wall.contact, ContactGeometry::Segments);
    EXPECT_EQ(block.contact, ContactGeometry::Surface);
    EXPECT_DOUBLE_EQ(block.creaseAngle, 20.0);
    EXPECT_FALSE(block.solid.has_value());
}

TEST_F(SceneReaderTest, ReadsJoints) {
    const SceneDescription scene = parse(kModels + R"(
bodies: [{name: cows, model: cow, grid: {count: [3, 1, 1], spacing: 2}}]
rigid: [{name: post, shape: box}]
joints:
  - {kind: hinge, between: ["cows[2]", post], at: [1, 2, 3], axis: [0, 2, 0], limits: [-30, 45],
     motor: {velocity: 1.5, strength: 20}, breaking_impulse: 0.5, collide: true}
  - {kind: spring, between: [cows], point: [0, 0, 1], offset: [0, 0, -0.2], stiffness: 300, damping: 2}
)");
    const JointGroup& hinge = scene.joints.at(0);
    EXPECT_EQ(hinge.kind, JointKind::Hinge);
    ASSERT_EQ(hinge.ends.size(), 2u);
    EXPECT_EQ(hinge.ends[0].name, "cows");
    EXPECT_EQ(hinge.ends[0].copy, 2);
    EXPECT_EQ(hinge.ends[1].copy, -1);
    EXPECT_EQ(hinge.at, Vector3(1, 2, 3));
    EXPECT_FALSE(hinge.isLocal);
    EXPECT_EQ(hinge.axis, Vector3(0, 1, 0));
    EXPECT_EQ((*hinge.limits)[1], 45);
    EXPECT_EQ(hinge.motor->strength, 20);
    EXPECT_EQ(*hinge.breakingImpulse, 0.5);
    EXPECT_TRUE(hinge.collide);
    const JointGroup& spring = scene.joints.at(1);
    EXPECT_EQ(spring.ends.size(), 1u);
    EXPECT_TRUE(spring.isLocal);
    EXPECT_EQ(spring.stiffness, 300);
    EXPECT_EQ(spring.damping, 2);
    EXPECT_EQ(spring.offset.z(), -0.2);
    EXPECT_FALSE(spring.breakingImpulse.has_value());
    EXPECT_FALSE(spring.collide);
}

TEST_F(SceneReaderTest, ReadsManyPoints) {
    const SceneDescription scene = parse(kModels + R"(
bodies: [{name: cow, model: cow}]
joints:
  - {kind: points, between: [cow], tolerance: 1e-3,
     points: [{point: [0, 0, 1]}, {point: [1, 0, 0], to: [= 2*t, 0, 3]}, {point: [0, 1, 0], move: [0, = 2*sin(30*t), 0]}]}
)");
    const JointGroup& joint = scene.joints.at(0);
    EXPECT_EQ(joint.kind, JointKind::Points);
    ASSERT_EQ(joint.points.size(), 3u);
    EXPECT_EQ(joint.points[0].point, Vector3(0, 0, 1));
    EXPECT_FALSE(joint.points[0].to || joint.points[0].move);
    EXPECT_EQ((*joint.points[1].to)[0].at(1.5), 3.0);
    EXPECT_EQ((*joint.points[1].to)[2].at(1.5), 3.0);
    EXPECT_NEAR((*joint.points[2].move)[1].at(1.0), 1.0, 1e-12);
    EXPECT_EQ(joint.tolerance, 1e-3);
}

// Who names the bodies of a layer that is not there makes no second mistake.
TEST_F(SceneReaderTest, ALayerThatIsNotThereIsToldOnce) {
    const std::string text =
        "rigid: [{shape: box, layer: goods}]\nfields: [{name: breeze, kind: wind, of: goods, velocity: [1, 0, 0]}]\n"
        "sensors: [{name: all, kind: bodies, of: goods}]\nexpect: [{that: goods.lost == 0}]\n"
        "record: [{file: a.csv, of: goods.speed}]\n";
    EXPECT_EQ(complaint(text), path() + ":1:9: no layer is called \"goods\"; add it under layers");
    EXPECT_EQ(complaint("layers: {goods: []}\n" + text), "no error");
}

// "0.0166" is a sixtieth of a second for whoever writes it.
TEST_F(SceneReaderTest, TimesBetweenFramesAreRoundedToOne) {
    const auto every = [&](const std::string& number) {
        return kModels + kBodies +
               "time: {frames_per_second: 60}\noutput: [{states: {file: a.states, every: " + number + "}}]\n";
    };
    EXPECT_DOUBLE_EQ(parse(every("0.0166")).outputs[0].every, 1.0 / 60.0);
    EXPECT_DOUBLE_EQ(parse(every("0.0333")).outputs[0].every, 0.0333);
    EXPECT_THAT(complaint(every("0.016")), HasSubstr("every is 0.016; it must be at least 0.0166667"));
    EXPECT_DOUBLE_EQ(parse(every("0.0166667")).outputs[0].every, 0.0166667) << "what is told is taken";
    EXPECT_DOUBLE_EQ(parse(every("0.0165")).outputs[0].every, 1.0 / 60.0) << "a hundredth less";
    EXPECT_THAT(complaint(every("0.01649")), HasSubstr("it must be at least 0.0166667"));
}

// A reduced model may be named by its file alone; it is one model for all who name it, also from another folder.
TEST_F(SceneReaderTest, BodiesMayNameAReducedModelByItsFile) {
    std::filesystem::create_directories(m_folder / "parts");
    std::ofstream(m_folder / "parts/calf.pliant") << "reduced\n";
    std::ofstream(m_folder / "parts/herd.yaml")
        << "bodies: [{model: ../cow.pliant, position: [5, 0, 0]}, {name: young, model: calf.pliant}]\n";
    const std::string text =
        "include: [parts/herd.yaml]\nbodies:\n  - {model: cow.pliant}\n  - {name: led, model: "
        "parts/calf.pliant}\n";
    const SceneDescription scene = parse(text);
    const std::string cow = (m_folder / "cow.pliant").string(), calf = (m_folder / "parts/calf.pliant").string();
    ASSERT_EQ(scene.models.size(), 2u);
    ASSERT_EQ(scene.bodies.size(), 4u);
    for (const ModelEntry& model : scene.models) EXPECT_TRUE(model.isReduced);
    for (const BodyGroup& group : scene.bodies) {
        const bool isCow = group.name.empty();
        EXPECT_EQ(group.model, isCow ? cow : calf);
        EXPECT_EQ(groupName(group), isCow ? "cow" : group.name);
        EXPECT_TRUE(std::any_of(scene.models.begin(), scene.models.end(), [&](const ModelEntry& model) {
            return model.name == group.model && model.file == group.model;
        }));
    }
    std::ofstream(path()) << text;
    const std::string printed = printedScene(path(), program::sceneOptions());
    EXPECT_THAT(printed, HasSubstr("model: " + cow + "}"));
    EXPECT_THAT(printed, ::testing::Not(HasSubstr("model: calf.pliant")));
}

/// Another working directory, for as long as this lives.
class WorkingDirectory {
public:
    explicit WorkingDirectory(const std::filesystem::path& folder) { std::filesystem::current_path(folder); }
    ~WorkingDirectory() { std::filesystem::current_path(m_before); }

private:
    const std::filesystem::path m_before = std::filesystem::current_path();
};

// Where a scene is read by a relative path, the same text in another folder is another file.
TEST_F(SceneReaderTest, FilesOfModelsAreThoseOfTheFolderThatNamesThem) {
    std::filesystem::create_directories(m_folder / "parts");
    std::ofstream(m_folder / "parts/cow.pliant") << "reduced\n";
    const std::string first = (m_folder / "cow.pliant").string(), second = (m_folder / "parts/cow.pliant").string();
    std::ofstream(m_folder / "a.yaml") << "bodies: [{name: first, model: cow.pliant}]\n";
    std::ofstream(m_folder / "parts/b.yaml") << "bodies: [{name: second, model: cow.pliant}]\n";
    std::ofstream(m_folder / "whole.yaml")
        << "include: [a.yaml, parts/b.yaml]\nbodies: [{name: third, model: " + first +
               "}, {name: fourth, model: parts/../cow.pliant}]\n";
    const WorkingDirectory here(m_folder);
    const SceneDescription scene = readScene("whole.yaml", program::sceneOptions());
    ASSERT_EQ(scene.models.size(), 2u) << "one file is one model, however it is named";
    ASSERT_EQ(scene.bodies.size(), 4u);
    for (const BodyGroup& group : scene.bodies)
        EXPECT_EQ(group.model, group.name == "second" ? second : first) << group.name;
    const std::string printed = printedScene("whole.yaml", program::sceneOptions());
    EXPECT_THAT(printed, HasSubstr("name: second, model: " + second + "}"));
}

// What files and lists call a model never tells where it lies.
TEST_F(SceneReaderTest, ModelsOfFilesAreCalledLikeTheirFiles) {
    std::filesystem::create_directories(m_folder / "parts");
    for (const char* file : {"parts/cow.pliant", "parts/test.pliant", "calf.pliant"})
        std::ofstream(m_folder / file) << "reduced\n";
    const SceneDescription scene = parse(
        "models: {cow: {file: cow.pliant}, cow_3: {file: cow.pliant}}\n"
        "bodies: [{model: cow}, {model: parts/cow.pliant}, {model: cow.pliant}, {model: calf.pliant}, {model: "
        "cow_3}]\n");
    std::vector<std::string> labels;
    for (const ModelEntry& model : scene.models) labels.push_back(model.label);
    EXPECT_THAT(labels, ::testing::ElementsAre("cow", "cow_3", "cow_2", "cow_4", "calf"));
}

// A mistake in such a file names it by its path, and the model as lists do.
TEST_F(SceneReaderTest, MistakesInModelsOfFilesCallThemLikeTheirFiles) {
    const SceneDescription scene = parse("bodies: [{model: cow.pliant}]\n");
    try {
        loadModels(scene);
        FAIL() << "it is no model";
    } catch (const Error& problem) {
        EXPECT_THAT(problem.what(), HasSubstr("model \"cow\": " + (m_folder / "cow.pliant").string() + ": "));
    }
}

TEST_F(SceneReaderTest, DefaultsAreFilledIn) {
    const SceneDescription scene = parse(kModels + kBodies);
    EXPECT_EQ(scene.output.name, "test");
    EXPECT_EQ(scene.gravity, Vector3(0, 0, -9.81));
    EXPECT_FALSE(scene.ground.has_value());
    EXPECT_FALSE(scene.camera.has_value());
    EXPECT_FALSE(scene.detail.has_value());
}

TEST_F(SceneReaderTest, MissingAndEmptyFilesAreNamed) {
    const std::string missing = (m_folder / "none.yaml").string();
    try {
        readScene(missing);
        FAIL() << "a missing file was read";
    } catch (const Error& problem) {
        EXPECT_THAT(problem.what(), StartsWith(missing + ": cannot be read: No such file"));
    }
    EXPECT_THAT(complaint(""), HasSubstr("the scene is empty"));
    EXPECT_THAT(complaint("# only a comment\n"), HasSubstr("the scene is empty"));
}

}  // namespace
}  // namespace pliant::scene
