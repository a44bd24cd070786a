// SPDX-License-Identifier: Zlib
// The sheet of elastic shapes that `pliant modes` draws.
#include <gmock/gmock.h>

#include "Picture.h"
#include "ProgramRun.h"

namespace pliant::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Modes : public ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        const Outcome made = run("reduce " PLIANT_MEDIA_DIR "/basket/basket.obj -o b.pliant --shell --modes 4 --dim 7");
        ASSERT_EQ(made.code, 0) << made.problems;
    }
};

TEST_F(Modes, SheetHasATileForEveryShape) {
    const Outcome outcome = run("modes b.pliant -o sheet.png --columns 3 --tile 100");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    EXPECT_THAT(outcome.output, HasSubstr("the rest shape and 7 shapes"));
    EXPECT_THAT(outcome.errors, IsEmpty());
    const Picture sheet = readPicture((m_folder / "sheet.png").string());
    ASSERT_EQ(sheet.width, 300);
    ASSERT_EQ(sheet.height, 300);
    for (int i = 0; i < 9; ++i) {
        const double share = shareOf(wicker, tileOf(sheet, 3, 3, i % 3, i / 3));
        if (i < 8)
            EXPECT_GT(share, 0.2) << "tile " << i;
        else
            EXPECT_EQ(share, 0.0) << "there is no ninth shape";
    }
}

TEST_F(Modes, UnwritablePictureIsOneMessage) {
    const Outcome outcome = run("modes b.pliant -o b.pliant/sheet.png");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.errors, ElementsAre(HasSubstr("b.pliant")));
}

}  // namespace
}  // namespace pliant::test
