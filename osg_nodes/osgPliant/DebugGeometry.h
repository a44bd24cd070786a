// SPDX-License-Identifier: Zlib
// What a DebugDrawing is made of: lines, discs, and instanced swept spheres.
#pragma once

#include <osg/Geometry>
#include <osg/StateSet>
#include <osg/Uniform>
#include <vector>

namespace osgPliant {

/// State of everything that a DebugDrawing draws. What is hidden comes first, on top of the scene and below what is
/// seen.
class DebugStates {
public:
    DebugStates();
    osg::StateSet* lines(bool hidden) const { return _lines[hidden ? 1 : 0].get(); }
    osg::StateSet* discs(bool hidden) const { return _discs[hidden ? 1 : 0].get(); }
    osg::StateSet* capsules(bool hidden) const { return _capsules[hidden ? 1 : 0].get(); }
    osg::StateSet* clearCapsules() const { return _clear.get(); }
    void setHiddenStrength(float strength) { _strength->set(strength); }
    float getHiddenStrength() const;

private:
    osg::ref_ptr<osg::StateSet> _lines[2], _discs[2], _capsules[2], _clear;
    osg::ref_ptr<osg::Uniform> _strength;
};

/// Drawables of one kind of shape in one layer.
class DebugDrawable {
public:
    virtual ~DebugDrawable() = default;
    const std::vector<osg::ref_ptr<osg::Geometry>>& drawables() const { return _drawables; }

protected:
    /// Shows what is seen, and what is hidden, unless there is nothing.
    void setShown(bool seen, bool hidden);
    std::vector<osg::ref_ptr<osg::Geometry>> _drawables;  ///< What is seen and, where drawn, what is hidden.
};

/// Primitives of vertices with a colour each.
class DebugVertices : public DebugDrawable {
public:
    void clear();
    /// Makes the drawables show what was added.
    void finish(bool shown, bool hidden);

protected:
    void create(GLenum mode, osg::StateSet* seen, osg::StateSet* hidden);
    void addVertex(const osg::Vec3& position, const osg::Vec4& colour);

private:
    osg::ref_ptr<osg::Vec3Array> _positions;
    osg::ref_ptr<osg::Vec4Array> _colours;
    osg::ref_ptr<osg::DrawArrays> _draw;
};

class DebugLines : public DebugVertices {
public:
    void create(const DebugStates& states) { DebugVertices::create(GL_LINES, states.lines(false), states.lines(true)); }
    void add(const osg::Vec3& from, const osg::Vec3& to, const osg::Vec4& colour);
};

class DebugDiscs : public DebugVertices {
public:
    void create(const DebugStates& states);
    /// @param normal of unit length
    void add(const osg::Vec3d& centre, const osg::Vec3d& normal, double radius, const osg::Vec4& colour);
};

class DebugCapsules : public DebugDrawable {
public:
    /// @param seenThrough drawn last, and without what is hidden
    void create(const DebugStates& states, bool seenThrough);
    void clear();
    /// @param from, to middle and radius of the sphere at either end
    void add(const osg::Vec4& from, const osg::Vec4& to, const osg::Vec4& colour);
    /// Makes the drawables show what was added.
    void finish(bool shown, bool hidden);

private:
    class Bound;
    osg::ref_ptr<osg::FloatArray> _texels;  ///< three of four numbers each; never shrunk
    osg::ref_ptr<osg::DrawElementsUShort> _draw;
    osg::ref_ptr<Bound> _bound;
    std::size_t _count = 0;
};

}  // namespace osgPliant
