/* Mentions, paired from brackets and grouped by entity for each document. */

#ifndef COREFKIT_MENTIONS_H
#define COREFKIT_MENTIONS_H

#include "text.h"

static const uint64_t NONE = UINT64_MAX;
enum { MIN_SLOTS = 256 };

typedef struct {
    uint64_t code;   /* of its id */
    uint64_t opened; /* its last open bracket, or NONE */
    uint64_t size;   /* number of mentions; then, the index of its next mention */
} Entity;

/* A slot of the hash table of entities by code. It is occupied if its round is that of
   the table, which changes with the document. */
typedef struct {
    uint32_t number, round;
} Slot;

typedef struct {
    /* Of the current document: */
    Entity *known;
    size_t size, room;
    Slot *slots;
    size_t slots_room; /* a power of two, or 0 */
    uint32_t round;
    Row open;       /* brackets: the first token, and the previous open one or NONE */
    uint64_t spare; /* an unused entry of `open`, or NONE */
    size_t left;    /* number of open brackets */
    Row closed;     /* mentions in the order in which they close: entity, span */
    /* Of documents. A span is the first token in the high 32 bits, and the last one in
       the low 32 bits: these rows are in memory as long as the file is open. */
    Row span;         /* of mentions, by entity */
    Row length, code; /* of entities: number of mentions, code of the id */
    Row entities, mentions; /* bounds of all documents */
    size_t flushed_entities, flushed_mentions; /* numbers of rows that were flushed */
} Mentions;

static void
clear_mentions(Mentions *all)
{
    Row *rows[] = {&all->open, &all->closed,   &all->span,    &all->length,
                   &all->code, &all->entities, &all->mentions};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        clear(rows[i]);
    free(all->known);
    free(all->slots);
    all->known = NULL;
    all->slots = NULL;
}

/* Find the slot of a code, or a free one for it; NULL after too many probes, which only
   ids that were chosen for it require. */
static inline Slot *
find_slot(const Mentions *all, uint64_t code)
{
    uint64_t mix = (code ^ (code >> 29)) * MIX;
    size_t last = all->slots_room - 1, at = (size_t)(mix >> 32) & last;
    for (int step = 0; step < MAX_PROBES; step++) {
        Slot *slot = &all->slots[at];
        if (slot->round != all->round || all->known[slot->number].code == code)
            return slot;
        at = (at + 1) & last;
    }
    return NULL;
}

/* Make a table with a number of slots, and insert the known entities. */
static Verdict
make_slots(Mentions *all, size_t room)
{
    if (room > SIZE_MAX / 4 / sizeof(Slot))
        return NO_MEMORY;
    Slot *slots = realloc(NULL, room * sizeof(Slot));
    if (slots == NULL)
        return NO_MEMORY;
    memset(slots, 0, room * sizeof(Slot));
    free(all->slots);
    all->slots = slots;
    all->slots_room = room;
    all->round = 1;
    for (size_t i = 0; i < all->size; i++) {
        Slot *slot = find_slot(all, all->known[i].code);
        if (slot == NULL)
            return ODD;
        *slot = (Slot){(uint32_t)i, 1};
    }
    return PLAIN;
}

/* Begin a document without entities and open brackets. */
static Verdict
begin_mentions(Mentions *all)
{
    all->size = all->left = all->open.size = all->closed.size = 0;
    all->spare = NONE;
    if (all->slots_room > 0 && ++all->round > 0)
        return PLAIN;
    return make_slots(all, MIN_SLOTS);
}

/* Find the entity of a code, or add it. */
static inline Verdict
find_entity(Mentions *all, uint64_t code, size_t *entity)
{
    Slot *slot = find_slot(all, code);
    if (slot == NULL)
        return ODD;
    if (slot->round == all->round) {
        *entity = slot->number;
        return PLAIN;
    }
    if (all->size == UINT32_MAX)
        return ODD;
    if (all->size == all->room) {
        void *at = grow(all->known, all->size, 1, &all->room, sizeof *all->known);
        if (at == NULL)
            return NO_MEMORY;
        all->known = at;
    }
    *slot = (Slot){(uint32_t)all->size, all->round};
    *entity = all->size++;
    all->known[*entity] = (Entity){code, NONE, 0};
    return all->size * 2 > all->slots_room ? make_slots(all, all->slots_room * 4) : PLAIN;
}

static inline Verdict
open_mention(Mentions *all, size_t entity, uint64_t token)
{
    uint64_t number = all->spare;
    if (number != NONE) {
        all->spare = all->open.at[number + 1];
    }
    else {
        number = all->open.size;
        TRY(append(&all->open, 0));
        TRY(append(&all->open, 0));
    }
    all->open.at[number] = token;
    all->open.at[number + 1] = all->known[entity].opened;
    all->known[entity].opened = number;
    all->left++;
    return PLAIN;
}

static inline Verdict
add_mention(Mentions *all, size_t entity, uint64_t start, uint64_t end)
{
    Row *closed = &all->closed;
    TRY(make_room(closed, 2));
    closed->at[closed->size++] = entity;
    closed->at[closed->size++] = start << 32 | end;
    all->known[entity].size++;
    return PLAIN;
}

/* Close the last open bracket of an entity; ODD if there is none. */
static inline Verdict
close_mention(Mentions *all, size_t entity, uint64_t token)
{
    uint64_t number = all->known[entity].opened;
    if (number == NONE)
        return ODD;
    all->known[entity].opened = all->open.at[number + 1];
    all->open.at[number + 1] = all->spare;
    all->spare = number;
    all->left--;
    return add_mention(all, entity, all->open.at[number], token);
}

/* Append the mentions of the document, ordered by entity; ODD if a bracket is open. If
   all are closed, every entity has a mention. */
static Verdict
end_mentions(Mentions *all)
{
    size_t count = all->closed.size / 2, next = all->span.size;
    if (all->left > 0 || count > INT32_MAX)
        return ODD;
    TRY(make_room(&all->span, count));
    TRY(make_room(&all->length, all->size));
    TRY(make_room(&all->code, all->size));
    for (size_t i = 0; i < all->size; i++) {
        Entity *entity = &all->known[i];
        all->length.at[all->length.size++] = entity->size;
        all->code.at[all->code.size++] = entity->code;
        size_t first = next;
        next += (size_t)entity->size;
        entity->size = first;
    }
    for (const uint64_t *row = all->closed.at; count > 0; row += 2, count--)
        all->span.at[all->known[row[0]].size++] = row[1];
    all->span.size = next;
    return PLAIN;
}

#endif
