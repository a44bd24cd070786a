// SPDX-License-Identifier: Zlib
/// @file
/// DebugShapes as a picture.
#pragma once

#include <memory>
#include <osg/Geode>

#include "pliant/math/Api.h"
#include "pliant/view/DebugShapes.h"

namespace osgPliant {

/// DebugShapes as a picture: lines, swept spheres in one instanced draw a layer, and texts that face the eye. What is
/// hidden behind other things is drawn faintly, so that what is inside of bodies can be seen.
///
///     osg::ref_ptr<osgPliant::DebugDrawing> drawing = new osgPliant::DebugDrawing;
///     stage->addChild(drawing);
///     viewer.addEventHandler(new osgPliant::DebugHandler(drawing));   // F1 to F9
///     // every frame, in the thread of the update traversal:
///     shapes.clear();
///     shapes.wanted = drawing->getShownLayers();
///     ... fill shapes ...
///     drawing->show(shapes);
///
/// Has programs of its own: neither lights nor the scene's programs change it. Casts no shadow on a Stage.
class PLIANT_API DebugDrawing : public osg::Geode {
public:
    /// Draws nothing yet; all layers but Spheres and Energies are shown.
    DebugDrawing();
    /// The same layers, and nothing drawn.
    DebugDrawing(const DebugDrawing& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
    META_Node(osgPliant, DebugDrawing)

        /// Draws these shapes and no others. Call it where the scene may be changed.
        void show(const pliant::DebugShapes& shapes);
    /// Shows or hides a layer, at once.
    void setLayerShown(pliant::DebugLayer layer, bool shown);
    /// Whether a layer is shown.
    bool getLayerShown(pliant::DebugLayer layer) const;
    /// Bit i: layer i is shown; DebugShapes::wanted.
    unsigned int getShownLayers() const { return _shown; }
    /// How strongly what is hidden is drawn: 0 (not at all) to 1 (as if nothing were before it); 0.25 by default.
    void setHiddenStrength(float strength);
    /// How strongly what is hidden is drawn.
    float getHiddenStrength() const;
    /// The bounding sphere of what is shown.
    osg::BoundingSphere computeBound() const override;

protected:
    ~DebugDrawing() override;

private:
    struct Layer;
    struct PLIANT_HIDDEN Data;
    void showLayer(int layer);

    std::unique_ptr<Data> _data;
    unsigned int _shown;
};

}  // namespace osgPliant
