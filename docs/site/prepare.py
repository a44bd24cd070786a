# SPDX-License-Identifier: Zlib
"""Writes the sources of the site for Sphinx (target `site`, cmake/PliantSite.cmake).

    prepare.py ROOT TARGET HEADERS XML

README.md, CHANGELOG.md, CONTRIBUTING.md and docs/**/*.md of ROOT become pages at the same places in TARGET, so that
their links go on working as they do on a code host; what they link to comes along. HEADERS lists the public headers of
every component, XML is Doxygen's output. Nothing here knows the name of a single page: docs/index.md says the order of
the guide, and what it does not list follows by name.
"""
import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree as ElementTree

LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
CODE = re.compile(r"(^```.*?^```|`[^`\n]*`|^    .*$)", re.S | re.M)

# Components in the order of the reference: title, text above the list of headers.
COMPONENTS = {
    "bullet": ("Bullet bridge", "`Pliant::bullet` and, in double precision, `Pliant::bullet64`: bodies, shapes, joints "
               "and the constraint solver for an ordinary `btDiscreteDynamicsWorld`."),
    "osg": ("OpenSceneGraph nodes", "`Pliant::osg`: instanced drawing of bodies, a stage, pictures and films without a "
            "window."),
    "core": ("Core", "`Pliant::core`: the reduced model, its file, and batches of bodies. Other libraries and games need "
             "nothing else of Pliant."),
    "reduce": ("Reduction", "`Pliant::reduce`: makes reduced models out of meshes, and of the files of other programs."),
    "scene": ("Scene files", "`Pliant::scene`: scene files, read into plain values and checked."),
    "bullet_scene": ("Scenes in Bullet", "`Pliant::bullet_scene`: what a scene file describes, in a Bullet world of the "
                     "user's."),
    "osg_scene": ("Scenes in OpenSceneGraph", "`Pliant::osg_scene`: the picture of a scene in a graph of the user's."),
    "mpi": ("Reduction on several machines", "`Pliant::mpi`: shares of a reduction as MPI ranks, in builds with "
            "`PLIANT_WITH_MPI`."),
}


def write(folder, name, data):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)


def relative(path, folder):
    """`path` as seen from `folder`, both relative to the root, with forward slashes."""
    up = 0
    while folder and not path.startswith(folder + "/"):
        folder, up = folder.rpartition("/")[0], up + 1
    return "../" * up + (path[len(folder) + 1:] if folder else path)


def references(root):
    """docs/references.bib as a page, and the keys of its papers."""
    page, keys = ["# References\n"], []
    text = (root / "docs/references.bib").read_text()
    for entry in re.finditer(r"^@\w+\{(\w+),(.*?)^\}", text, re.S | re.M):
        key, fields = entry.group(1), {}
        for name, value in re.findall(r"(\w+)\s*=\s*((?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}))", entry.group(2)):
            value = value.replace(r"\v{c}", "č").replace(r"\'c", "ć").replace(r"\'e", "é").replace(r"\"o", "ö").replace("~", " ").replace("--", "–")
            fields[name] = re.sub(r"[{}\\]", "", value).strip()
        authors = [" ".join(reversed(a.split(", "))) for a in fields["author"].split(" and ")]
        where = fields.get("journal") or fields.get("booktitle") or fields.get("publisher") or fields.get("school")
        details = [where, fields.get("volume") and "vol. " + fields["volume"], fields.get("edition") and
                   fields["edition"] + " edition", fields.get("pages") and "pp. " + fields["pages"], fields.get("note"),
                   fields["year"]]
        page.append(f"## {key}\n\n{', '.join(authors)}: *{fields['title']}*. {', '.join(filter(None, details))}.\n")
        keys.append(key)
    return "\n".join(page), keys


def cited(text, keys, page):
    """The text with [KEY] and [KEY section 5] as links to the paper; code stays as it is."""
    key = re.compile(r"\[(" + "|".join(keys) + r")([ ,;][^\]]*)?\](?![(:\[])")
    parts = CODE.split(text)
    parts[::2] = [key.sub(lambda m: rf"[\[{m[1]}{m[2] or ''}\]]({page}#{m[1].lower()})", part) for part in parts[::2]]
    return "".join(parts)


def pages(root, target):
    """Copies the pages and what they link to; returns the names of all pages."""
    names = [name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md") if (root / name).is_file()]
    names += sorted(str(path.relative_to(root)) for path in (root / "docs").rglob("*.md"))
    bibliography, keys = references(root)
    write(target, "docs/references.md", bibliography)
    texts = {}
    todo = list(names)
    while todo:
        name = todo.pop(0)
        folder = name.rpartition("/")[0]

        def moved(link):
            path = (root / folder / link.group(2)).resolve()
            if "://" in link.group(2) or not path.exists() or root not in path.parents:
                return link.group(0)  # elsewhere, or missing: then Sphinx says so
            where = str(path.relative_to(root))
            if where == "README.md":
                where = "index.md"
            elif where == "docs/references.bib":
                where = "docs/references.md"
            elif where.endswith(".md"):
                if where not in names:
                    names.append(where)
                    todo.append(where)
            elif path.is_file():
                write(target, where, path.read_bytes())
            return link.group(1) + relative(where, folder) + link.group(3)

        text = LINK.sub(moved, (root / name).read_text())
        if text.startswith("## "):  # tables that a program prints have no title
            text = f"# {pathlib.PurePath(name).stem.replace('-', ' ').capitalize()}\n\n{text}"
        texts[name] = cited(text, keys, relative("docs/references.md", folder))
    return texts


def parsed(xml, refid):
    return ElementTree.parse(xml / (refid + ".xml")).getroot().find("compounddef")


def contents(xml):
    """What every header declares outside of classes: (line, kind, name, arguments), by the header's name."""
    result, files = {}, {}
    for compound in ElementTree.parse(xml / "index.xml").getroot().iter("compound"):
        kind, refid = compound.get("kind"), compound.get("refid")
        if kind == "file":
            files[parsed(xml, refid).find("location").get("file")] = refid
        if kind not in ("class", "struct", "namespace", "file"):
            continue
        definition = parsed(xml, refid)
        if kind in ("class", "struct"):
            name, place = definition.findtext("compoundname"), definition.find("location")
            if "::" not in name or name.rpartition("::")[0] in ("pliant", "osgPliant"):  # not one inside of another
                result.setdefault(place.get("file"), []).append((int(place.get("line")), kind, name, ""))
            continue
        for member in definition.iter("memberdef"):
            place = member.find("location")
            name = member.findtext("qualifiedname") or member.findtext("name")
            entry = (int(place.get("line")), member.get("kind"), name, member.findtext("argsstring") or "")
            result.setdefault(place.get("file"), []).append(entry)
    return {file: (refid, sorted(set(result.get(file, [])))) for file, refid in files.items()}


def header_page(header, declared):
    """A page with what the header says of itself, and then, in its order, what it declares."""
    name = header.rpartition("/")[2]
    lines = [name, "=" * len(name), "", ".. code-block:: cpp", "", f"   #include <{header}>", "",
             f".. doxygenfile:: {header}", "   :sections: briefdescription detaileddescription", ""]
    directives = {"variable": "variable", "typedef": "typedef", "enum": "enum", "function": "function",
                  "class": "class", "struct": "struct"}
    last = None
    for _, kind, full, arguments in declared:
        if kind not in directives:
            continue
        title = full.rpartition("::")[2] if kind in ("class", "struct", "enum") else kind.capitalize() + "s"
        if title == "Typedefs":
            title = "Types"
        if title != last:
            lines += [title, "-" * len(title), ""]
        last = title
        lines.append(f".. doxygen{directives[kind]}:: {full}{arguments if kind == 'function' else ''}")
        if kind in ("class", "struct"):
            lines += ["   :members:", "   :protected-members:"]
        lines.append("")
    return "\n".join(lines)


def summary(xml, refid):
    """The first sentence of a header's own comment."""
    text = "".join(parsed(xml, refid).find("detaileddescription/para").itertext())
    return re.split(r"(?<=\.) ", text.strip())[0].replace("|", r"\|")


def reference(headers, xml, target):
    """A page for every public header and one for every component; returns the pages of components."""
    listed = dict(line.split(": ", 1) for line in headers.read_text().splitlines() if line)
    declared = contents(xml)
    result = []
    for component, (title, text) in COMPONENTS.items():
        lines = [f"# {title}\n", text + "\n", "| Header | What it holds |", "|:---|:---|"]
        toctree = []
        for header in listed[component].split():
            refid, entries = declared[header]
            write(target, f"reference/{header[:-2]}.rst", header_page(header, entries))
            lines.append(f"| [`{header}`]({header[:-2]}.rst) | {summary(xml, refid)} |")
            toctree.append(header[:-2])
        lines += ["", "```{toctree}", ":hidden:", *toctree, "```"]
        write(target, f"reference/{component}.md", "\n".join(lines) + "\n")
        result.append(f"reference/{component}")
    return result


def main():
    root, target, headers, xml = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    shutil.rmtree(target, ignore_errors=True)
    texts = pages(root, target)
    listed = re.findall(r"\]\(([^)#\s]+)\.md", (root / "docs/index.md").read_text())
    order = {name: listed.index(name) for name in listed}

    def place(name):
        inside = name[len("docs/"):-len(".md")]
        return (order.get(inside, len(order)), name)

    documents = [name for name in texts if name.startswith("docs/")]
    inner = [name for name in documents if name.startswith("docs/internals/") or name == "docs/architecture.md"]
    guide = sorted((name for name in documents if name not in inner and name != "docs/index.md"), key=place)
    guide = ["docs/index.md"] + guide + ["docs/references.md"] + ["CHANGELOG.md"] * ("CHANGELOG.md" in texts)
    inner = sorted(inner) + ["CONTRIBUTING.md"] * ("CONTRIBUTING.md" in texts)
    shown = set(guide) | set(inner) | {"README.md"}

    trees = [("Guide", [name[:-3] for name in guide]),
             ("Reference", reference(headers, xml, target) + ["Index of names <genindex>"]),
             ("Internals", [name[:-3] for name in inner])]
    home = texts.pop("README.md")
    for caption, entries in trees:
        if entries:
            home += "\n".join(["", "```{toctree}", f":caption: {caption}", ":hidden:", *entries, "```", ""])
    write(target, "index.md", home)
    for name, text in texts.items():
        write(target, name, text if name in shown else "---\norphan: true\n---\n" + text)


if __name__ == "__main__":
    main()
