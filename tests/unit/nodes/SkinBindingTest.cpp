// SPDX-License-Identifier: Zlib
// What a skin keeps of the node that it was made of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <osg/Billboard>
#include <osg/LOD>
#include <osg/Material>
#include <osg/MatrixTransform>
#include <osg/ShapeDrawable>
#include <osg/Switch>
#include <osgText/Text>
#include <osgUtil/IntersectionVisitor>
#include <osgUtil/UpdateVisitor>

#include "PixelOf.h"
#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/Conversions.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/Skin.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::Skin;
using testing::HasSubstr;

namespace {

const std::vector<double> unbent(brickTorusDimension, 0.0);
const osg::Vec3d viewedFrom(0.4, 0.8, 2.6);

osg::ref_ptr<osg::Image> draw(osg::Node* scene, double away = 1.0) {
    return renderPicture(scene, "skin", viewedFrom * away, osg::Vec3d(0.0, 0.0, 0.0), 240, 180);
}

osg::ref_ptr<osg::Node> copyOf(osg::Node* node) {
    osg::ref_ptr<osg::MatrixTransform> place = new osg::MatrixTransform;
    place->addChild(node);
    return place;
}

osg::ref_ptr<BodyGroup> bodyOf(const osg::Node* node, const std::vector<double>& q = unbent) {
    osg::ref_ptr<BodyGroup> group = new BodyGroup(Skin::bind(node, makeBrickTorus()), 1);
    group->setBodyFromMesh(0, osg::Matrixd(), q.data());
    return group;
}

osg::ref_ptr<osg::Node> coloured(const osg::Vec4& colour) {
    osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*makeBrickTorus(), unbent));
    osg::ref_ptr<osg::Material> material = new osg::Material;
    material->setDiffuse(osg::Material::FRONT_AND_BACK, colour);
    node->getOrCreateStateSet()->setAttributeAndModes(material,
                                                      osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE);
    return node;
}

}  // namespace

TEST(Skin, MovesAsTheModelsOwnSurface) {
    const auto model = makeBrickTorus();
    const osg::ref_ptr<Skin> skin = Skin::bind(makeSkinNode(inMeshFrame(*model, unbent)), model);
    ASSERT_TRUE(skin.valid());
    EXPECT_EQ(skin->getNote(), "");
    ASSERT_EQ(skin->getDeformation()->getVertexCount(), model->surfaceVertexCount());
    const std::vector<double> q = makeCoordinates(brickTorusDimension, 5, 0.04);
    const pliant::PointsF drawn = skin->getDeformation()->getPositions(q.data());
    const pliant::Points expected = inMeshFrame(*model, q).positions;
    EXPECT_LT((drawn.cast<double>() - expected).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Skin, RaysHitItAndTellTheMaterialPoint) {
    const auto model = makeBrickTorus();
    const std::vector<double> q = makeCoordinates(brickTorusDimension, 5, 0.04);
    const osg::ref_ptr<BodyGroup> group = bodyOf(makeSkinNode(inMeshFrame(*model, unbent)), q);
    osgUtil::UpdateVisitor update;
    group->accept(update);
    const pliant::SurfaceMesh bent = inMeshFrame(*model, q), flat = inMeshFrame(*model, unbent);
    const auto corner = bent.triangles.col(200);
    const auto middle = [&](const pliant::SurfaceMesh& surface) {
        return pliant::Vector3(
            (surface.positions.col(corner[0]) + surface.positions.col(corner[1]) + surface.positions.col(corner[2])) /
            3.0);
    };
    const pliant::Vector3 out = bent.normals.col(corner[0]);
    osg::ref_ptr<osgUtil::LineSegmentIntersector> ray = new osgUtil::LineSegmentIntersector(
        osgPliant::toOsg(middle(bent) + 0.02 * out), osgPliant::toOsg(middle(bent) - 0.02 * out));
    osgUtil::IntersectionVisitor visitor(ray);
    group->accept(visitor);
    ASSERT_TRUE(ray->containsIntersections());
    const osgPliant::BodyHit hit = BodyGroup::getHit(ray->getFirstIntersection());
    EXPECT_EQ(hit.body, 0);
    EXPECT_LT((hit.restPoint - osgPliant::toOsg(middle(flat))).length(), 2e-3);
}

TEST(Skin, StateSetsMayBeEditedAtAnyTime) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*makeBrickTorus(), unbent));
    const osg::ref_ptr<BodyGroup> body = bodyOf(node);
    const auto before = draw(body);
    osg::Geometry& geometry = *node->getChild(0)->asGroup()->getChild(0)->asGroup()->getChild(0)->asGeometry();
    static_cast<osg::Material*>(geometry.getStateSet()->getAttribute(osg::StateAttribute::MATERIAL))
        ->setDiffuse(osg::Material::FRONT_AND_BACK, osg::Vec4(0.1f, 0.9f, 0.1f, 1.0f));
    const auto after = draw(body);
    ASSERT_TRUE(before && after);
    EXPECT_GT(countDifferentPixels(*before, *after, 20), 1000);
    EXPECT_EQ(countDifferentPixels(*draw(copyOf(node)), *after, 3), 0);
}

TEST(Skin, LevelsOfDetailAndSwitchesAreKept) {
    PLIANT_NEEDS_OPENGL();
    osg::ref_ptr<osg::LOD> levels = new osg::LOD;
    levels->addChild(coloured(osg::Vec4(0.9f, 0.1f, 0.1f, 1.0f)), 0.0f, 4.0f);
    levels->addChild(coloured(osg::Vec4(0.1f, 0.1f, 0.9f, 1.0f)), 4.0f, 8.0f);
    osg::ref_ptr<osg::Switch> choice = new osg::Switch;
    choice->addChild(coloured(osg::Vec4(0.1f, 0.9f, 0.1f, 1.0f)), false);
    choice->addChild(levels, true);
    const osg::ref_ptr<BodyGroup> body = bodyOf(choice);
    const auto nothing = draw(new osg::Group);
    for (const double away : {1.0, 2.0, 4.0}) {  // near, far, too far
        const auto expected = draw(copyOf(choice), away), drawn = draw(body, away);
        ASSERT_TRUE(expected && drawn);
        EXPECT_EQ(countDifferentPixels(*expected, *drawn, 3), 0) << away;
        EXPECT_EQ(countDifferentPixels(*nothing, *drawn, 3) > 0, away < 4.0) << away;
    }
}

TEST(Skin, LevelsOfDetailBehindHiddenOnesAreTheirOwn) {
    PLIANT_NEEDS_OPENGL();
    const auto levelsOf = [](const osg::Vec4& near, const osg::Vec4& far) {
        osg::ref_ptr<osg::LOD> levels = new osg::LOD;
        levels->addChild(coloured(near), 0.0f, 4.0f);
        levels->addChild(coloured(far), 4.0f, 8.0f);
        return levels;
    };
    const osg::Vec4 red(0.9f, 0.1f, 0.1f, 1.0f), green(0.1f, 0.9f, 0.1f, 1.0f), blue(0.1f, 0.1f, 0.9f, 1.0f);
    osg::ref_ptr<osg::LOD> farAlone = new osg::LOD;
    farAlone->addChild(levelsOf(red, red), 5.0f, 8.0f);
    osg::ref_ptr<osg::Switch> hidden = new osg::Switch;
    hidden->addChild(farAlone, false);
    osg::ref_ptr<osg::Group> both = new osg::Group;
    both->addChild(hidden);
    both->addChild(levelsOf(green, blue));
    const osg::ref_ptr<BodyGroup> body = bodyOf(both);
    for (const double away : {1.0, 2.0}) {
        const auto expected = draw(copyOf(both), away), drawn = draw(body, away);
        ASSERT_TRUE(expected && drawn);
        EXPECT_EQ(countDifferentPixels(*expected, *drawn, 3), 0) << away;
    }
}

TEST(Skin, ChoicesOfLevelsMayComeBack) {
    PLIANT_NEEDS_OPENGL();
    osg::ref_ptr<osg::LOD> levels = new osg::LOD;
    levels->addChild(coloured(osg::Vec4(0.9f, 0.1f, 0.1f, 1.0f)), 0.0f, 4.0f);
    levels->addChild(coloured(osg::Vec4(0.1f, 0.1f, 0.9f, 1.0f)), 4.0f, 100.0f);
    const osg::ref_ptr<BodyGroup> body = bodyOf(levels);
    osgPliant::HeadlessOptions options;
    options.width = 60;
    options.height = 40;
    osgPliant::HeadlessViewer window(options);
    window.setScene(body);
    const auto look = [&](double away, int frames) {
        window.setCamera(viewedFrom * away, osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
        for (int frame = 1; frame < frames; ++frame) window.render(0.0);
        return osg::ref_ptr<osg::Image>(new osg::Image(*window.render(0.0), osg::CopyOp::DEEP_COPY_ALL));
    };
    const auto near = look(1.0, 1), far = look(2.0, 300), again = look(1.0, 1);
    EXPECT_GT(countDifferentPixels(*near, *far, 20), 20);
    EXPECT_EQ(countDifferentPixels(*near, *again, 1), 0);
}

TEST(Skin, BillboardsStandStillAndGeodesAreKept) {
    const auto model = makeBrickTorus();
    const pliant::SurfaceMesh surface = inMeshFrame(*model, unbent);
    osg::ref_ptr<osg::Billboard> billboard = new osg::Billboard;
    billboard->addDrawable(makeGeometry(surface), osg::Vec3(0.0f, 0.01f, 0.0f));
    osg::ref_ptr<osg::Geode> geode = new osg::Geode;
    geode->addDrawable(new osgText::Text);
    geode->addDrawable(makeGeometry(surface));
    osg::ref_ptr<osg::Group> node = new osg::Group;
    node->addChild(billboard);
    node->addChild(geode);
    const osg::ref_ptr<Skin> skin = Skin::bind(node, model);
    ASSERT_TRUE(skin.valid());
    EXPECT_THAT(skin->getNote(), HasSubstr("1 billboards do not turn"));
    const osg::Group& bound = *skin->getTemplate()->asGroup();
    EXPECT_EQ(dynamic_cast<const osg::Billboard*>(bound.getChild(0)), nullptr);
    ASSERT_NE(bound.getChild(1)->asGeode(), nullptr);
    EXPECT_EQ(bound.getChild(1)->asGeode()->getNumDrawables(), 1u);
    const pliant::PointsF drawn = skin->getDeformation()->getPositions(unbent.data());
    EXPECT_NEAR(drawn(1, 0) - surface.positions(1, 0), 0.01, 1e-6) << "where the billboard has it";
    PLIANT_NEEDS_OPENGL();
    EXPECT_GT(countDifferentPixels(*draw(new osg::Group), *draw(bodyOf(node)), 8), 1000);
}

TEST(Skin, TransparentBodiesAreBlendedFromFarToNear) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeBrickTorus();
    osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*model, unbent));
    osg::ref_ptr<osg::Material> glass = new osg::Material;
    glass->setDiffuse(osg::Material::FRONT_AND_BACK, osg::Vec4(0.8f, 0.5f, 0.3f, 0.4f));
    osg::StateSet& state = *node->getOrCreateStateSet();
    state.setAttributeAndModes(glass, osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE);
    state.setMode(GL_BLEND, osg::StateAttribute::ON);
    state.setMode(GL_CULL_FACE, osg::StateAttribute::ON);
    state.setRenderingHint(osg::StateSet::TRANSPARENT_BIN);
    osg::ref_ptr<BodyGroup> bodies = new BodyGroup(Skin::bind(node, model), 3);
    osg::ref_ptr<osg::Group> copies = new osg::Group;
    for (int i = 0; i < 3; ++i) {
        const osg::Matrixd place = osg::Matrixd::rotate(0.7 * i, osg::Vec3d(0.0, 0.0, 1.0)) *
                                   osg::Matrixd::translate(viewedFrom * (0.2 * ((2 * i) % 3)));
        bodies->setBodyFromMesh(i, place, unbent.data());
        osg::ref_ptr<osg::MatrixTransform> copy = new osg::MatrixTransform(place);
        copy->addChild(node);
        copies->addChild(copy);
    }
    const auto expected = draw(copies), drawn = draw(bodies);
    ASSERT_TRUE(expected && drawn);
    EXPECT_EQ(countDifferentPixels(*expected, *drawn, 3), 0);
}

TEST(Skin, BodiesHaveColoursOfTheirOwn) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<BodyGroup> body = bodyOf(coloured(osg::Vec4(0.9f, 0.9f, 0.9f, 1.0f)));
    body->setColour(0, osg::Vec4(1.0f, 0.2f, 0.2f, 1.0f));
    EXPECT_EQ(body->getColour(0), osg::Vec4(1.0f, 0.2f, 0.2f, 1.0f));
    const auto drawn = draw(body), expected = draw(copyOf(coloured(osg::Vec4(0.9f, 0.18f, 0.18f, 1.0f))));
    ASSERT_TRUE(drawn && expected);
    EXPECT_LT(countDifferentPixels(*expected, *drawn, 12), 20);
}

TEST(Skin, AShaderThatIsEditedIsComposedAnew) {
    PLIANT_NEEDS_OPENGL();
    const auto withColour = [](const std::string& colour) {
        return "#version 120\nvoid main() { gl_FrontColor = " + colour + "; gl_Position = ftransform(); }";
    };
    osg::ref_ptr<osg::Shader> shader = new osg::Shader(osg::Shader::VERTEX, withColour("vec4(1.0, 0.0, 0.0, 1.0)"));
    osg::ref_ptr<osg::Program> program = new osg::Program;
    program->addShader(shader);
    program->addShader(
        new osg::Shader(osg::Shader::FRAGMENT, "#version 120\nvoid main() { gl_FragColor = gl_Color; }"));
    const osg::ref_ptr<BodyGroup> body = bodyOf(makeSkinNode(inMeshFrame(*makeBrickTorus(), unbent)));
    body->getOrCreateStateSet()->setAttributeAndModes(program);
    const auto red = [](const osg::Image& image) {
        int count = 0;
        for (int y = 0; y < image.t(); ++y)
            for (int x = 0; x < image.s(); ++x) count += pixelOf(image, x, y)[0] > 200 && pixelOf(image, x, y)[1] < 50;
        return count;
    };
    EXPECT_GT(red(*draw(body)), 500);
    shader->setShaderSource(withColour("vec4(0.0, 1.0, 0.0, 1.0)"));
    EXPECT_EQ(red(*draw(body)), 0);
}

TEST(Skin, AttributesMayHaveNamesOfTheirOwn) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*makeBrickTorus(), unbent));
    osg::Geometry& geometry = *node->getChild(0)->asGroup()->getChild(0)->asGroup()->getChild(0)->asGeometry();
    geometry.setVertexAttribArray(6, geometry.getVertexArray(), osg::Array::BIND_PER_VERTEX);
    geometry.setVertexAttribArray(7, geometry.getNormalArray(), osg::Array::BIND_PER_VERTEX);
    geometry.setUseDisplayList(false);
    geometry.setUseVertexBufferObjects(true);
    osg::ref_ptr<osg::Program> program = new osg::Program;
    program->addShader(new osg::Shader(osg::Shader::VERTEX, R"(#version 330 compatibility
in vec3 place;
in vec3 facing;
out vec3 normal;
void main() {
    normal = gl_NormalMatrix * facing;
    gl_Position = gl_ModelViewProjectionMatrix * vec4(place, 1.0);
})"));
    program->addShader(new osg::Shader(osg::Shader::FRAGMENT, R"(#version 330 compatibility
in vec3 normal;
void main() { gl_FragColor = vec4(0.5 + 0.5 * normalize(normal), 1.0); })"));
    program->addBindAttribLocation("place", 6);
    program->addBindAttribLocation("facing", 7);
    const osg::ref_ptr<BodyGroup> body = bodyOf(node);
    body->setAttributeNames("place", "facing");
    const osg::ref_ptr<osg::Node> copy = copyOf(node);
    for (osg::Node* root : {static_cast<osg::Node*>(body.get()), copy.get()})
        root->getOrCreateStateSet()->setAttributeAndModes(program);
    const auto expected = draw(copy), drawn = draw(body), nothing = draw(new osg::Group);
    ASSERT_TRUE(expected && drawn);
    EXPECT_GT(countDifferentPixels(*nothing, *drawn, 8), 1000);
    EXPECT_EQ(countDifferentPixels(*expected, *drawn, 3), 0);
}

TEST(Skin, SaysWhatIsProbablyNotMeant) {
    const auto model = makeBrickTorus();
    osg::ref_ptr<osg::Group> node = new osg::Group;
    EXPECT_FALSE(Skin::bind(node, model).valid()) << "no geometry";
    EXPECT_FALSE(Skin::bind(makeSkinNode(inMeshFrame(*model, unbent)), makeTorus()).valid()) << "no mesh";
    EXPECT_FALSE(Skin::bind(nullptr, model).valid());
    osg::ref_ptr<osg::MatrixTransform> turned =
        new osg::MatrixTransform(osg::Matrixd::rotate(osg::PI_2, osg::Vec3d(1.0, 0.0, 0.0)));
    turned->addChild(makeSkinNode(inMeshFrame(*model, unbent)));
    turned->addChild(new osgText::Text);
    osg::ref_ptr<osg::Geometry> homogeneous = new osg::Geometry;
    homogeneous->setVertexArray(new osg::Vec4Array(3));
    turned->addChild(homogeneous);
    const osg::ref_ptr<Skin> skin = Skin::bind(turned, model);
    ASSERT_TRUE(skin.valid());
    EXPECT_THAT(skin->getNote(), HasSubstr("1 drawables that are not geometries"));
    EXPECT_THAT(skin->getNote(), HasSubstr("1 geometries without vertices of three numbers"));
    EXPECT_THAT(skin->getNote(), HasSubstr("outside of the model's mesh"));
    EXPECT_THAT(skin->getNote(), HasSubstr("noRotation"));
}

TEST(Skin, VisitorsSeeItsStateSets) {
    struct FindTextures : public osg::NodeVisitor {
        FindTextures() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) {}
        void apply(osg::Drawable& drawable) override {
            if (drawable.getStateSet())
                textures += drawable.getStateSet()->getTextureAttribute(0, osg::StateAttribute::TEXTURE) != nullptr;
        }
        int textures = 0;
    } find;
    bodyOf(makeSkinNode(inMeshFrame(*makeBrickTorus(), unbent)))->accept(find);
    EXPECT_EQ(find.textures, 1);
}

// Those that its shader imports by a pragma, and those that it is told by hand.
TEST(Skin, DefinesOfStateSetsReachItsShaders) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<BodyGroup> body = bodyOf(makeSkinNode(inMeshFrame(*makeBrickTorus(), unbent)));
    const auto green = [&] {
        const auto image = draw(body);
        int count = 0;
        for (int y = 0; y < image->t(); ++y)
            for (int x = 0; x < image->s(); ++x)
                count += pixelOf(*image, x, y)[1] > 200 && pixelOf(*image, x, y)[0] < 50;
        return count;
    };
    const auto useProgram = [&](const char* pragma, bool byHand) {
        const osg::ref_ptr<osg::Program> program = new osg::Program;
        const osg::ref_ptr<osg::Shader> shader = new osg::Shader(
            osg::Shader::VERTEX,
            std::string("#version 150 compatibility\n") + pragma +
                "\nvoid main() {\n#ifdef GREEN\ngl_FrontColor = vec4(0.0, 1.0, 0.0, 1.0);\n#else\ngl_FrontColor = "
                "vec4(1.0, 0.0, 0.0, 1.0);\n#endif\ngl_Position = ftransform(); }");
        if (byHand) {
            shader->setShaderDefinesMode(osg::Shader::USE_MANUAL_SETTINGS);
            shader->setShaderDefines({"GREEN"});
        }
        program->addShader(shader);
        program->addShader(new osg::Shader(osg::Shader::FRAGMENT,
                                           "#version 150 compatibility\nvoid main() { gl_FragColor = gl_Color; }"));
        body->getOrCreateStateSet()->setAttributeAndModes(program);
    };
    useProgram("#pragma import_defines(GREEN)", false);
    EXPECT_EQ(green(), 0) << "nobody defines it";
    body->getOrCreateStateSet()->setDefine("GREEN");
    EXPECT_GT(green(), 1000);
    useProgram("", false);
    EXPECT_EQ(green(), 0) << "nobody imports it";
    useProgram("", true);
    EXPECT_GT(green(), 1000);
}

// A row times the transpose is the matrix times the column.
TEST(Skin, TransposesOfTheProjectedMatrixAreTheBodys) {
    PLIANT_NEEDS_OPENGL();
    const auto with = [](const std::string& position) {
        const osg::ref_ptr<BodyGroup> body = bodyOf(makeSkinNode(inMeshFrame(*makeBrickTorus(), unbent)));
        body->setBodyFromMesh(0, osg::Matrixd::translate(0.3, 0.0, 0.2), unbent.data());
        const osg::ref_ptr<osg::Program> program = new osg::Program;
        program->addShader(new osg::Shader(osg::Shader::VERTEX,
                                           "#version 150 compatibility\nvoid main() { gl_FrontColor = "
                                           "vec4(gl_Normal, 1.0); gl_Position = " +
                                               position + "; }"));
        program->addShader(new osg::Shader(osg::Shader::FRAGMENT,
                                           "#version 150 compatibility\nvoid main() { gl_FragColor = gl_Color; }"));
        body->getOrCreateStateSet()->setAttributeAndModes(program);
        return draw(body);
    };
    const auto expected = with("gl_ModelViewProjectionMatrix * gl_Vertex"), nothing = draw(new osg::Group);
    EXPECT_GT(countDifferentPixels(*nothing, *expected, 8), 1000);
    for (const char* position : {"gl_Vertex * gl_ModelViewProjectionMatrixTranspose",
                                 "gl_Vertex * inverse(gl_ModelViewProjectionMatrixInverseTranspose)"}) {
        const auto drawn = with(position);
        EXPECT_LT(countDifferentPixels(*expected, *drawn, 8), 20) << position;
    }
}
