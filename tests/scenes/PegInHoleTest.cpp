// SPDX-License-Identifier: Zlib
// The peg of media/scenes/peg_in_hole.yaml: how deep it comes into the walls of its hole, and how smooth the hand's
// force is.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "ProgramRun.h"

namespace pliant::test {
namespace {

/// Numbers of a table, a row for each line, by the head of their column.
std::vector<double> columnOf(const std::string& table, const std::string& head) {
    std::istringstream lines(table);
    std::string line, word;
    std::getline(lines, line);
    std::istringstream heads(line);
    int column = 0;
    while (std::getline(heads, word, ',') && word != head) ++column;
    EXPECT_EQ(word, head) << "there is no such column";
    std::vector<double> numbers;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        for (int k = 0; k <= column; ++k) std::getline(words, word, ',');
        numbers.push_back(std::stod(word));
    }
    return numbers;
}

/// Largest change of a vector of a table from one row to the next.
double largestJump(const std::string& table, const std::string& vector) {
    std::vector<double> squares;
    for (const char* axis : {"x", "y", "z"}) {
        const std::vector<double> numbers = columnOf(table, vector + axis + " [N]");
        squares.resize(numbers.size());
        for (std::size_t i = 1; i < numbers.size(); ++i) squares[i] += std::pow(numbers[i] - numbers[i - 1], 2);
    }
    return std::sqrt(*std::max_element(squares.begin(), squares.end()));
}

/// Time, place and quaternion.
using PathRow = std::array<double, 8>;

/// Rows of the scene's path, and its header.
std::vector<PathRow> pathRows(std::string& header) {
    std::istringstream way(readWhole(PLIANT_MEDIA_DIR "/scenes/paths/peg_in_hole.csv"));
    std::getline(way, header);
    std::vector<PathRow> rows;
    for (std::string line, word; std::getline(way, line);) {
        std::istringstream words(line);
        PathRow row{};
        for (double& number : row)
            if (std::getline(words, word, ',')) number = std::stod(word);
        rows.push_back(row);
    }
    return rows;
}

/// The scene's path, a pose each millisecond, with corners that are rounded over 0.1 s: the mean by a raised cosine.
std::string roundedPath() {
    constexpr int half = 50, last = 6000;  // ms
    std::string header;
    const std::vector<PathRow> rows = pathRows(header);
    const auto at = [&rows](int millisecond) {
        const double t = std::clamp(1e-3 * millisecond, 0.0, rows.back()[0]);
        std::size_t next = 1;
        while (next + 1 < rows.size() && rows[next][0] < t) ++next;
        const PathRow &a = rows[next - 1], &b = rows[next];
        PathRow row = a;
        for (std::size_t k = 1; k < row.size(); ++k) row[k] += (t - a[0]) / (b[0] - a[0]) * (b[k] - a[k]);
        return row;
    };
    std::ostringstream path;
    path.precision(17);
    path << header << '\n';
    for (int i = 0; i <= last; ++i) {
        PathRow mean{};
        double sum = 0.0;
        for (int j = -half; j <= half; ++j) {
            const double weight = 1.0 + std::cos(M_PI * j / (half + 1));
            const PathRow row = at(i + j);
            sum += weight;
            for (std::size_t k = 1; k < mean.size(); ++k) mean[k] += weight * row[k];
        }
        path << 1e-3 * i;
        for (std::size_t k = 1; k < mean.size(); ++k) path << ',' << mean[k] / sum;
        path << '\n';
    }
    return path.str();
}

/// What the hand's force is like from one time to another.
struct Smoothness {
    double roughness = 0.0;  ///< Rms of its second differences over its own rms.
    double force = 0.0;      ///< Rms, N.
};

/// @param force "hand.force." or "hand.felt."  @param from, to s
Smoothness smoothness(const std::string& table, const std::string& force, double from, double to) {
    const std::vector<double> time = columnOf(table, "t [s]");
    double jumps = 0.0, squares = 0.0, count = 0.0;
    for (const char* axis : {"x", "y", "z"}) {
        const std::vector<double> f = columnOf(table, force + axis + " [N]");
        for (std::size_t i = 1; i + 1 < f.size(); ++i) {
            if (time[i] < from || time[i] > to) continue;
            jumps += std::pow(f[i + 1] - 2.0 * f[i] + f[i - 1], 2);
            squares += std::pow(f[i], 2);
            count += 1.0 / 3.0;
        }
    }
    return {std::sqrt(jumps / squares), std::sqrt(squares / count)};
}

class PegInHole : public ProgramTest {
protected:
    /// The table of the scene at a thousand cycles a second, with a row for each.
    /// @param tool what the scene says of its tool besides  @param isRounded whether the path's corners are
    std::string tableOf(const std::string& tool, bool isRounded) {
        const std::string scenes = PLIANT_MEDIA_DIR "/scenes/";
        std::string scene = readWhole(scenes + "peg_in_hole.yaml");
        const auto replace = [&scene](const std::string& what, const std::string& by) {
            ASSERT_NE(scene.find(what), std::string::npos) << what;
            for (std::size_t at = scene.find(what); at != std::string::npos; at = scene.find(what, at + by.size()))
                scene.replace(at, what.size(), by);
        };
        replace("every: 0.01, ", "");
        replace("paths/peg_in_hole.csv", isRounded ? "rounded.csv" : scenes + "paths/peg_in_hole.csv");
        replace("../solids", PLIANT_MEDIA_DIR "/solids");
        replace("device: path", tool + "device: path");
        write("rounded.csv", roundedPath());
        write("peg.yaml", scene);
        const Outcome outcome = run("feel peg.yaml");
        EXPECT_EQ(outcome.code, 0) << outcome.problems;
        return readWhole(m_folder / "out" / "peg_in_hole.csv");
    }
    void expectShallow(const std::string& table) {
        const std::vector<double> depths = columnOf(table, "walls.depth [m]");
        ASSERT_GT(depths.size(), 6000u);
        EXPECT_LT(*std::max_element(depths.begin(), depths.end()), 0.04e-3);
        EXPECT_GT(*std::max_element(depths.begin(), depths.end()), 0.01e-3) << "it leans on the walls";
    }
};

// The clearance is 0.2 mm. Where the path has corners, which it goes round in no time, the damping of the coupling
// jumps with its speed: smooth is what a hand feels that goes round them in a tenth of a second. The thesis' hand is a
// static one, whose force is that of contact alone. A peg with its mass, 0.18 kg, strikes the hole's rim as it is put
// in, which the damping in its coupling tells, and the device is not sent.
TEST_F(PegInHole, StaysShallowAndIsSmooth) {
    const std::string cornered = tableOf("", false);
    expectShallow(cornered);
    EXPECT_LT(largestJump(cornered, "hand.force."), 2.6) << "2.4 as measured, at a corner of the path";
    EXPECT_LT(largestJump(cornered, "hand.felt."), 1.8) << "1.7 as measured, at a corner, of the observer's damping";

    const std::string still = tableOf("dynamics: static, ", true);
    expectShallow(still);
    for (const char* force : {"hand.force.", "hand.felt."}) {
        const Smoothness smooth = smoothness(still, force, 0.0, 6.1);
        EXPECT_LT(smooth.roughness, 0.0015) << force;
        EXPECT_GT(smooth.force, 0.8) << "it presses on the walls";
    }

    const std::string heavy = tableOf("", true);
    expectShallow(heavy);
    EXPECT_LT(smoothness(heavy, "hand.felt.", 0.0, 6.1).roughness, 0.0015);
    EXPECT_LT(smoothness(heavy, "hand.force.", 0.05, 1.3).roughness, 0.0015) << "on its way";
    EXPECT_LT(smoothness(heavy, "hand.force.", 1.4, 6.1).roughness, 0.0015) << "in the hole, and out";
    EXPECT_LT(smoothness(heavy, "hand.force.", 0.0, 6.1).roughness, 0.0025) << "0.0019 as measured, of the rim";
}

}  // namespace
}  // namespace pliant::test
