"""pages.py - pages of HTML of what ran: index.html has all files, each file a page with its lines, how often each ran,
and how many of its branches did."""
import html, os

STYLE = """<meta charset="utf-8"><style>body{font:14px sans-serif} td{padding:0 8px} .n{text-align:right}
pre{margin:0} .no{background:#fcc} .some{background:#ffc}</style>"""


def share(counts):
    """Two cells: how many of these ran, and how many there are."""
    ran = sum(n > 0 for n in counts)
    part = f"{100 * ran / len(counts):.1f} %" if counts else ""
    return f'<td class="n">{part}</td><td class="n">{ran} of {len(counts)}</td>'


def page_of(source, lines, branches):
    """The page of a file, of its text, times by line, and times by (line, branch)."""
    ways = {}
    for (number, _), times in branches.items():
        ways.setdefault(number, []).append(times)
    rows = []
    for number, text in enumerate(source.splitlines(), 1):
        of_line = ways.get(number, [])
        ran = sum(n > 0 for n in of_line)
        kind = "no" if lines.get(number) == 0 else "some" if ran < len(of_line) else ""
        rows.append(f'<tr class="{kind}" id="{number}"><td class="n">{number}</td><td class="n">{lines.get(number, "")}'
                    f'</td><td class="n">{f"{ran} of {len(of_line)}" if of_line else ""}</td>'
                    f"<td><pre>{html.escape(text)}</pre></td></tr>")
    return "\n".join(rows)


def write(folder, root, lines, branches):
    """Pages of all files, below folder; lines and branches are tables by file."""
    os.makedirs(folder, exist_ok=True)
    rows = []
    for file in sorted(lines):
        name = file.replace("/", "-") + ".html"
        with open(os.path.join(root, file), errors="replace") as f:
            body = page_of(f.read(), lines[file], branches[file])
        with open(os.path.join(folder, name), "w") as f:
            f.write(f"<!DOCTYPE html><title>{file}</title>{STYLE}<h1>{file}</h1><table><tr><th>line<th>times"
                    f"<th>branches<th></tr>\n{body}</table>\n")
        rows.append(f'<tr><td><a href="{name}">{file}</a></td>{share(lines[file].values())}'
                    f"{share(branches[file].values())}</tr>")
    with open(os.path.join(folder, "index.html"), "w") as f:
        f.write(f"<!DOCTYPE html><title>What tests run</title>{STYLE}<h1>What tests run</h1><table><tr><th>file"
                "<th colspan=2>lines<th colspan=2>branches</tr>\n" + "\n".join(rows) + "</table>\n")
