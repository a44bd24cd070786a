// SPDX-License-Identifier: Zlib
/// @file
/// A hand that takes hold of something in a simulation.
#pragma once

#include <osg/Referenced>
#include <osg/Vec3d>

#include "pliant/math/Api.h"

namespace osgPliant {

/// A hand that takes hold of something in a simulation: what a DragHandler moves. Whoever simulates says how it grips;
/// lines are in world coordinates.
class PLIANT_API Hand : public osg::Referenced {
public:
    /// Takes hold of what the line meets first.
    /// @param eye where the line begins, m
    /// @param end where it ends, m
    /// @return whether it holds something, or may do so (a hand whose simulation runs in another thread)
    virtual bool take(const osg::Vec3d& eye, const osg::Vec3d& end) = 0;
    /// Moves what it holds across the line of sight: to where the line is as far from the eye as it was when taken.
    virtual void move(const osg::Vec3d& eye, const osg::Vec3d& end) = 0;
    /// Lets go.
    virtual void release() = 0;

protected:
    ~Hand() override = default;
};

}  // namespace osgPliant
