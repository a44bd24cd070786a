// SPDX-License-Identifier: Zlib
/// @file
/// All lattice characters of one model and the step that advances them [C02 4.5].
///
/// With p and v the coefficients of positions and velocities, R_i the rotation of region i's bone, T_i its map and C_i
/// = alpha M_i + beta K_i, K_i = S_i + k_t B_i, a step of h seconds is backward Euler in each region's own axes,
///
///     [M_i + h C_i + h^2 K_i] dv_i = -h [K_i (R_i'(p - T_i r) + h R_i'v) + C_i R_i'(v - v_T) - R_i'f],
///
/// where functions that bones hold are known, and then the blend of all regions:
///
///     dv = sum_i W_i R_i dv_i,      v += dv,      p += h v.
///
/// The matrices are constant, so their inverses are made once for each step size. Of the paper's formulae the signs of
/// damping and gravity in (7) and (16) are turned, and strain turns with the region (its line 2 leaves it in world
/// axes).
///
///     setBones(b, ...); addForce(b, ...); pin(b, ...)     inputs of the step (forces are cleared by it)
///     step(h, bodies, gravity, workers)
///     surface(b, points)                                  where the drawn surface is
///
/// Results have the same bits for any number of workers, and whichever bodies step together.
#pragma once

#include <memory>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/LatticeModel.h"
#include "pliant/rig/PoseMotion.h"
#include "pliant/runtime/Workers.h"
#include "pliant/runtime/lattice/LatticeSettings.h"

namespace pliant {

/// What became of a step.
enum class LatticeStatus {
    Ok,            ///< The step was solved.
    Singular,      ///< A region has nothing to hold it and no mass: it has not moved by itself.
    PinsDisagree,  ///< Pins ask for different things of the same flesh, or for what a bone holds.
    RestoredSkin   ///< The step gave numbers that are not finite; the flesh was put on its skin.
};

/// A point of the flesh that is dragged: held at a place, whatever the flesh does [C02 (19)].
struct LatticePin {
    std::vector<int> functions;       ///< Functions that the point is made of.
    std::vector<double> values;       ///< The values phi_a at the point.
    Vector3 place = Vector3::Zero();  ///< Where it is at the step's end, world, m.
};

/// A vertex of the drawn surface as a pin at a place.
PLIANT_API LatticePin pinOfVertex(const LatticeModel& model, int vertex, const Vector3& place);

/// All lattice characters of one model. Slots stand for bodies. A step with another length than the last, or with
/// functions that no body has had, makes inverses, which takes long; every step takes some working memory. Nothing
/// throws but the constructor.
class PLIANT_API LatticeBatch {
public:
    /// @throws Error for settings out of range and a model without regions
    LatticeBatch(std::shared_ptr<const LatticeModel> model, const LatticeSettings& settings);
    ~LatticeBatch();
    /// Takes all bodies over.
    LatticeBatch(LatticeBatch&&) noexcept;
    LatticeBatch& operator=(LatticeBatch&&) noexcept;  ///< Takes all bodies over.

    /// The model of all bodies.
    const LatticeModel& model() const;
    /// The settings of all bodies.
    const LatticeSettings& settings() const;

    /// Adds a body on the skin of a pose, moving with its bones. @param bones B maps T_b, rest space -> world
    /// @return its slot: the lowest free one
    int add(const std::vector<MovingFrame>& bones);
    /// Frees a slot.
    void remove(int body);
    /// Slots, used or free.
    int capacity() const;
    /// Whether the slot holds a body.
    bool isUsed(int body) const;

    /// Puts the flesh on the skin sum_i W_i T_i x of its bones, moving with it; for jumps of the pose.
    void placeOnSkin(int body, const std::vector<MovingFrame>& bones);
    /// T_b at the end of the next step. @param bones B of them
    void setBones(int body, const std::vector<MovingFrame>& bones);
    /// A force in the next step alone. @param point its combination of functions; its place is not read
    /// @param force world, N
    void addForce(int body, const LatticePin& point, const Vector3& force);
    /// Holds points from the next step on; an empty list frees all of them.
    void pin(int body, std::vector<LatticePin> pins);
    /// Another place for a pin, world, m.
    void movePin(int body, int pin, const Vector3& place);

    /// Advances the listed bodies. @param h s  @param bodies ascending slots  @param gravity world, m/s^2
    void step(double h, const std::vector<int>& bodies, const Vector3& gravity, const Workers& workers);
    /// How many functions move: all but finer ones that LatticeSettings::adapt has left out.
    int activeFunctions(int body) const;
    /// Whether a function moves.
    bool isActive(int body, int function) const;
    /// What became of the last step.
    LatticeStatus status(int body) const;

    /// Coefficients of positions, 3 x N, world, m. May be written. With LatticeSettings::iterations above 1 positions,
    /// velocities and bones are not the whole state: a step starts from the last one's correction, which writing here
    /// leaves as it is, and which only add() and placeOnSkin() forget. The next step depends on it, what flesh comes to
    /// at rest does not.
    Eigen::Map<Points> positions(int body);
    /// Coefficients of velocities, 3 x N, world, m/s. May be written.
    Eigen::Map<Points> velocities(int body);
    /// Coefficients of positions, 3 x N, world, m.
    Eigen::Map<const Points> positions(int body) const;
    /// Coefficients of velocities, 3 x N, world, m/s.
    Eigen::Map<const Points> velocities(int body) const;

    /// The drawn surface. @param points 3 x d, world, m, resized
    void surface(int body, Points& points) const;
    /// Change of the velocity by impulses, after a step: Y = sum_i W_i^1/2 R_i A_i^-1 R_i' W_i^1/2, symmetric.
    /// @param impulses 3 x N, N s  @param changes 3 x N, m/s, written; zero where bones hold
    void response(int body, const Points& impulses, Points& changes) const;

    /// V = 1/2 sum_b (p - T_b r)' R_b K_b R_b' (p - T_b r), the regions' common energy with the bones of the last step,
    /// J.
    double strainEnergy(int body) const;
    /// 1/2 v'M v, J.
    double kineticEnergy(int body) const;

private:
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};

}  // namespace pliant
