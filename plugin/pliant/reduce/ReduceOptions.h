// SPDX-License-Identifier: Zlib
/// @file
/// Every choice of the reduction, with units and defaults.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/basis/BasisOptions.h"
#include "pliant/math/Api.h"
#include "pliant/mesh/VolumeMesh.h"
#include "pliant/reduce/BodyRegion.h"

namespace pliant {

/// What a body collides with.
enum class ContactGeometry {
    Automatic,  ///< The surface of what is filled, a sheet around what is open; segments for hollow bodies and strands
                ///< (those of fine bricks excepted, see ContactGeometry.h).
    Segments,   ///< Capsule segments inside the surface.
    Surface     ///< The drawn surface, or where it is open a sheet around it.
};

/// The axis of the input that points up.
enum class UpAxis { X, Y, Z };

/// Every choice of the reduction: which shapes the basis is made of (any union of modes, derivatives, centrifugal
/// shapes, sketch and snapshots), how many columns it gets, materials, and what does not change the result.
struct PLIANT_API ReduceOptions {
    /// Number k of elastic linear modes (after the six rigid ones of a free body); 0 with sketch or snapshots.
    int modes = 20;
    /// For `modes` that nobody has asked for: a mesh with fewer elastic degrees of freedom gives as many as it has.
    bool modesAtMost = false;
    /// Derivatives of the modes; shifted forms are for free bodies only.
    DerivativeForm derivatives = DerivativeForm::Static;
    bool centrifugal = false;  ///< Six shapes that spinning makes.
    /// Recorded forces, one static solve each. Vertex numbers are those of the input file from 0 (of the bricks, where
    /// it is a surface); positions are in the input's units.
    std::vector<PointForce> sketch;
    SketchOptions sketchOptions;  ///< How the sketch is made.
    /// A simulation of the full model; vertices and positions as in `sketch`.
    std::optional<SnapshotRun> snapshots;
    VisibilityRule visibility;  ///< Leaves out modes that nobody can see.

    /// Number r of columns of the basis, at most the number of shapes: k + k(k+1)/2 with the defaults.
    int dimension = 30;
    /// For a `dimension` that nobody has asked for: no more than the mesh has elastic degrees of freedom.
    bool dimensionAtMost = false;
    /// Above 0: as few columns, up to `dimension`, as leave out at most this share of the mass-PCA energy.
    double energyTolerance = 0.0;
    /// How the columns are made of the shapes.
    Orthogonalisation orthogonalisation = Orthogonalisation::MassPca;

    /// A .bou file of vertices to hold (1-based, of the simulation mesh in the input; a surface has none); empty =
    /// none.
    std::string fixedVertices;
    /// Parts to hold: every vertex of the simulation mesh in any of them, and those of `fixedVertices`.
    std::vector<BodyRegion> hold;
    /// Whether vertices are held; otherwise the body is free.
    bool holdsVertices() const { return !fixedVertices.empty() || !hold.empty(); }

    /// What one unit of the coordinates in `input` and `surface` is, m. Materials are SI always.
    double metresPerUnit = 1.0;

    /// Making bricks from a surface: their number along the longest side of the bounding box; 0 = chosen from the
    /// surface. Ignored where the input already has elements.
    int voxels = 0;
    /// Making bricks from a surface: fill the inside too (true; closed surfaces only), every brick counting with the
    /// share of it that is inside; or only bricks that touch the surface (false: a shell). Where it is not said, closed
    /// surfaces are filled, unless `thickness` is given.
    std::optional<bool> solid;
    /// Of the wall that a shell stands for, m: its bricks count with their area times thickness. 0: they count whole.
    double thickness = 0.0;
    /// Above 0: a surface is replaced by the closed one that lies this far outside of its triangles, in parts of the
    /// longest side of its box: sheets get thickness, and holes narrower than twice that are bridged.
    double offset = 0.0;
    /// Which axis of `input` and `surface` points up; z where it is not said. Others are turned until it is z.
    std::optional<UpAxis> up;

    ContactGeometry contact = ContactGeometry::Automatic;  ///< What the body collides with.

    /// Making bricks from a surface: parts with materials of their own; a brick in several belongs to the last of them.
    std::vector<MaterialRegion> regions;

    /// Young's modulus, Pa. Where set it replaces that of every region of the input; otherwise the input's, or
    /// ElasticMaterial's default.
    std::optional<double> youngsModulus;
    std::optional<double> poissonRatio;  ///< Poisson ratio, likewise.
    std::optional<double> density;       ///< Density, kg/m^3, likewise.
    bool lumpedMass = false;             ///< Row sums of the mass matrix instead of the consistent one, everywhere.

    /// Adds strain-rate damping to the model (ReducedModel::damping) with the viscosity C_v = C times one second: at
    /// rest D(0) = K0 s. DampingSettings::strainRate is then the time, s, that C is multiplied by.
    bool strainRateDamping = false;

    /// The drawn surface (.obj) when the input is a simulation mesh; empty = its boundary faces.
    std::string surface;

    /// Drawn surfaces without normals: triangles that meet at a sharper edge than this angle between their planes,
    /// degrees, do not share a normal; 180 = smooth everywhere. Changes nothing but the picture.
    double creaseAngle = 40.0;

    /// Edges of the drawn surface are halved where the body's own weight bends it between their ends by more than this
    /// share of the largest displacement, because what is drawn is what touches; 0 keeps the
    /// triangles as they are.
    double refine = 0.03;

    int threads = 0;  ///< Workers; 0 = all cores. Does not change the result.
    /// Where modes, derivatives and other shapes are kept for the next time; empty = nowhere. Does not change the
    /// result.
    std::string cacheFile;

    /// Several processes make one model (reduce/MpiShares.h): polynomials, derivatives and sketches are cut into
    /// shares, whose number shows in the last bits. All make the same calls and get the model; the first one keeps the
    /// cache.
    WorkShares shares;

    /// Where `solid` is open, what is done with this input: filled where it is a closed surface. Reads the surface.
    /// @throws Error as reading it does
    ReduceOptions decidedFor(const std::string& inputFile) const;

    /// Shapes that the modes and their derivatives are: k + k(k+1)/2 with the defaults.
    long long shapesOfModes() const;
    /// Whether there are shapes beside those: centrifugal ones, sketches, snapshots.
    bool hasOtherShapes() const { return centrifugal || !sketch.empty() || snapshots; }
    /// For a `dimension` that nobody has asked for: no more than there are shapes.
    void lowerDefaultDimension();

    /// "key=value;..." of every option that changes the result, for provenance and caches. Files by their names alone;
    /// the input's hash tells what they held.
    std::string canonical() const;
};

/// Whether a model has the lumped mass matrix.
/// @param canonical how it was made: Provenance::options
PLIANT_API bool saysLumpedMass(const std::string& canonical);

}  // namespace pliant
