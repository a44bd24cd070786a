// SPDX-License-Identifier: Zlib
#include "pliant/hand/HandPath.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <istream>
#include <ostream>

#include "pliant/math/Error.h"

namespace pliant {

namespace {

const char* const poseHeader = "time [s],x [m],y [m],z [m],qw,qx,qy,qz";
const char* const wrenchHeader = ",fx [N],fy [N],fz [N],tx [N m],ty [N m],tz [N m]";
using Row = std::array<double, 14>;

/// The `count` numbers of a line between commas.
Row readRow(const std::string& line, std::size_t count, const std::string& where) {
    Row row{};
    const char *at = line.c_str(), *const stop = at + line.size();
    for (std::size_t i = 0; i < count; ++i) {
        while (*at == ' ') ++at;
        // Unlike strtod() it knows no locale: a decimal point is one everywhere.
        const char* end = std::from_chars(at, stop, row[i]).ptr;
        const std::string column = "number " + std::to_string(i + 1) + " of " + std::to_string(count);
        if (end == at) throw Error(where, column + " is missing or no number", "give " + std::to_string(count));
        if (!std::isfinite(row[i])) throw Error(where, column + " is not finite", "leave the line out");
        const bool last = i + 1 == count;
        if (*end != (last ? '\0' : ','))
            throw Error(where, column + " is followed by '" + std::string(end) + "'",
                        last ? "end the line there" : "put a comma there");
        at = end + 1;
    }
    return row;
}

HandKey makeKey(const Row& row, const std::string& where) {
    HandKey key;
    key.time = row[0];
    key.pose.position = Vector3(row[1], row[2], row[3]);
    key.pose.rotation = Rotation(row[4], row[5], row[6], row[7]);
    const double length = key.pose.rotation.norm();
    if (length < 1e-6) throw Error(where, "the quaternion is zero", "1,0,0,0 is no rotation");
    // What has unit length already keeps its bits.
    if (std::abs(length - 1.0) > 1e-14) key.pose.rotation.normalize();
    key.felt = {Vector3(row[8], row[9], row[10]), Vector3(row[11], row[12], row[13])};
    return key;
}

bool readLine(std::istream& in, std::string& line) {
    if (!std::getline(in, line)) return false;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return true;
}

}  // namespace

ToolPose HandPath::at(double time) const {
    const auto next =
        std::upper_bound(keys.begin(), keys.end(), time, [](double t, const HandKey& key) { return t < key.time; });
    if (next == keys.begin()) return keys.front().pose;
    const HandKey& last = *(next - 1);
    if (next == keys.end() || time == last.time) return last.pose;
    return moved(last.pose, (time - last.time) / (next->time - last.time) * poseGap(last.pose, next->pose));
}

HandPath readHandPath(std::istream& in, const std::string& name) {
    std::string line;
    readLine(in, line);
    const bool record = line == std::string(poseHeader) + wrenchHeader;
    if (!record && line != poseHeader)
        throw Error(name + ":1", "the header is '" + line + "'", std::string("write '") + poseHeader + "'");
    HandPath path;
    for (int number = 2; readLine(in, line); ++number) {
        if (line.empty()) continue;
        const std::string where = name + ":" + std::to_string(number);
        const HandKey key = makeKey(readRow(line, record ? 14 : 8, where), where);
        if (!path.keys.empty() && key.time <= path.keys.back().time)
            throw Error(where, "the time is not after that of the line before", "sort the lines by time");
        path.keys.push_back(key);
    }
    if (path.keys.empty()) throw Error(name, "the path has no pose", "give at least one line below the header");
    return path;
}

void writeHandPath(std::ostream& out, const HandPath& path) {
    const auto precision = out.precision(17);
    out << poseHeader << wrenchHeader << '\n';
    for (const HandKey& key : path.keys) {
        const Rotation& q = key.pose.rotation;
        out << key.time << ',' << key.pose.position.x() << ',' << key.pose.position.y() << ',' << key.pose.position.z()
            << ',' << q.w() << ',' << q.x() << ',' << q.y() << ',' << q.z();
        const Vector6 felt = key.felt.vector();
        for (int i = 0; i < 6; ++i) out << ',' << felt[i];
        out << '\n';
    }
    out.precision(precision);
}

}  // namespace pliant
