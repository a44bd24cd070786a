// SPDX-License-Identifier: Zlib
// What runs read besides scenes: the first byte says whether the rest is a log of states ('l'), one whose checksums are
// made to fit first ('s'), a table of heights ('h') or the path of a hand ('p').
#include <cmath>
#include <cstring>
#include <sstream>

#include "../Door.h"
#include "pliant/hand/HandPath.h"
#include "pliant/math/Error.h"
#include "pliant/scene/HeightReader.h"
#include "pliant/view/StateLog.h"
#include "pliant/view/StateLogFormat.h"

namespace {

using namespace pliant;

const fuzz::MemoryFolder& folder() {
    static const fuzz::MemoryFolder made;
    return made;
}

/// A log in memory whose checksums are to fit.
class Sealed {
public:
    explicit Sealed(std::string log) : m_log(std::move(log)) {}

    /// Seals as far as the log can be followed.
    std::string seal() {
        std::size_t next = sizeof stateLog::magic + 2 * wordBytes;
        std::vector<LoggedGroup> groups;
        std::uint32_t count = 0;
        if (!take(next, count) || count > 64) return m_log;
        for (std::uint32_t i = 0; i < count; ++i) {
            std::uint32_t bodies = 0, dimension = 0, name = 0;
            if (!take(next, bodies) || !take(next, dimension) || !take(next, name)) return m_log;
            if (bodies > stateLog::mostBodies || dimension > stateLog::mostDimension || name > m_log.size())
                return m_log;
            groups.push_back({"", static_cast<int>(bodies), static_cast<int>(dimension)});
            next += name;
        }
        if (!write(0, next, 0)) return m_log;
        next += stateLog::checksumBytes;
        const std::uint64_t bytes = stateLog::frameBytes(groups);
        std::uint64_t frames = 0;
        while (next + bytes + stateLog::endBytes <= m_log.size()) {
            if (!write(next, static_cast<std::size_t>(bytes - stateLog::checksumBytes), ++frames)) return m_log;
            next += static_cast<std::size_t>(bytes);
        }
        if (next + stateLog::endBytes > m_log.size()) return m_log;
        m_log.resize(next + stateLog::endBytes);
        std::memcpy(m_log.data() + next, &frames, sizeof frames);
        write(next, sizeof frames, frames + 1);
        return m_log;
    }

private:
    static constexpr std::size_t wordBytes = sizeof(std::uint32_t);

    bool take(std::size_t& next, std::uint32_t& number) const {
        if (next > m_log.size() || m_log.size() - next < wordBytes) return false;
        std::memcpy(&number, m_log.data() + next, wordBytes);
        next += wordBytes;
        return true;
    }
    /// The checksum of a record behind it.
    bool write(std::size_t from, std::size_t size, std::uint64_t number) {
        if (from > m_log.size() || size > m_log.size() - from || stateLog::checksumBytes > m_log.size() - from - size)
            return false;
        const std::uint64_t sum = stateLog::checksum(m_log.data() + from, size, number);
        std::memcpy(m_log.data() + from + size, &sum, sizeof sum);
        return true;
    }

    std::string m_log;
};

void readLog(const std::string& text) {
    const StateLog log(folder().write("run.states", text.data(), text.size()));
    const std::string again = folder().path("again.states");
    StateLogWriter writer(again, log.groups());
    std::vector<Poses> poses, same;
    for (int frame = 0; frame < log.frameCount(); ++frame) {
        log.read(frame, poses);
        for (const Poses& group : poses)
            for (const RigidTransform& place : group.worldFromBody)
                fuzz::expect((place.rotation * place.rotation.transpose() - Matrix3::Identity()).norm() < 1e-6,
                             "rotations of a log are rotations");
        if (!poses.empty()) writer.add(poses);
    }
    writer.close();
    if (log.groups().empty()) return;
    const StateLog copy(again);
    fuzz::expect(copy.frameCount() == log.frameCount(), "a log is read as it was written");
    for (int frame = 0; frame < log.frameCount(); ++frame) {
        log.read(frame, poses);
        copy.read(frame, same);
        fuzz::expect(copy.time(frame) == log.time(frame), "times are read as they were written");
        for (std::size_t i = 0; i < poses.size(); ++i) {
            fuzz::expect(poses[i].q == same[i].q, "coordinates are read as they were written");
            for (std::size_t b = 0; b < poses[i].worldFromBody.size(); ++b)
                fuzz::expect(poses[i].worldFromBody[b].translation == same[i].worldFromBody[b].translation,
                             "places are read as they were written");
        }
    }
}

void readHeights(const std::string& text) {
    const scene::HeightTable table =
        scene::readHeightTable(folder().write("heights.csv", text.data(), text.size()), 0.5, 0.01);
    const SurfaceMesh surface = scene::surfaceOf(table);
    fuzz::expect(surface.vertexCount() > 0 && surface.positions.allFinite(), "height fields have finite points");
}

void readPath(const std::string& text) {
    std::istringstream in(text);
    const HandPath path = readHandPath(in, "path.csv");
    std::ostringstream once, twice;
    writeHandPath(once, path);
    std::istringstream written(once.str());
    writeHandPath(twice, readHandPath(written, "again.csv"));
    fuzz::expect(once.str() == twice.str(), "a path is read as it was written");
    for (const double t : {-1e9, 0.0, 0.5, 1e9}) {
        const ToolPose pose = path.at(t);
        fuzz::expect(pose.position.allFinite() && pose.rotation.coeffs().allFinite(), "poses are finite");
    }
}

void readKind(char kind, const std::string& text) {
    switch (kind) {
        case 'l':
            return readLog(text);
        case 's':
            return readLog(Sealed(text).seal());
        case 'h':
            return readHeights(text);
        default:
            return readPath(text);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::Acceptance acceptance("runs");
    if (size < 1) return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const fuzz::MemoryLimit limit(size);
    bool accepted = true;
    try {
        readKind(static_cast<char>(data[0]), text);
    } catch (const Error&) {
        accepted = false;
    }
    acceptance.note(accepted);
    return 0;
}
