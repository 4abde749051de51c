/* The grammar of JSON in one line, as Python reads it; a line end stops everything. */

#ifndef COREFKIT_JSON_H
#define COREFKIT_JSON_H

#include "lines.h"

enum { DEEPEST = 64, LONGEST_NUMBER = 1000 };

/* Go past blanks, and say whether a sign is there; go past it too. A line ends before a
   line end, which is no sign. */
static int
is_next(const byte **cursor, byte sign)
{
    while (**cursor == ' ' || **cursor == '\t' || **cursor == '\r')
        ++*cursor;
    int found = **cursor == sign;
    *cursor += found;
    return found;
}

/* Read four hexadecimal digits; -1 where they are none. */
static int
read_hexadecimal(const byte *at)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        byte letter = at[i] | 0x20;
        if (!is_digit(at[i]) && (letter < 'a' || letter > 'f'))
            return -1;
        value = 16 * value + (is_digit(at[i]) ? at[i] - '0' : letter - 'a' + 10);
    }
    return value;
}

/* Read a string: what stands between its quotes, and whether it has escapes. */
static Verdict
read_string(const byte **cursor, const byte **first, const byte **last, int *escaped)
{
    if (!is_next(cursor, '"'))
        return ODD;
    const byte *at = *first = *cursor;
    *escaped = 0;
    for (; *at != '"'; at++) {
        if (*at < ' ')
            return ODD; /* the end of the line, too */
        if (*at != '\\')
            continue;
        *escaped = 1;
        at++;
        if (*at < ' ' || !strchr("\"\\/bfnrtu", *at))
            return ODD;
        if (*at == 'u' && read_hexadecimal(at + 1) < 0)
            return ODD;
    }
    *last = at;
    *cursor = at + 1;
    return PLAIN;
}

/* Put a character behind a word, as UTF-8; half a pair stays alone, as in Python. */
static Verdict
append_character(Letters *word, unsigned code)
{
    byte bytes[4] = {(byte)code};
    size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const byte marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size; size > 1 && i-- > 0; code >>= 6)
        bytes[i] = (byte)(i > 0 ? 0x80 | (code & 0x3F) : marks[size] | code);
    return append_letters(word, bytes, size);
}

/* Resolve the escapes of a string, which are sound. */
static Verdict
resolve(Letters *word, const byte *at, const byte *end)
{
    static const char signs[] = "bfnrt", meant[] = "\b\f\n\r\t";
    word->size = 0;
    while (at < end) {
        const byte *stop = find(at, end, '\\');
        TRY(append_letters(word, at, (size_t)(stop - at)));
        if (stop == end)
            break;
        at = stop + 2;
        unsigned code = stop[1];
        const char *sign = strchr(signs, (char)code);
        if (code == 'u') {
            code = (unsigned)read_hexadecimal(at);
            at += 4;
            if (code >> 10 == 0xD800 >> 10 && begins_with(at, end, "\\u")) {
                unsigned second = (unsigned)read_hexadecimal(at + 2);
                if (second >> 10 == 0xDC00 >> 10) {
                    code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
                    at += 6;
                }
            }
        }
        else if (sign != NULL)
            code = (byte)meant[sign - signs];
        TRY(append_character(word, code));
    }
    return PLAIN;
}

static Verdict skip_value(const byte **cursor, int depth);

/* Go past a number: 0, or digits without 0 in front; a fraction, an exponent. */
static Verdict
skip_number(const byte **cursor)
{
    const byte *at = *cursor, *first = at;
    at += *at == '-';
    if (!is_digit(*at) || (*at == '0' && is_digit(at[1])))
        return ODD;
    while (is_digit(*at))
        at++;
    if (*at == '.') {
        if (!is_digit(*++at))
            return ODD;
        while (is_digit(*at))
            at++;
    }
    if ((*at | 0x20) == 'e') {
        at++;
        at += *at == '-' || *at == '+';
        if (!is_digit(*at))
            return ODD;
        while (is_digit(*at))
            at++;
    }
    *cursor = at;
    return at - first > LONGEST_NUMBER ? ODD : PLAIN;
}

/* Go past what stands between two brackets, a list or an object. */
static Verdict
skip_items(const byte **cursor, byte closing, int depth)
{
    const byte *first, *last;
    int escaped;
    if (is_next(cursor, closing))
        return PLAIN;
    do {
        if (closing == '}') {
            TRY(read_string(cursor, &first, &last, &escaped));
            if (!is_next(cursor, ':'))
                return ODD;
        }
        TRY(skip_value(cursor, depth));
    } while (is_next(cursor, ','));
    return is_next(cursor, closing) ? PLAIN : ODD;
}

/* Go past any value. */
static Verdict
skip_value(const byte **cursor, int depth)
{
    static const char *const words[] = {"null", "true", "false"};
    const byte *first, *last;
    int escaped;
    if (depth == DEEPEST)
        return ODD;
    if (is_next(cursor, '['))
        return skip_items(cursor, ']', depth + 1);
    if (is_next(cursor, '{'))
        return skip_items(cursor, '}', depth + 1);
    if (**cursor == '"')
        return read_string(cursor, &first, &last, &escaped);
    for (int i = 0; i < 3; i++)
        if (strncmp((const char *)*cursor, words[i], strlen(words[i])) == 0) {
            *cursor += strlen(words[i]);
            return PLAIN;
        }
    return skip_number(cursor);
}

#endif
