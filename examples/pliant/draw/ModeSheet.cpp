// SPDX-License-Identifier: Zlib
#include "draw/ModeSheet.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <osg/Camera>
#include <osg/MatrixTransform>
#include <osgText/Text>

#include "osgPliant/BodyGroup.h"
#include "osgPliant/Conversions.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/ModelGeometry.h"
#include "osgPliant/Stage.h"
#include "pliant/math/Error.h"

namespace pliant::program {
namespace {

constexpr double kFieldOfView = 6.0;  // degrees; so narrow that every tile is seen from the same side
constexpr double kLabelShare = 0.14;  // of a tile's height

/// Half the diagonal of the drawn surface's box.
double radiusOf(const ReducedModel& model) {
    const Points& drawn = model.surface.positions;
    return 0.5 * (drawn.rowwise().maxCoeff() - drawn.rowwise().minCoeff()).norm();
}

/// The camera's axes and the places of the tiles' bodies, in metres.
struct Layout {
    Layout(const ReducedModel& model, const ModeSheetOptions& options, int shapes)
        : columns(std::min(options.columns, shapes)), rows((shapes + columns - 1) / columns) {
        const Vector3 vertical = Vector3::Unit(options.up), first = Vector3::Unit((options.up + 1) % 3);
        forward = -(0.45 * first + 0.42 * vertical - vertical.cross(first)).normalized();
        right = forward.cross(vertical).normalized();
        upward = right.cross(forward);
        spacing = (1.65 + 1.5 * options.amplitude) * radiusOf(model);
    }
    Vector3 place(int shape) const {
        const double x = shape % columns - 0.5 * (columns - 1), y = 0.5 * (rows - 1) - shape / columns;
        return spacing * (x * right + (y + 0.5 * kLabelShare) * upward);
    }
    int columns, rows;
    double spacing = 1.0;
    Vector3 forward, right, upward;
};

osg::ref_ptr<osgPliant::Stage> makeStage(const Layout& layout) {
    osgPliant::StageSettings settings;
    settings.up = osg::Vec3f(osgPliant::toOsg(layout.upward));
    settings.towardsSun =
        osg::Vec3f(osgPliant::toOsg(Vector3(layout.upward - 0.5 * layout.right - 0.7 * layout.forward)));
    settings.zenith = settings.horizon = osg::Vec3f(0.93f, 0.94f, 0.95f);
    settings.shadows = false;
    return new osgPliant::Stage(settings);
}

std::string labelOf(const ModeShape& shape) {
    const std::string hertz = fmt::format("{:.4g} Hz", shape.frequency);
    return shape.linearMode >= 0 ? fmt::format("mode {}: {}", shape.linearMode + 1, hertz) : hertz;
}

/// Text over the picture, in pixels from its lower left corner.
osg::ref_ptr<osg::Camera> makeLabels(const std::vector<ModeShape>& shapes, const Layout& layout, int tile) {
    osg::ref_ptr<osg::Camera> overlay = new osg::Camera;
    overlay->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
    overlay->setProjectionMatrixAsOrtho2D(0, layout.columns * tile, 0, layout.rows * tile);
    overlay->setViewMatrix(osg::Matrix::identity());
    overlay->setClearMask(GL_DEPTH_BUFFER_BIT);
    overlay->setRenderOrder(osg::Camera::POST_RENDER);
    overlay->getOrCreateStateSet()->setMode(GL_LIGHTING, osg::StateAttribute::OFF);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const int column = static_cast<int>(i) % layout.columns, row = static_cast<int>(i) / layout.columns;
        osg::ref_ptr<osgText::Text> text = new osgText::Text;
        text->setText(labelOf(shapes[i]));
        text->setCharacterSize(static_cast<float>(0.075 * tile));
        text->setAlignment(osgText::Text::CENTER_BASE_LINE);
        text->setColor(shapes[i].linearMode >= 0 ? osg::Vec4(0.05f, 0.15f, 0.4f, 1.0f)
                                                 : osg::Vec4(0.25f, 0.25f, 0.25f, 1.0f));
        text->setPosition(osg::Vec3(static_cast<float>((column + 0.5) * tile),
                                    static_cast<float>((layout.rows - 1 - row + 0.05) * tile), 0.0f));
        overlay->addChild(text);
    }
    return overlay;
}

osg::ref_ptr<osgPliant::BodyGroup> makeBodies(const std::shared_ptr<const ReducedModel>& model,
                                              const std::vector<ModeShape>& shapes, const Layout& layout) {
    osg::ref_ptr<osgPliant::BodyGroup> bodies =
        new osgPliant::BodyGroup(new osgPliant::ModelGeometry(model), static_cast<int>(shapes.size()));
    const Points& drawn = model->surface.positions;
    const Vector3 middle = 0.5 * (drawn.rowwise().minCoeff() + drawn.rowwise().maxCoeff());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        RigidTransform worldFromBody = model->meshFromBody;
        worldFromBody.translation = layout.place(static_cast<int>(i)) - worldFromBody.direction(middle);
        bodies->setBody(static_cast<int>(i), osgPliant::toOsg(worldFromBody), shapes[i].q.data());
    }
    return bodies;
}

}  // namespace

std::vector<ModeShape> modeShapes(const ReducedModel& model, double amplitude) {
    std::vector<ModeShape> shapes;
    for (int j = 0; j < model.dimension(); ++j) {
        ModeShape shape;
        shape.q = model.restEigenvectors.col(j);
        const double eigenvalue = std::max(0.0, model.restEigenvalues[j]);
        shape.frequency = std::sqrt(eigenvalue) / (2.0 * M_PI);
        for (int i = 0; i < model.elasticEigenvalues.size(); ++i)
            if (std::abs(model.elasticEigenvalues[i] - eigenvalue) < 0.02 * eigenvalue &&
                std::none_of(shapes.begin(), shapes.end(), [i](const ModeShape& s) { return s.linearMode == i; })) {
                shape.linearMode = i;
                break;
            }
        const Eigen::VectorXf u = model.surfaceBasis * shape.q.cast<float>();
        const Eigen::Map<const Eigen::Matrix3Xf> field(u.data(), 3, u.size() / 3);
        const double largest = std::sqrt(static_cast<double>(field.colwise().squaredNorm().maxCoeff()));
        if (largest > 0.0) shape.q *= amplitude * radiusOf(model) / largest;
        shapes.push_back(shape);
    }
    return shapes;
}

osg::ref_ptr<osg::Image> drawModeSheet(const std::shared_ptr<const ReducedModel>& model,
                                       const ModeSheetOptions& options) {
    const std::vector<ModeShape> shapes = modeShapes(*model, options.amplitude);
    const Layout layout(*model, options, static_cast<int>(shapes.size()));
    osgPliant::HeadlessOptions headless;
    headless.width = layout.columns * options.tileSize;
    headless.height = layout.rows * options.tileSize;
    osgPliant::HeadlessViewer viewer(headless);
    if (!viewer.isValid()) throw Error("", viewer.getProblem());

    const osg::ref_ptr<osgPliant::Stage> stage = makeStage(layout);
    stage->addChild(makeBodies(model, shapes, layout));
    const osg::ref_ptr<osg::Group> root = new osg::Group;
    root->addChild(stage);
    root->addChild(makeLabels(shapes, layout, options.tileSize));
    viewer.setScene(root);
    const double distance = 0.5 * layout.rows * layout.spacing / std::tan(0.5 * kFieldOfView / 360.0 * (2.0 * M_PI));
    viewer.setCamera(osgPliant::toOsg(Vector3(-distance * layout.forward)), osg::Vec3d(0, 0, 0),
                     osgPliant::toOsg(layout.upward), kFieldOfView);
    const osg::Image* image = viewer.render(0.0);
    if (!image) throw Error("", viewer.getProblem());
    return new osg::Image(*image, osg::CopyOp::DEEP_COPY_ALL);
}

}  // namespace pliant::program
