// SPDX-License-Identifier: Zlib
// The shell of distributed contact: many points of a closed surface, each with the area vector of the piece of surface
// that it stands for, in nested levels. A point is carried by a cell: it is a trilinear polynomial of eight corners, so
// that where it goes costs the same whatever the number of modes is. Made once per model, immutable.
//
// A level is a subset of the next one, with area vectors of its own: those of the points that it leaves out are added
// to the point that stands for them. The area vectors of every level of a closed surface so add up to zero.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/ContactSurface.h"

namespace pliant {

/// Points of a surface in its mesh frame.
struct ShellSamples {
    Points positions;  ///< Places of the points, 3 x n, m.
    Points areas;      ///< Area vector of each point's piece, into the body, 3 x n, m^2.
};

class PLIANT_INTERNAL_API DistributedShell {
public:
    static constexpr int kMostLevels = 8;
    static constexpr int kFanOut = 4;          ///< Points of a level that one of the level above stands for.
    static constexpr int kClusterPoints = 32;  ///< Most points of a cluster.

    /// A box of the rest shape whose corners carry the points in it.
    struct Cell {
        Vector3 origin = Vector3::Zero();  ///< Lower corner at rest, mesh frame, m.
        double spacing = 0.0;              ///< Width, m.
        int latticeCell = -1;              ///< Lattice cell that moves it; -1: it moves with the frame alone.
        int firstCluster = 0, clusterCount = 0;
        Vector3 low = Vector3::Zero(), high = Vector3::Zero();  ///< Box of its points, in widths.
    };
    /// Points of one cell that stand together, coarse levels first.
    struct Cluster {
        int cell = -1;
        int first = 0;                                          ///< First point of the cluster.
        int prefix[kMostLevels] = {};                           ///< Number of its points that belong to each level.
        Vector3 low = Vector3::Zero(), high = Vector3::Zero();  ///< Box of its points, in widths of the cell.
    };

    /// @param levels 1 .. kMostLevels; 0 is the coarsest
    /// @param lattice that carries the surface; null: a body that does not deform
    /// @throws Error without points, for numbers that are not finite, levels out of range, and points that lie more
    /// than a cell outside of the cell that carries them
    DistributedShell(const ShellSamples& samples, int levels, const ContactLattice* lattice);

    int pointCount() const { return static_cast<int>(m_places.cols()); }
    int levelCount() const { return m_levels; }
    /// Points of a level.
    int pointCount(int level) const { return m_levelCounts[static_cast<std::size_t>(level)]; }
    const std::vector<Cell>& cells() const { return m_cells; }
    const std::vector<Cluster>& clusters() const { return m_clusters; }
    /// Of a point within its cell, in widths.
    Vector3 placeInCell(int point) const { return m_places.col(point).cast<double>(); }
    int cellOf(int point) const { return m_cellOf[static_cast<std::size_t>(point)]; }
    /// Rest position, mesh frame, m.
    Vector3 restPoint(int point) const;
    /// The coarsest level that holds the point.
    int levelOf(int point) const { return m_level[static_cast<std::size_t>(point)]; }
    /// Area vector at rest, mesh frame, m^2, into the body. @param level not above levelOf()
    Vector3 area(int point, int level) const {
        return m_areas.col(m_firstArea[static_cast<std::size_t>(point)] + level - levelOf(point)).cast<double>();
    }
    /// Number of a point in the samples that the shell was made of.
    int sampleOf(int point) const { return m_sampleOf[static_cast<std::size_t>(point)]; }

private:
    struct Draft;
    void makeCells(const ShellSamples& samples, const ContactLattice* lattice, Draft& draft) const;
    void addCell(const ShellSamples& samples, Draft& draft, int begin, int end);
    void addCluster(const ShellSamples& samples, const Draft& draft, int begin, int end);

    int m_levels = 0;
    std::vector<int> m_levelCounts;
    std::vector<Cell> m_cells;
    std::vector<Cluster> m_clusters;
    PointsF m_places;  ///< 3 x n
    std::vector<int> m_cellOf, m_level, m_firstArea, m_sampleOf;
    PointsF m_areas;  ///< 3 x the sum over all points of the levels that hold them
};

}  // namespace pliant
