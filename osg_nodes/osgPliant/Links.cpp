// SPDX-License-Identifier: Zlib
#include "osgPliant/Links.h"

namespace osgPliant {

namespace {

PrimitiveLook darkMetal() {
    PrimitiveLook look;
    look.colour.set(0.10f, 0.10f, 0.11f, 1.0f);
    look.specular = 0.4f;
    look.shininess = 60.0f;
    return look;
}

/// Takes the unit cylinder along z to a rod.
osg::Matrixd matrixOf(const Links::Rod& rod) {
    const osg::Vec3d along = rod.to - rod.from;
    osg::Matrixd turn;
    turn.makeRotate(osg::Vec3d(0.0, 0.0, 1.0), along);
    return osg::Matrixd::scale(rod.radius, rod.radius, along.length()) * turn *
           osg::Matrixd::translate((rod.from + rod.to) * 0.5);
}

}  // namespace

Links::Links() : Links(darkMetal()) {}

Links::Links(const PrimitiveLook& look) : _rod(createCylinder(1.0f, 1.0f, 2, look)), _pin(createSphere(1.0f, look)) {}

// Children that place links are made anew by show(): a shallow copy would move those of the other.
Links::Links(const Links& other, const osg::CopyOp& copyop)
    : osg::Group(other, copyop), _rod(other._rod), _pin(other._pin) {
    removeChildren(0, getNumChildren());
}

osg::MatrixTransform& Links::place(std::vector<osg::ref_ptr<osg::MatrixTransform>>& places, std::size_t i,
                                   osg::Geometry* shape) {
    if (i == places.size()) {
        places.push_back(new osg::MatrixTransform);
        places.back()->setDataVariance(osg::Object::DYNAMIC);
        places.back()->addChild(shape);
        addChild(places.back());
    }
    return *places[i];
}

/// Takes the others out, and does not hide them: hidden children count in the bound.
void Links::keep(std::vector<osg::ref_ptr<osg::MatrixTransform>>& places, std::size_t count) {
    for (; places.size() > count; places.pop_back()) removeChild(places.back());
}

void Links::show(const std::vector<Rod>& rods, const std::vector<Pin>& pins) {
    std::size_t used = 0;
    for (const Rod& rod : rods) {
        if ((rod.to - rod.from).length2() < 1e-18) continue;
        place(_rods, used++, _rod).setMatrix(matrixOf(rod));
    }
    keep(_rods, used);
    for (std::size_t i = 0; i < pins.size(); ++i) {
        const double r = pins[i].radius;
        place(_pins, i, _pin).setMatrix(osg::Matrixd::scale(r, r, r) * osg::Matrixd::translate(pins[i].centre));
    }
    keep(_pins, pins.size());
}

}  // namespace osgPliant
