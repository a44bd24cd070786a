// SPDX-License-Identifier: Zlib
// Bodies whose sums U q the processor makes against the same whose vertex shaders do: the same pictures, of bodies that
// move, rest, come and go, in all passes, contexts and levels of detail.
#include <gtest/gtest.h>

#include <functional>
#include <osg/BlendFunc>
#include <osg/Geometry>
#include <osg/LOD>
#include <osg/Switch>
#include <osg/observer_ptr>
#include <osgShadow/ShadowMap>
#include <osgShadow/ShadowedScene>
#include <osgUtil/CullVisitor>
#include <osgUtil/SceneView>
#include <osgViewer/Renderer>

#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/ContextRenderer.h"
#include "osgPliant/Deformation.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/ProgramComposer.h"
#include "osgPliant/Skin.h"
#include "osgPliant/SkinPass.h"
#include "osgPliant/VertexSums.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::Skin;

namespace {

constexpr int sumBodies = 6;
constexpr int sumsWidth = 320, sumsHeight = 200;

void setBody(BodyGroup& group, int body, int state) {
    const osg::Matrixd frame = osg::Matrixd::rotate(0.8 * body, osg::Vec3d(1.0, 0.4, 0.2)) *
                               osg::Matrixd::translate(0.9 * (body % 3) - 0.9, 0.8 * (body / 3) - 0.4, 0.0);
    group.setBody(body, frame, makeCoordinates(brickTorusDimension, 10 * body + state, 0.04).data());
}

pliant::SurfaceMesh surfaceAtRest() {
    return inMeshFrame(*makeBrickTorus(), std::vector<double>(brickTorusDimension, 0.0));
}

osg::ref_ptr<BodyGroup> makeGroup(osg::Node* node, osgPliant::SumPlace place) {
    const osg::ref_ptr<BodyGroup> group = new BodyGroup(Skin::bind(node, makeBrickTorus()), sumBodies);
    group->setSumPlace(place);
    for (int i = 0; i < sumBodies; ++i) setBody(*group, i, 0);
    return group;
}

/// Bodies of a skin of their own, so that what is made for one of them is not there for another.
osg::ref_ptr<BodyGroup> makeGroup(osgPliant::SumPlace place) {
    return makeGroup(makeSkinNode(surfaceAtRest()), place);
}

/// Two geometries: all triangles, and a twentieth of them. All vertices of both are vertices of the skin.
std::vector<osg::ref_ptr<osg::Geometry>> fineAndCoarse() {
    pliant::SurfaceMesh coarse = surfaceAtRest();
    coarse.triangles = coarse.triangles.leftCols(coarse.triangles.cols() / 20).eval();
    coarse.triangleMaterial.clear();
    return {makeGeometry(surfaceAtRest()), makeGeometry(coarse)};
}

/// The largest number of bodies whose sums have room in 256 MiB: 24 d N bytes, 24 d r of the basis, a texel of 12.
int mostBodies(const BodyGroup& group) {
    const int vertices = group.getDeformation()->getVertexCount();
    return ((1 << 28) - 12) / (24 * vertices) - brickTorusDimension;
}

/// A viewer of a group, and the picture of its last frame.
struct Picture {
    Picture(BodyGroup* shown, osg::Node* scene) : group(shown), viewer(options()) {
        viewer.setScene(scene);
        look(0.0);
    }
    explicit Picture(BodyGroup* shown) : Picture(shown, shown) {}

    static osgPliant::HeadlessOptions options() {
        osgPliant::HeadlessOptions all;
        all.width = sumsWidth;
        all.height = sumsHeight;
        all.supersampling = 1;
        return all;
    }
    void look(double aside) {
        viewer.setCamera(osg::Vec3d(aside, 0.8, 3.6), osg::Vec3d(aside, 0.0, 0.0), osg::Vec3d(0.0, 1.0, 0.0));
    }
    osg::ref_ptr<osg::Image> draw() { return new osg::Image(*viewer.render(0.1 * ++frame)); }

    osg::ref_ptr<BodyGroup> group;
    osgPliant::HeadlessViewer viewer;
    int frame = 0;
};

bool hasSums(const Picture& picture) {
    return picture.group->getDeformation()->hasSums();
}

/// Bodies whose sums are made when all of them move.
std::uint64_t sumsOfAMove(Picture& picture, int state) {
    for (int i = 0; i < 2; ++i) picture.draw();
    const osgPliant::VertexSums& sums = picture.group->getDeformation()->getSums();
    const std::uint64_t before = sums.getSummedCount();
    for (int i = 0; i < sumBodies; ++i) setBody(*picture.group, i, state);
    for (int i = 0; i < 2; ++i) picture.draw();
    return sums.getSummedCount() - before;
}

/// The buffers of sums, or of bases, that a bin's leaves are drawn by.
using Buffers = std::vector<osg::observer_ptr<const osg::StateAttribute>>;
void addBuffers(osgUtil::RenderBin& bin, Buffers& buffers) {
    for (const osgUtil::StateGraph* graph : bin.getStateGraphList())
        for (; graph; graph = graph->_parent) {
            const osg::StateSet* state = graph->getStateSet();
            const osg::StateAttribute* buffer =
                state ? state->getTextureAttribute(osgPliant::SkinBasisUnit, osg::StateAttribute::TEXTURE) : nullptr;
            if (buffer) buffers.emplace_back(buffer);
        }
    for (const auto& below : bin.getRenderBinList()) addBuffers(*below.second, buffers);
}

/// The buffers of sums that the last frames were drawn by.
Buffers sumBuffers(Picture& picture) {
    Buffers all, sums;
    auto* renderer = dynamic_cast<osgViewer::Renderer*>(picture.viewer.getViewer().getCamera()->getRenderer());
    for (unsigned int i = 0; i < 2; ++i) addBuffers(*renderer->getSceneView(i)->getRenderStage(), all);
    for (const auto& buffer : all)
        if (buffer.get() != picture.group->getDeformation()->getTexture()) sums.push_back(buffer);
    return sums;
}

/// Draws until what waits to be drawn is drawn by all measures: 120 traversals of each of two cull visitors.
void expectDropped(Picture& picture, const Buffers& buffers) {
    EXPECT_FALSE(buffers.empty());
    for (int i = 0; i < 2 * 125; ++i) picture.draw();
    for (const auto& buffer : buffers) EXPECT_FALSE(buffer.valid());
    EXPECT_TRUE(sumBuffers(picture).empty());
}

/// Draws both ways what is done to a group and its camera, frame by frame.
using Frame = std::function<void(Picture&)>;
void expectTheSamePictures(Picture& shader, Picture& processor, const std::vector<Frame>& frames) {
    osg::ref_ptr<osg::Image> before;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        for (Picture* picture : {&shader, &processor}) frames[i](*picture);
        const auto expected = shader.draw(), drawn = processor.draw();
        EXPECT_EQ(countDifferentPixels(*expected, *drawn, 3), 0) << "frame " << i;
        if (before) {
            EXPECT_GT(countDifferentPixels(*expected, *before, 8), 100) << "frame " << i << " shows something new";
        }
        before = expected;
    }
    EXPECT_TRUE(hasSums(processor));
    EXPECT_FALSE(hasSums(shader));
}

void move(Picture& picture, int first, int state) {
    for (int i = first; i < sumBodies; ++i) setBody(*picture.group, i, state);
}

/// The first frame of a context is drawn by vertex shaders either way.
const std::vector<Frame> busyFrames = {
    [](Picture& picture) { picture.look(0.0); },
    [](Picture& picture) { move(picture, 0, 1); },
    [](Picture& picture) { move(picture, 3, 2); },
    [](Picture& picture) { picture.look(0.7); },
    [](Picture& picture) { picture.group->setBodyVisible(1, false); },
    [](Picture& picture) {
        picture.group->setBodyVisible(1, true);
        move(picture, 1, 3);
    },
    [](Picture& picture) {
        picture.group->setBodyCount(sumBodies + 30);
        setBody(*picture.group, sumBodies + 2, 4);
        picture.look(0.1);
    },
};

class SumPlaces : public ::testing::Test {
protected:
    void SetUp() override { PLIANT_NEEDS_OPENGL(); }
};

}  // namespace

TEST_F(SumPlaces, AreChosenByTheRendererUnlessTheyAreTold) {
    const auto summed = [](osgPliant::SumPlace place, std::string& renderer) {
        Picture picture(makeGroup(place));
        for (int i = 0; i < 2; ++i) picture.draw();
        renderer = picture.viewer.getRenderer();
        return hasSums(picture);
    };
    std::string renderer;
    EXPECT_TRUE(summed(osgPliant::SumsOnProcessor, renderer));
    EXPECT_FALSE(summed(osgPliant::SumsInVertexShader, renderer));
    const bool asked = summed(osgPliant::SumsByRenderer, renderer);
    EXPECT_EQ(asked, osgPliant::isSoftwareRenderer(renderer)) << renderer;
    EXPECT_EQ(osg::ref_ptr<BodyGroup>(new BodyGroup(new Skin))->getSumPlace(), osgPliant::SumsByRenderer);
    const osg::ref_ptr<BodyGroup> told = makeGroup(osgPliant::SumsOnProcessor);
    EXPECT_EQ(osg::ref_ptr<BodyGroup>(new BodyGroup(*told))->getSumPlace(), osgPliant::SumsOnProcessor);
}

TEST_F(SumPlaces, DrawTheSamePictures) {
    Picture shader(makeGroup(osgPliant::SumsInVertexShader)), processor(makeGroup(osgPliant::SumsOnProcessor));
    expectTheSamePictures(shader, processor, busyFrames);
}

TEST_F(SumPlaces, DrawTheSamePicturesOfWhatIsTransparent) {
    const auto glassy = [](osgPliant::SumPlace place) {
        const osg::ref_ptr<BodyGroup> group = makeGroup(place);
        osg::StateSet& state = *group->getOrCreateStateSet();
        state.setRenderingHint(osg::StateSet::TRANSPARENT_BIN);
        state.setAttributeAndModes(new osg::BlendFunc(osg::BlendFunc::SRC_ALPHA, osg::BlendFunc::ONE_MINUS_SRC_ALPHA));
        for (int i = 0; i < sumBodies; ++i) group->setColour(i, osg::Vec4f(0.2f * static_cast<float>(i), 1, 1, 0.5f));
        return group;
    };
    Picture shader(glassy(osgPliant::SumsInVertexShader)), processor(glassy(osgPliant::SumsOnProcessor));
    expectTheSamePictures(shader, processor, busyFrames);
}

TEST_F(SumPlaces, DrawTheSamePicturesBelowAShadowMap) {
    const auto shadowed = [](BodyGroup* group) {
        const osg::ref_ptr<osg::Group> scene = new osgShadow::ShadowedScene(new osgShadow::ShadowMap);
        scene->addChild(group);
        return scene;
    };
    const osg::ref_ptr<BodyGroup> one = makeGroup(osgPliant::SumsInVertexShader),
                                  other = makeGroup(osgPliant::SumsOnProcessor);
    Picture shader(one, shadowed(one)), processor(other, shadowed(other));
    expectTheSamePictures(shader, processor, busyFrames);
}

// Bodies of several levels in one pass, of which the coarse ones are left to vertex shaders.
TEST_F(SumPlaces, DrawTheSamePicturesOfEveryLevelOfDetail) {
    const auto levelled = [](osgPliant::SumPlace place) {
        const osg::ref_ptr<BodyGroup> group = makeGroup(place);
        group->setPixelError(0.5);
        for (int i = 0; i < sumBodies; ++i) {
            const std::vector<double> q = makeCoordinates(brickTorusDimension, i, 0.04);
            group->setBody(i, osg::Matrixd::translate(0.5 * i - 1.0, 0.0, -1.5 * i * i), q.data());
        }
        return group;
    };
    Picture shader(levelled(osgPliant::SumsInVertexShader)), processor(levelled(osgPliant::SumsOnProcessor));
    const auto approach = [](Picture& picture) {
        const double distance = 20.0 / (1 + picture.frame);
        picture.viewer.setCamera(osg::Vec3d(0, 2.0, distance), osg::Vec3d(), osg::Vec3d(0, 1, 0));
    };
    expectTheSamePictures(shader, processor, std::vector<Frame>(8, approach));
}

TEST_F(SumPlaces, ContextsMayGoAndTakeTurns) {
    const osg::ref_ptr<BodyGroup> group = makeGroup(osgPliant::SumsOnProcessor);
    Picture shader(makeGroup(osgPliant::SumsInVertexShader));
    for (int round = 0; round < 3; ++round) {  // the contexts of each have the numbers of those before
        Picture one(group), other(group);
        other.look(0.5);
        for (int state = 0; state < 3; ++state) {
            move(shader, 0, 3 * round + state);
            move(one, 0, 3 * round + state);
            for (Picture* picture : {&one, &other}) {
                shader.look(picture == &one ? 0.0 : 0.5);
                EXPECT_EQ(countDifferentPixels(*shader.draw(), *picture->draw(), 3), 0) << round << " " << state;
            }
        }
    }
    EXPECT_TRUE(group->getDeformation()->hasSums());
}

TEST_F(SumPlaces, SumsAreMadeOfBodiesThatHaveMovedAlone) {
    Picture picture(makeGroup(osgPliant::SumsOnProcessor));
    for (int i = 0; i < 2; ++i) picture.draw();
    const osgPliant::VertexSums& sums = picture.group->getDeformation()->getSums();
    EXPECT_EQ(sums.getSummedCount() % sumBodies, 0u) << "once for each of the viewer's two cull visitors";
    const auto summedBy = [&](const Frame& frame) {
        const std::uint64_t before = sums.getSummedCount();
        frame(picture);
        for (int i = 0; i < 2; ++i) picture.draw();
        return sums.getSummedCount() - before;
    };
    const std::uint64_t views = summedBy([](Picture& p) { move(p, sumBodies - 1, 1); });
    EXPECT_TRUE(views == 1 || views == 2) << views;
    EXPECT_EQ(summedBy([](Picture& p) { move(p, 2, 2); }), views * (sumBodies - 2));
    EXPECT_EQ(summedBy([](Picture& p) { p.look(-0.4); }), 0u) << "they come in another order";
    EXPECT_EQ(summedBy([](Picture& p) {
                  for (int i = 0; i < sumBodies; ++i) {
                      const std::vector<double> q = p.group->getQ(i);
                      p.group->setBody(i, osg::Matrixd::translate(0.3 * i - 1.0, 0.0, 0.2 * i), q.data());
                  }
              }),
              0u)
        << "frames are no coordinates";
}

TEST_F(SumPlaces, CoarseLevelsAreLeftToVertexShaders) {
    Picture picture(makeGroup(osgPliant::SumsOnProcessor));
    picture.group->setPixelError(1.0);
    picture.viewer.setCamera(osg::Vec3d(0, 0, 60), osg::Vec3d(), osg::Vec3d(0, 1, 0));
    for (int i = 0; i < 2; ++i) picture.draw();
    EXPECT_FALSE(hasSums(picture));
    picture.look(0.0);
    for (int i = 0; i < 2; ++i) picture.draw();
    EXPECT_TRUE(hasSums(picture)) << "near bodies are whole";
}

TEST_F(SumPlaces, CoarseChildrenOfLodsAreLeftToVertexShaders) {
    const auto geometries = fineAndCoarse();
    const osg::ref_ptr<osg::LOD> levels = new osg::LOD;
    levels->addChild(geometries[0], 0.0f, 10.0f);
    levels->addChild(geometries[1], 10.0f, 1000.0f);
    Picture picture(makeGroup(levels, osgPliant::SumsOnProcessor));
    const osg::Vec3d far(0, 0, 30), up(0, 1, 0);
    picture.viewer.setCamera(far, osg::Vec3d(), up);
    for (int i = 0; i < 3; ++i) picture.draw();
    EXPECT_FALSE(hasSums(picture)) << "the child that is drawn has a fortieth of the skin's vertices";
    picture.look(0.0);
    EXPECT_GE(sumsOfAMove(picture, 1), sumBodies);
    picture.viewer.setCamera(far, osg::Vec3d(), up);
    EXPECT_EQ(sumsOfAMove(picture, 2), 0u);
}

TEST_F(SumPlaces, ChildrenThatSwitchesHideCountForNothing) {
    for (const unsigned int shown : {0u, 1u}) {
        const auto geometries = fineAndCoarse();
        const osg::ref_ptr<osg::Switch> choice = new osg::Switch;
        for (unsigned int i = 0; i < 2; ++i) choice->addChild(geometries[i], i == shown);
        Picture picture(makeGroup(choice, osgPliant::SumsOnProcessor));
        for (int i = 0; i < 3; ++i) picture.draw();
        EXPECT_EQ(hasSums(picture), shown == 0);
    }
}

// A pass may draw near bodies by one and far ones by the other: neither program may be made anew in every frame.
TEST(ProgramComposer, KeepsTheProgramsOfBothSumPlaces) {
    const osg::ref_ptr<osg::Program> program = new osg::Program;
    program->addShader(new osg::Shader(osg::Shader::VERTEX, "void main() { gl_Position = ftransform(); }"));
    const osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
    state->setAttribute(program);
    const osg::ref_ptr<osgUtil::CullVisitor> visitor = new osgUtil::CullVisitor;
    const osg::ref_ptr<osgUtil::StateGraph> graph = new osgUtil::StateGraph;
    const osg::ref_ptr<osgUtil::RenderStage> stage = new osgUtil::RenderStage;
    visitor->setStateGraph(graph);
    visitor->setRenderStage(stage);
    visitor->pushStateSet(state);
    const osg::ref_ptr<osgPliant::ProgramComposer> composer = new osgPliant::ProgramComposer(2);
    const auto compose = [&](bool isSummed) {
        return composer->compose(osgPliant::AppliedState(*visitor), 0, isSummed);
    };
    const osg::ref_ptr<osg::StateSet> shader = compose(false), processor = compose(true);
    ASSERT_TRUE(shader && processor);
    EXPECT_NE(shader, processor);
    EXPECT_EQ(compose(false), shader);
    EXPECT_EQ(compose(true), processor);
    program->getShader(0)->setShaderSource("void main() { gl_Position = gl_Vertex; }");
    EXPECT_NE(compose(true), processor) << "the text is another one";
}

TEST_F(SumPlaces, BodiesWithoutRoomForTheirSumsAreLeftToVertexShaders) {
    Picture shader(makeGroup(osgPliant::SumsInVertexShader)), crowded(makeGroup(osgPliant::SumsOnProcessor));
    const int most = mostBodies(*crowded.group);
    crowded.group->setBodyCount(most + 1);
    const auto compare = [&](int state, int threshold) {
        for (Picture* picture : {&shader, &crowded}) move(*picture, 0, state);
        EXPECT_EQ(countDifferentPixels(*shader.draw(), *crowded.draw(), threshold), 0);
    };
    for (int i = 0; i < 3; ++i) compare(i, 0);
    EXPECT_FALSE(hasSums(crowded));
    crowded.group->setBodyCount(most);
    for (int i = 3; i < 6; ++i) compare(i, 3);
    EXPECT_TRUE(hasSums(crowded)) << "one body fewer has room";
    const Buffers buffers = sumBuffers(crowded);
    crowded.group->setBodyCount(most + 1);
    expectDropped(crowded, buffers);
}

TEST_F(SumPlaces, SumsThatNobodyAsksForAnyMoreAreDropped) {
    Picture picture(makeGroup(osgPliant::SumsOnProcessor));
    for (int i = 0; i < 4; ++i) picture.draw();
    const Buffers buffers = sumBuffers(picture);
    picture.group->setSumPlace(osgPliant::SumsInVertexShader);
    expectDropped(picture, buffers);
}

// A cull visitor whose frames are not told apart makes pass after pass.
TEST_F(SumPlaces, PassesOfACullVisitorShareTheRoom) {
    const osg::ref_ptr<BodyGroup> group = makeGroup(osgPliant::SumsOnProcessor);
    const osg::ref_ptr<osg::Group> twice = new osg::Group;
    for (int i = 0; i < 2; ++i) twice->addChild(group);
    Picture picture(group, twice);
    picture.draw();
    const std::uint64_t both = sumsOfAMove(picture, 1);
    EXPECT_EQ(both % (2 * sumBodies), 0u);
    EXPECT_GT(both, 0u);
    group->setBodyCount(mostBodies(*group) * 3 / 4);
    EXPECT_EQ(sumsOfAMove(picture, 2), both / 2) << "the second pass has none left";
}
