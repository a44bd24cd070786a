# SPDX-License-Identifier: Zlib
"""What public headers promise to programs that are linked already.

abi_probe.py layouts ROOT HEADER...          writes a program text that has one function for each class, so that their
                                             layouts stand in its debug information; templates do not count
abi_probe.py symbols ROOT LIBRARY HEADER...  the symbols of a shared library that belong to what the headers declare

Only what is declared at the left margin counts.
"""
import re
import subprocess
import sys


def declared(root, headers):
    """Qualified names of classes, of those among them with functions of their own that are pure, and of functions."""
    classes, abstract, functions = set(), set(), set()
    for header in headers:
        for folder in ("plugin", "bullet_bridge", "osg_nodes"):
            try:
                with open(f"{root}/{folder}/{header}", encoding="utf-8") as file:
                    lines = file.read().splitlines()
                break
            except FileNotFoundError:
                continue
        scope, before, inside = "", "", ""
        for line in lines:
            if match := re.match(r"namespace ([\w:]+) \{", line):
                scope = match[1] + "::"
            elif line.startswith("}  // namespace"):
                scope = ""
            elif match := re.match(r"(?:class|struct) (?:PLIANT_API )?(\w+)\b[^;]*$", line):
                inside = scope + match[1]
                if not before.startswith("template"):
                    classes.add(inside)
            elif re.match(r" +virtual .* = 0;", line):
                abstract.add(inside)
            elif match := re.match(r"(?!inline|template|using|#)[A-Za-z][^(]*?(\w+)\(", line):
                functions.add(scope + match[1])
            before = line
    return classes, abstract, functions


def layouts(root, headers):
    print("\n".join(f'#include "{header}"' for header in headers))
    for name in sorted(declared(root, headers)[0]):
        print(f'extern "C" void pliantProbe_{name.replace("::", "_")}({name}*) {{}}')


def symbols(root, library, headers):
    classes, abstract, functions = declared(root, headers)
    listed = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    # Weak symbols are inline functions and templates: programs have their own.
    mangled = sorted({line.split()[2].split("@")[0] for line in listed.splitlines() if line.split()[1] not in "wWvVuU"})
    names = subprocess.run(["c++filt"], check=True, capture_output=True, text=True, input="\n".join(mangled)).stdout
    for symbol, name in zip(mangled, names.splitlines()):
        path = re.sub(r"^.* (for|to) ", "", name).split("(")[0].replace("[abi:cxx11]", "")
        parts = path.split("::")
        owners = {"::".join(parts[:count]) for count in range(1, len(parts) + 1)}
        if re.match("_ZT[ISVTC]", symbol):  # of tables of classes GCC makes weak symbols, Clang others; layouts have them
            continue
        # The constructor of a whole object of a class of which there are none: GCC makes it, Clang does not, nobody calls it.
        if "C1E" in symbol and len(parts) > 1 and parts[-1] == parts[-2] and "::".join(parts[:-1]) in abstract:
            continue
        if path in functions or owners & classes:
            print(symbol)


if sys.argv[1] == "layouts":
    layouts(sys.argv[2], sys.argv[3:])
else:
    symbols(sys.argv[2], sys.argv[3], sys.argv[4:])
