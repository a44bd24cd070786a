// SPDX-License-Identifier: Zlib
// Included inside an unnamed namespace by one translation unit per instruction set, after its Doubles and Floats.

/// Sums of a tile over columns [0, columns): accumulators[row][vector] += a[row] x[vector], one fused step per column
/// in ascending order. a: panel, panelRows apart; x: lanes apart.
template <class Simd, int Rows, int Vectors>
inline void accumulate(const typename Simd::Scalar* a, const typename Simd::Scalar* x, int columns,
                       typename Simd::Vector (&sums)[Rows][Vectors]) {
    for (int k = 0; k < columns; ++k, a += panelRows, x += lanes) {
        typename Simd::Vector column[Vectors];
#pragma GCC unroll 8
        for (int j = 0; j < Vectors; ++j) column[j] = Simd::load(x + j * Simd::width);
#pragma GCC unroll 8
        for (int i = 0; i < Rows; ++i) {
            const typename Simd::Vector coefficient = Simd::set(a[i]);
#pragma GCC unroll 8
            for (int j = 0; j < Vectors; ++j) sums[i][j] = Simd::multiplyAdd(coefficient, column[j], sums[i][j]);
        }
    }
}

template <class Simd, int Rows, int Vectors>
inline void clear(typename Simd::Vector (&sums)[Rows][Vectors]) {
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < Vectors; ++j) sums[i][j] = Simd::set(0);
}

/// One tile of `tangent` and `secant`: the cubic terms' columns first, kept, then the quartic terms'.
template <class Simd, int Rows, int Vectors>
inline void polynomialTile(const typename Simd::Scalar* a, const typename Simd::Scalar* x, int r, int columns,
                           typename Simd::Scalar* tangent, typename Simd::Scalar* secant) {
    using Scalar = typename Simd::Scalar;
    typename Simd::Vector sums[Rows][Vectors];
    clear<Simd>(sums);
    accumulate<Simd, Rows, Vectors>(a, x, r, sums);
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < Vectors; ++j) Simd::store(tangent + i * lanes + j * Simd::width, sums[i][j]);
    clear<Simd>(sums);
    accumulate<Simd, Rows, Vectors>(a + r * panelRows, x + r * lanes, columns - r, sums);
    const typename Simd::Vector half = Simd::set(Scalar(0.5)), third = Simd::set(Scalar(1.0 / 3.0));
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < Vectors; ++j) {
            const int at = i * lanes + j * Simd::width;
            const typename Simd::Vector cubic = Simd::load(tangent + at);
            Simd::store(tangent + at, cubic + sums[i][j]);
            Simd::store(secant + at, half * cubic + third * sums[i][j]);
        }
}

template <class Simd, int Vectors>
void polynomial(const typename Simd::Scalar* panels, int rows, int r, int columns, int groups,
                const typename Simd::Scalar* x, typename Simd::Scalar* tangent, typename Simd::Scalar* secant) {
    for (int row = 0; row < rows; row += panelRows, panels += panelRows * columns)
        for (int g = 0; g < groups; ++g)
            for (int i = 0; i < panelRows; i += tileRows)
                for (int lane = 0; lane < lanes; lane += Vectors * Simd::width) {
                    const int at = (g * rows + row + i) * lanes + lane;
                    polynomialTile<Simd, tileRows, Vectors>(panels + i, x + g * columns * lanes + lane, r, columns,
                                                            tangent + at, secant + at);
                }
}

/// One body: the lanes of a vector are rows of the panels, so every entry sums in the same order as in a group.
template <class Simd>
void polynomialOne(const typename Simd::Scalar* panels, int rows, int r, int columns, const typename Simd::Scalar* x,
                   typename Simd::Scalar* tangent, typename Simd::Scalar* secant) {
    using Scalar = typename Simd::Scalar;
    constexpr int width = Simd::width < panelRows ? Simd::width : panelRows;
    constexpr int vectors = panelRows / width;
    for (int row = 0; row < rows; row += panelRows) {
        typename Simd::Vector cubic[vectors], quartic[vectors];
        for (int j = 0; j < vectors; ++j) cubic[j] = quartic[j] = Simd::set(0);
        for (int k = 0; k < r; ++k, panels += panelRows) {
            const typename Simd::Vector value = Simd::set(x[k]);
            for (int j = 0; j < vectors; ++j)
                cubic[j] = Simd::multiplyAdd(Simd::load(panels + j * width), value, cubic[j]);
        }
        for (int k = r; k < columns; ++k, panels += panelRows) {
            const typename Simd::Vector value = Simd::set(x[k]);
            for (int j = 0; j < vectors; ++j)
                quartic[j] = Simd::multiplyAdd(Simd::load(panels + j * width), value, quartic[j]);
        }
        const typename Simd::Vector half = Simd::set(Scalar(0.5)), third = Simd::set(Scalar(1.0 / 3.0));
        for (int j = 0; j < vectors; ++j) {
            Simd::store(tangent + row + j * width, cubic[j] + quartic[j]);
            Simd::store(secant + row + j * width, half * cubic[j] + third * quartic[j]);
        }
    }
}

/// Products are formed in double and rounded once.
template <class Scalar>
void monomials(int r, const double* q, Scalar* x) {
    constexpr int width = Doubles::width;
    for (int i = 0; i < r * lanes; i += width) Doubles::store(x + i, Doubles::load(q + i));
    x += r * lanes;
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j, x += lanes)
            for (int lane = 0; lane < lanes; lane += width)
                Doubles::store(x + lane, Doubles::load(q + i * lanes + lane) * Doubles::load(q + j * lanes + lane));
}

/// Rows of `Panels` panels side by side, so that their sums do not wait for each other.
template <int Panels>
inline void productOfPanels(const double* panels, int columns, const double* x, double* y) {
    constexpr int vectors = panelRows / Doubles::width;
    const int panelSize = panelRows * columns;
    Doubles::Vector sums[Panels][vectors];
#pragma GCC unroll 8
    for (int p = 0; p < Panels; ++p)
#pragma GCC unroll 8
        for (int j = 0; j < vectors; ++j) sums[p][j] = Doubles::set(0.0);
    for (int k = 0; k < columns; ++k, panels += panelRows) {
        const Doubles::Vector value = Doubles::set(x[k]);
#pragma GCC unroll 8
        for (int p = 0; p < Panels; ++p)
#pragma GCC unroll 8
            for (int j = 0; j < vectors; ++j)
                sums[p][j] =
                    Doubles::multiplyAdd(Doubles::load(panels + p * panelSize + j * Doubles::width), value, sums[p][j]);
    }
#pragma GCC unroll 8
    for (int p = 0; p < Panels; ++p)
#pragma GCC unroll 8
        for (int j = 0; j < vectors; ++j) Doubles::store(y + p * panelRows + j * Doubles::width, sums[p][j]);
}

void product(const double* panels, int rows, int columns, const double* x, double* y) {
    for (; rows >= 5 * panelRows; rows -= 5 * panelRows, panels += 5 * panelRows * columns, y += 5 * panelRows)
        productOfPanels<5>(panels, columns, x, y);
    if (rows == 4 * panelRows) productOfPanels<4>(panels, columns, x, y);
    if (rows == 3 * panelRows) productOfPanels<3>(panels, columns, x, y);
    if (rows == 2 * panelRows) productOfPanels<2>(panels, columns, x, y);
    if (rows == panelRows) productOfPanels<1>(panels, columns, x, y);
}

void transposedProduct(const double* A, const double* B, int columns, bool adds, double* C) {
    for (int k = 0; k < columns; ++k, B += 3 * lanes, C += 3 * lanes)
        for (int i = 0; i < 3; ++i)
            for (int lane = 0; lane < lanes; lane += Doubles::width) {
                Vector sum = adds ? Doubles::load(C + i * lanes + lane) : Doubles::set(0.0);
                for (int m = 0; m < 3; ++m)
                    sum = Doubles::multiplyAdd(Doubles::load(A + (3 * i + m) * lanes + lane),
                                               Doubles::load(B + m * lanes + lane), sum);
                Doubles::store(C + i * lanes + lane, sum);
            }
}

void combine(int size, const double* a, const double* b, const double* c, const double* d, const double* weights,
             double* y) {
    const Vector first = Doubles::set(weights[0]), second = Doubles::set(weights[1]), third = Doubles::set(weights[2]),
                 fourth = Doubles::set(weights[3]);
    for (int i = 0; i < size; i += Doubles::width) {
        Vector sum = Doubles::multiplyAdd(second, Doubles::load(b + i), first * Doubles::load(a + i));
        sum = Doubles::multiplyAdd(third, Doubles::load(c + i), sum);
        Doubles::store(y + i, Doubles::multiplyAdd(fourth, Doubles::load(d + i), sum));
    }
}

Table makeTable(InstructionSet set) {
    Table table{};
    table.set = set;
    table.monomialsSingle = monomials<float>;
    table.monomialsDouble = monomials<double>;
    table.polynomialSingle = polynomial<Floats, singleVectors>;
    table.polynomialDouble = polynomial<Doubles, tileVectors>;
    table.polynomialOneSingle = polynomialOne<PanelFloats>;
    table.polynomialOneDouble = polynomialOne<Doubles>;
    table.assembleSingle = assemble<float>;
    table.assembleDouble = assemble<double>;
    table.factor = factor;
    table.solve = solve;
    table.solveMany = solveMany;
    table.solveHalfMany = solveHalfMany;
    table.symmetricProduct = symmetricProduct;
    table.assembleOne = assembleOne;
    table.factorOne = factorOne;
    table.solveOne = solveOne;
    table.product = product;
    table.transposedProduct = transposedProduct;
    table.combine = combine;
    return table;
}
