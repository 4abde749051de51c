/* Growing rows of numbers and letters, blocks of a file, lines, words and hashes. */

#ifndef COREFKIT_TEXT_H
#define COREFKIT_TEXT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef _MSC_VER
#include <intrin.h>
#endif
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef unsigned char byte;

enum { MAX_PROBES = 512 }; /* of a hash table */

/* The result of a step: ODD leaves the document to Python, and the other two leave the
   file to it. */
typedef enum { PLAIN, ODD, ODD_FILE, NO_MEMORY } Verdict;

#define TRY(step)                                                                        \
    do {                                                                                 \
        Verdict tried = (step);                                                          \
        if (tried != PLAIN)                                                              \
            return tried;                                                                \
    } while (0)

/* ---- Rows of numbers and letters, and their conversion to Python ---- */

typedef struct {
    uint64_t *at;
    size_t size, room;
} Row;

typedef struct {
    byte *at;
    size_t size, room;
} Letters;

/* Make room for more items; returns NULL without memory, and then nothing changes. */
static void *
grow(void *at, size_t size, size_t more, size_t *room, size_t unit)
{
    if (more > SIZE_MAX / 4 / unit - size)
        return NULL;
    size_t larger = size + more + *room / 2 + 64;
    at = realloc(at, larger * unit);
    if (at != NULL)
        *room = larger;
    return at;
}

static Verdict
make_room(Row *row, size_t more)
{
    if (more <= row->room - row->size)
        return PLAIN;
    void *at = grow(row->at, row->size, more, &row->room, sizeof *row->at);
    if (at == NULL)
        return NO_MEMORY;
    row->at = at;
    return PLAIN;
}

static inline Verdict
append(Row *row, uint64_t number)
{
    if (row->size == row->room && make_room(row, 1) != PLAIN)
        return NO_MEMORY;
    row->at[row->size++] = number;
    return PLAIN;
}

static Verdict
append_letters(Letters *letters, const byte *at, size_t count)
{
    if (count > letters->room - letters->size) {
        void *larger = grow(letters->at, letters->size, count, &letters->room, 1);
        if (larger == NULL)
            return NO_MEMORY;
        letters->at = larger;
    }
    if (count > 0)
        memcpy(letters->at + letters->size, at, count);
    letters->size += count;
    return PLAIN;
}

static void
clear(Row *row)
{
    free(row->at);
    *row = (Row){NULL, 0, 0};
}

/* Make a tuple of `bytes`: letters, then rows of 64-bit numbers; each row is freed. */
static PyObject *
make_tuple(const Letters *letters, Row *const *rows, Py_ssize_t count)
{
    PyObject *tuple = PyTuple_New(count + 1);
    for (Py_ssize_t i = 0; tuple != NULL && i <= count; i++) {
        const void *at = letters->at;
        size_t size = letters->size;
        if (i > 0) {
            at = rows[i - 1]->at;
            size = rows[i - 1]->size * sizeof(uint64_t);
        }
        PyObject *part = PyBytes_FromStringAndSize(size ? at : "", (Py_ssize_t)size);
        if (i > 0)
            clear(rows[i - 1]);
        if (part == NULL || PyTuple_SetItem(tuple, i, part) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* ---- Blocks of a file ---- */

/* A block is surrounded by this many line ends, so that eight bytes or more can be loaded
   from every byte of it, or up to every byte. */
enum { MARGIN = 64, MAX_ROOM = 1 << 30 };

typedef struct {
    PyObject *readinto;
    PyObject *store;  /* the bytearray that contains the block */
    Py_buffer buffer; /* pins the bytearray */
    byte *text;       /* the first byte of the block */
    size_t room;      /* capacity in bytes */
    size_t size;      /* number of bytes */
    uint64_t offset;  /* of the first byte in the file */
    int ended;        /* whether it is the last block */
} Block;

static void
close_block(Block *block)
{
    if (block->store != NULL)
        PyBuffer_Release(&block->buffer);
    Py_CLEAR(block->store);
}

/* Make an empty block; returns -1 with an exception set if that fails. */
static int
open_block(Block *block, PyObject *readinto, Py_ssize_t room, uint64_t offset)
{
    if (room < 1 || room > MAX_ROOM) {
        PyErr_SetString(PyExc_ValueError, "a block has from one byte to a gigabyte");
        return -1;
    }
    *block = (Block){.readinto = readinto, .room = (size_t)room, .offset = offset};
    block->store = PyByteArray_FromStringAndSize(NULL, room + 2 * MARGIN);
    if (block->store == NULL)
        return -1;
    if (PyObject_GetBuffer(block->store, &block->buffer, PyBUF_WRITABLE) < 0) {
        Py_CLEAR(block->store);
        return -1;
    }
    block->text = (byte *)block->buffer.buf + MARGIN;
    memset(block->buffer.buf, '\n', MARGIN);
    return 0;
}

/* Double the room of a block, for a longer line; returns -1 with an exception set if that
   fails. */
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

/* Append text to a block; returns -1 with an exception set if that fails. */
static int
fetch(Block *block)
{
    Py_ssize_t first = (Py_ssize_t)(MARGIN + block->size);
    Py_ssize_t last = (Py_ssize_t)(MARGIN + block->room);
    PyObject *view = PyMemoryView_FromObject(block->store);
    PyObject *part = view ? PySequence_GetSlice(view, first, last) : NULL;
    PyObject *count =
        part ? PyObject_CallFunctionObjArgs(block->readinto, part, NULL) : NULL;
    Py_XDECREF(part);
    Py_XDECREF(view);
    if (count == NULL)
        return -1;
    Py_ssize_t size = PyNumber_AsSsize_t(count, PyExc_OverflowError);
    Py_DECREF(count);
    if (size == -1 && PyErr_Occurred())
        return -1;
    if (size < 0 || size > last - first) {
        PyErr_SetString(PyExc_ValueError, "readinto returned more than there is room");
        return -1;
    }
    block->size += (size_t)size;
    block->ended = size == 0;
    return 0;
}

/* Drop the first bytes, fill the block, and return the number of bytes in complete lines:
   all bytes at the end of the file; 0 if a line is longer than the block. Returns -1 with
   an exception set if that fails. */
static Py_ssize_t
next_lines(Block *block, size_t dropped)
{
    block->size -= dropped;
    block->offset += dropped;
    memmove(block->text, block->text + dropped, block->size);
    while (!block->ended && block->size < block->room)
        if (fetch(block) < 0)
            return -1;
    memset(block->text + block->size, '\n', MARGIN);
    size_t size = block->size;
    if (!block->ended)
        while (size > 0 && block->text[size - 1] != '\n')
            size--;
    return (Py_ssize_t)size;
}

/* Takes complete lines, the first of them at an offset in the file. The last one is
   followed by a line end. */
typedef Verdict (*TakeLines)(void *file, const byte *at, const byte *end,
                             uint64_t offset);

/* Moves results to Python objects; returns -1 with an exception set on failure. */
typedef int (*Flush)(void *file);

/* Pass all lines of a file to a function, and flush after each block if there is a
   function for that; returns -1 with an exception set on failure. */
static int
read_blocks(Block *block, TakeLines take, Flush flush, void *file, Verdict *verdict)
{
    Py_ssize_t size = 0;
    while (*verdict == PLAIN && (size = next_lines(block, (size_t)size)) >= 0) {
        if (size == 0 && !block->ended && widen_block(block) < 0)
            return -1;
        Py_BEGIN_ALLOW_THREADS
        *verdict = take(file, block->text, block->text + size, block->offset);
        Py_END_ALLOW_THREADS
        if (*verdict == PLAIN && flush != NULL && flush(file) < 0)
            return -1;
        if (block->ended)
            break;
    }
    return size < 0 ? -1 : 0;
}

/* ---- Eight bytes at a time ---- */

static const uint64_t LOW_BITS = 0x7F7F7F7F7F7F7F7F, HIGH_BITS = 0x8080808080808080;
static const uint64_t TO_HIGH = 0x5F5F5F5F5F5F5F5F; /* lifts 33 into the high bit */
static const uint64_t STEP = 0x9E3779B97F4A7C15, MIX = 0xBF58476D1CE4E5B9;

/* Load eight bytes, the first of them lowest. */
static inline uint64_t
eight(const byte *at)
{
    uint64_t loaded;
    memcpy(&loaded, at, 8);
#if PY_BIG_ENDIAN
    loaded = (loaded & 0x00FF00FF00FF00FF) << 8 | (loaded >> 8 & 0x00FF00FF00FF00FF);
    loaded = (loaded & 0x0000FFFF0000FFFF) << 16 | (loaded >> 16 & 0x0000FFFF0000FFFF);
    loaded = loaded << 32 | loaded >> 32;
#endif
    return loaded;
}

/* Keep only the high bit of the lowest blank byte; 0 if no byte is blank. */
static inline uint64_t
find_blank(uint64_t loaded)
{
    uint64_t flags = ~(((loaded & LOW_BITS) + TO_HIGH) | loaded) & HIGH_BITS;
    return flags & (~flags + 1);
}

/* Set the high bit of each byte below a limit of at most 128, and no other bit. */
static inline uint64_t
flag_below(uint64_t loaded, unsigned limit)
{
    uint64_t each = 0x0101010101010101;
    return ~(((loaded & LOW_BITS) + each * (128 - limit)) | loaded) & HIGH_BITS;
}

/* Return the index of the lowest bit that is set; at least one is. */
static inline size_t
lowest_bit(uint64_t bits)
{
#ifdef _MSC_VER
    unsigned long number;
    _BitScanForward64(&number, bits);
    return number;
#else
    return (size_t)__builtin_ctzll(bits);
#endif
}

/* Count the bytes below such a bit. */
static inline size_t
bytes_below(uint64_t bit)
{
    return lowest_bit(bit) >> 3;
}

/* ---- Words and their hashes ---- */

/* Return the next blank; there is one. */
static inline const byte *
find_word_end(const byte *at)
{
    uint64_t blank;
    while ((blank = find_blank(eight(at))) == 0)
        at += 8;
    return at + bytes_below(blank);
}

/* Return the next byte that is not blank, or the end. */
static inline const byte *
skip_blanks(const byte *at, const byte *end)
{
    while (at < end && *at <= ' ')
        at++;
    return at;
}

/* Hash the word that begins here, and return its end. */
static inline const byte *
hash_word(const byte *at, uint64_t *hash)
{
    uint64_t loaded = eight(at), blank = find_blank(loaded), sum = 0;
    while (blank == 0) {
        sum = (sum + loaded) * STEP;
        at += 8;
        loaded = eight(at);
        blank = find_blank(loaded);
    }
    *hash = sum + (loaded & ((blank >> 7) - 1));
    return at + bytes_below(blank);
}

/* Hash a word as corefkit.arrays.hashing does: blanks inside it count as bytes 127. Eight
   bytes can be loaded after it. */
static uint64_t
hash_letters(const byte *at, size_t size)
{
    for (uint64_t hash = 0;; at += 8, size -= 8) {
        uint64_t inside = size < 8 ? ((uint64_t)1 << 8 * size) - 1 : UINT64_MAX;
        uint64_t loaded = eight(at) & inside;
        uint64_t blank = (flag_below(loaded, ' ' + 1) & inside) >> 7;
        hash = hash * STEP + ((loaded & ~(blank * 255)) | blank * 127);
        if (size < 8)
            return hash;
    }
}

/* Mix the hash of a word with its position in the document. */
static inline uint64_t
mix_position(uint64_t hash, uint64_t position)
{
    uint64_t value = hash + (position + 1) * STEP;
    value ^= value >> 31;
    value *= MIX;
    return value ^ (value >> 31);
}

static inline int
is_digit(byte letter)
{
    return (byte)(letter - '0') < 10;
}

/* Return whether `bytes.strip` removes a byte; other control characters are blank too. */
static inline int
is_space(byte letter)
{
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

/* Find a byte; returns the end if there is none. */
static inline const byte *
find(const byte *at, const byte *end, byte letter)
{
    const byte *place = at < end ? memchr(at, letter, (size_t)(end - at)) : NULL;
    return place ? place : end;
}

static inline int
begins_with(const byte *at, const byte *end, const char *start)
{
    size_t size = strlen(start);
    return (size_t)(end - at) >= size && memcmp(at, start, size) == 0;
}

/* Return whether Python decodes a text as UTF-8. Eight bytes can be loaded after it. */
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
        /* No overlong forms, no surrogates, nothing above U+10FFFF. */
        if (first < 0xC2 || first > 0xF4 || more > end - at ||
            (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
            (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
            return 0;
        for (; more > 0; more--)
            if ((*at++ & 0xC0) != 0x80)
                return 0;
    }
}

/* ---- Tabs and line ends, 64 bytes at a time ---- */

typedef struct {
    const byte *at; /* the first of the 64 bytes */
    uint64_t flags; /* a bit for each tab or line end that was not returned yet */
} Signs;

/* Flag tabs and line ends among 64 bytes; control characters before them may be flagged
   too. */
static inline uint64_t
flag_signs(const byte *at)
{
    uint64_t flags = 0;
#ifdef __SSE2__
    const __m128i tab = _mm_set1_epi8('\t'), line_end = _mm_set1_epi8('\n');
    for (int i = 0; i < 4; i++) {
        __m128i loaded = _mm_loadu_si128((const __m128i *)(at + 16 * i));
        __m128i equal = _mm_cmpeq_epi8(loaded, tab);
        equal = _mm_or_si128(equal, _mm_cmpeq_epi8(loaded, line_end));
        flags |= (uint64_t)(unsigned)_mm_movemask_epi8(equal) << 16 * i;
    }
#else
    for (int i = 0; i < 8; i++) {
        uint64_t below = flag_below(eight(at + 8 * i), '\n' + 1) >> 7;
        flags |= (below * 0x0102040810204080 >> 56) << 8 * i;
    }
#endif
    return flags;
}

static inline Signs
begin_signs(const byte *at)
{
    return (Signs){at, flag_signs(at)};
}

/* Return the next tab or line end; there is one. */
static inline const byte *
next_sign(Signs *signs)
{
    while (signs->flags == 0)
        signs->flags = flag_signs(signs->at += 64);
    const byte *place = signs->at + lowest_bit(signs->flags);
    signs->flags &= signs->flags - 1;
    return place;
}

#endif
