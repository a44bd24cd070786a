// SPDX-License-Identifier: Zlib
// How far the surface of a bent body is at least, and distances as far as they matter.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "pliant/touch/FieldLookup.h"
#include "pliant/touch/RestPlace.h"

namespace pliant {

namespace {

constexpr double kLittle = 0.1;  ///< of what a point is known to be clear, that more steps could add to it
/// Distances between surface points that the bent surface is away from the nearest of them at most.
constexpr double kBentGap = 1.5;
/// Of a lattice spacing around the surface, that is in cells of the lattice's own, less what samples of the field and
/// its interpolation are off.
constexpr double kOwnCells = 0.9;

}  // namespace

// No part of the surface lies in a ball that is farther from all of its points than these are from each other: the ball
// is on one side as a whole, and the middle tells which.
double DeformedField::clearanceBySurface(const NearestPoint& nearest) const {
    return (nearest.distance - kBentGap * m_model->pointSpacing()) / kMostStretch;
}

// Let x be the image of X, in a cell of the lattice's own that no cell but those beside it comes near to. A way from x
// to the surface either has a preimage that stays in own cells, of the length d / L at least with L the Lipschitz
// number of the field at rest, or comes to the surface of another part through the whole layer of own cells around
// that. Where d is told of bent bodies, it is by the stretch along the normal: a share of the clearance is left for
// that.
double DeformedField::clearanceByLattice(const Vector3& rest) const {
    const SurfaceModel& model = *m_model;
    const DistanceField& field = model.surface().field;
    const ContactLattice& lattice = model.surface().lattice;
    const int cell = latticeCellAt(lattice, rest);
    const Vector3 place = placeInLatticeCell(lattice, cell, rest);
    if (place.minCoeff() < 0.0 || place.maxCoeff() > 1.0 || !(m_bounds.gap(cell) > 0.0)) return 0.0;
    // Of a bent body the offset, which is not bent, is taken off after the stretch (distanceAt()).
    const double least = m_bounds.leastStretch(cell), distance = fieldDistance(field, rest),
                 near = std::min(least * (distance - field.offset), least * distance - field.offset);
    return std::min(near / std::max(1.0, field.lipschitz),
                    m_bounds.leastStretch() * kOwnCells * lattice.spacing / kMostStretch);
}

double DeformedField::clearance(const DeformedBody& body, const Vector3& world) const {
    const NearestPoint nearest = nearestPoint(body, world);
    if (nearest.sphere < 0) return 0.0;
    const double bySurface = clearanceBySurface(nearest);
    if (!(bySurface > 0.0) && !m_hasBounds) return 0.0;
    const RestPlace place = restPlaceOf(body, world, &nearest);
    if (!(sampleAt(body, place).distance > 0.0)) return 0.0;
    return m_hasBounds ? std::max(bySurface, clearanceByLattice(place.rest)) : bySurface;
}

/// A point on the way to where it rests.
struct DeformedField::Approach {
    Vector3 mesh;  ///< mesh frame, m
    RestPlace place;
    double clear = 0.0;  ///< m, at least
    bool isFar = false;
};

// Newton's method, which ends early for what is far: any place at rest has an image whose clearance is known, and the
// point is so much less clear as it lies beside that. @param count up to kTogether
void DeformedField::approach(const DeformedBody& body, double most, Approach* points, int count) const {
    std::array<int, RestPlace::kTogether> open;
    int opened = count;
    for (int i = 0; i < count; ++i) open[static_cast<std::size_t>(i)] = i;
    for (int iteration = 0; iteration < RestPlace::kMostIterations && opened > 0; ++iteration) {
        int left = 0;
        for (int k = 0; k < opened; ++k) {
            const int i = open[static_cast<std::size_t>(k)];
            Approach& point = points[i];
            const Vector3 rest = point.place.rest;
            double squared = 0.0;
            const bool goesOn = stepBack(body, point.mesh, point.place, squared);
            if (m_hasBounds && (iteration > 0 || !goesOn)) {
                const double beside = std::sqrt(squared);
                point.clear = clearanceByLattice(rest) - beside;
                point.isFar = point.clear > most && (!goesOn || beside < kLittle * point.clear);
            }
            if (goesOn && !point.isFar) open[static_cast<std::size_t>(left++)] = i;
        }
        opened = left;
    }
}

void DeformedField::distancesUpTo(const DeformedBody& body, double most, const Vector3* world, int count, double* out,
                                  double* clear) const {
    std::array<Approach, RestPlace::kTogether> points;
    for (int first = 0; first < count; first += RestPlace::kTogether) {
        const int n = std::min(RestPlace::kTogether, count - first);
        for (int i = 0; i < n; ++i) {
            Approach& point = points[static_cast<std::size_t>(i)];
            point.mesh = toMesh(body, world[first + i]);
            point.place.rest = isBent() ? startFor(body, world[first + i], point.mesh, nullptr) : point.mesh;
            point.clear = isBent() || !m_hasBounds ? 0.0 : clearanceByLattice(point.mesh);
            point.isFar = point.clear > most;
        }
        if (isBent()) approach(body, most, points.data(), n);
        for (int i = 0; i < n; ++i) {
            const Approach& point = points[static_cast<std::size_t>(i)];
            Vector3 gradient, outward;
            clear[first + i] = point.clear;
            out[first + i] =
                point.isFar ? std::numeric_limits<double>::infinity() : distanceAt(point.place, gradient, outward);
        }
    }
}

}  // namespace pliant
