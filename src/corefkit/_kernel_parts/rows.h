/* Rows that grow, numbers and letters, and how they go to Python. */

#ifndef COREFKIT_ROWS_H
#define COREFKIT_ROWS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char byte;

/* What a step says of the text so far; both of the last two lead to None. */
typedef enum { PLAIN, ODD, NO_MEMORY } Verdict;

typedef struct {
    uint64_t *at;
    size_t size, room;
} Row;

typedef struct {
    byte *at;
    size_t size, room;
} Letters;

/* Make room for more items behind the last one; NULL where there is no memory, and then
   all stays as it is. */
static void *
grown(void *at, size_t size, size_t more, size_t *room, size_t unit)
{
    if (more > SIZE_MAX / 4 / unit - size)
        return NULL;
    size_t wanted = size + more + *room / 2 + 64;
    at = realloc(at, wanted * unit);
    if (at != NULL)
        *room = wanted;
    return at;
}

static Verdict
make_room(Row *row, size_t more)
{
    if (more <= row->room - row->size)
        return PLAIN;
    void *at = grown(row->at, row->size, more, &row->room, sizeof *row->at);
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
append_letters(Letters *letters, const byte *at, size_t many)
{
    if (many > letters->room - letters->size) {
        void *larger = grown(letters->at, letters->size, many, &letters->room, 1);
        if (larger == NULL)
            return NO_MEMORY;
        letters->at = larger;
    }
    if (many > 0)
        memcpy(letters->at + letters->size, at, many);
    letters->size += many;
    return PLAIN;
}

static void
clear(Row *row)
{
    free(row->at);
    *row = (Row){NULL, 0, 0};
}

/* Make a tuple of `bytes`: letters, then rows of 64-bit numbers; free each row. */
static PyObject *
as_tuple(const Letters *letters, Row *const *rows, Py_ssize_t many)
{
    PyObject *tuple = PyTuple_New(many + 1);
    for (Py_ssize_t i = 0; tuple != NULL && i <= many; i++) {
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

#endif
