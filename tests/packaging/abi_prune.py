# SPDX-License-Identifier: Zlib
"""abi_prune.py IN OUT: takes out of abidw's description what Pliant cannot change: member functions of other libraries'
classes, and then every type that nothing of ours reaches. Layouts stay, those of other libraries included."""
import sys
import xml.etree.ElementTree as ElementTree

tree = ElementTree.parse(sys.argv[1])
units = tree.getroot().findall("abi-instr")
for unit in units:
    for owner in unit.iter("class-decl"):
        if not owner.get("filepath", "").startswith("/usr/"):
            continue
        for kind in ("member-function", "member-template"):
            for member in owner.findall(kind):
                owner.remove(member)

by_id = {element.get("id"): element for unit in units for element in unit.iter() if element.get("id")}
parent = {child: element for unit in units for element in unit.iter() for child in element}
kept, waiting = set(), [f for unit in units for f in unit.iter("function-decl") if "pliantProbe_" in f.get("name", "")]


def top(element):
    """The element of a unit that holds this one, as deep as namespaces go."""
    while parent[element].tag not in ("abi-instr", "namespace-decl"):
        element = parent[element]
    return element


while waiting:
    element = top(waiting.pop())
    if element in kept:
        continue
    kept.add(element)
    for part in element.iter():
        for name, value in part.attrib.items():
            if name != "id" and value in by_id:
                waiting.append(by_id[value])


def prune(holder):
    for child in list(holder):
        if child.tag == "namespace-decl":
            prune(child)
            if len(child):
                continue
        elif child in kept:
            continue
        holder.remove(child)


for unit in units:
    prune(unit)
for element in tree.iter():  # where something stands is no part of it
    for name in ("line", "column"):
        element.attrib.pop(name, None)
tree.write(sys.argv[2])
