// SPDX-License-Identifier: Zlib
// The shapes that a basis is made of, each with its weight for the mass-PCA; every source taken from a cache where it
// lies there.
#pragma once

#include <functional>
#include <memory>

#include "pliant/basis/Basis.h"
#include "pliant/basis/StageCache.h"

namespace pliant {

struct WeightedShapes {
    MatrixX columns;           ///< Shapes, 3n x c, of length 1 in M.
    VectorX weights;           ///< Weights of the c shapes; 1 for the leading shape of each source.
    Eigen::Index inOrder = 0;  ///< Number of leading columns (the modes) that Gram-Schmidt takes first, in this order.
    VectorX elasticEigenvalues;
    int hiddenModes = 0, droppedDerivatives = 0;
};

/// Factors the stiffness when it is first needed: never, where every source is cached.
class ShapeSources {
public:
    ShapeSources(const FullModel& model, const BasisOptions& options, const ProgressCallback& progress,
                 StageCache* cache);

    /// All shapes that the options ask for: modes, derivatives, centrifugal shapes, sketch, snapshots, in this order.
    WeightedShapes collect();
    const MatrixX& rigid() const { return m_rigid; }  ///< Rigid modes, 3n x 6 for a free body, else 3n x 0.

private:
    using Matrices = std::vector<MatrixX>;
    const StaticCompliance& compliance();
    enum class Maker { First, All };  ///< of several processes: the first alone, or all of them in shares
    Matrices ofFirst(const std::function<Matrices()>& make) const;
    void prepareOthers();
    template <typename Make>
    Matrices stage(const std::string& name, const std::string& dependsOn, Maker maker, const Make& make);
    LinearModes modes(WeightedShapes& shapes);
    void addDerivatives(const LinearModes& modes, WeightedShapes& shapes);
    void addCentrifugal(WeightedShapes& shapes);
    void addSketch(WeightedShapes& shapes);
    void addSnapshots(WeightedShapes& shapes);

    const FullModel& m_model;
    const BasisOptions& m_options;
    const ProgressCallback& m_progress;
    StageCache* m_cache;
    MatrixX m_rigid;
    std::unique_ptr<StaticCompliance> m_compliance;
    double m_firstEigenvalue = 0.0;  ///< of the modes that are kept; 0 without modes
    std::string m_keptModes;         ///< what derivatives depend on
};

}  // namespace pliant
