// SPDX-License-Identifier: Zlib
// Every mistake in a scene file is named with file:line:column and what to write instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "SceneText.h"

namespace pliant::scene {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Mistake {
    const char* name;
    const char* text;
    const char* place;    ///< line:column
    const char* problem;  ///< words that must be said
    const char* cure;
};

class SceneMistakeTest : public SceneReaderTest, public ::testing::WithParamInterface<Mistake> {};

TEST_P(SceneMistakeTest, IsNamedWithItsPlaceAndCure) {
    const Mistake& mistake = GetParam();
    const std::string said = complaint(mistake.text);
    EXPECT_THAT(said, AllOf(StartsWith(path() + ":" + mistake.place + ": "), HasSubstr(mistake.problem),
                            HasSubstr(mistake.cure)));
    EXPECT_EQ(said.find('\n'), std::string::npos);
}

constexpr const char* kM = "models: {cow: {file: cow.obj}}\n";
const Mistake kMistakes[] = {
    {"UnknownKey", "gravty: [0, 0, -9.81]\n", "1:1", "unknown key \"gravty\" in scene", "did you mean \"gravity\"?"},
    {"UnknownKeyFarFromAll", "zzzzzzzzzzzz: 1\n", "1:1", "unknown key \"zzzzzzzzzzzz\"",
     "known keys: version, include, units, prefabs"},
    {"UnknownKeyInside", "time:\n  duration: 1\n  substep: 2\n", "3:3", "unknown key \"substep\" in time",
     "did you mean \"substeps\"?"},
    {"KeyOfInnerBlock", "models:\n  cow: {file: cow.obj, young: 2e5}\n", "2:24", "unknown key \"young\" in cow",
     "it belongs to \"reduce\" or \"rig\": write reduce: {young: ...}"},
    {"KeyOfInnerBlockThatStandsThere", "output: [{gltf: {file: a.glb}, every: 0.1}]\n", "1:32", "unknown key \"every\"",
     "it belongs to \"gltf\""},
    {"If", "rigid: [{shape: box, kinematic: true, position: [0, 0, \"= if(t < 1, 0, t)\"]}]\n", "1:56",
     "the expression cannot be read", "there is no if(): write CONDITION ? VALUE : OTHER"},
    {"MergeKey", "time:\n  <<: {duration: 1}\n  substeps: 2\n", "2:3", "merge key \"<<\" in time",
     "write out what it stands for"},
    {"DuplicateKey", "time: {duration: 1}\ngravity: [0, 0, 0]\ntime: {duration: 2}\n", "3:1",
     "key \"time\" stands twice in scene", "remove one"},
    {"DuplicateModel", "models:\n  cow: {file: cow.obj}\n  cow: {file: cow.pliant}\n", "3:3",
     "key \"cow\" stands twice in models", "remove one"},
    {"Nan", "gravity: [0, .nan, 0]\n", "1:14", "must be a finite number, not .nan", ""},
    {"PlainNan", "gravity: [0, nan, 0]\n", "1:14", "must be a finite number, not nan", ""},
    {"Infinite", "gravity: [0, -.inf, 0]\n", "1:14", "must be a finite number, not -.inf", ""},
    {"TooLargeForADouble", "gravity: [0, 1e999, 0]\n", "1:14", "must be a number, not \"1e999\"", ""},
    {"WrongType", "time: {duration: long}\n", "1:18", "duration must be a number, not \"long\"", ""},
    {"QuotedNumber", "time: {duration: \"3\"}\n", "1:18", "duration must be a number, not quoted text", ""},
    {"ListForNumber", "time: {duration: [1, 2]}\n", "1:18", "duration must be a number, not a list", ""},
    {"NumberForBlock", "time: 5\n", "1:7", "time must be a block of \"key: value\" lines, not \"5\"", ""},
    {"NumberForList", "bodies: 5\nmodels: {cow: {file: cow.obj}}\n", "1:9", "bodies must be a list, not \"5\"", ""},
    {"FractionForCount", "time: {substeps: 1.5}\n", "1:18", "substeps must be a whole number, not 1.5", ""},
    {"TwoNumbers", "gravity: [0, 1]\n", "1:10", "gravity needs three numbers, it has 2", ""},
    {"NegativeDuration", "time: {duration: -1}\n", "1:18", "duration is -1; it must be at least 0.001", ""},
    {"NegativeSize", "rigid:\n  - {shape: box, size: [1, -1, 1]}\n", "2:28", "size is -1; it must be at least", ""},
    {"HugeVideo", "output: {size: [100000, 720]}\n", "1:17", "size is 100000; it must be at most 8192", ""},
    {"OddVideo", "output: {size: [641, 480]}\n", "1:16", "size must be even", ""},
    {"NotAWord", "rigid:\n  - {shape: sfere}\n", "2:13", "shape cannot be \"sfere\"", "did you mean \"sphere\"?"},
    {"YesForTrue", "light: {shadow: yes}\n", "1:17", "shadow must be true or false, not \"yes\"", ""},
    {"EmptyValue", "time:\ngravity: [0, 0, 0]\n", "1:1", "key \"time\" has no value", "give it one or leave it out"},
    {"KeyOfAnotherShape", "rigid:\n  - {shape: box, radius: 1}\n", "2:26", "\"radius\" means nothing", ""},
    {"DynamicMesh", "rigid:\n  - {shape: mesh, file: cow.obj, mass: 3}\n", "2:40", "a mesh has no mass",
     "write shape: hull"},
    {"MissingFile", "models: {cow: {file: cov.obj}}\n", "1:22", "cannot read", "relative to the scene file"},
    {"ReduceAReducedModel", "models: {cow: {file: cow.pliant, reduce: {modes: 3}}}\n", "1:42", "is reduced already",
     "remove \"reduce\""},
    {"PoissonOneHalf", "models: {cow: {file: cow.obj, reduce: {poisson: 0.5}}}\n", "1:49",
     "poisson is 0.5; it must be at most 0.499", ""},
    {"CameraLooksAtItself", "camera: {from: [1, 1, 1], to: [1, 1, 1]}\n", "1:9", "the same point", ""},
    {"DetailWithoutCamera", "detail: {pixels: 100}\n", "1:9", "seen from the scene's camera", "add a \"camera\" block"},
    {"GridAndStack",
     "models: {cow: {file: cow.obj}}\nbodies:\n  - {model: cow, grid: {count: [2, 2, 2], spacing: 1}, stack: {count: "
     "2, "
     "spacing: 1}}\n",
     "3:63", "a grid or a stack, not both", ""},
    {"UnknownModel", "models: {cow: {file: cow.obj}}\nbodies:\n  - {model: cwo}\n", "3:13",
     "no model is called \"cwo\"", "did you mean \"cow\"?"},
    {"BodyOfAMesh", "models: {cow: {file: cow.obj}}\nbodies:\n  - {model: sheep.obj}\n", "3:13",
     "no model is called \"sheep.obj\"", "meshes and characters stand under models: models: {NAME: {file: sheep.obj}}"},
    {"BodyOfAFileThatIsNotThere", "bodies:\n  - {model: calf.pliant}\n", "2:13", "cannot read",
     "paths are relative to the scene file"},
    {"SecondDocument", "gravity: [0, 0, 0]\n---\ngravity: [0, 0, 0]\n", "3:1", "a second document", "one scene a file"},
    {"Syntax", "time: {duration: 1\nmodels: [", "2:7", "YAML syntax", ""},
    {"JointOfNobody", "rigid: [{name: post, shape: box}]\njoints: [{kind: point, between: [pots], at: [0, 0, 0]}]\n",
     "2:34", "no body is called \"pots\"", "did you mean \"post\"?"},
    {"JointOfACopyTooFar",
     "rigid: [{name: post, shape: box}]\njoints: [{kind: point, between: [\"post[1]\"], at: [0, 0, 0]}]\n", "2:34",
     "\"post\" has 1 bodies, numbered from 0", ""},
    {"JointOfNoNumber",
     "rigid: [{name: post, shape: box}]\njoints: [{kind: point, between: [\"post[x]\"], at: [0, 0, 0]}]\n", "2:34",
     "neither a name nor name[number]", ""},
    {"JointWithItself",
     "rigid: [{name: post, shape: box}]\njoints: [{kind: fixed, between: [post, post], at: [0, 0, 0]}]\n", "2:33",
     "cannot be joined to itself", ""},
    {"JointNowhere", "joints: [{kind: point, between: [post]}]\n", "1:10", "needs either \"at\"", ""},
    {"JointOfThree", "joints: [{kind: point, between: [a, b, c], at: [0, 0, 0]}]\n", "1:33", "or two bodies",
     "between: [first, second]"},
    {"JointKeyOfAnotherKind", "joints: [{kind: point, between: [a], at: [0, 0, 0], limits: [0, 1]}]\n", "1:61",
     "\"limits\" means nothing", ""},
    {"JointUnknownKind", "joints: [{kind: hinche, between: [a], at: [0, 0, 0]}]\n", "1:17", "kind cannot be \"hinche\"",
     "did you mean \"hinge\"?"},
    {"JointLimitsUpsideDown", "joints: [{kind: slider, between: [a], at: [0, 0, 0], limits: [1, 0]}]\n", "1:62",
     "the first limit is larger", ""},
    {"JointAxisWithoutLength", "joints: [{kind: hinge, between: [a], at: [0, 0, 0], axis: [0, 0, 0]}]\n", "1:59",
     "axis has no length", ""},
    {"PointsWithoutPoints", "joints: [{kind: points, between: [a]}]\n", "1:10", "points", ""},
    {"PointsInOnePlace", "joints: [{kind: points, between: [a], at: [0, 0, 0], points: [{point: [0, 0, 0]}]}]\n",
     "1:43", "\"at\" means nothing", ""},
    {"PointsOfWhatIsRigid",
     "rigid: [{name: post, shape: box}]\njoints: [{kind: points, between: [post], points: [{point: [0, 0, 0]}]}]\n",
     "2:35", "\"post\" does not deform", "name it first"},
    {"PointsWithTwoPlaces",
     "joints: [{kind: points, between: [a], points: [{point: [0, 0, 0], to: [0, 0, 0], move: [0, 0, 0]}]}]\n", "1:88",
     "either \"to\" or \"move\"", ""},
    {"PointsLedOnABody", "joints: [{kind: points, between: [a, b], points: [{point: [0, 0, 0], to: [0, 0, 0]}]}]\n",
     "1:74", "\"to\" means nothing for points that another body holds", "leave it out"},
    {"SpringWithoutStiffness", "joints: [{kind: spring, between: [a], at: [0, 0, 0]}]\n", "1:10", "stiffness", ""},
    {"JointsOfManyInOnePlace",
     "rigid: [{name: row, shape: box, grid: {count: [3, 1, 1], spacing: 2}}]\njoints: [{kind: point, between: [row], "
     "at: "
     "[0, 0, 0]}]\n",
     "2:44", "made for 3 bodies", "\"point\""},
    {"JointsOfThreeToTwo",
     "rigid:\n  - {name: row, shape: box, grid: {count: [3, 1, 1], spacing: 2}}\n  - {name: two, shape: box, grid: "
     "{count: [2, 1, 1], spacing: 2}}\njoints: [{kind: point, between: [row, two], point: [0, 0, 0]}]\n",
     "4:33", "3 bodies cannot be joined to 2 in pairs", ""},
    {"TwoOfOneName", "rigid: [{name: post, shape: box}, {name: post, shape: sphere}]\n", "1:42",
     "there is another \"post\"", ""},
    {"NoBodies", kM, "1:1", "the scene has no bodies", "add some under bodies"},
};

INSTANTIATE_TEST_SUITE_P(All, SceneMistakeTest, ::testing::ValuesIn(kMistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

TEST_F(SceneReaderTest, AllMistakesOfABlockAreTold) {
    const std::string said = complaint(
        "time: {duraton: 1, substeps: 0, frames_per_second: .nan}\n"
        "gravity: [0, .inf, 1]\n"
        "rigid:\n"
        "  - {shape: box, sise: [1, 1, 1], friction: .nan, position: [0, .nan, = 1 + 1], kinematic: maybe,\n"
        "     grid: {count: [1, 1, 1], spacing: 1, gap: 2}}\n"
        "  - {repeat: {i: 3}, shape: bx, mass: -1, position: [= i, 0, 0]}\n");
    for (const char* each :
         {":1:8: unknown key \"duraton\" in time; did you mean \"duration\"?",
          ":1:30: substeps is 0; it must be at least 1", ":1:52: frames_per_second must be a finite number, not .nan",
          ":2:14: gravity must be a finite number", ":4:18: unknown key \"sise\" in rigid; did you mean \"size\"?",
          ":4:45: friction must be a finite number", ":4:65: position must be a finite number",
          ":4:92: kinematic must be true or false, not \"maybe\"", ":5:43: unknown key \"gap\" in grid",
          ":6:29: shape cannot be \"bx\"; did you mean \"box\"?", ":6:39: mass is -1; it must be at least"})
        EXPECT_THAT(said, HasSubstr(each));
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 10) << "and nothing else, nothing twice:\n" << said;
}

// Six mistakes of four kinds of parts, told at once and in the order of their lines; the ball and the sensor "low"
// cannot be read, so whoever names these makes no mistake.
TEST_F(SceneReaderTest, MistakesAreToldAtOnceWithoutWhatFollowsFromThem) {
    const std::string said = complaint(
        "rigid:\n"
        "  - {name: ball, shape: sphere, mass: 1, spwan: {most: 3}}\n"
        "  - {name: wall, shape: box}\n"
        "joints:\n"
        "  - {name: hook, kind: point, between: [bal, wall], at: [0, 0, 0]}\n"
        "  - {name: rope, kind: point, between: [ball], at: [0, 0, 0]}\n"
        "sensors:\n"
        "  - {name: knocks, kind: contact, between: [ball]}\n"
        "  - {name: low, kind: regoin}\n"
        "events:\n"
        "  - {when: low.count > 1, do: [stop]}\n"
        "  - {when: knocks.cuont > 1, do: [{push: {of: ball, impulse: [0, 0, 1]}}]}\n"
        "  - {at: 1, do: [{part: hok}]}\n"
        "expect: [{that: knock.count > 0}]\n");
    std::size_t last = 0;
    for (const char* each :
         {":2:42: unknown key \"spwan\" in rigid; did you mean \"spawn\"?", ":5:41: no body is called \"bal\"",
          ":9:23: kind cannot be \"regoin\"", ":12:12: = knocks.cuont > 1: \"knocks.cuont\" is not defined",
          "no joint is called \"hok\"", "\"knock.count\" is not defined"}) {
        const std::size_t at = said.find(each, last);
        EXPECT_NE(at, std::string::npos) << each << " in the order of lines in\n" << said;
        if (at != std::string::npos) last = at;
    }
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 5) << "and nothing else:\n" << said;
}

// A variable that cannot be read, keys without a value, keys that stand twice and a list that cannot be counted hide no
// other mistake; whoever uses what is missing by them makes none.
TEST_F(SceneReaderTest, MistakesAtTheTopOfAFileHideNoOthers) {
    const std::string said = complaint(
        "variables: {rows: 4, gap: = rows*hight, wide: = 2*gap}\n"
        "rigid:\n"
        "  - {name: ball, shape: sphere, radius: = wide, mass: 1}\n"
        "  - {name: box, shape: bx, mass: -1}\n"
        "fields: [{kind: wind, repeat: {i: = wide}, velocity: [0, 0, = gap]}]\n"
        "gravity:\n"
        "environment:\n"
        "events: [{when: ball.speed > gap, do: [{push: {of: ball, impulse: [0, 0, = gap]}}]}]\n"
        "expect: [{that: bal.speed > rows}]\n");
    for (const char* each : {":1:27: = rows*hight: \"hight\" is not defined", ":4:24: shape cannot be \"bx\"",
                             ":4:34: mass is -1", ":6:1: key \"gravity\" has no value",
                             ":7:1: key \"environment\" has no value", "\"bal.speed\" is not defined"})
        EXPECT_THAT(said, HasSubstr(each));
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 5) << "and nothing else, nothing twice:\n" << said;

    const std::string uncounted = complaint(
        "rigid: [{name: ball, shape: sphere, radius: 1, mass: 1, mas: 1}]\n"
        "joints: [{name: rope, kind: point, repeat: {i: = none}, between: [ball], at: [0, 0, 0]}]\n"
        "events: [{at: 1, do: [{part: rope}]}]\n");
    EXPECT_THAT(uncounted, HasSubstr(":1:57: unknown key \"mas\" in rigid"));
    EXPECT_THAT(uncounted, HasSubstr(":2:48: = none: \"none\" is not defined"));
    EXPECT_EQ(std::count(uncounted.begin(), uncounted.end(), '\n'), 1) << uncounted;

    const std::string twice = complaint(
        "rigid: [{name: ball, shape: sphere, radius: 1, mas: 1}]\n"
        "ground: {height: 0}\n"
        "rigid: [{name: box, shape: box}]\n"
        "ground: {hight: 0}\n"
        "expect: [{that: box.speed > 1}]\n");
    for (const char* each : {":1:48: unknown key \"mas\" in rigid", ":3:1: key \"rigid\" stands twice in scene",
                             ":4:1: key \"ground\" stands twice in scene"})
        EXPECT_THAT(twice, HasSubstr(each));
    EXPECT_EQ(std::count(twice.begin(), twice.end(), '\n'), 2) << "and nothing else, nothing twice:\n" << twice;
}

// A bad key of a block of names, a block that is none and a repeat that cannot be hide what is wrong beside them.
TEST_F(SceneReaderTest, BadKeysOfNamesHideNoOthers) {
    const std::string keys = complaint(
        "variables: {a: , b: 1, b: 2, c: = nothing, d: = a}\n"
        "materials: {red: , blue: {roughnes: 1}}\n"
        "models: {cow: , hen: {file: none.obj, reduc: 1}}\n"
        "bodies:\n"
        "  - {model: cow, mas: 1, position: [0, 0, = a]}\n"
        "rigid: [{name: ball, shape: sphere, radius: 1, mass: 1, material: red, mas: 1}]\n");
    for (const char* each :
         {":1:13: key \"a\" has no value", ":1:24: key \"b\" stands twice", "\"nothing\" is not defined",
          ":2:13: key \"red\" has no value", "unknown key \"roughnes\"", ":3:10: key \"cow\" has no value",
          "unknown key \"reduc\"", ":5:18: unknown key \"mas\" in bodies", ":6:72: unknown key \"mas\" in rigid"})
        EXPECT_THAT(keys, HasSubstr(each));
    EXPECT_EQ(std::count(keys.begin(), keys.end(), '\n'), 8) << "and nothing else, nothing twice:\n" << keys;

    const std::string models = complaint("models: [cow]\nbodies: [{model: cow, mas: 1}, {model: hen}]\n");
    EXPECT_THAT(models, HasSubstr(":1:9: models must be a block"));
    EXPECT_THAT(models, HasSubstr(":2:23: unknown key \"mas\" in bodies"));
    EXPECT_EQ(std::count(models.begin(), models.end(), '\n'), 1) << models;

    const std::string repeats = complaint(
        "rigid:\n"
        "  - {name: post, repeat: {i: -1}, shape: sphere, radius: 1, mass: 1}\n"
        "  - {name: ball, shape: sphere, radius: 1, mass: 1, mas: 1}\n"
        "expect: [{that: post.speed > 1}, {that: bal.speed > 1}]\n");
    EXPECT_THAT(repeats, HasSubstr(":2:30: i is -1"));
    EXPECT_THAT(repeats, HasSubstr(":3:53: unknown key \"mas\" in rigid"));
    EXPECT_THAT(repeats, HasSubstr("bal.speed"));
    EXPECT_EQ(std::count(repeats.begin(), repeats.end(), '\n'), 2) << repeats;
}

TEST_F(SceneReaderTest, ACommaThatIsNotQuotedIsOneMistake) {
    const std::string ball = "variables: {storm: 4}\nrigid:\n  - {name: ball, shape: sphere, mass: 1";
    for (const std::string& rest :
         {std::string(", velocity: [= max(1, 2), 0, 0]}\n"),
          std::string(", position: [0, 0, = min(storm, storm, 2)]}\n"), std::string(", friction: = max(1, 2)}\n"),
          std::string(", friction: = clamp(2, 0, 1)}\n"),
          std::string("}\ncameras: {main: {from: [0, 0, 1], to: [0, 0, 0]}}\nviews: [{camera: main, area: [0, 0, = "
                      "max(0, 1), 1]}]\n"),
          std::string("}\noutput: {size: [= max(640, 320), 480]}\n"),
          std::string("}\nfields: [{kind: wind, velocity: [= 12*smooth(t, storm, storm + 0.5), 0, 0], drag: 1}]\n")}) {
        const std::string said = complaint(ball + rest);
        EXPECT_THAT(said, HasSubstr("an expression with a comma in it is quoted"));
        EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 0) << said;
    }
    const std::string said = complaint(ball + ", velocity: [0, .nan]}\n");
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << "a list that is too short may have other mistakes";
}

TEST_F(SceneReaderTest, AllMistakesOfListsWithinBlocksAreTold) {
    const std::string said = complaint(
        "rigid: [{name: box, shape: box, mass: 1}]\n"
        "cameras:\n"
        "  a: {orbt: {}, field_of_view: 200, path: [{at: -1, form: 1}, {at: 1, from: [0, 0], to: [0, 0, .nan]}]}\n"
        "  b: {follow: box, offset: [0, 0, 0], lag: -1}\n"
        "views: [{camera: c, area: [0, 0, 2, 3]}, {camera: a, aera: 1}]\n"
        "output: [{film: {fiel: a.mp4, speed: 0}}, {states: {file: a.txt, at: -1}}]\n"
        "lights: [{kind: spot, at: [0, 0, 1], cone: 300, bright: 2}, {kind: sun, shadow: {softnes: 1}}]\n"
        "materials: {m: {colur: 1, metal: 2}, n: {opacity: -1}}\n"
        "layers: {one: [too, thre], two: [rest, x]}\n"
        "events:\n"
        "  - {at: -1, every: 1, do: [{set: {what: box.frictoin, to: 1}}, {push: {off: box, impulse: [0, 0]}}, stp]}\n"
        "animate: [{what: gravty.z, keys: [], between: smoth}]\n");
    for (const char* each : {":3:7: unknown key \"orbt\" in a; did you mean \"orbit\"?",
                             ":3:32: field_of_view is 200",
                             ":3:49: at is -1",
                             ":3:53: unknown key \"form\" in path",
                             ":3:77: from needs three numbers",
                             ":3:96: to must be a finite number",
                             ":4:28: the camera would be in what it looks at",
                             ":4:44: lag is -1",
                             ":5:18: no camera is called \"c\"",
                             ":5:34: area is 2",
                             ":5:37: area is 3",
                             ":5:54: unknown key \"aera\" in views",
                             ":6:18: unknown key \"fiel\" in film",
                             ":6:38: speed is 0",
                             ":6:70: \"at\" means nothing for this file",
                             ":7:44: cone is 300",
                             ":7:49: unknown key \"bright\"",
                             ":7:82: unknown key \"softnes\" in shadow",
                             ":8:17: unknown key \"colur\"",
                             ":8:34: metal is 2",
                             ":8:51: opacity is -1",
                             ":9:16: no layer is called \"too\"",
                             ":9:21: no layer is called \"thre\"",
                             ":9:40: no layer is called \"x\"",
                             ":11:10: at is -1",
                             ":11:42: no live number is called \"box.frictoin\"",
                             ":11:73: unknown key \"off\" in push",
                             ":11:92: impulse needs three numbers",
                             ":11:102: do cannot be \"stp\"",
                             ":12:18: no live number is called \"gravty.z\"",
                             ":12:47: between cannot be \"smoth\""})
        EXPECT_THAT(said, HasSubstr(each));
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 31) << "and nothing else, nothing twice:\n" << said;
}

}  // namespace
}  // namespace pliant::scene
