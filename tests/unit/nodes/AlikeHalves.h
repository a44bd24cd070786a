// SPDX-License-Identifier: Zlib
// Pictures whose halves are the same where they show one moment: eight bodies in two columns, which move alike.
#pragma once

#include <atomic>
#include <cmath>
#include <memory>
#include <osg/Camera>
#include <osg/Image>
#include <vector>

#include "PixelOf.h"
#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/Skin.h"
#include "osgPliant/Stage.h"
#include "pliant/view/Poses.h"

namespace pliant::test {

constexpr int soakPixels = 64;
constexpr int soakBodies = 8;  // in two columns of four, the same on either side

/// Where body i is at a step: both columns move in the same way, by a good part of the picture in every step.
/// @param count of bodies, even
inline void placeAt(double step, int dimension, Poses& poses, int count = soakBodies) {
    poses.resize(count, dimension);
    for (int i = 0; i < count; ++i) {
        RigidTransform frame;
        const int row = i / 2;
        frame.translation = Vector3(i % 2 == 0 ? -1.0 : 1.0, 0.9 * row - 1.35 + 0.4 * std::sin(2.1 * step + row), 0.0);
        std::vector<double> q = makeCoordinates(dimension, row, 0.02);
        for (double& value : q) value *= std::sin(1.3 * step);
        poses.set(i, frame, q.data());
    }
}

/// Pixels of the left half of a picture that differ from those of the right one.
inline int differentHalves(const osg::Image& image) {
    int count = 0;
    for (int y = 0; y < image.t(); ++y)
        for (int x = 0; x < image.s() / 2; ++x)
            for (int c = 0; c < 3; ++c)
                if (std::abs(pixelOf(image, x, y)[c] - pixelOf(image, x + image.s() / 2, y)[c]) > 24) {
                    ++count;
                    break;
                }
    return count;
}

constexpr int allowedByRounding = 12;  // pixels at silhouettes, of 2,048

/// Looks at every frame, in the thread that has drawn it.
class HalvesChecker : public osg::Camera::DrawCallback {
public:
    void operator()(osg::RenderInfo&) const override {
        image->readPixels(0, 0, soakPixels, soakPixels, GL_RGB, GL_UNSIGNED_BYTE);
        worst = std::max(worst.load(), differentHalves(*image));
        ++frames;
        int lit = 0;
        for (int y = 0; y < soakPixels; ++y)
            for (int x = 0; x < soakPixels; ++x) lit += pixelOf(*image, x, y)[0] != image->data(0, 0)[0];
        seen += lit > 200;
    }
    osg::ref_ptr<osg::Image> image = new osg::Image;
    mutable std::atomic<int> worst{0}, frames{0}, seen{0};
};

/// What the bodies look like, and what is drawn beside: each has passes and buffers of its own.
enum class Looks { Plain, Skinned, SkinnedByShader, Shadowed };

inline osg::ref_ptr<osgPliant::BodyGroup> bodiesOf(Looks looks) {
    if (looks == Looks::Plain || looks == Looks::Shadowed)
        return new osgPliant::BodyGroup(new osgPliant::ModelGeometry(makeTorus()), soakBodies);
    const auto model = makeBrickTorus();
    const std::vector<double> rest(brickTorusDimension, 0.0);
    const osg::ref_ptr<osgPliant::BodyGroup> group =
        new osgPliant::BodyGroup(osgPliant::Skin::bind(makeSkinNode(inMeshFrame(*model, rest)), model), soakBodies);
    group->setSumPlace(looks == Looks::Skinned ? osgPliant::SumsOnProcessor : osgPliant::SumsInVertexShader);
    return group;
}

/// Below a sun in the camera's back, whose shadows fall out of the picture.
inline osg::ref_ptr<osg::Node> sceneOf(osgPliant::BodyGroup* group, Looks looks) {
    if (looks != Looks::Shadowed) return group;
    osgPliant::StageSettings settings;
    settings.towardsSun = osg::Vec3f(0.0f, 0.0f, 1.0f);
    const osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage(settings);
    stage->addChild(group);
    return stage;
}

}  // namespace pliant::test
