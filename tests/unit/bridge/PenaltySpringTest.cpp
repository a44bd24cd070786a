// SPDX-License-Identifier: Zlib
// The law of one spring by area, against its definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "btPliant/solver/PenaltySpring.h"

namespace pliant::test {
namespace {

using btPliantInternal::PenaltySpring;

/// Of a unit mass that comes on with a velocity, of that h^2 k / m.
PenaltySpring springOf(double share, double damping, double start, double speed) {
    PenaltySpring spring;
    spring.step = 0.01;
    spring.stiffness = share / (spring.step * spring.step);
    spring.damping = damping;
    spring.start = start;
    spring.freeEnd = start + spring.step * speed;
    return spring;
}

/// Depth at the end of the step, of a contact that responds with 1 / kg.
double endOf(const PenaltySpring& spring, double P) {
    return spring.freeEnd - 0.5 * spring.step * P;
}

template <class Each>
void forCases(const Each& each) {
    for (const double share : {1e-3, 1e-1, 1e1, 1e3, 1e6})
        for (const double start : {-1e-2, -1e-3, 0.0, 1e-4, 1e-2})
            for (const double speed : {-3.0, -0.1, 0.0, 0.1, 3.0}) each(share, start, speed);
}

// P (d_1 - d_0) / h = W(d_1) - W(d_0), whatever comes, stays or leaves. Rounding of d_1 is amplified by the stiffness.
TEST(PenaltySpring, DoesTheWorkOfItsPotential) {
    forCases([](double share, double start, double speed) {
        const PenaltySpring spring = springOf(share, 0.0, start, speed);
        const double P = spring.solve(0.0, 0.0, 1.0), d1 = endOf(spring, P);
        const double taken = spring.energy(d1) - spring.energy(start);
        const double size = spring.energy(start) + 0.5 * speed * speed;
        EXPECT_NEAR(P * (d1 - start) / spring.step, taken, 1e-9 * (1.0 + share * 1e-3) * size)
            << share << ' ' << start << ' ' << speed;
    });
}

// The impulse is that of the whole row: it does not depend on the one that the iteration comes with.
TEST(PenaltySpring, ForgetsTheImpulseItComesWith) {
    forCases([](double share, double start, double speed) {
        const PenaltySpring spring = springOf(share, 20.0, start, speed);
        const double P = spring.solve(0.0, 0.0, 1.0);
        for (const double now : {0.5, 4.0})
            EXPECT_NEAR(spring.solve(now, now, 1.0), P, 1e-10 * (1.0 + P + now))
                << share << ' ' << start << ' ' << speed;
    });
}

// A row that is pressed on more gives more, and by no more than would keep the depth: P is monotone and continuous in
// freeEnd, where the depth at the end passes 0 as everywhere.
TEST(PenaltySpring, IsMonotoneAndContinuousInTheDepthAtTheEnd) {
    for (const double damping : {0.0, 50.0})
        for (const double share : {1e-1, 1e1, 1e3})
            for (const double start : {-1e-3, 1e-3}) {
                PenaltySpring spring = springOf(share, damping, start, 0.0);
                constexpr double stride = 1e-6;
                double last = -1.0;
                for (int i = -4000; i <= 4000; ++i) {
                    spring.freeEnd = stride * i;
                    const double P = spring.solve(0.0, 0.0, 1.0);
                    if (last >= 0.0) {
                        EXPECT_GE(P - last, -1e-12) << share << ' ' << damping << ' ' << start << ' ' << spring.freeEnd;
                        // d_1 = freeEnd - h P / 2 rises with freeEnd, too.
                        EXPECT_LE(P - last, 2.0 * stride / spring.step + 1e-12)
                            << share << ' ' << damping << ' ' << start << ' ' << spring.freeEnd;
                    }
                    last = P;
                }
                EXPECT_GT(last, 0.0);
            }
}

// Of what stays in contact the damper adds c (d_1 - d_0), of what comes in nothing.
TEST(PenaltySpring, HasItsDamperWhileItTouches) {
    constexpr double c = 20.0, start = 1e-2;
    const PenaltySpring spring = springOf(1.0, c, start, 0.1);
    const double P = spring.solve(0.0, 0.0, 1.0), d1 = endOf(spring, P);
    EXPECT_NEAR(P, spring.step * spring.stiffness * (start + d1) / 2 + c * (d1 - start), 1e-12);
    EXPECT_EQ(springOf(1.0, c, -1e-3, 1.0).solve(0.0, 0.0, 1.0), springOf(1.0, 0.0, -1e-3, 1.0).solve(0.0, 0.0, 1.0));
}

/// The same contact in other units, of which each is so many of ours.
struct Units {
    double mass, length, time;
    double impulse() const { return mass * length / time; }
    double energy() const { return mass * length * length / (time * time); }
    PenaltySpring of(PenaltySpring spring) const {
        spring.stiffness /= mass / (time * time);
        spring.damping /= mass / time;
        spring.step /= time;
        spring.start /= length;
        spring.freeEnd /= length;
        return spring;
    }
};

// k in N/m, c in N s/m, h in s, depths in m, the response in 1/kg, P in N s, W in J: told in other units, the same
// contact has the same impulse and the same energy.
TEST(PenaltySpring, HasTheUnitsThatItSays) {
    for (const Units& units :
         {Units{3.0, 1.0, 1.0}, Units{1.0, 0.01, 1.0}, Units{1.0, 1.0, 7.0}, Units{3.0, 0.01, 7.0}})
        forCases([&units](double share, double start, double speed) {
            const PenaltySpring spring = springOf(share, 20.0, start, speed), other = units.of(spring);
            const double now = 0.3, P = spring.solve(now, 2.0 * now, 2.0);
            const double velocity = units.length / units.time;
            const double found =
                other.solve(now / units.impulse(), 2.0 * now / velocity, 2.0 * units.mass) * units.impulse();
            EXPECT_NEAR(found, P, 1e-9 * (now + P)) << share << ' ' << start << ' ' << speed;
            const double W = spring.energy(start);
            EXPECT_NEAR(other.energy(start / units.length) * units.energy(), W, 1e-12 * W);
        });
}

// A mass of 2 kg at rest on a spring of 800 N/m that is pressed in by 1 cm: P = h k (d_0 + d_1) / 2 of the whole force
// 8 N, less what it moves in the step.
TEST(PenaltySpring, PressesWithItsForce) {
    constexpr double mass = 2.0, k = 800.0, depth = 0.01, h = 1e-4;
    PenaltySpring spring;
    spring.stiffness = k;
    spring.step = h;
    spring.start = spring.freeEnd = depth;
    EXPECT_NEAR(spring.solve(0.0, 0.0, 1.0 / mass) / h, k * depth, 2.0 * h * h * k / mass * k * depth);
}

}  // namespace
}  // namespace pliant::test
