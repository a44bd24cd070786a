// SPDX-License-Identifier: Zlib
#include <xxhash.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "pliant/math/Error.h"
#include "pliant/model/WholeFileWriter.h"
#include "pliant/view/StateLogFormat.h"

namespace pliant {

std::uint64_t stateLog::checksum(const void* bytes, std::size_t size, std::uint64_t number) {
    return XXH3_64bits_withSeed(bytes, size, number);
}

namespace {

constexpr double rigid = 1e-6;  // of R'R - 1: what rounding leaves of a rotation, and no scale

bool isPose(const RigidTransform& frame) {
    return frame.translation.allFinite() &&
           (frame.rotation.transpose() * frame.rotation - Matrix3::Identity()).cwiseAbs().maxCoeff() < rigid &&
           frame.rotation.determinant() > 0.0;
}

/// Appends a body. @return false where its frame is none, or q cannot be told in single precision
bool putBody(const RigidTransform& frame, const double* q, int dimension, std::vector<std::uint8_t>& bytes) {
    if (!isPose(frame)) return false;
    for (int axis = 0; axis < 3; ++axis) stateLog::put(bytes, frame.translation[axis]);
    const Eigen::Quaternion<double, Eigen::DontAlign> turn(frame.rotation);
    for (const double part : {turn.w(), turn.x(), turn.y(), turn.z()}) stateLog::put(bytes, static_cast<float>(part));
    for (int j = 0; j < dimension; ++j) {
        if (!(std::abs(q[j]) <= static_cast<double>(std::numeric_limits<float>::max()))) return false;
        stateLog::put(bytes, static_cast<float>(q[j]));
    }
    return true;
}

}  // namespace

struct StateLogWriter::Data {
    std::string path;
    std::vector<LoggedGroup> groups;
    WholeFileWriter file;
    std::vector<std::uint8_t> bytes;
    std::uint64_t frames = 0;
    double lastTime = -std::numeric_limits<double>::infinity();

    Data(const std::string& where, std::vector<LoggedGroup> what) : path(where), groups(std::move(what)), file(where) {}

    [[noreturn]] void fail(const std::string& problem) const {
        throw Error(path, "frame " + std::to_string(frames) + ": " + problem);
    }
    void writeHeader();
};

void StateLogWriter::Data::writeHeader() {
    if (groups.size() > stateLog::mostGroups) throw Error(path, "a log holds at most 65536 groups of bodies");
    bytes.assign(stateLog::magic, stateLog::magic + sizeof stateLog::magic);
    for (const std::uint32_t word :
         {stateLog::endianMark, stateLog::version, static_cast<std::uint32_t>(groups.size())})
        stateLog::put(bytes, word);
    for (const LoggedGroup& group : groups) {
        if (group.bodies < 0 || group.bodies > static_cast<int>(stateLog::mostBodies) || group.dimension < 0 ||
            group.dimension > static_cast<int>(stateLog::mostDimension) || group.name.size() > stateLog::mostName)
            throw Error(path, "the group \"" + group.name + "\" is larger than a log can hold",
                        "it holds 2^24 bodies of 2^16 coordinates under a name of 2^12 bytes");
        for (const auto number :
             {static_cast<std::size_t>(group.bodies), static_cast<std::size_t>(group.dimension), group.name.size()})
            stateLog::put(bytes, static_cast<std::uint32_t>(number));
        bytes.insert(bytes.end(), group.name.begin(), group.name.end());
    }
    stateLog::put(bytes, stateLog::checksum(bytes.data(), bytes.size(), 0));
    file.write(bytes.data(), bytes.size());
}

StateLogWriter::StateLogWriter(const std::string& path, std::vector<LoggedGroup> groups)
    : m_data(std::make_unique<Data>(path, std::move(groups))) {
    m_data->writeHeader();
}

StateLogWriter::~StateLogWriter() = default;

void StateLogWriter::add(const std::vector<Poses>& poses) {
    Data& data = *m_data;
    if (poses.size() != data.groups.size()) data.fail("there are other groups of bodies than the log has");
    const double time = poses.empty() ? static_cast<double>(data.frames) : poses.front().time;
    if (!(time > data.lastTime) || !std::isfinite(time))
        data.fail("its time is not later than that of the frame before");
    data.bytes.clear();
    stateLog::put(data.bytes, time);
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const LoggedGroup& group = data.groups[i];
        if (poses[i].count() != group.bodies || poses[i].dimension != group.dimension)
            data.fail("the group \"" + group.name + "\" has other bodies than in the log");
        for (int body = 0; body < group.bodies; ++body)
            if (!putBody(poses[i].worldFromBody[static_cast<std::size_t>(body)], poses[i].qOf(body), group.dimension,
                         data.bytes))
                data.fail("body " + std::to_string(body) + " of the group \"" + group.name +
                          "\" has no rigid frame, or a number that is none");
    }
    stateLog::put(data.bytes, stateLog::checksum(data.bytes.data(), data.bytes.size(), data.frames + 1));
    data.file.write(data.bytes.data(), data.bytes.size());
    data.lastTime = time;
    ++data.frames;
}

void StateLogWriter::close() {
    Data& data = *m_data;
    data.bytes.clear();
    stateLog::put(data.bytes, data.frames);
    stateLog::put(data.bytes, stateLog::checksum(data.bytes.data(), data.bytes.size(), data.frames + 1));
    data.file.write(data.bytes.data(), data.bytes.size());
    data.file.commit();
}

}  // namespace pliant
