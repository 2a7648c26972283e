/* Filters by recursion over strings, as a reader of the protocol would write it down first. */
#ifndef GB_TESTS_NWS_WIRE_NAIVE_FILTER_H
#define GB_TESTS_NWS_WIRE_NAIVE_FILTER_H

#include <stdbool.h>
#include <string.h>

static inline bool naive_wildcard(const char *pattern, const char *text) {
  if (*pattern == '*')
    return naive_wildcard(pattern + 1, text) || (*text != '\0' && naive_wildcard(pattern, text + 1));
  return *pattern == *text && (*text == '\0' || naive_wildcard(pattern + 1, text + 1));
}

static inline bool naive_token(const char **in, const char *ends, char token[128]) {
  *in += strspn(*in, ends);
  size_t length = strcspn(*in, ends);
  length = length > 127 ? 127 : length;
  memcpy(token, *in, length);
  token[length] = '\0';
  *in += length;
  return length > 0;
}

static inline bool naive_compare(char relation, const char *value, const char *pattern) {
  size_t length = strlen(value);
  return (relation == '<' && strncmp(value, pattern, length) <= 0) ||
         (relation == '>' && strncmp(value, pattern, length) >= 0) ||
         ((relation == '=' || relation == '~') && naive_wildcard(pattern, value));
}

static inline bool naive_term(const char **in, const char *object) {
  char name[128], sought[130], pattern[128], value[1024];
  if (!naive_token(in, "<=>~", name) || **in == '\0')
    return false;
  char relation = **in;
  *in += relation != '=';
  if (**in != '=')
    return false;
  ++*in;
  if (!naive_token(in, ") ", pattern))
    return false;
  *in += strspn(*in, " ");
  strcat(strcpy(sought, name), ":");
  for (const char *at = object; (at = strstr(at, sought)) != NULL; at++) {
    const char *from = at + strlen(sought);
    size_t length = strcspn(from, "\t");
    memcpy(value, from, length);
    value[length] = '\0';
    if (naive_compare(relation, value, pattern))
      return true;
  }
  return false;
}

static inline bool naive_filter(const char **in, const char *object) {
  *in += strspn(*in, " ");
  char first = **in;
  bool holds = first == '&';
  if (first == '\0' || strchr("(!&|", first) == NULL)
    return naive_term(in, object);
  ++*in;
  if (first == '(') {
    holds = naive_filter(in, object);
    *in += **in == ')';
  } else if (first == '!') {
    holds = !naive_filter(in, object);
  } else {
    while (**in != '\0' && **in != ')') {
      bool operand = naive_filter(in, object);
      holds = first == '&' ? holds && operand : holds || operand;
    }
  }
  *in += strspn(*in, " ");
  return holds;
}

#endif
