/* Text: a block of a file, eight bytes at a time, words and their hashes. */

#ifndef COREFKIT_TEXT_H
#define COREFKIT_TEXT_H

#include "rows.h"

#ifdef _MSC_VER
#include <intrin.h>
#endif

/* So many line ends stand before and behind a block: as many bytes can be loaded from any
   byte of it, or up to any. */
enum { MARGIN = 64, MOST_ROOM = 1 << 30 };

typedef struct {
    PyObject *readinto;
    PyObject *store;  /* the bytearray that holds the block */
    Py_buffer buffer; /* keeps it where it is */
    byte *text;       /* the first byte of the block */
    size_t room;      /* how many bytes there can be */
    size_t size;      /* how many there are */
    uint64_t offset;  /* of the first of them, in the file */
    int ended;        /* whether nothing comes behind them */
} Block;

static void
close_block(Block *block)
{
    if (block->store != NULL)
        PyBuffer_Release(&block->buffer);
    Py_CLEAR(block->store);
}

/* Make an empty block; -1 with an error set where that fails. */
static int
open_block(Block *block, PyObject *readinto, Py_ssize_t room, uint64_t offset)
{
    if (room < 1 || room > MOST_ROOM) {
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

/* Fetch text behind what there is; -1 with an error set where that fails. */
static int
fetch(Block *block)
{
    Py_ssize_t first = (Py_ssize_t)(MARGIN + block->size);
    Py_ssize_t last = (Py_ssize_t)(MARGIN + block->room);
    PyObject *whole = PyMemoryView_FromObject(block->store);
    PyObject *part = whole ? PySequence_GetSlice(whole, first, last) : NULL;
    PyObject *got =
        part ? PyObject_CallFunctionObjArgs(block->readinto, part, NULL) : NULL;
    Py_XDECREF(part);
    Py_XDECREF(whole);
    if (got == NULL)
        return -1;
    Py_ssize_t size = PyNumber_AsSsize_t(got, PyExc_OverflowError);
    Py_DECREF(got);
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

/* Drop the first bytes, fill the block, and return how many bytes of whole lines it has:
   all of it at the end of the file; 0 where a line is too long. -1 with an error set. */
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
    size_t whole = block->size;
    if (!block->ended)
        while (whole > 0 && block->text[whole - 1] != '\n')
            whole--;
    return (Py_ssize_t)whole;
}


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

/* Keep only the high bit of the lowest byte that is blank; 0 where none is. */
static inline uint64_t
first_blank(uint64_t loaded)
{
    uint64_t flags = ~(((loaded & LOW_BITS) + TO_HIGH) | loaded) & HIGH_BITS;
    return flags & (~flags + 1);
}

/* Count the bits below the lowest that is set, which is there. */
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

/* Go on to the next blank, which is there. */
static inline const byte *
word_end(const byte *at)
{
    uint64_t blank;
    while ((blank = first_blank(eight(at))) == 0)
        at += 8;
    return at + bytes_below(blank);
}

/* Go on to the next byte that is not blank, or to the end. */
static inline const byte *
skip_blanks(const byte *at, const byte *end)
{
    while (at < end && *at <= ' ')
        at++;
    return at;
}

/* Hash the word that begins here, and return where it ends. */
static inline const byte *
hash_word(const byte *at, uint64_t *hash)
{
    uint64_t loaded = eight(at), blank = first_blank(loaded), sum = 0;
    while (blank == 0) {
        sum = (sum + loaded) * STEP;
        at += 8;
        loaded = eight(at);
        blank = first_blank(loaded);
    }
    *hash = sum + (loaded & ((blank >> 7) - 1));
    return at + bytes_below(blank);
}

/* Mix the hash of a word with its position in the document. */
static inline uint64_t
mixed(uint64_t hash, uint64_t position)
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

/* Say whether `bytes.strip` takes a byte away; other control characters are blank too. */
static inline int
is_space(byte letter)
{
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

#endif
