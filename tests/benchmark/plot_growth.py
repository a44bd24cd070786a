#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Draws docs/pictures/*.svg, the growth plots of docs/performance.md, from the tables in tests/benchmark/results.

    tests/benchmark/plot_growth.py [--results FOLDER] [--out FOLDER]

The tables' columns are told in tests/benchmark/results/README.md. Nothing but the standard library is needed. The same
tables give the same files, byte for byte.
"""
import argparse
import csv
import math
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[2]
EPYC512, XEON, EPYC2 = "epyc-avx512-2core", "xeon-2core", "epyc-avx2-2core"
NAMES = {EPYC512: "EPYC, AVX-512", XEON: "Xeon, AVX-512", EPYC2: "EPYC, AVX2"}
# Colours that readers with any kind of colour vision can tell apart (Okabe and Ito).
COLOURS = {EPYC512: "#0072b2", XEON: "#d55e00", EPYC2: "#009e73"}
PEER = "#5f5f5f"


class Results:
    """The rows of all tables. Where a case has several rows for the same abscissa, the last one counts."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def points(self, machine, table, case, quantity, abscissa="bodies"):
        """[(abscissa, low)] in ascending order; empty where the table has no such rows."""
        path = self.folder / machine / (table + ".csv")
        found = {}
        if path.exists():
            with open(path, newline="", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    if row["case"] == case and row["quantity"] == quantity:
                        found[float(row[abscissa])] = float(row["low"])
        return sorted(found.items())

    def product(self, machine, table, case, first, second):
        """Points of one quantity times those of another."""
        factors = dict(self.points(machine, table, case, second))
        return [(x, y * factors[x]) for x, y in self.points(machine, table, case, first) if x in factors]


class Chart:
    """A line chart as SVG text: a logarithmic abscissa, and an ordinate that is linear from zero or logarithmic."""

    WIDTH, HEIGHT = 880, 450
    LEFT, RIGHT, TOP, BOTTOM = 72, 264, 62, 58

    def __init__(self, title, subtitle, x_label, y_label, x_ticks, y_ticks, log_y=False):
        self.title, self.subtitle, self.x_label, self.y_label = title, subtitle, x_label, y_label
        self.x_ticks, self.y_ticks, self.log_y = x_ticks, y_ticks, log_y
        self.series = []

    def add(self, name, points, colour, dash="", marker="circle"):
        if points:
            self.series.append((name, points, colour, dash, marker))

    def x(self, value):
        first, last = math.log(self.x_ticks[0]), math.log(self.x_ticks[-1])
        return self.LEFT + (math.log(value) - first) / (last - first) * (self.WIDTH - self.LEFT - self.RIGHT)

    def y(self, value):
        scale = math.log if self.log_y else float
        first, last = scale(self.y_ticks[0]), scale(self.y_ticks[-1])
        height = self.HEIGHT - self.TOP - self.BOTTOM
        return self.HEIGHT - self.BOTTOM - (scale(value) - first) / (last - first) * height

    @staticmethod
    def text(x, y, content, size=13, anchor="start", colour="#333333", extra=""):
        return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{extra}>'
                f"{escape(content)}</text>")

    @staticmethod
    def line(x1, y1, x2, y2, colour, width=1.0, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
                f'stroke-width="{width}"{dashes}/>')

    @staticmethod
    def marker(x, y, colour, kind):
        if kind == "circle":
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
        if kind == "square":
            return (f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" fill="white" stroke="{colour}" '
                    'stroke-width="2"/>')
        return ""

    def axes(self):
        right, bottom = self.WIDTH - self.RIGHT, self.HEIGHT - self.BOTTOM
        parts = []
        for tick in self.y_ticks:
            parts.append(self.line(self.LEFT, self.y(tick), right, self.y(tick), "#e2e2e2"))
            parts.append(self.text(self.LEFT - 9, self.y(tick) + 4.5, f"{tick:,g}", anchor="end"))
        for tick in self.x_ticks:
            parts.append(self.line(self.x(tick), bottom, self.x(tick), bottom + 5, "#333333"))
            parts.append(self.text(self.x(tick), bottom + 21, f"{tick:,}", anchor="middle"))
        parts.append(self.line(self.LEFT, bottom, right, bottom, "#333333"))
        parts.append(self.text((self.LEFT + right) / 2, bottom + 44, self.x_label, 14, "middle"))
        middle = (self.TOP + bottom) / 2
        turned = f' transform="rotate(-90 20 {middle:.1f})"'
        parts.append(self.text(20, middle, self.y_label, 14, "middle", extra=turned))
        return parts

    def curves(self):
        parts = []
        for _, points, colour, dash, marker in self.series:
            path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
            dashes = f' stroke-dasharray="{dash}"' if dash else ""
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.2"{dashes}/>')
            parts += [self.marker(self.x(x), self.y(y), colour, marker) for x, y in points]
        return parts

    def legend(self):
        """In the order in which the curves end at the right, so that the eye finds them."""
        left = self.WIDTH - self.RIGHT + 22
        parts = []
        for i, (name, _, colour, dash, marker) in enumerate(sorted(self.series, key=lambda s: -s[1][-1][1])):
            y = self.TOP + 12 + 25 * i
            parts.append(self.line(left, y, left + 34, y, colour, 2.2, dash))
            parts.append(self.marker(left + 17, y, colour, marker))
            parts.append(self.text(left + 43, y + 4.5, name))
        return parts

    def svg(self):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.WIDTH}" height="{self.HEIGHT}" '
                f'viewBox="0 0 {self.WIDTH} {self.HEIGHT}" role="img" '
                "font-family=\"'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif\">")
        parts = [head, f"<title>{escape(self.title)}</title>", '<rect width="100%" height="100%" fill="white"/>',
                 self.text(self.LEFT - 50, 27, self.title, 16, colour="#111111", extra=' font-weight="bold"'),
                 self.text(self.LEFT - 50, 46, self.subtitle, 12.5, colour="#5f5f5f")]
        return "\n".join(parts + self.axes() + self.curves() + self.legend() + ["</svg>"]) + "\n"


BODIES = [64, 128, 256, 512, 1024, 2048]


def contacts(results):
    chart = Chart("Piled bodies: time of a step per contact",
                  "Baskets, r = 24, steps of 1/240 s, one thread, nothing asleep",
                  "bodies", "microseconds per contact", BODIES, [0, 2, 4, 6, 8])
    for machine in (EPYC2, XEON, EPYC512):
        for case, dash, marker, words in (("piled", "", "circle", "one heap"),
                                          ("heaps", "7 4", "square", "heaps of 64")):
            chart.add(f"{NAMES[machine]}: {words}", results.points(machine, "growth", case, "step per contact"),
                      COLOURS[machine], dash, marker)
    return chart


def falling(results):
    chart = Chart("Bodies in free fall: time of a step per body",
                  "Baskets, r = 24, steps of 1/240 s, one thread; for comparison rigid boxes of Bullet 3.24",
                  "bodies", "microseconds per body", BODIES, [0, 2, 4, 6, 8, 10, 12])
    for machine in (EPYC2, XEON):
        for case, dash, marker, words in (("falling", "", "circle", "one block"),
                                          ("fallingBlocks", "7 4", "square", "blocks of 64"),
                                          ("fallingBoxes", "2 3", "circle", "rigid boxes")):
            chart.add(f"{NAMES[machine]}: {words}", results.points(machine, "growth", case, "step per body"),
                      COLOURS[machine], dash, marker)
    return chart


def steps(results):
    chart = Chart("Piled bodies: time of a step",
                  "Baskets in heaps of 64, r = 24, steps of 1/240 s, one thread, nothing asleep",
                  "bodies", "milliseconds per step", BODIES, [1, 2, 5, 10, 20, 50, 100], log_y=True)
    for machine in (EPYC2, XEON, EPYC512):
        points = results.product(machine, "growth", "heaps", "step per contact", "contacts")
        chart.add(NAMES[machine], [(x, y / 1000) for x, y in points], COLOURS[machine])
    # Through the geometric middle of the Xeon's points, which are complete: what proportional growth looks like.
    reference = results.product(XEON, "growth", "heaps", "step per contact", "contacts")
    if reference:
        slope = math.exp(sum(math.log(y / 1000 / x) for x, y in reference) / len(reference))
        chart.add("proportional to the number", [(x, slope * x) for x in (BODIES[0], BODIES[-1])], PEER, "2 4", "none")
    return chart


def newmark(results):
    chart = Chart("One implicit Newmark step of one body",
                  "Double precision, no coupling, one thread of an EPYC with AVX-512",
                  "reduced coordinates r", "microseconds per step", [10, 12, 15, 20, 30, 40],
                  [1, 2, 5, 10, 20, 50, 100, 200], log_y=True)
    for name, case, colour, dash in (("Vega FEM 4.0", "one body, Vega FEM 4.0", PEER, "7 4"),
                                     ("Pliant", "one body, double", COLOURS[EPYC512], "")):
        chart.add(name, results.points(EPYC512, "newmark", case, "step", "r"), colour, dash)
    return chart


def polynomials(results):
    chart = Chart("Reduced polynomials of 1,736 bricks",
                  "One core of an EPYC with AVX-512; the bare product is OpenBLAS's DSYRK",
                  "reduced coordinates r", "seconds", [10, 12, 15, 20, 30, 40],
                  [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100], log_y=True)
    for name, case, colour, dash in (("Vega FEM 4.0", "polynomials, Vega FEM 4.0", PEER, "7 4"),
                                     ("Pliant", "polynomials", COLOURS[EPYC512], ""),
                                     ("bare product of that size", "bare DSYRK", COLOURS[XEON], "2 3")):
        chart.add(name, results.points(EPYC512, "reduction", case, "time", "r"), colour, dash)
    return chart


CHARTS = {"growth_contacts": contacts, "growth_falling": falling, "growth_steps": steps, "growth_newmark": newmark,
          "growth_polynomials": polynomials}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", default=ROOT / "tests/benchmark/results", help="folder of the tables")
    parser.add_argument("--out", default=ROOT / "docs/pictures", help="folder of the pictures")
    options = parser.parse_args()
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    for name, chart in CHARTS.items():
        (out / (name + ".svg")).write_text(chart(Results(options.results)).svg(), encoding="utf-8")
        print(out / (name + ".svg"))


if __name__ == "__main__":
    main()
