// SPDX-License-Identifier: Zlib
// Viewers are opened and closed, bodies come and go, skins are taken out and put on, in every threading model, while
// frames of them wait to be drawn. PLIANT_SOAK_FRAMES frames of all viewers together, 400 where it is not set.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#include "AlikeHalves.h"
#include "osgPliant/HeadlessViewer.h"

using namespace pliant::test;
using osgPliant::BodyGroup;

namespace {

constexpr std::size_t mostViewers = 3, mostGroups = 3;
constexpr osgViewer::Viewer::ThreadingModel threadings[] = {
    osgViewer::Viewer::SingleThreaded, osgViewer::Viewer::CullDrawThreadPerContext,
    osgViewer::Viewer::DrawThreadPerContext, osgViewer::Viewer::CullThreadPerCameraDrawThreadPerContext};

/// What models are drawn with, shared by all viewers.
struct SharedLooks {
    std::shared_ptr<const pliant::ReducedModel> model = makeBrickTorus();
    osg::ref_ptr<osgPliant::ModelGeometry> geometry = new osgPliant::ModelGeometry(model);
    osg::ref_ptr<osgPliant::Skin> skin =
        osgPliant::Skin::bind(makeSkinNode(inMeshFrame(*model, std::vector<double>(brickTorusDimension, 0.0))), model);
};

/// A viewer with groups that come and go; halves of its pictures are the same.
class Visit {
public:
    Visit(const SharedLooks& looks, osgViewer::Viewer::ThreadingModel threading, bool hasShadows)
        : _looks(looks), _scene(rootOf(hasShadows)) {
        osgPliant::HeadlessOptions options;
        options.width = options.height = soakPixels;
        options.supersampling = 1;
        _viewer = std::make_unique<osgPliant::HeadlessViewer>(options);
        _viewer->setScene(_scene);
        osg::Camera& camera = *_viewer->getViewer().getCamera();
        camera.setViewMatrixAsLookAt(osg::Vec3d(0, 0, 10), osg::Vec3d(), osg::Vec3d(0, 1, 0));
        camera.setProjectionMatrixAsOrtho(-2, 2, -2, 2, 1, 20);
        camera.setFinalDrawCallback(checker);
        setThreading(threading);
    }
    void setThreading(osgViewer::Viewer::ThreadingModel threading) {
        _viewer->getViewer().setThreadingModel(threading);
    }
    std::size_t groupCount() const { return _groups.size(); }
    void add(const osg::ref_ptr<BodyGroup>& group) {
        _groups.push_back(group);
        _scene->addChild(group);
    }
    /// Takes a group out, whose last frames may wait to be drawn.
    osg::ref_ptr<BodyGroup> takeOut(std::size_t number) {
        const osg::ref_ptr<BodyGroup> group = _groups[number];
        _groups.erase(_groups.begin() + static_cast<std::ptrdiff_t>(number));
        _scene->removeChild(group);
        return group;
    }
    /// Puts a skin on a group, or takes it off.
    void dress(std::size_t number, bool hasSkin) {
        if (hasSkin)
            _groups[number]->setSkin(_looks.skin);
        else
            _groups[number]->setModelGeometry(_looks.geometry);
    }
    void resize(std::size_t number, int bodies) { _groups[number]->setBodyCount(bodies); }
    void frame(double step) {
        for (const auto& group : _groups) {
            placeAt(step, brickTorusDimension, _poses, group->getBodyCount());
            ASSERT_TRUE(group->show(_poses));
        }
        _viewer->getViewer().frame(step);
    }
    const osg::ref_ptr<HalvesChecker> checker = new HalvesChecker;

private:
    static osg::ref_ptr<osg::Group> rootOf(bool hasShadows) {
        if (!hasShadows) return new osg::Group;
        osgPliant::StageSettings settings;
        settings.towardsSun = osg::Vec3f(0.0f, 0.0f, 1.0f);
        return new osgPliant::Stage(settings);
    }
    const SharedLooks& _looks;
    osg::ref_ptr<osg::Group> _scene;
    std::unique_ptr<osgPliant::HeadlessViewer> _viewer;
    std::vector<osg::ref_ptr<BodyGroup>> _groups;
    pliant::Poses _poses;
};

/// Bytes of malloc's that are in use, of this program, of OpenSceneGraph and of a driver that draws by the processor.
double bytesInUse() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

/// Slope of the line that is nearest to points.
double slopeOf(const std::vector<std::pair<double, double>>& points) {
    double meanX = 0.0, meanY = 0.0, xx = 0.0, xy = 0.0;
    for (const auto& [x, y] : points) {
        meanX += x / static_cast<double>(points.size());
        meanY += y / static_cast<double>(points.size());
    }
    for (const auto& [x, y] : points) {
        xx += (x - meanX) * (x - meanX);
        xy += (x - meanX) * (y - meanY);
    }
    return xy / xx;
}

/// Chances, viewers, and what their pictures have shown.
class Traffic {
public:
    void go() {
        const std::size_t what = below(10);
        if (visits.empty() || (what == 0 && visits.size() < mostViewers)) return open();
        Visit& visit = *visits[below(visits.size())];
        if (what == 1) return close();
        if (what == 2) return visit.setThreading(threadings[below(4)]);
        if (visit.groupCount() == 0 || (what < 5 && visit.groupCount() < mostGroups)) return visit.add(makeGroup());
        const std::size_t group = below(visit.groupCount());
        if (what < 6) visit.takeOut(group);
        if (what == 6) visit.resize(group, static_cast<int>(2 * (1 + below(6))));
        if (what == 7 || what == 8) visit.dress(group, what == 7);
        if (what == 9) visits[below(visits.size())]->add(visit.takeOut(group));  // to another viewer, or back
    }
    /// One frame of every viewer.
    int draw() {
        for (const auto& visit : visits) visit->frame(++_step);
        return static_cast<int>(visits.size());
    }
    void close() {
        const std::size_t number = below(visits.size());
        const osg::ref_ptr<HalvesChecker> checker = visits[number]->checker;
        visits.erase(visits.begin() + static_cast<std::ptrdiff_t>(number));
        worst = std::max(worst, checker->worst.load());
        drawn += checker->frames;
        seen += checker->seen;
    }
    std::vector<std::unique_ptr<Visit>> visits;
    int worst = 0, drawn = 0, seen = 0, opened = 0;

private:
    std::size_t below(std::size_t count) { return _chances() % count; }
    void open() {
        ++opened;
        visits.push_back(std::make_unique<Visit>(_looks, threadings[below(4)], below(3) == 0));
        visits.back()->add(makeGroup());
    }
    osg::ref_ptr<BodyGroup> makeGroup() {
        const bool hasSkin = below(2) == 0;
        const int bodies = static_cast<int>(2 * (1 + below(6)));
        const osg::ref_ptr<BodyGroup> group =
            hasSkin ? new BodyGroup(_looks.skin, bodies) : new BodyGroup(_looks.geometry, bodies);
        group->setSumPlace(below(2) == 0 ? osgPliant::SumsOnProcessor : osgPliant::SumsInVertexShader);
        return group;
    }
    const SharedLooks _looks{};
    std::mt19937 _chances{20};
    double _step = 0.0;
};

}  // namespace

TEST(ComingAndGoing, LeavesWholeFramesAndNoMemory) {
    PLIANT_NEEDS_OPENGL();
    const char* text = std::getenv("PLIANT_SOAK_FRAMES");
    const int frames = text ? std::max(1, std::atoi(text)) : 400;
    Traffic traffic;
    // What is in use once all viewers are closed: what each of them has left is the slope over their number. The first
    // quarter fills what is made once.
    const bool isLong = frames >= 10000;
    const int parts = isLong ? 40 : 4;
    std::vector<std::pair<double, double>> left;
    for (int part = 0; part < parts; ++part) {
        for (int drawn = 0; drawn < frames / parts;) {
            traffic.go();
            drawn += traffic.draw();
        }
        while (!traffic.visits.empty()) traffic.close();
        if (4 * part >= parts) left.emplace_back(traffic.opened, bytesInUse());
    }
    EXPECT_LE(traffic.worst, allowedByRounding);
    EXPECT_GE(traffic.drawn, frames - 2 * traffic.opened) << "but for the last ones of closed viewers";
    EXPECT_GT(traffic.seen, frames / 3) << "the frames show something";
    EXPECT_GE(traffic.opened, frames / 80);
    const double kept = slopeOf(left) / 1e3;
    std::printf("%d frames of %d viewers, worst %d, %.1f MB in use at the end, %.1f kB left by each viewer\n",
                traffic.drawn, traffic.opened, traffic.worst, left.back().second / 1e6, kept);
    if (isLong) {
        EXPECT_LT(kept, 10.0) << "of 0.3 kB; a picture of such a viewer has 16";
    }
}
