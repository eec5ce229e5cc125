"""What was measured, as an SVG image that suits light and dark pages."""

import math
from xml.sax.saxutils import escape

from bench.reports.report import Unit, factor

_ROW, _HEAD, _FOOT = 24, 40, 26
_LABELS, _PLOT, _RATIOS = 300, 420, 70
_STYLE = """
text { font: 13px sans-serif; fill: #222; }
.tick { font-size: 11px; fill: #666; }
.grid { stroke: #ddd; }
.gap { stroke: #bbb; stroke-width: 3; }
.server0 { fill: #0072b2; }
.server1 { fill: #d55e00; }
@media (prefers-color-scheme: dark) {
  text { fill: #ddd; }
  .tick { fill: #999; }
  .grid { stroke: #444; }
  .gap { stroke: #666; }
  .server0 { fill: #56b4e9; }
  .server1 { fill: #e69f00; }
}
"""


def draw(names, rows):
    """Return an image: on one line per row, a dot for the time of each server; left is faster.

    The scale is logarithmic, so that equal distances are equal ratios.
    """
    rows = [row for row in rows if row.unit is not Unit.MEBIBYTES]
    scale = _Scale([time for row in rows for time in _times(row).values()])
    bottom = _HEAD + _ROW * len(rows)
    parts = [*_legend(names), *_grid(scale, bottom)]
    for number, row in enumerate(rows):
        parts += _line(row, scale, _HEAD + _ROW * number + _ROW // 2)
    width, height = _LABELS + _PLOT + _RATIOS, bottom + _FOOT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" role="img">\n'
        f"<title>Milliseconds for each request</title>\n<style>{_STYLE}</style>\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


class _Scale:
    """Converts milliseconds to a distance from the left."""

    def __init__(self, times):
        self._low = math.floor(math.log10(min(times)))
        self._high = math.ceil(math.log10(max(times)))

    def __call__(self, milliseconds):
        share = (math.log10(milliseconds) - self._low) / max(1, self._high - self._low)
        return round(_LABELS + share * _PLOT, 1)

    def ticks(self):
        return [10.0**power for power in range(self._low, self._high + 1)]


def _times(row):
    """Return {number of a server: milliseconds}; a server that has stored no claim is left out."""
    return {
        number: 1000 / figure.median if row.unit is Unit.PER_SECOND else figure.median
        for number, figure in enumerate(row.figures)
        if figure.median
    }


def _legend(names):
    for number, name in enumerate(names):
        left = _LABELS + 150 * number
        yield f'<circle class="server{number}" cx="{left}" cy="14" r="5"/>'
        yield f'<text x="{left + 10}" y="18">{escape(name)}</text>'
    yield f'<text class="tick" x="{_LABELS - 10}" y="18" text-anchor="end">ms per request</text>'


def _grid(scale, bottom):
    for tick in scale.ticks():
        x = scale(tick)
        yield f'<line class="grid" x1="{x}" y1="{_HEAD}" x2="{x}" y2="{bottom}"/>'
        yield f'<text class="tick" x="{x}" y="{bottom + 16}" text-anchor="middle">{tick:g}</text>'


def _line(row, scale, y):
    yield f'<text x="{_LABELS - 10}" y="{y + 4}" text-anchor="end">{escape(row.title)}</text>'
    places = {number: scale(time) for number, time in _times(row).items()}
    left, right = min(places.values()), max(places.values())
    yield f'<line class="gap" x1="{left}" y1="{y}" x2="{right}" y2="{y}"/>'
    for number, x in places.items():
        yield f'<circle class="server{number}" cx="{x}" cy="{y}" r="5"/>'
    if row.ratio is not None:
        yield f'<text x="{_LABELS + _PLOT + 14}" y="{y + 4}">{factor(row.ratio)} x</text>'
