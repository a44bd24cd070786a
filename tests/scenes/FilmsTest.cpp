// SPDX-License-Identifier: Zlib
// Films that the program makes: in pieces, of several cameras, slower than the scene.
#include <gmock/gmock.h>

#include <vector>

#include "ProgramRun.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

const std::string kFlyingBall =
    "time: {duration: 0.5, frames_per_second: 10}\n"
    "rigid: [{name: ball, shape: sphere, radius: 0.3, mass: 1, position: [0, 0, 1], velocity: [4, 0, 0]}]\n"
    "ground: {}\n";

class Films : public ProgramTest {
protected:
    int shell(const std::string& command) const {
        return std::system(("cd '" + m_folder.string() + "' && " + command).c_str());
    }
    /// The frames of a film of 64 x 48 pixels, as bytes of RGB.
    std::vector<std::string> framesOf(const std::string& film) const {
        EXPECT_EQ(shell("rm -f frames.rgb && ffmpeg -v error -y -i " + film +
                        " -f rawvideo -pix_fmt rgb24 frames.rgb </dev/null"),
                  0)
            << film;
        const std::string all = readWhole(m_folder / "frames.rgb");
        std::vector<std::string> frames;
        constexpr std::size_t size = std::size_t{64} * 48 * 3;
        for (std::size_t at = 0; at + size <= all.size(); at += size) frames.push_back(all.substr(at, size));
        return frames;
    }
};

/// The mean difference of the bytes of two frames.
double differenceOf(const std::string& a, const std::string& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += std::abs(static_cast<double>(static_cast<unsigned char>(a[i])) - static_cast<unsigned char>(b[i]));
    return sum / static_cast<double>(a.size());
}

// A camera that lags behind is where it would be, also in a piece that begins in the middle.
TEST_F(Films, PiecesOfAFilmJoinedAreTheFilm) {
    write("balls.yaml", kFlyingBall +
                            "cameras: {near: {follow: ball, offset: [0, -2, 0.5], lag: 0.3}}\n"
                            "output: [{states: {file: run.states}}]\n");
    ASSERT_EQ(run("run balls.yaml --no-draw").code, 0);
    const auto play = [&](const std::string& rest) {
        return run("play out/run.states --camera near --size 64x48 --output . " + rest);
    };
    const Outcome played = play("--film whole.mp4");
    if (played.problems.find("OpenGL") != std::string::npos) GTEST_SKIP() << played.problems;
    ASSERT_EQ(played.code, 0) << played.problems;
    ASSERT_EQ(play("--last 2 --film first.mp4").code, 0);
    ASSERT_EQ(play("--first 3 --film second.mp4").code, 0);
    // docs/scene.md says these lines.
    ASSERT_EQ(shell("printf \"file '%s'\\n\" first.mp4 second.mp4 > pieces.txt"), 0);
    ASSERT_EQ(shell("ffmpeg -v error -f concat -i pieces.txt -c copy film.mp4"), 0);
    const std::vector<std::string> whole = framesOf("whole.mp4"), joined = framesOf("film.mp4");
    ASSERT_THAT(whole, SizeIs(5));
    ASSERT_THAT(joined, SizeIs(5));
    for (std::size_t i = 0; i < whole.size(); ++i)
        EXPECT_LT(differenceOf(whole[i], joined[i]), 1.5) << "frame " << i << "; films are coded with losses";
    EXPECT_GT(differenceOf(whole[2], whole[3]), 3.0) << "the ball leaves its place in the picture";
}

// Films of the list have each a camera and a speed of their own.
TEST_F(Films, OfTheListHaveTheirCameraAndSpeed) {
    write("balls.yaml",
          kFlyingBall +
              "cameras: {side: {from: [0, -4, 1], to: [0, 0, 1]}, above: {from: [0, -0.1, 6], to: [0, 0, 0]}}\n"
              "output:\n  - {film: {file: slow.mp4, speed: 0.5, camera: side, size: [64, 48]}}\n"
              "  - {film: {file: above.mp4, camera: above, size: [64, 48]}}\n");
    const Outcome outcome = run("run balls.yaml --headless --output .");
    if (outcome.problems.find("OpenGL") != std::string::npos) GTEST_SKIP() << outcome.problems;
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    const auto rateOf = [&](const std::string& film) {
        shell("ffprobe -v error -select_streams v -show_entries stream=r_frame_rate -of csv=p=0 " + film + " > rate");
        return readWhole(m_folder / "rate");
    };
    EXPECT_THAT(rateOf("slow.mp4"), HasSubstr("5/1")) << "half as fast as ten frames a second";
    EXPECT_THAT(rateOf("above.mp4"), HasSubstr("10/1"));
    const std::vector<std::string> side = framesOf("slow.mp4"), above = framesOf("above.mp4");
    ASSERT_THAT(side, SizeIs(5));
    ASSERT_THAT(above, SizeIs(5));
    EXPECT_GT(differenceOf(side[0], above[0]), 5.0);
}

}  // namespace
}  // namespace pliant::test
