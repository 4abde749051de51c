/* Mentions, paired from brackets and grouped by entity for each document. */

#ifndef COREFKIT_MENTIONS_H
#define COREFKIT_MENTIONS_H

#include "text.h"

static const uint64_t NONE = UINT64_MAX;
enum { FEWEST_SLOTS = 256, MOST_STEPS = 512 };

typedef struct {
    uint64_t code;   /* of its id */
    uint64_t opened; /* its bracket that was opened last, or NONE */
    uint64_t size;   /* how many mentions it has; then, where its next one goes */
} Entity;

/* A slot of the table in which entities are found by their codes. It is taken if it has
   the round of the table, which changes with the document. */
typedef struct {
    uint32_t number, round;
} Slot;

typedef struct {
    /* Of this document: */
    Entity *known;
    size_t size, room;
    Slot *slots;
    size_t slots_room; /* a power of two, or 0 */
    uint32_t round;
    Row open;       /* brackets: the first token, and the one opened before or NONE */
    uint64_t spare; /* a bracket that can be used again, or NONE */
    size_t left;    /* how many brackets are open */
    Row closed;     /* mentions in the order in which they end: entity, start, end */
    /* Of all documents: mentions by entity, codes of entities, bounds of documents. */
    Row entity, start, end, code, entities, mentions;
} Mentions;

static void
clear_mentions(Mentions *all)
{
    Row *rows[] = {&all->open, &all->closed, &all->entity,   &all->start,
                   &all->end,  &all->code,   &all->entities, &all->mentions};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        clear(rows[i]);
    free(all->known);
    free(all->slots);
    all->known = NULL;
    all->slots = NULL;
}

/* Find the slot of a code, or the free one for it; NULL where too many are in its way,
   which takes ids that somebody chose for it. */
static inline Slot *
slot_of(const Mentions *all, uint64_t code)
{
    uint64_t mix = (code ^ (code >> 29)) * MIX;
    size_t last = all->slots_room - 1, at = (size_t)(mix >> 32) & last;
    for (int step = 0; step < MOST_STEPS; step++) {
        Slot *slot = &all->slots[at];
        if (slot->round != all->round || all->known[slot->number].code == code)
            return slot;
        at = (at + 1) & last;
    }
    return NULL;
}

/* Make a table of so many slots, and put the entities that are known into it. */
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
        Slot *slot = slot_of(all, all->known[i].code);
        if (slot == NULL)
            return ODD;
        *slot = (Slot){(uint32_t)i, 1};
    }
    return PLAIN;
}

/* Begin a document: no entity is known, no bracket open. */
static Verdict
begin_mentions(Mentions *all)
{
    all->size = all->left = all->open.size = all->closed.size = 0;
    all->spare = NONE;
    if (all->slots_room > 0 && ++all->round > 0)
        return PLAIN;
    return make_slots(all, FEWEST_SLOTS);
}

/* Find the entity of a code, or number a new one. */
static inline Verdict
entity_of(Mentions *all, uint64_t code, size_t *entity)
{
    Slot *slot = slot_of(all, code);
    if (slot == NULL)
        return ODD;
    if (slot->round == all->round) {
        *entity = slot->number;
        return PLAIN;
    }
    if (all->size == UINT32_MAX)
        return ODD;
    if (all->size == all->room) {
        void *at = grown(all->known, all->size, 1, &all->room, sizeof *all->known);
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
        if (append(&all->open, 0) || append(&all->open, 0))
            return NO_MEMORY;
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
    if (closed->room - closed->size < 3 && make_room(closed, 3))
        return NO_MEMORY;
    closed->at[closed->size++] = entity;
    closed->at[closed->size++] = start;
    closed->at[closed->size++] = end;
    all->known[entity].size++;
    return PLAIN;
}

/* Close the bracket of an entity that was opened last; there must be one. */
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

/* Put the mentions of a document behind those of the others, ordered by entity. All
   brackets must be closed, so that every entity has a mention. */
static Verdict
end_mentions(Mentions *all)
{
    size_t many = all->closed.size / 3, next = all->entity.size;
    if (all->left > 0)
        return ODD;
    if (make_room(&all->entity, many) || make_room(&all->start, many) ||
        make_room(&all->end, many) || make_room(&all->code, all->size))
        return NO_MEMORY;
    for (size_t i = 0; i < all->size; i++) {
        Entity *entity = &all->known[i];
        size_t first = next;
        next += (size_t)entity->size;
        entity->size = first;
        for (; first < next; first++)
            all->entity.at[first] = all->code.size;
        all->code.at[all->code.size++] = entity->code;
    }
    for (const uint64_t *row = all->closed.at; many > 0; row += 3, many--) {
        uint64_t place = all->known[row[0]].size++;
        all->start.at[place] = row[1];
        all->end.at[place] = row[2];
    }
    all->entity.size = all->start.size = all->end.size = next;
    if (append(&all->entities, all->code.size) || append(&all->mentions, next))
        return NO_MEMORY;
    return PLAIN;
}

#endif
