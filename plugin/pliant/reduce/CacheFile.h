// SPDX-License-Identifier: Zlib
// Modes, derivatives and other costly shapes of one body on disk, beside its model file: a second reduction of the same
// mesh with other later options (dimension, orthogonalisation, drawn surface) starts from them.
//
// The file may be deleted at any time. It is little-endian: "PLIANTSC", version, 32 hex digits of what the shapes
// depend on (mesh, materials, mass, fixed vertices, version of Pliant), then an entry per stage: name, text of its own
// options, matrices in double precision, XXH3-64 of them. Whatever does not fit is as if it were not there.
#pragma once

#include "pliant/basis/StageCache.h"
#include "pliant/fem/FullModel.h"

namespace pliant {

/// 32 hex digits (XXH3-128) of everything that shapes of a body depend on, their own options left out.
std::string fullModelHash(const FullModel& model, const std::vector<int>& fixedVertices);

class CacheFile : public StageCache {
public:
    /// Looks what `path` holds for `modelHash`; a missing, foreign or damaged file holds nothing.
    CacheFile(std::string path, std::string modelHash);

    bool find(const std::string& stage, const std::string& dependsOn, std::vector<MatrixX>& matrices) override;
    /// Replaces what there is for the stage. The file is written beside itself and renamed, so that it is always whole.
    void keep(const std::string& stage, const std::string& dependsOn, const std::vector<MatrixX>& matrices) override;

    const std::vector<std::string>& found() const { return m_found; }  ///< Stages that find() answered.
    const std::string& problem() const { return m_problem; }  ///< Why keep() could not write; empty when it could.

private:
    struct Entry {
        std::string stage, dependsOn;
        std::vector<std::pair<std::int64_t, std::int64_t>> sizes;  // rows and columns of each matrix
        std::uint64_t checksum = 0;
        std::int64_t dataBegin = 0, dataBytes = 0;  // in the file
    };
    void readEntries();

    std::string m_path, m_hash, m_problem;
    std::vector<Entry> m_entries;
    std::vector<std::string> m_found;
};

}  // namespace pliant
