"""Bars of speed ratios as an SVG picture, without a plotting library."""
import html

ROW, LABEL, SCALE = 18, 270, 360  # pixels: height of a bar, width of the names, length of the longest bar
COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44")


def svg(groups):
    """`groups`: {number of threads: {what: ratio}}; ratios of memory are shares and left out."""
    names = [what for what in next(iter(groups.values())) if "memory" not in what]
    longest = max((group[what] for group in groups.values() for what in names), default=1.0)
    height = ROW * (len(groups) + 1) * len(names) + 2 * ROW
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LABEL + SCALE + 80}" height="{height}" '
             'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    y = ROW
    for what in names:
        parts.append(f'<text x="{LABEL - 8}" y="{y + ROW * len(groups) / 2 + 4}" text-anchor="end">{html.escape(what)}</text>')
        for colour, (threads, group) in zip(COLOURS, groups.items()):
            width = SCALE * group[what] / longest
            parts.append(f'<rect x="{LABEL}" y="{y}" width="{width:.1f}" height="{ROW - 4}" fill="{colour}"/>'
                         f'<text x="{LABEL + width + 5:.1f}" y="{y + ROW - 7}">{group[what]:.1f}× ({threads} '
                         f'thread{"s" if threads > 1 else ""})</text>')
            y += ROW
        y += ROW
    parts.append("</svg>\n")
    return "\n".join(parts)
