/* Lines of any length, given to a reader that leaves out documents that are not plain;
   UTF-8, and words that may have blanks inside. */

#ifndef COREFKIT_LINES_H
#define COREFKIT_LINES_H

#include "text.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define TRY(step)                                                                        \
    do {                                                                                 \
        Verdict tried = (step);                                                          \
        if (tried != PLAIN)                                                              \
            return tried;                                                                \
    } while (0)

/* Give a block more room, for a line that is longer; -1 with an error set. */
static int
widen_block(Block *block)
{
    Py_ssize_t room = (Py_ssize_t)block->room;
    if (room > PY_SSIZE_T_MAX / 2 - 2 * MARGIN) {
        PyErr_NoMemory();
        return -1;
    }
    PyBuffer_Release(&block->buffer);
    if (PyByteArray_Resize(block->store, 2 * room + 2 * MARGIN) < 0 ||
        PyObject_GetBuffer(block->store, &block->buffer, PyBUF_WRITABLE) < 0) {
        Py_CLEAR(block->store);
        return -1;
    }
    block->text = (byte *)block->buffer.buf + MARGIN;
    block->room *= 2;
    return 0;
}

/* Take whole lines, the first of them at an offset in the file. A line end stands behind
   the last. */
typedef Verdict (*TakeLines)(void *file, const byte *at, const byte *end,
                             uint64_t offset);

/* Let a reader take all lines of a file; -1 with an error set. */
static int
read_blocks(Block *block, TakeLines take, void *file, Verdict *verdict)
{
    Py_ssize_t whole = 0;
    while (*verdict == PLAIN && (whole = next_lines(block, (size_t)whole)) >= 0) {
        if (whole == 0 && !block->ended && widen_block(block) < 0)
            return -1;
        Py_BEGIN_ALLOW_THREADS
        *verdict = take(file, block->text, block->text + whole, block->offset);
        Py_END_ALLOW_THREADS
        if (block->ended)
            break;
    }
    return whole < 0 ? -1 : 0;
}

/* Set the high bit of each byte below a limit, which is 128 at most, and no other bit. */
static inline uint64_t
flags_below(uint64_t loaded, unsigned limit)
{
    uint64_t each = 0x0101010101010101;
    return ~(((loaded & LOW_BITS) + each * (128 - limit)) | loaded) & HIGH_BITS;
}

/* The tabs and line ends of a text, found 64 bytes at a time. */
typedef struct {
    const byte *at;  /* where the 64 bytes begin */
    uint64_t flags; /* a bit for each byte that is still to come */
} Signs;

/* Flag tabs and line ends among 64 bytes; control characters before them may be, too. */
static inline uint64_t
sign_flags(const byte *at)
{
    uint64_t flags = 0;
#ifdef __SSE2__
    const __m128i tab = _mm_set1_epi8('\t'), line_end = _mm_set1_epi8('\n');
    for (int i = 0; i < 4; i++) {
        __m128i loaded = _mm_loadu_si128((const __m128i *)(at + 16 * i));
        __m128i found = _mm_cmpeq_epi8(loaded, tab);
        found = _mm_or_si128(found, _mm_cmpeq_epi8(loaded, line_end));
        flags |= (uint64_t)(unsigned)_mm_movemask_epi8(found) << 16 * i;
    }
#else
    for (int i = 0; i < 8; i++) {
        uint64_t found = flags_below(eight(at + 8 * i), '\n' + 1) >> 7;
        flags |= (found * 0x0102040810204080 >> 56) << 8 * i;
    }
#endif
    return flags;
}

static inline Signs
signs_from(const byte *at)
{
    return (Signs){at, sign_flags(at)};
}

/* Go on to the next sign, which is there. */
static inline const byte *
next_sign(Signs *signs)
{
    while (signs->flags == 0)
        signs->flags = sign_flags(signs->at += 64);
    const byte *found = signs->at + lowest_bit(signs->flags);
    signs->flags &= signs->flags - 1;
    return found;
}

/* Hash a word as columns.words does: blanks inside it count as bytes 127. Eight bytes can
   be loaded behind it. */
static uint64_t
hash_letters(const byte *at, size_t size)
{
    for (uint64_t hash = 0;; at += 8, size -= 8) {
        uint64_t inside = size < 8 ? ((uint64_t)1 << 8 * size) - 1 : UINT64_MAX;
        uint64_t loaded = eight(at) & inside;
        uint64_t blank = (flags_below(loaded, ' ' + 1) & inside) >> 7;
        hash = hash * STEP + ((loaded & ~(blank * 255)) | blank * 127);
        if (size < 8)
            return hash;
    }
}

/* Say whether a text is UTF-8 as Python reads it. Eight bytes can be loaded behind it. */
static int
is_utf8(const byte *at, const byte *end)
{
    for (;;) {
        uint64_t high = 0;
        while (at < end && (high = eight(at) & HIGH_BITS) == 0)
            at += 8;
        at += at < end ? bytes_below(high) : 0;
        if (at >= end)
            return 1;
        byte first = *at++, second = at < end ? *at : 0;
        int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        /* Not longer than need be, no half of a pair, nothing beyond the last. */
        if (first < 0xC2 || first > 0xF4 || more > end - at ||
            (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
            (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
            return 0;
        for (; more > 0; more--)
            if ((*at++ & 0xC0) != 0x80)
                return 0;
    }
}

/* Find a sign; the end where there is none. */
static inline const byte *
find(const byte *at, const byte *end, byte sign)
{
    const byte *found = at < end ? memchr(at, sign, (size_t)(end - at)) : NULL;
    return found ? found : end;
}

static inline int
begins_with(const byte *at, const byte *end, const char *start)
{
    size_t size = strlen(start);
    return (size_t)(end - at) >= size && memcmp(at, start, size) == 0;
}

#endif
