// SPDX-License-Identifier: Zlib
// The sheet of elastic shapes that `pliant modes` draws.
#include <gmock/gmock.h>

#include "ProgramRun.h"

namespace pliant::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Modes : public ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        const Outcome made = run("reduce " PLIANT_MEDIA_DIR "/basket/basket.obj -o b.pliant --shell --modes 4 --dim 7");
        ASSERT_EQ(made.code, 0) << made.problems;
    }
    /// Big-endian number in the header of a PNG.
    int headerNumber(const std::string& png, std::size_t offset) const {
        int number = 0;
        for (std::size_t i = 0; i < 4; ++i) number = number * 256 + static_cast<unsigned char>(png[offset + i]);
        return number;
    }
};

TEST_F(Modes, SheetHasATileForEveryShape) {
    const Outcome outcome = run("modes b.pliant -o sheet.png --columns 3 --tile 100");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    EXPECT_THAT(outcome.output, HasSubstr("the rest shape and 7 shapes"));
    const std::string png = readWhole(m_folder / "sheet.png");
    ASSERT_EQ(png.substr(1, 3), "PNG");
    EXPECT_EQ(headerNumber(png, 16), 300);
    EXPECT_EQ(headerNumber(png, 20), 300);
    EXPECT_GT(png.size(), 20000u) << "an empty sheet is smaller";
}

TEST_F(Modes, UnwritablePictureIsOneMessage) {
    const Outcome outcome = run("modes b.pliant -o b.pliant/sheet.png");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.errors, ElementsAre(HasSubstr("b.pliant")));
}

}  // namespace
}  // namespace pliant::test
