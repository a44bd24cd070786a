// SPDX-License-Identifier: Zlib
// Which points of a shell touch a field [B07 3.9 to 3.10], frame after frame of one pair.
//
// Whole cells and clusters of points that are too far away are left out by one look-up in the field, and rest until
// their cell (PlacedShell::travelled) and the field may have come as far as they were away. So does each point of the
// other clusters: of those within reach of a look-up most do not touch for many frames. What is found equals what a
// look at every point of the level finds. Points that passed through a thin body between two frames are held to the
// side that they came from.
//
// Levels: the number of points that a level will look at is known before the first of them; the deepest level that
// stays within the budget is taken. Its weight rises in 20 ms while that of the level before falls, so that forces do
// not jump. A level whose points are more than twice the budget is left at once.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/touch/PlacedShell.h"
#include "pliant/touch/TouchField.h"

namespace pliant {

/// A point that touches, or comes within reach; in the field's frame.
struct DistributedPoint {
    int point = -1;
    Vector3 place = Vector3::Zero();  ///< Place of the point, m.
    Vector3 area = Vector3::Zero();   ///< Area vector of the deformed surface, into the body, blended over levels, m^2.
    double distance = 0.0;            ///< Distance, m, negative inside.
    bool passed = false;              ///< Whether it is held to its side: the distance is that to where it went in.
};

struct DistributedQueryOptions {
    double reach = 0.0;  ///< Largest distance of the points that are told, m.
    int budget = 0;      ///< Most points of clusters that are near; 0: any number. TouchCost.h makes it of a time.
    double step = 0.0;   ///< Time since the last find(), s.
    /// Way that the field's surface may have come in its own frame since then, m; not below kAnywhere, or no number: it
    /// is not known.
    double fieldMotion = 0.0;
    bool followsFastPoints = true;  ///< Whether points that passed through are looked for.
};

/// What a find() has looked at.
struct DistributedQueryCounts {
    int cells = 0, clusters = 0, points = 0, traced = 0;
    int listed = 0;  ///< Points of clusters that are near, those that rest among them: what a budget is compared with.
};

class PLIANT_INTERNAL_API DistributedQuery {
public:
    static constexpr double kAnywhere = 1e6;    ///< Metres of a motion that is not known.
    static constexpr double kBlendTime = 0.02;  ///< Time in which levels blend, s.

    DistributedQuery(std::shared_ptr<const DistributedShell> shell, const ContactLattice* lattice);

    PlacedShell& placed() { return m_placed; }
    const PlacedShell& placed() const { return m_placed; }

    /// After placed().place(). Appends to `out`, by cluster.
    void find(const TouchField& field, const DistributedQueryOptions& options, std::vector<DistributedPoint>& out);
    /// A look at every point of a level.
    void findAll(const TouchField& field, int level, double reach, std::vector<DistributedPoint>& out) const;

    /// Share of each level in the last find(); their sum is 1.
    const std::array<double, DistributedShell::kMostLevels>& weights() const { return m_weights; }
    const DistributedQueryCounts& counts() const { return m_counts; }
    /// Forgets the frames before: what comes next is as after construction.
    void reset();

    /// A point that went through the field's body in one frame.
    struct Held {
        int point;
        Vector3 entry, normal;  ///< Where it went in, and the field's normal there.
    };
    /// What the next find() depends on of the frames before. How far away what rests was leaves out nothing that it
    /// would find; where a budget is compared with how many points are near, it is part of the state, too.
    struct State {
        std::vector<PlacedShell::Polynomial> places;  ///< Cells at the last place(), field's frame; empty: none.
        std::array<double, DistributedShell::kMostLevels> weights{};
        double listReach = -1.0;  ///< Reach of the list of clusters, m; negative: there is none.
        std::vector<Held> held;   ///< Points that are held, ascending.
        /// Of the last find(), where it had a budget, else empty: sums of motions of cells, and up to which of these
        /// cells and clusters rest, m.
        std::vector<double> travelled, cellRests, clusterRests;
        double fieldTravelled = 0.0;  ///< The same sum of the field's surface, m.
    };
    State state() const;
    /// Goes on from there. @return false, and nothing changes, where it is none of this shell's
    bool setState(const State& state);

private:
    void listClusters(const TouchField& field, const DistributedQueryOptions& options);
    double listCluster(const TouchField& field, const DistributedQueryOptions& options, int cluster, double moved,
                       double step);
    void sumMotions(double fieldMotion);
    void forgetRests();
    void chooseLevel(const DistributedQueryOptions& options);
    int deepestLevel() const;
    Vector3 areaOf(int point) const;
    void findInCluster(const TouchField& field, const DistributedQueryOptions& options, int cluster, int level,
                       std::vector<DistributedPoint>& out);
    bool holdIfPassed(const TouchField& field, int point, const Vector3& place);
    void addHeld(const TouchField& field, double reach, std::vector<DistributedPoint>& out);
    bool isHeld(int point) const;
    int listDue(int cluster, int level, double moved);
    void beginPoints(int cluster);

    PlacedShell m_placed;
    std::vector<int> m_near;          ///< clusters to be looked at
    std::vector<double> m_rests;      ///< of clusters: sum of motions up to which nothing of it comes near
    std::vector<double> m_nearUntil;  ///< of clusters that are near: sum of motions up to which that is not asked anew
    std::vector<double> m_cellRests;  ///< of cells
    std::vector<float> m_pointRests;  ///< of points, rounded down; of clusters whose number in m_pointsOf is the last
    /// When what is known of its points began, of clusters. All are forgotten by a new number: a million points written
    /// anew took as long as the rest of the query.
    std::vector<std::uint64_t> m_pointsOf;
    std::uint64_t m_beginning = 1;
    double m_fieldTravelled = 0.0;  ///< m
    bool m_hadBudget = false;       ///< whether the last find() had one
    double m_listReach = -1.0;      ///< m, that m_rests was made for
    std::array<double, DistributedShell::kMostLevels> m_weights{};
    std::vector<Held> m_held;  ///< by point
    DistributedQueryCounts m_counts;
    std::array<int, DistributedShell::kClusterPoints> m_due;  ///< working memory, of one cluster
    std::array<Vector3, DistributedShell::kClusterPoints> m_places;
    std::array<double, DistributedShell::kClusterPoints> m_distances, m_clear;
};

}  // namespace pliant
