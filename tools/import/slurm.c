/* Reads Slurm's topology.conf: SwitchName= lines of topology/tree, BlockName= lines of topology/block. Letter
 * case of keys does not matter. A line that ends with \ continues on the next line. */
#include "tools/import/slurm.h"
#include <stdlib.h>
#include <strings.h>

static bool is_key(const gb_lexeme *w, const char *key) {
  return strlen(key) == w->length && strncasecmp(w->text, key, w->length) == 0;
}

enum { SWITCH, BLOCK, NODES, SWITCHES, SPEED, SIZES, KEYS };

static const char *const keys[KEYS] = {"SwitchName", "BlockName", "Nodes",
                                       "Switches",   "LinkSpeed", "BlockSizes"};

static gb_lexeme without_quotes(gb_lexeme w) {
  return w.length > 2 && w.text[0] == '"' && w.text[w.length - 1] == '"' ? gb_lexeme_part(&w, 1, w.length - 2)
                                                                         : w;
}

static int read_words(gb_source *s, gb_lexeme value[KEYS]) {
  for (uint32_t i = 0; i < s->count;) {
    gb_lexeme key, v;
    int k = 0;
    const int status = gb_next_pair(s, &i, &key, &v);
    if (status != GBCAST_OK)
      return status;
    while (k < KEYS && !is_key(&key, keys[k]))
      k++;
    if (k == KEYS)
      return gb_expected(
          s, &key, "a line of a topology.conf, SwitchName=, Switches=, Nodes=, BlockName= or BlockSizes=");
    if (value[k].length > 0)
      return gb_expected(s, &key, "%s= only once on a line", keys[k]);
    value[k] = without_quotes(v);
  }
  return GBCAST_OK;
}

static int read_line(gb_slurm *u) {
  gb_source *s = &u->source;
  gb_lexeme value[KEYS] = {{0}};
  int status = read_words(s, value);
  if (status != GBCAST_OK)
    return status;
  const bool has_switch = value[SWITCH].length > 0, has_block = value[BLOCK].length > 0;
  if (value[SIZES].length > 0)
    gb_slurm_sizes(u, &value[SIZES]);
  if (value[SPEED].length > 0) {
    const gb_place where = gb_lexeme_place(s, &value[SPEED]);
    gb_import_remark(u->m, &where, "LinkSpeed= is left out: it has no unit");
  }
  if (has_switch && has_block)
    return gb_expected(s, &value[BLOCK], "one of SwitchName= and BlockName= on a line");
  if (!has_switch && !has_block)
    return value[SIZES].length > 0 ? GBCAST_OK
                                   : gb_expected(s, &s->word[0], "SwitchName= or BlockName= on the line");
  return gb_slurm_switch(u, &value[has_switch ? SWITCH : BLOCK], &value[NODES], &value[SWITCHES]);
}

static int read_lines(gb_slurm *u, char *text, size_t length) {
  uint32_t lines = 1;
  for (size_t at = 0, next; at < length; at += next) {
    u->source.line += lines;
    const size_t n = gb_join_lines(text + at, length - at, &next, &lines);
    int status = gb_lex_line(&u->source, text + at, n);
    if (status == GBCAST_OK && u->source.count > 0)
      status = read_line(u);
    if (status != GBCAST_OK)
      return status;
  }
  return GBCAST_OK;
}

/* Names the site after the file, without its folder and what follows the first dot. */
static int begin(gb_slurm *u, const char *file) {
  const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file;
  size_t length = strcspn(name, ".");
  const gb_place where = {file, 1, 1};
  if (length == 0 || name[0] == '<') { /* standard input */
    name = "slurm";
    length = strlen(name);
  }
  return gb_slurm_begin(u, name, length, &where);
}

/* Whether the text is YAML: its first line begins with a list or another mark of YAML, where topology.conf
 * has a key. */
static bool is_yaml(const char *text, size_t length) {
  for (size_t at = 0; at < length; at++) {
    const size_t n = gb_line_length(text + at, length - at);
    size_t i = at;
    while (i < at + n && (text[i] == ' ' || text[i] == '\t'))
      i++;
    if (i < at + n && text[i] != '#')
      return text[i] == '-' || text[i] == '%' || text[i] == '[' || text[i] == '{';
    at += n;
  }
  return false;
}

int gb_import_slurm(gb_import *m, const char *file, const char *text, size_t length, gbcast_error *err) {
  if (is_yaml(text, length))
    return gb_import_slurm_yaml(m, file, text, length, err);
  gb_slurm u = {.m = m, .source = {.err = err, .file = file}};
  char *copy = gb_import_copy(m, text, length);
  int status = copy == NULL ? gb_no_memory(err) : begin(&u, file);
  if (status == GBCAST_OK)
    status = read_lines(&u, copy, length);
  if (status == GBCAST_OK)
    status = gb_slurm_end(&u);
  gb_slurm_release(&u);
  return status;
}
