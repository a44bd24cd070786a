// SPDX-License-Identifier: Zlib
// Characters on the graphics card against the CPU, pixel by pixel.
#include <gtest/gtest.h>

#include <osg/Group>
#include <osg/LightSource>
#include <osgShadow/ShadowMap>
#include <osgShadow/ShadowedScene>

#include "CharacterModels.h"
#include "SkinModels.h"
#include "osgPliant/CharacterGroup.h"
#include "osgPliant/SoftwareDeformation.h"
#include "osgPliant/Stage.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::CharacterGroup;
using osgPliant::ModelGeometry;
using osgPliant::SoftwareDeformation;
using pliant::Vector3;

namespace {

constexpr int kWidth = 1280, kHeight = 800, kCharacters = 5;
const osg::Vec3d eye(0.9, 1.4, 2.1), centre(0.0, 0.0, 0.0);

Vector3 placeOf(int character) {
    return {0.75 * (character % 3 - 1), 0.05 * character, 0.8 * (character / 3) - 0.4};
}

osg::ref_ptr<osg::Node> staged(osg::Node* node) {
    osgPliant::StageSettings settings;
    settings.shadows = false;  // the map is fitted to bounds, and those of what deforms are wider
    osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage(settings);
    stage->addChild(node);
    return stage;
}

osg::ref_ptr<CharacterGroup> posed(CharacterGroup* group, int dimension) {
    group->setPixelError(0.0);
    for (int i = 0; i < kCharacters; ++i)
        group->setCharacter(i, makeBones(i, placeOf(i)), makeCoordinates(dimension, i).data());
    return group;
}

/// The same characters, each deformed on the CPU and drawn on its own.
osg::ref_ptr<osg::Node> reference(const pliant::CharacterModel& character, int dimension) {
    osg::ref_ptr<osg::Group> all = new osg::Group;
    const double none = 0.0;
    for (int i = 0; i < kCharacters; ++i) {
        const auto frozen = freezeCharacter(character, makeBones(i, placeOf(i)), makeCoordinates(dimension, i));
        osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(frozen, ModelGeometry::Float), 1);
        group->setPixelError(0.0);
        group->setBody(0, osg::Matrixd(), &none);
        all->addChild(group);
    }
    return all;
}

osg::ref_ptr<osg::Image> pictureOf(osg::Node* scene, const std::string& name) {
    return renderPicture(scene, name, eye, centre, kWidth, kHeight);
}

}  // namespace

TEST(CharacterPicture, GraphicsCardAgreesWithTheProcessor) {
    PLIANT_NEEDS_OPENGL();
    const auto character = makeTorusCharacter();
    const auto gpu = pictureOf(
        staged(posed(new CharacterGroup(new ModelGeometry(character, ModelGeometry::Float), kCharacters), 10)),
        "character_gpu");
    const auto cpu = pictureOf(staged(reference(*character, 10)), "character_cpu");
    ASSERT_TRUE(gpu && cpu);
    EXPECT_LE(countDifferentPixels(*gpu, *cpu, 4), 1) << "of a million";
    // The comparison sees bones and flesh.
    auto stiff = makeBones(0, Vector3::Zero(), 0.0);
    osg::ref_ptr<CharacterGroup> rest = posed(new CharacterGroup(character, kCharacters), 10);
    for (int i = 0; i < kCharacters; ++i) rest->setCharacter(i, makeBones(i, placeOf(i)), nullptr);
    EXPECT_GT(countDifferentPixels(*gpu, *pictureOf(staged(rest), "character_skin"), 4), 2000);
    for (int i = 0; i < kCharacters; ++i) {
        for (pliant::AffineMap& bone : stiff) bone.col(3) = placeOf(i);
        rest->setCharacter(i, stiff, makeCoordinates(10, i).data());
    }
    EXPECT_GT(countDifferentPixels(*gpu, *pictureOf(staged(rest), "character_bound"), 4), 20000);
}

TEST(CharacterPicture, HalfFloatsCostNothingVisible) {
    PLIANT_NEEDS_OPENGL();
    const auto character = makeTorusCharacter();
    const auto gpu = pictureOf(staged(posed(new CharacterGroup(character, kCharacters), 10)), "character_half");
    const auto cpu = pictureOf(staged(reference(*character, 10)), "character_cpu");
    ASSERT_TRUE(gpu && cpu);
    EXPECT_LE(countDifferentPixels(*gpu, *cpu, 12), kWidth * kHeight / 500);
}

// Without flesh that moves there are bones alone; the last texel of q may be a part of one.
TEST(CharacterPicture, EveryDimension) {
    PLIANT_NEEDS_OPENGL();
    for (const int dimension : {0, 1, 4, 5}) {
        TorusOptions options;
        options.dimension = dimension;
        const auto character = makeTorusCharacter(options);
        osg::ref_ptr<ModelGeometry> geometry = new ModelGeometry(character, ModelGeometry::Float);
        const auto gpu = pictureOf(staged(posed(new CharacterGroup(geometry, kCharacters), dimension)), "dimension");
        const auto cpu = pictureOf(staged(reference(*character, dimension)), "dimension_cpu");
        ASSERT_TRUE(gpu && cpu);
        EXPECT_LE(countDifferentPixels(*gpu, *cpu, 4), 1) << "r = " << dimension;
    }
}

namespace {

/// A node of the user's on flesh in bricks whose frame is turned against the file's.
osg::ref_ptr<CharacterGroup> skinned() {
    const auto character = onBones(makeBrickTorus());
    const osg::ref_ptr<osg::Group> node =
        makeSkinNode(inMeshFrame(*character->flesh, std::vector<double>(brickTorusDimension, 0.0)));
    const osg::ref_ptr<osgPliant::Skin> skin = osgPliant::Skin::bind(node, character, osgPliant::Deformation::Float);
    return posed(new CharacterGroup(skin, kCharacters), brickTorusDimension);
}

osg::ref_ptr<osg::Group> shadowed(osgShadow::ShadowTechnique* technique, osg::Node* node) {
    osg::ref_ptr<osg::Group> root = new osg::Group;
    if (technique) root = new osgShadow::ShadowedScene(technique);
    osg::ref_ptr<osg::LightSource> lamp = new osg::LightSource;
    lamp->getLight()->setPosition(osg::Vec4(0.5f, 2.5f, 1.0f, 0.0f));
    root->addChild(lamp);
    root->addChild(node);
    return root;
}

}  // namespace

// The user's node under fixed function, and the same as plain geometries of the processor.
TEST(CharacterPicture, SkinsUnderFixedFunction) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<CharacterGroup> group = skinned();
    const osg::ref_ptr<SoftwareDeformation> plain = new SoftwareDeformation(group);
    const auto gpu = pictureOf(shadowed(nullptr, group), "character_skin_gpu");
    const auto cpu = pictureOf(shadowed(nullptr, plain), "character_skin_cpu");
    ASSERT_TRUE(gpu && cpu);
    EXPECT_LE(countDifferentPixels(*gpu, *cpu, 8), 1) << "of a million";
    EXPECT_GT(countDifferentPixels(*gpu, *pictureOf(new osg::Group, "nothing"), 4), 100000);
}

// A shader that says itself what shall deform, under a name that its text does not have.
TEST(CharacterPicture, ShadersThatCallTheDeformation) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<osg::Program> program = new osg::Program;
    program->addShader(new osg::Shader(osg::Shader::VERTEX, R"(#version 330 compatibility
void pliantDeform(inout vec4 position, inout vec3 normal) {}
out vec3 facing;
void main() {
    vec4 place = gl_Vertex;
    facing = gl_Normal;
    pliantDeform(place, facing);
    facing = gl_NormalMatrix * facing;
    gl_Position = gl_ModelViewProjectionMatrix * place;
})"));
    program->addShader(new osg::Shader(osg::Shader::FRAGMENT, R"(#version 330 compatibility
in vec3 facing;
void main() { gl_FragColor = vec4(0.5 + 0.5 * normalize(facing), 1.0); })"));
    const osg::ref_ptr<CharacterGroup> group = skinned();
    const osg::ref_ptr<SoftwareDeformation> plain = new SoftwareDeformation(group);
    for (osg::Node* node : {static_cast<osg::Node*>(group.get()), static_cast<osg::Node*>(plain.get())})
        node->getOrCreateStateSet()->setAttributeAndModes(program);
    const auto gpu = pictureOf(group, "character_called_gpu"), cpu = pictureOf(plain, "character_called_cpu");
    ASSERT_TRUE(gpu && cpu);
    // Sums of another order round otherwise, and pixels of outlines fall to the other side.
    EXPECT_LE(countDifferentPixels(*gpu, *cpu, 8), 5) << "of a million";
    EXPECT_GT(countDifferentPixels(*gpu, *pictureOf(new osg::Group, "nothing"), 4), 100000);
}

TEST(CharacterPicture, CastsAndReceivesShadows) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<CharacterGroup> group = skinned();
    const osg::ref_ptr<SoftwareDeformation> plain = new SoftwareDeformation(group);
    const auto lit = pictureOf(shadowed(nullptr, plain), "character_lit");
    const auto gpu = pictureOf(shadowed(new osgShadow::ShadowMap, group), "character_shadow_gpu");
    const auto cpu = pictureOf(shadowed(new osgShadow::ShadowMap, plain), "character_shadow_cpu");
    ASSERT_TRUE(gpu && cpu && lit);
    const int shadow = countDifferentPixels(*cpu, *lit, 12);
    EXPECT_GT(shadow, 5000) << "there are shadows";
    EXPECT_LT(countDifferentPixels(*gpu, *cpu, 12), shadow / 20) << "maps are fitted to bounds, which are wider";
}

TEST(CharacterPicture, FewerTrianglesInTheDistanceLookTheSame) {
    PLIANT_NEEDS_OPENGL();
    TorusOptions options;
    options.around = 96;
    options.tube = 48;
    const osg::ref_ptr<CharacterGroup> group = posed(new CharacterGroup(makeTorusCharacter(options), kCharacters), 10);
    const osg::ref_ptr<osg::Node> scene = staged(group);
    const auto far = [&](double error, const char* name) {
        group->setPixelError(error);
        return renderPicture(scene, name, eye * 3.0, centre);
    };
    const auto full = far(0.0, "character_full"), reduced = far(0.5, "character_reduced"),
               coarsest = far(1e6, "character_coarsest");
    ASSERT_TRUE(full && reduced && coarsest);
    const int differing = countDifferentPixels(*full, *reduced, 25);
    EXPECT_GT(countDifferentPixels(*full, *reduced, 0), 0) << "a coarser level was drawn";
    EXPECT_LT(differing, 320 * 240 / 500);
    EXPECT_GT(countDifferentPixels(*full, *coarsest, 25), 2 * differing);
}
