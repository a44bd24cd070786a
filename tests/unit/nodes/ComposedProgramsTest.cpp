// SPDX-License-Identifier: Zlib
// Programs that are composed once for all groups whose bodies are laid out alike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <osg/Notify>
#include <osg/VertexProgram>
#include <osg/observer_ptr>
#include <osgUtil/CullVisitor>

#include "osgPliant/ProgramComposer.h"

using osgPliant::ProgramComposer;
using testing::HasSubstr;

namespace {

/// A cull traversal that has come below a state set.
class CullBelow {
public:
    explicit CullBelow(osg::StateSet* state) : _state(state), _visitor(new osgUtil::CullVisitor) {
        _visitor->setStateGraph(_graph);
        _visitor->setRenderStage(_stage);
        _visitor->pushStateSet(state);
    }
    osg::ref_ptr<osg::StateSet> compose(ProgramComposer& composer) {
        return composer.compose(osgPliant::AppliedState(*_visitor), 0, false);
    }

private:
    osg::ref_ptr<osg::StateSet> _state;
    osg::ref_ptr<osgUtil::StateGraph> _graph = new osgUtil::StateGraph;
    osg::ref_ptr<osgUtil::RenderStage> _stage = new osgUtil::RenderStage;
    osg::ref_ptr<osgUtil::CullVisitor> _visitor;
};

/// Keeps what OpenSceneGraph notifies of, and gives its own handler back.
class Notices {
public:
    Notices() : _handler(new Keep), _before(osg::getNotifyHandler()) { osg::setNotifyHandler(_handler); }
    ~Notices() { osg::setNotifyHandler(_before); }
    std::string& text() { return _handler->text; }

private:
    struct Keep : public osg::NotifyHandler {
        void notify(osg::NotifySeverity, const char* message) override { text += message; }
        std::string text;
    };
    osg::ref_ptr<Keep> _handler;
    osg::ref_ptr<osg::NotifyHandler> _before;
};

}  // namespace

TEST(ComposedPrograms, AreSharedByGroupsThatAreLaidOutAlike) {
    CullBelow cull(new osg::StateSet);
    osg::ref_ptr<ProgramComposer> one = new ProgramComposer(2), other = new ProgramComposer(2);
    const osg::ref_ptr<ProgramComposer> longer = new ProgramComposer(3), named = new ProgramComposer(2);
    named->setAttributeNames({"place", "facing"});
    osg::observer_ptr<osg::StateSet> state = cull.compose(*one).get();
    ASSERT_TRUE(state.valid());
    EXPECT_EQ(cull.compose(*other).get(), state.get());
    EXPECT_NE(cull.compose(*longer).get(), state.get());
    EXPECT_NE(cull.compose(*named).get(), state.get());
    named->setAttributeNames({});
    EXPECT_EQ(cull.compose(*named).get(), state.get());
    named->setAttributeNames({"place", "facing"});
    one = nullptr;
    EXPECT_TRUE(state.valid());
    other = nullptr;
    EXPECT_FALSE(state.valid()) << "it goes with the last group";
}

TEST(ComposedPrograms, OfAssemblyLanguageAreToldOnce) {
    const osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
    state->setAttributeAndModes(new osg::VertexProgram);
    CullBelow cull(state);
    const osg::ref_ptr<ProgramComposer> composer = new ProgramComposer(2);
    Notices notices;
    EXPECT_TRUE(cull.compose(*composer)) << "fixed function draws them";
    EXPECT_THAT(notices.text(), HasSubstr("assembly language"));
    notices.text().clear();
    cull.compose(*composer);
    EXPECT_EQ(notices.text(), "");
}

TEST(ComposedPrograms, OfFixedFunctionThatNobodyDrawsWithDoNotPileUp) {
    const osg::ref_ptr<ProgramComposer> composer = new ProgramComposer(2);
    const auto variant = [](unsigned int lights) {
        const osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
        state->setMode(GL_LIGHTING, osg::StateAttribute::ON);
        for (unsigned int i = 0; i < 6; ++i)
            if (lights & (1u << i)) state->setMode(GL_LIGHT0 + i, osg::StateAttribute::ON);
        return state;
    };
    CullBelow first(variant(1));
    const osg::ref_ptr<osg::StateSet> drawn = first.compose(*composer);
    std::vector<osg::observer_ptr<osg::StateSet>> all;
    for (unsigned int lights = 2; lights < 64; ++lights) {
        CullBelow cull(variant(lights));
        all.emplace_back(cull.compose(*composer).get());
    }
    EXPECT_TRUE(all.back().valid()) << "what was drawn a moment ago may be drawn again";
    int kept = 0;
    for (const auto& one : all) kept += one.valid();
    EXPECT_LE(kept, 33);
    EXPECT_EQ(first.compose(*composer), drawn) << "somebody draws with it";
}
