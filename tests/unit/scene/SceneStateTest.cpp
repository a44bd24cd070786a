// SPDX-License-Identifier: Zlib
// What events do to the state of a world: materials, saved states, pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "SceneInWorld.h"
#include "pliant/math/PolynomialSums.h"
#include "pliant/runtime/DefaultDamping.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kBarModel = std::string("models: {bar: {file: ") + PLIANT_MEDIA_DIR + "/solids/jelly.obj}}\n";
const std::string kFloatingBar = kBarModel + "gravity: [0, 0, 0]\nbodies: [{name: bar, model: bar}]\n";

/// The bar with its materials kept apart, as reduced models have them.
std::shared_ptr<const ReducedModel> editableBar() {
    const std::shared_ptr<const ReducedModel> bar = makeBar();
    const auto model = std::make_shared<ReducedModel>(*bar);
    model->mesh.materials[0].name = "rubber";
    const int r = model->dimension();
    MaterialGroup group;
    group.energy = {zeroPolynomial(r), zeroPolynomial(r)};
    addScaled(1.0 / model->mesh.materials[0].lameMu(), bar->energy, group.energy[1]);
    group.mass.volume = bar->totalMass() / model->mesh.materials[0].density;
    model->materialGroups = {group};
    return model;
}

std::string complaint(const std::string& text) {
    try {
        scene::parseScene(text, "state.yaml", anyModel());
    } catch (const Error& problem) {
        return problem.what();
    }
    return "no error";
}

TEST(BodyMaterial, QGoesOnAndFrequenciesAreThoseOfTheNewMaterial) {
    SceneInWorld world(kFloatingBar, 120, 1, editableBar());
    btPliantBody& body = const_cast<btPliantBody&>(world.soft(0));
    world.step(0.1);
    body.setReducedCoordinates(0.01 * VectorX::Ones(body.getModel().dimension()));
    world.step(0.05);
    const VectorX q = body.getReducedCoordinates(), v = body.getReducedVelocities();
    const VectorX before = body.getModalFrequencies();
    MaterialEdit softer;
    softer.stiffnessScale = 0.25;
    EXPECT_EQ(body.setMaterial({softer}), "");
    EXPECT_EQ((body.getReducedCoordinates() - q).norm(), 0.0);
    EXPECT_EQ((body.getReducedVelocities() - v).norm(), 0.0);
    EXPECT_LT((body.getModalFrequencies() - 0.5 * before).norm(), 1e-6 * before.norm());
    const auto shared = body.getSharedModel();
    EXPECT_EQ(body.setMaterial({softer}), "");
    EXPECT_EQ(body.getSharedModel(), shared) << "edits replace each other, and equal ones share a model";
    EXPECT_EQ(body.setMaterial({}), "");
    EXPECT_EQ((body.getModalFrequencies() - before).norm(), 0.0) << "the model's own again";
}

TEST(BodyMaterial, ABodyMovesAsOneThatWasMadeOfIt) {
    SceneInWorld edited(kFloatingBar, 120, 1, editableBar()), made(kFloatingBar, 120, 1, editableBar());
    MaterialEdit softer;
    softer.stiffnessScale = 0.25;
    btPliantBody& body = const_cast<btPliantBody&>(edited.soft(0));
    ASSERT_EQ(body.setMaterial({softer}), "");
    btPliantBodyInfo info;
    info.m_damping = body.getSettings().damping;
    btPliantSystem& system = made.scene().getSystem();
    btPliantBody* other = system.createBody(withMaterial(body.getModel(), {}), info);
    made.world().addRigidBody(other);
    const VectorX q = 0.01 * VectorX::Ones(body.getModel().dimension());
    body.setReducedCoordinates(q);
    other->setReducedCoordinates(q);
    made.world().removeRigidBody(const_cast<btPliantBody*>(&made.soft(0)));
    edited.step(0.3);
    made.step(0.3);
    EXPECT_LT((body.getReducedCoordinates() - other->getReducedCoordinates()).norm(), 1e-9 * q.norm());
    made.world().addRigidBody(const_cast<btPliantBody*>(&made.soft(0)));
    system.destroyBody(other);
}

TEST(BodyMaterial, WhatCannotBeIsTold) {
    SceneInWorld world(kFloatingBar, 120, 1, editableBar());
    btPliantBody& body = const_cast<btPliantBody&>(world.soft(0));
    MaterialEdit edit;
    edit.density = 5.0;
    EXPECT_THAT(body.setMaterial({edit}), HasSubstr("another density"));
    edit = {};
    edit.stiffnessScale = -1.0;
    EXPECT_THAT(body.setMaterial({edit}), HasSubstr("no positive number"));
    edit = {};
    edit.material = 7;
    EXPECT_THAT(body.setMaterial({edit}), HasSubstr("there is no material 7"));
}

// What states no damping has that of its model and of the scene's step.
TEST(SceneMaterials, StepsThatAreTooLongForVibrationsDampThem) {
    TestWorld bullet;
    for (const int stepsASecond : {1, 120}) {
        const scene::SceneDescription description = scene::parseScene(
            "time: {frames_per_second: " + std::to_string(stepsASecond) + ", substeps: 1}\n" + kFloatingBar,
            "steps.yaml", anyModel());
        btPliantScene physics(*bullet.system, description, btPliantScene::Models(1, editableBar()));
        EXPECT_EQ(physics.getDeformables()[0].m_body->getSettings().damping.stiffness,
                  defaultDamping(*editableBar(), 1.0 / stepsASecond).stiffness);
    }
    EXPECT_GT(defaultDamping(*editableBar(), 1.0).stiffness, defaultDamping(*editableBar(), 1.0 / 120.0).stiffness);
}

TEST(SceneMaterials, EventsSetStiffnessAndDamping) {
    SceneInWorld world(kFloatingBar +
                           "events:\n  - {at: 0.1, do: [{set: {what: bar.stiffness, to: 4}}]}\n"
                           "  - {at: 0.2, do: [{set: {what: bar.damping.mass, to: 7}}, {set: {what: "
                           "bar.damping.stiffness, to: 0.001}}]}\n"
                           "  - {at: 0.3, do: [{set: {what: bar.stiffness, to: = 0 - t}}]}\n",
                       120, 1, editableBar());
    const VectorX before = world.soft(0).getModalFrequencies();
    world.step(0.15);
    EXPECT_LT((world.soft(0).getModalFrequencies() - 2.0 * before).norm(), 1e-6 * before.norm());
    world.step(0.1);
    EXPECT_EQ(world.soft(0).getSettings().damping.mass, 7.0);
    EXPECT_EQ(world.soft(0).getSettings().damping.stiffness, 0.001);
    EXPECT_THAT(world.scene().getWarnings(), IsEmpty());
    world.step(0.1);
    EXPECT_THAT(world.scene().getWarnings(), ElementsAre(HasSubstr("which the number cannot be; nothing was done")));
    EXPECT_LT((world.soft(0).getModalFrequencies() - 2.0 * before).norm(), 1e-6 * before.norm());
}

TEST(SceneMaterials, Mistakes) {
    const std::string box = "rigid: [{name: box, shape: box, mass: 1}]\n";
    EXPECT_THAT(complaint(box + "events: [{at: 1, do: [{set: {what: box.stiffness, to: 1}}]}]\n"),
                HasSubstr("\"box\" has no reduced bodies"));
    try {
        SceneInWorld world(
            kFloatingBar + "events: [{at: 1, do: [{set: {what: bar.material.gold.stiffness, to: 1}}]}]\n", 120, 1,
            editableBar());
        FAIL() << "a material that no mesh has";
    } catch (const Error& problem) {
        EXPECT_THAT(problem.what(), HasSubstr("\"bar\" has no material \"gold\"; it has: "));
        EXPECT_THAT(problem.what(), HasSubstr("timed.yaml:5:"));
    }
}

TEST(SceneStates, ARestoredWorldMakesTheSameBitsAgain) {
    const std::string text =
        kBarModel +
        "ground: {}\nbodies:\n  - {name: first, model: bar, position: [0, 0, 0.25], jitter: {rotation: 20}}\n"
        "  - {name: later, model: bar, spawn: {most: 2}}\n"
        "rigid: [{name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0.05, 0, 0.8]}]\n"
        "events:\n  - {at: 0.1, do: [{spawn: {of: later, position: [0, 0, 1.2]}}]}\n"
        "  - {at: 0.4, do: [{save: half}]}\n  - {at: 0.9, do: [{spawn: {of: later, position: [2, 0, 1]}}]}\n"
        "  - {at: 1, do: [{restore: half}]}\n";
    SceneInWorld world(text);
    world.step(0.4);
    const std::vector<double> saved = world.state();
    EXPECT_EQ(world.presentBodies(), 3);
    world.step(0.45);
    const std::vector<double> first = world.state();
    EXPECT_NE(saved, first);
    world.step(0.1);
    EXPECT_EQ(world.presentBodies(), 4);
    world.step(0.05);  // the event at 1 s
    EXPECT_EQ(world.presentBodies(), 3) << "who came in later waits again";
    EXPECT_EQ(world.state(), saved);
    world.step(0.45);
    EXPECT_EQ(world.state(), first);
    EXPECT_NEAR(world.scene().getTime(), 1.45, 1e-6) << "time goes on";
    EXPECT_THAT(world.scene().getWarnings(), IsEmpty());
}

TEST(SceneStates, WhatIsNotSavedYetIsAWarning) {
    SceneInWorld world(kFloatingBar + "events:\n  - {at: 0.1, do: [{restore: a}]}\n  - {at: 0.5, do: [{save: a}]}\n");
    world.step(0.2);
    EXPECT_THAT(world.scene().getWarnings(), ElementsAre(HasSubstr("\"a\" was not saved yet")));
    EXPECT_THAT(complaint(kFloatingBar + "events: [{at: 1, do: [{restore: a}]}]\n"),
                HasSubstr("no saved state is called \"a\""));
}

TEST(ScenePictures, AreWantedByEventsOnce) {
    SceneInWorld world(kFloatingBar + "events: [{at: 0.1, do: [{picture: a.png}, {picture: b/c.jpg}]}]\n");
    world.step(0.05);
    EXPECT_THAT(world.scene().takePictures(), IsEmpty());
    world.step(0.1);
    EXPECT_THAT(world.scene().takePictures(), ElementsAre("a.png", "b/c.jpg"));
    EXPECT_THAT(world.scene().takePictures(), IsEmpty());
    EXPECT_THAT(complaint(kFloatingBar + "events: [{at: 1, do: [{picture: a.tif}]}]\n"),
                HasSubstr("does not end in .png"));
    EXPECT_THAT(complaint(kFloatingBar + "events: [{at: 1, do: [{picture: ../a.png}]}]\n"), HasSubstr("output folder"));
}

// What `pliant play` draws of a record: poses have what joints held, and the scene knows how these look.
TEST(SceneState, PosesOfAnotherRunBringTheLooksOfItsJoints) {
    const std::string text =
        kBarModel +
        "bodies: [{name: bar, model: bar, position: [0, 0, 2]}]\n"
        "rigid: [{name: ball, repeat: {i: 2}, shape: sphere, radius: 0.1, mass: 1, position: [= 2*i - 1, "
        "0, 2]}]\njoints:\n"
        "  - {name: hook, kind: point, between: [bar], point: [0.4, 0, 0]}\n"
        "  - {name: rope, repeat: {i: 2}, kind: point, between: [\"ball[= i]\"], at: [= 2*i - 1, 0, "
        "2.6]}\nevents: [{at: 0.2, do: [{part: \"rope[0]\"}]}, {at: 0.25, do: [{push: {of: "
        "\"ball[1]\", impulse: [1, 0, 0]}}]}]\n";
    SceneInWorld run(text);
    run.step(0.6);
    const scene::ScenePoses last = run.scene().getPoses();
    EXPECT_EQ(last.isHeld, std::vector<char>({1, 0, 1}));
    SceneInWorld shown(text);
    ASSERT_GT(shown.scene().getPoses().links.pins.size(), last.links.pins.size()) << "all joints hold at the start";
    shown.scene().setPoses(last);
    const scene::LinkShapes& links = shown.scene().getPoses().links;
    ASSERT_EQ(links.pins.size(), last.links.pins.size());
    ASSERT_EQ(links.rods.size(), last.links.rods.size());
    for (std::size_t i = 0; i < links.pins.size(); ++i)
        EXPECT_LT((links.pins[i].centre - last.links.pins[i].centre).norm(), 0.01) << "half a step of the material";
    EXPECT_EQ(shown.scene().getPoses().time, last.time);
}

}  // namespace
}  // namespace pliant::test
