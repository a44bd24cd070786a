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
#include "osgPliant/Primitives.h"
#include "osgPliant/Stage.h"
#include "pliant/math/Error.h"

namespace pliant::program {
namespace {

constexpr double kLabelShare = 0.14;  // of a tile's height
constexpr double kMargin = 1.08;      // of a tile over what it shows
constexpr double kFarAway = 60.0;  // distance of the eye in sides of the sheet: every tile is seen from the same side

/// Half the diagonal of the drawn surface's box.
double radiusOf(const ReducedModel& model) {
    const Points& drawn = model.surface.positions;
    return 0.5 * (drawn.rowwise().maxCoeff() - drawn.rowwise().minCoeff()).norm();
}

/// One picture of the sheet.
struct Tile {
    VectorX q;
    std::string label;
    bool isNamed = false;  ///< the rest shape, or a linear mode
};

/// The camera's axes and the places of the tiles' bodies, in metres.
struct Layout {
    Layout(const ReducedModel& model, const ModeSheetOptions& options, const std::vector<Tile>& tiles)
        : columns(std::min(options.columns, static_cast<int>(tiles.size()))),
          rows((static_cast<int>(tiles.size()) + columns - 1) / columns) {
        const Vector3 vertical = Vector3::Unit(options.up), first = Vector3::Unit((options.up + 1) % 3);
        forward = -(0.45 * first + 0.42 * vertical - vertical.cross(first)).normalized();
        right = forward.cross(vertical).normalized();
        upward = right.cross(forward);
        fit(model, tiles);
    }
    Vector3 place(int tile) const {
        const double x = tile % columns - 0.5 * (columns - 1), y = 0.5 * (rows - 1) - tile / columns;
        return spacing * (x * right + (y + 0.5 * kLabelShare) * upward) - middle;
    }
    double distance() const { return kFarAway * std::max(rows, columns) * spacing; }
    double fieldOfView() const { return 2.0 * std::atan(0.5 * rows * spacing / distance()) * 180.0 / M_PI; }

    int columns, rows;
    double spacing = 1.0;
    Vector3 middle;  ///< of what all tiles show, from the body's frame turned into the mesh's
    Vector3 forward, right, upward;

private:
    /// Tiles as large as the shapes seen from the camera, all laid over each other.
    void fit(const ReducedModel& model, const std::vector<Tile>& tiles) {
        Vector3 least = Vector3::Constant(1.0e30), most = -least;
        Matrix3 axes;
        axes << right.transpose(), upward.transpose(), forward.transpose();
        const Matrix3 seen = axes * model.meshFromBody.rotation;
        for (const Tile& tile : tiles) {
            const Eigen::VectorXf u = model.surfaceBasis * tile.q.cast<float>();
            const Eigen::Map<const Eigen::Matrix3Xf> moved(u.data(), 3, u.size() / 3);
            const Eigen::Matrix3Xd x = seen * (model.surface.positions + moved.cast<double>());
            least = least.cwiseMin(Vector3(x.rowwise().minCoeff()));
            most = most.cwiseMax(Vector3(x.rowwise().maxCoeff()));
        }
        middle = axes.transpose() * (0.5 * (least + most));
        spacing = kMargin * std::max(most[0] - least[0], (most[1] - least[1]) / (1.0 - kLabelShare));
    }
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

std::vector<Tile> tilesOf(const ReducedModel& model, const std::vector<ModeShape>& shapes) {
    std::vector<Tile> tiles{
        {VectorX::Zero(model.dimension()), model.anchored ? "at rest, red: held" : "at rest", true}};
    for (const ModeShape& shape : shapes) tiles.push_back({shape.q, labelOf(shape), shape.linearMode >= 0});
    return tiles;
}

/// Text over the picture, in pixels from its lower left corner.
osg::ref_ptr<osg::Camera> makeLabels(const std::vector<Tile>& tiles, const Layout& layout, int tile) {
    osg::ref_ptr<osg::Camera> overlay = new osg::Camera;
    overlay->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
    overlay->setProjectionMatrixAsOrtho2D(0, layout.columns * tile, 0, layout.rows * tile);
    overlay->setViewMatrix(osg::Matrix::identity());
    overlay->setClearMask(GL_DEPTH_BUFFER_BIT);
    overlay->setRenderOrder(osg::Camera::POST_RENDER);
    overlay->getOrCreateStateSet()->setMode(GL_LIGHTING, osg::StateAttribute::OFF);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const int column = static_cast<int>(i) % layout.columns, row = static_cast<int>(i) / layout.columns;
        osg::ref_ptr<osgText::Text> text = new osgText::Text;
        text->setText(tiles[i].label);
        text->setCharacterSize(static_cast<float>(0.075 * tile));
        text->setAlignment(osgText::Text::CENTER_BASE_LINE);
        text->setColor(tiles[i].isNamed ? osg::Vec4(0.05f, 0.15f, 0.4f, 1.0f) : osg::Vec4(0.25f, 0.25f, 0.25f, 1.0f));
        text->setPosition(osg::Vec3(static_cast<float>((column + 0.5) * tile),
                                    static_cast<float>((layout.rows - 1 - row + 0.05) * tile), 0.0f));
        overlay->addChild(text);
    }
    return overlay;
}

osg::ref_ptr<osgPliant::BodyGroup> makeBodies(const std::shared_ptr<const ReducedModel>& model,
                                              const std::vector<Tile>& tiles, const Layout& layout) {
    osg::ref_ptr<osgPliant::BodyGroup> bodies =
        new osgPliant::BodyGroup(new osgPliant::ModelGeometry(model), static_cast<int>(tiles.size()));
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        RigidTransform worldFromBody = model->meshFromBody;
        worldFromBody.translation = layout.place(static_cast<int>(i));
        bodies->setBody(static_cast<int>(i), osgPliant::toOsg(worldFromBody), tiles[i].q.data());
    }
    return bodies;
}

/// An octahedron at every held vertex, a third of an element's edge large, around the origin of the body frame. Held
/// vertices move with no shape.
osg::ref_ptr<osg::Geometry> makeMarkers(const ReducedModel& model) {
    const VolumeMesh& mesh = model.mesh;
    const double edge = (mesh.positions.col(mesh.elements(1, 0)) - mesh.positions.col(mesh.elements(0, 0))).norm();
    std::vector<osg::Vec3f> points;
    std::vector<unsigned int> indices;
    for (const int v : model.fixedVertices) {
        const auto first = static_cast<unsigned int>(points.size());
        for (int k = 0; k < 6; ++k) {
            const Vector3 tip = (k % 2 == 0 ? 0.33 : -0.33) * edge * Vector3::Unit(k / 2);
            const Vector3 x = mesh.positions.col(v) - model.meshFromBody.translation + tip;
            points.push_back(osg::Vec3f(osgPliant::toOsg(x)));
        }
        for (unsigned int octant = 0; octant < 8; ++octant) {
            const unsigned int x = octant & 1U, y = 2U + (octant >> 1 & 1U), z = 4U + (octant >> 2);
            const bool turned = (x + y + z) % 2 == 1;  // counter-clockwise from outside
            for (const unsigned int corner : {x, turned ? z : y, turned ? y : z}) indices.push_back(first + corner);
        }
    }
    osgPliant::PrimitiveLook look;
    look.colour.set(0.8f, 0.02f, 0.02f, 1.0f);
    return osgPliant::createTriangles(points, indices, look);
}

osg::ref_ptr<osg::Group> makeAllMarkers(const ReducedModel& model, const Layout& layout, int tiles) {
    const osg::ref_ptr<osg::Group> all = new osg::Group;
    if (model.fixedVertices.empty()) return all;
    const osg::ref_ptr<osg::Geometry> markers = makeMarkers(model);
    for (int i = 0; i < tiles; ++i) {
        const osg::ref_ptr<osg::MatrixTransform> place = new osg::MatrixTransform;
        place->setMatrix(osg::Matrix::translate(osgPliant::toOsg(layout.place(i))));
        place->addChild(markers);
        all->addChild(place);
    }
    return all;
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
    const std::vector<Tile> tiles = tilesOf(*model, modeShapes(*model, options.amplitude));
    const Layout layout(*model, options, tiles);
    osgPliant::HeadlessOptions headless;
    headless.width = layout.columns * options.tileSize;
    headless.height = layout.rows * options.tileSize;
    osgPliant::HeadlessViewer viewer(headless);
    if (!viewer.isValid()) throw Error("", viewer.getProblem());

    const osg::ref_ptr<osgPliant::Stage> stage = makeStage(layout);
    stage->addChild(makeBodies(model, tiles, layout));
    stage->addChild(makeAllMarkers(*model, layout, static_cast<int>(tiles.size())));
    const osg::ref_ptr<osg::Group> root = new osg::Group;
    root->addChild(stage);
    root->addChild(makeLabels(tiles, layout, options.tileSize));
    viewer.setScene(root);
    viewer.setCamera(osgPliant::toOsg(Vector3(-layout.distance() * layout.forward)), osg::Vec3d(0, 0, 0),
                     osgPliant::toOsg(layout.upward), layout.fieldOfView());
    const osg::Image* image = viewer.render(0.0);
    if (!image) throw Error("", viewer.getProblem());
    return new osg::Image(*image, osg::CopyOp::DEEP_COPY_ALL);
}

}  // namespace pliant::program
