// SPDX-License-Identifier: Zlib
#include "pliant/hand/ScaledSolve.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

using Aligned6 = Eigen::Matrix<double, 6, 6>;

/// Whether a' a - shift has only positive pivots: then no singular value of a is below sqrt(shift).
bool exceeds(const Aligned6& squares, double shift) {
    double l[6][6];
    for (int j = 0; j < 6; ++j) {
        for (int i = j; i < 6; ++i) {
            double sum = squares(i, j) - (i == j ? shift : 0.0);
            for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
            if (i == j) {
                if (!(sum > 1e-14 * squares(j, j))) return false;
                l[j][j] = std::sqrt(sum);
            } else {
                l[i][j] = sum / l[j][j];
            }
        }
    }
    return true;
}

/// a x = b by elimination with row pivots; a is regular.
Vector6 eliminate(const Aligned6& a, const Vector6& b) {
    double m[6][7];
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) m[i][j] = a(i, j);
        m[i][6] = b[i];
    }
    for (int k = 0; k < 6; ++k) {
        int pivot = k;
        for (int i = k + 1; i < 6; ++i)
            if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
        if (pivot != k) std::swap(m[k], m[pivot]);
        const double inverse = 1.0 / m[k][k];
        for (int i = k + 1; i < 6; ++i) {
            const double factor = m[i][k] * inverse;
            for (int j = k + 1; j < 7; ++j) m[i][j] -= factor * m[k][j];
        }
    }
    Vector6 x;
    for (int i = 5; i >= 0; --i) {
        double sum = m[i][6];
        for (int j = i + 1; j < 6; ++j) sum -= m[i][j] * x[j];
        x[i] = sum / m[i][i];
    }
    return x;
}

void solveDeficient(const Aligned6& a, const Vector6& b, double freeBelow, ScaledStep& result) {
    const Eigen::JacobiSVD<Aligned6> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double least = std::max(freeBelow, 1e-9 * svd.singularValues()[0]);
    for (int i = 0; i < 6; ++i) {
        const double sigma = svd.singularValues()[i];
        if (sigma > least)
            result.step += svd.matrixV().col(i) * (svd.matrixU().col(i).dot(b) / sigma);
        else
            result.freeDirections.col(result.freeCount++) = svd.matrixV().col(i);
    }
}

}  // namespace

ScaledStep solveScaled(const Matrix6& slope, const Vector6& wrench, double gyrationRadius, double freeBelow) {
    const double inverse = 1.0 / gyrationRadius;
    Aligned6 a = slope;
    a.rightCols<3>() *= inverse;
    a.bottomRows<3>() *= inverse;
    Vector6 b = -wrench;
    b.tail<3>() *= inverse;
    ScaledStep result;
    const Aligned6 squares = a.transpose() * a;
    if (exceeds(squares, freeBelow * freeBelow))
        result.step = eliminate(a, b);
    else
        solveDeficient(a, b, freeBelow, result);
    result.step.tail<3>() *= inverse;
    return result;
}

Vector6 freePart(const ScaledStep& step, const Vector6& gap, double gyrationRadius) {
    Vector6 scaled = gap;
    scaled.tail<3>() *= gyrationRadius;
    Vector6 part = Vector6::Zero();
    for (int i = 0; i < step.freeCount; ++i)
        part += step.freeDirections.col(i) * step.freeDirections.col(i).dot(scaled);
    part.tail<3>() /= gyrationRadius;
    return part;
}

}  // namespace pliant
