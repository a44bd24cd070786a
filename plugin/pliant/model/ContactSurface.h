// SPDX-License-Identifier: Zlib
/// @file
/// The contact geometry of a solid: points on the drawn surface, a signed distance field inside and around it, and a
/// lattice that carries the field along with the deformation.
#pragma once

#include <cstdint>
#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

/// What the spheres of a ContactSkeleton are that stand for points of a surface: one column or entry for each of its b
/// spheres. A surface point is a sphere of radius 0 with a capsule segment of its own, so that trees, bounds of motion
/// and contact rows treat it as they treat any sphere; where it lies is exactly where the drawn surface is.
///
/// Between the points the surface is rounded: a point stands for the spherical cap of radius capRadii about its outward
/// normal, out to the angle capAngles. A round body then rolls as a round one, a flat face and a sharp corner (both
/// with a cap of angle 0) touch at the points themselves.
struct PointShell {
    PointsF normals;  ///< Outward unit normals at rest, 3 x b, body frame; zero for spheres that are no surface point.
    VectorXf capRadii;   ///< Radius of curvature of the cap, b, m, >= 0; 0 at corners and edges.
    VectorXf capAngles;  ///< Half of the cap's opening angle, b, rad, in [0, pi / 2].
    VectorXf areas;      ///< Share of the surface that each point stands for, b, m^2, >= 0; 0 at other spheres.

    /// The number b of spheres that are described; 0 where no sphere is a surface point.
    int count() const { return static_cast<int>(areas.size()); }
};

/// Signed distance to a closed surface at rest, m, < 0 inside, in the *mesh frame*, sampled in two resolutions: fine
/// bricks of 8 x 8 x 8 cells where the surface is near, and one sample at every brick corner for what lies farther off
/// or deep inside. Both are interpolated trilinearly.
struct DistanceField {
    Vector3 origin = Vector3::Zero();   ///< Lower corner of the grid, m.
    double spacing = 0.0;               ///< Distance of fine samples, m; a brick is 8 spacings wide.
    Eigen::Vector3i bricks{0, 0, 0};    ///< Number of bricks along each axis.
    VectorXf corners;                   ///< Distance at brick corners, (bx+1)(by+1)(bz+1), x fastest, m.
    std::vector<int> brickSamples;      ///< Number of each brick in `samples`, bx by bz, x fastest; -1: none.
    std::vector<std::int16_t> samples;  ///< 9 x 9 x 9 of each fine brick, x fastest, in units of `unit`.
    double unit = 0.0;                  ///< Metres of one step of `samples`.
    double lipschitz = 1.0;             ///< |d(x) - d(y)| <= lipschitz |x - y| for the interpolated field.
    /// What has to be taken off the field of an open or self-touching surface, m: it is that far outside of the
    /// surface.
    double offset = 0.0;

    /// Whether there is no field.
    bool empty() const { return corners.size() == 0; }
};

/// A regular lattice of cells in the *mesh frame* that carries points near the surface along: inside a cell the
/// displacement is the trilinear interpolation of those of its eight vertices.
struct ContactLattice {
    Vector3 origin = Vector3::Zero();  ///< Lower corner, m.
    double spacing = 0.0;              ///< Width of a cell, m.
    Eigen::Vector3i cells{0, 0, 0};    ///< Number of cells along each axis of the box.
    /// For each cell of the box (x fastest) the number of the lattice cell that carries it: its own, or the nearest one
    /// where it is too far from the surface to have one.
    std::vector<int> cellNumbers;
    Matrix<int, 3, Eigen::Dynamic> cellPlaces;    ///< Place of every lattice cell in the box, 3 x c.
    Matrix<int, 8, Eigen::Dynamic> cellVertices;  ///< Its vertices, corner (x, y, z) in row x + 2 y + 4 z, 8 x c.
    MatrixXf basis;                               ///< Displacement of the v vertices per unit q, 3v x r, mesh frame.

    /// The number c of lattice cells.
    int cellCount() const { return static_cast<int>(cellVertices.cols()); }
    /// The number v of vertices.
    int vertexCount() const { return static_cast<int>(basis.rows() / 3); }
};

/// Many points of the surface for distributed contact (docs/distributed-contact.md), in the *mesh frame*.
struct DenseShell {
    PointsF positions;  ///< At rest, 3 x n, m.
    PointsF areas;      ///< Area vector of the piece of surface that each stands for, into the body, 3 x n, m^2.
    int levels = 0;     ///< Of detail, that are made of them.

    /// The number n of points; 0 where there are none.
    int count() const { return static_cast<int>(positions.cols()); }
};

/// The contact geometry of a solid beside its skeleton of surface points; all of it is empty for a body whose capsule
/// segments are its surface (strands).
struct ContactSurface {
    PointShell shell;        ///< What the skeleton's spheres are.
    DistanceField field;     ///< Inside and outside at rest.
    ContactLattice lattice;  ///< How the field deforms.
    DenseShell touch;        ///< Points for distributed contact; none: it samples the drawn surface.
    /// Radius that tells how thick the body is, m: the median radius of the largest inscribed spheres at its surface
    /// points. Distances that strands measure in radii of their capsules are measured by it.
    double thickness = 0.0;

    /// Whether the body is a solid with a surface that collides.
    bool exists() const { return !field.empty(); }
};

}  // namespace pliant
