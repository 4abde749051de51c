/* Strings by number: ids, relations, declarations. */

#ifndef COREFKIT_NAMES_H
#define COREFKIT_NAMES_H

#include "lines.h"

enum { FEWEST_NAMES = 256, MOST_TRIES = 512 };

typedef struct {
    size_t begin, size; /* where its letters are */
    uint64_t hash;
    /* What CoNLL-U has of it as an id, in one document: */
    uint64_t document;
    int64_t entity; /* the number of its entity, or -1 */
    int64_t open;   /* the mention opened last under this label, or -1 */
    int64_t times;  /* how many mentions under it are entities of their own */
} Name;

typedef struct {
    Name *at;
    size_t size, room;
    Letters text;    /* of all, each with a line end */
    uint32_t *slots; /* numbers from 1, by hash; 0 is free */
    size_t width;    /* how many slots there are, a power of two, or 0 */
} Names;

static void
clear_names(Names *names)
{
    free(names->at);
    free(names->text.at);
    free(names->slots);
}

/* Put the numbers of all strings into a table of four times the width. */
static Verdict
widen_names(Names *names)
{
    size_t width = names->width ? 4 * names->width : FEWEST_NAMES;
    if (width > UINT32_MAX)
        return ODD;
    uint32_t *slots = realloc(NULL, width * sizeof *slots);
    if (slots == NULL)
        return NO_MEMORY;
    memset(slots, 0, width * sizeof *slots);
    for (size_t number = 0; number < names->size; number++) {
        size_t slot = (size_t)names->at[number].hash & (width - 1);
        while (slots[slot])
            slot = (slot + 1) & (width - 1);
        slots[slot] = (uint32_t)number + 1;
    }
    free(names->slots);
    names->slots = slots;
    names->width = width;
    return PLAIN;
}

/* Number a string, a new one with the next number. Eight bytes can be loaded behind
   it. */
static Verdict
name_of(Names *names, const byte *at, const byte *end, size_t *number)
{
    size_t size = (size_t)(end - at), steps = 0;
    if (2 * names->size >= names->width)
        TRY(widen_names(names));
    uint64_t hash = mixed(hash_letters(at, size), size);
    size_t slot = (size_t)hash & (names->width - 1);
    for (; names->slots[slot]; slot = (slot + 1) & (names->width - 1)) {
        const Name *name = &names->at[*number = names->slots[slot] - 1];
        if (name->hash == hash && name->size == size &&
            memcmp(names->text.at + name->begin, at, size) == 0)
            return PLAIN;
        if (++steps > MOST_TRIES)
            return ODD;
    }
    if (names->size == names->room) {
        Name *more = grown(names->at, names->size, 1, &names->room, sizeof *more);
        if (more == NULL)
            return NO_MEMORY;
        names->at = more;
    }
    *number = names->size;
    names->at[*number] = (Name){names->text.size, size, hash, UINT64_MAX, -1, -1, 0};
    TRY(append_letters(&names->text, at, size));
    TRY(append_letters(&names->text, (const byte *)"\n", 1));
    names->slots[slot] = (uint32_t)++names->size;
    return PLAIN;
}

#endif
