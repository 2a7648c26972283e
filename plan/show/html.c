/* Pieces of a page of HTML: its head, style and script, which need nothing from elsewhere. */
#include "plan/show/html.h"

#include <inttypes.h>
#include <math.h>

static const char head[] =
    "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'\"/>\n";

static const char style[] = ":root{color-scheme:light dark}"
                            "body{font:15px/1.4 sans-serif;margin:1rem auto;max-width:1240px;padding:0 "
                            "1rem;background:#fff;color:#1f2328}"
                            "svg{display:block;max-width:100%;height:auto}form{position:sticky;top:0;padding:"
                            ".5rem 0;background:inherit}"
                            "input{font:inherit;width:20em}table{border-collapse:collapse;margin:1rem "
                            "0}caption{font-weight:bold;white-space:nowrap;text-align:left}"
                            "th,td{text-align:left;padding:.1rem .8rem .1rem 0;border-bottom:1px solid "
                            "#8c959f80}td{font-family:monospace}p{white-space:pre-line}"
                            "td.found,tr.at td{background:#ffd33d80}"
                            "rect.found{fill:#ffd33d;fill-opacity:.25;stroke:#9a6700;pointer-events:none}"
                            "@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}}"
                            "@media print{form{display:none}tr{break-inside:avoid}}";

/* Search: rows of tables that have the host, or all that begin with or contain what is typed; its rows in the
 * image. Arrow keys go through the rows that are left. Pointing at a bar tells its times at once. */
static const char script[] =
    "\"use strict\";\n"
    "const get = (id) => document.getElementById(id), input = get(\"host\"), found = get(\"found\");\n"
    "const image = document.querySelector(\"svg\"), rows = [...document.querySelectorAll(\"tbody tr\")];\n"
    "const named = (row) => [...row.querySelectorAll(\"[data-rows]\")];\n"
    "const marks = image.appendChild(document.createElementNS(image.namespaceURI, \"g\"));\n"
    "let left = rows, at = -1;\n"
    "function mark(cells) { // in the image\n"
    "  marks.replaceChildren(...[...new Set(cells.map((c) => c.dataset.rows))].filter((r) => r).map((r) => "
    "{\n"
    "    const box = document.createElementNS(image.namespaceURI, \"rect\"), [y, height] = r.split(\" \");\n"
    "    const all = {x: 1, y, width: 1198, height, class: \"found\"};\n"
    "    for (const name in all) box.setAttribute(name, all[name]);\n"
    "    return box;\n"
    "  }));\n"
    "}\n"
    "function find() {\n"
    "  const wanted = input.value.trim().toLowerCase(), cells = rows.flatMap(named);\n"
    "  const text = (c) => c.textContent.toLowerCase();\n"
    "  const exact = (c) => text(c) === wanted || text(c).startsWith(wanted + \"#\");\n"
    "  const fits = cells.some(exact) ? exact : (c) => text(c).includes(wanted);\n"
    "  const hits = wanted === \"\" ? [] : cells.filter(fits), at_once = new Set(hits);\n"
    "  cells.forEach((c) => c.classList.toggle(\"found\", at_once.has(c)));\n"
    "  left = rows.filter((row) => wanted === \"\" || named(row).some((c) => at_once.has(c)));\n"
    "  rows.forEach((row) => { row.hidden = true; row.classList.remove(\"at\"); });\n"
    "  left.forEach((row) => { row.hidden = false; });\n"
    "  at = -1;\n"
    "  mark(hits);\n"
    "  const names = new Set(hits.map(text)).size;\n"
    "  found.textContent = wanted === \"\" ? \"\" : names === 0 ? \"no such name\" :\n"
    "    names === 1 ? hits[0].textContent + \": \" + left.length + (left.length === 1 ? \" row\" : \" "
    "rows\") : names + \" names\";\n"
    "}\n"
    "function step(by) {\n"
    "  left[at]?.classList.remove(\"at\");\n"
    "  at = Math.max(0, Math.min(left.length - 1, at + by));\n"
    "  if (left.length === 0) return;\n"
    "  left[at].classList.add(\"at\");\n"
    "  left[at].scrollIntoView({block: \"nearest\"});\n"
    "  mark(named(left[at]));\n"
    "  found.textContent = [...left[at].cells].map((c) => c.textContent).join(\", \");\n"
    "}\n"
    "input.addEventListener(\"input\", find);\n"
    "input.form.addEventListener(\"submit\", (e) => e.preventDefault());\n"
    "input.addEventListener(\"keydown\", (e) => {\n"
    "  const by = {ArrowDown: 1, ArrowUp: -1}[e.key];\n"
    "  if (by) { e.preventDefault(); step(by); }\n"
    "  if (e.key === \"Escape\") { input.value = \"\"; find(); }\n"
    "});\n"
    "image.addEventListener(\"pointerover\", (e) => {\n"
    "  const tip = e.target.querySelector?.(\":scope > title\");\n"
    "  if (e.target !== image && tip) found.textContent = tip.textContent;\n"
    "});\n"
    "input.form.hidden = false;\n";

void gb_html_begin(const gbcast_plan *plan, const char *summary, FILE *out) {
  const char *title = gb_operation_table[plan->operation].title;
  fprintf(out,
          "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n%s<title>%s "
          "planned by gbcast</title>\n<style>%s</style>\n</head>\n<body>\n<h1>%s planned by gbcast</h1>\n<p>",
          head, title, style, title);
  gb_xml_escape(summary, out);
  fprintf(out, "predicted %s, ", gb_text_seconds(plan->predicted).s);
  fprintf(out, "lower bound %s</p>\n", gb_text_seconds(plan->bound).s);
  if (!isnan(plan->cost.egress)) {
    fputs("<p>", out);
    gb_print_cost(plan, out);
    fputs("</p>\n", out);
  }
  fputs("<form role=\"search\" hidden=\"hidden\"><label>Find a host <input id=\"host\" type=\"search\" "
        "autocomplete=\"off\" spellcheck=\"false\" title=\"arrow keys go through what is found\"/></label> "
        "<output id=\"found\"></output></form>\n",
        out);
}

void gb_html_end(FILE *out) {
  fprintf(out, "</tbody>\n</table>\n<script>//<![CDATA[\n%s//]]></script>\n</body>\n</html>\n", script);
}

void gb_html_table(const char *caption, const char *const *title, FILE *out) {
  fprintf(out, "<table>\n<caption>%s</caption>\n<thead><tr>", caption);
  for (; *title != NULL; title++) {
    fprintf(out, "<th scope=\"col\">%s</th>", *title);
  }
  fputs("</tr></thead>\n<tbody>\n", out);
}

void gb_html_name(const char *name, uint32_t k, gb_span where, FILE *out) {
  fputs("<td data-rows=\"", out);
  if (where.height > 0) {
    fprintf(out, "%.1f %.1f", where.y, where.height);
  }
  fputs("\">", out);
  gb_xml_escape(name, out);
  if (k != GB_NONE) {
    fprintf(out, "#%" PRIu32, k);
  }
  fputs("</td>", out);
}

void gb_html_cell(const char *text, FILE *out) {
  fputs("<td>", out);
  gb_xml_escape(text, out);
  fputs("</td>", out);
}
