// SPDX-License-Identifier: Zlib
/// @file
/// Recorded poses in a file: pictures of a run without the run.
///
/// The file: magic, byte order, version and the groups, with their checksum; then one record a frame, each with its
/// checksum: the time and, a body, position (double precision), rotation (a quaternion) and q (single precision), which
/// is 40 + 4 r bytes; then the number of frames. Numbers are as the machine has them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/view/Poses.h"

namespace pliant {

/// Bodies of one model, as a log names them.
struct LoggedGroup {
    std::string name;   ///< For people and programs that read the log, such as the path of the model's file.
    int bodies = 0;     ///< How many.
    int dimension = 0;  ///< Number r of reduced coordinates of each body.
};

/// Records poses.
///
///     pliant::StateLogWriter log("drop.states", {{"basket.pliant", 512, 40}});
///     ... log.add(poses) ...     // once a frame
///     log.close();
class PLIANT_API StateLogWriter {
public:
    /// Begins a file, which gets its name when it is closed: an interrupted recording leaves none.
    /// @throws Error naming the file where its folder cannot be written to, or the groups cannot be
    StateLogWriter(const std::string& path, std::vector<LoggedGroup> groups);
    ~StateLogWriter();
    StateLogWriter(const StateLogWriter&) = delete;
    StateLogWriter& operator=(const StateLogWriter&) = delete;

    /// Appends a frame.
    /// @param poses one Poses a group, all at the time of the first one
    /// @throws Error naming the file and the frame where there are other groups, a time that is not later than the last
    /// one, a number that is none or a frame that is no rotation, or the disk is full
    void add(const std::vector<Poses>& poses);
    /// Ends the file. @throws Error naming it
    void close();

private:
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};

/// Reads what a StateLogWriter wrote. Several threads may read at once.
class PLIANT_API StateLog {
public:
    /// Opens a file and verifies all of it: sizes, checksums, and every number.
    /// @throws Error naming the file, the frame and the reason
    explicit StateLog(const std::string& path);
    ~StateLog();
    /// Takes the file over.
    StateLog(StateLog&&) noexcept;
    StateLog& operator=(StateLog&&) noexcept;  ///< Takes the file over.

    /// The groups of bodies.
    const std::vector<LoggedGroup>& groups() const;
    /// The number of frames.
    int frameCount() const;
    /// The time of a frame, s; ascending.
    double time(int frame) const;
    /// A frame. Positions are the recorded ones to the bit, rotations to 2e-7, q to single precision.
    /// @param poses written; memory is used again
    void read(int frame, std::vector<Poses>& poses) const;

private:
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};

}  // namespace pliant
