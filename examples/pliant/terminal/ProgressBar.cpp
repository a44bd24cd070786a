// SPDX-License-Identifier: Zlib
#include "terminal/ProgressBar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "terminal/Interrupt.h"

namespace pliant::program {
namespace {

constexpr int kCells = 32;
constexpr auto kRedraw = std::chrono::milliseconds(80);
constexpr auto kLine = std::chrono::seconds(10);

int percent(double fraction) {
    return static_cast<int>(100.0 * std::clamp(fraction, 0.0, 1.0));
}

}  // namespace

std::string duration(double seconds) {
    if (seconds < 0.1) return fmt::format("{:.2f} ms", 1000.0 * seconds);
    if (seconds < 60.0) return fmt::format("{:.1f} s", seconds);
    constexpr double kHour = 3600.0, kDay = 24.0 * kHour, kYear = 365.0 * kDay;
    if (!(seconds < 1000.0 * kYear)) return "more than 1000 years";
    if (seconds >= 2.0 * kYear) return fmt::format("{:.0f} years", seconds / kYear);
    if (seconds >= 2.0 * kDay) return fmt::format("{:.0f} days", seconds / kDay);
    const int whole = static_cast<int>(seconds);
    if (seconds >= 2.0 * kHour) return fmt::format("{} h {:02d} min", whole / 3600, whole / 60 % 60);
    return fmt::format("{} min {:02d} s", whole / 60, whole % 60);
}

ProgressBar::ProgressBar() : m_terminal(isatty(STDERR_FILENO) != 0), m_start(Clock::now()), m_shown(m_start) {}

ProgressBar::~ProgressBar() {
    clear();
}

bool ProgressBar::operator()(const std::string& stage, double fraction) {
    const bool newStage = stage != m_stage;
    const auto now = Clock::now();
    if (m_terminal && (newStage || now - m_shown >= kRedraw)) {
        draw(stage, fraction);
        m_shown = now;
    } else if (!m_terminal && (newStage || now - m_shown >= kLine)) {
        print(stage, newStage ? 0.0 : fraction);
        m_shown = now;
    }
    m_stage = stage;
    return !interrupted();
}

void ProgressBar::draw(const std::string& stage, double fraction) {
    const int full = static_cast<int>(kCells * std::clamp(fraction, 0.0, 1.0));
    std::string bar(static_cast<std::size_t>(kCells), ' ');
    std::fill_n(bar.begin(), full, '=');
    fmt::print(stderr, "\r\033[K  [{}] {:3d} %  {}  {}", bar, percent(fraction), stage, duration(seconds()));
    std::fflush(stderr);
    m_drawn = true;
}

void ProgressBar::print(const std::string& stage, double fraction) {
    if (fraction > 0.0)
        fmt::print(stderr, "  {}: {} % after {}\n", stage, percent(fraction), duration(seconds()));
    else
        fmt::print(stderr, "  {}\n", stage);
    std::fflush(stderr);
}

void ProgressBar::clear() {
    if (!m_drawn) return;
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
    m_drawn = false;
}

double ProgressBar::seconds() const {
    return std::chrono::duration<double>(Clock::now() - m_start).count();
}

}  // namespace pliant::program
