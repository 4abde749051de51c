/* CoNLL-U: what a document says of entities, put behind what those before it say. */

#ifndef COREFKIT_CONLLU_ROWS_H
#define COREFKIT_CONLLU_ROWS_H

#include "conllu_state.h"

/* Find the token at a position of a mention. */
static Verdict
token_of(Conllu *file, const Found *found, int64_t position, int64_t *token)
{
    *token = found->start + position - 1;
    for (int64_t i = found->gap; i >= 0; i = file->gaps[i].next) {
        if (*token < file->gaps[i].start)
            break;
        *token += file->gaps[i].end - file->gaps[i].start + 1;
        TRY(count_steps(file, 1));
    }
    return *token > found->end ? ODD : PLAIN;
}

/* Say whether a token is one of a mention's. */
static int
is_inside(Conllu *file, const Found *found, int64_t token)
{
    if (token < found->start || token > found->end)
        return 0;
    for (int64_t i = found->gap; i >= 0; i = file->gaps[i].next, file->work--)
        if (token >= file->gaps[i].start && token <= file->gaps[i].end)
            return 0;
    return 1;
}

/* Find the first word of a mention that hangs on nothing inside it; failing that the
   first word, and where there is none the first token. */
static Verdict
find_head(Conllu *file, const Found *found, int64_t *head)
{
    int64_t first = -1, gap = found->gap;
    for (int64_t token = found->start; token <= found->end; token++) {
        if (gap >= 0 && token == file->gaps[gap].start) {
            token = file->gaps[gap].end;
            gap = file->gaps[gap].next;
            continue;
        }
        TRY(count_steps(file, 1));
        int64_t parent = (int64_t)file->scratch[PARENTS].at[token];
        if (parent == NO_WORD)
            continue;
        first = first < 0 ? token : first;
        if (!is_inside(file, found, parent)) {
            *head = token;
            return PLAIN;
        }
    }
    *head = first < 0 ? found->start : first;
    return PLAIN;
}

/* Order mentions by entity, those of an entity as they began. */
static Verdict
order_mentions(Conllu *file)
{
    Row *bounds = &file->scratch[BOUNDS], *order = &file->scratch[ORDER];
    Row *rank = &file->scratch[RANK];
    size_t entities = (size_t)file->entities, many = file->found_size;
    TRY(make_room(bounds, entities + 1));
    TRY(make_room(order, many));
    TRY(make_room(rank, many));
    memset(bounds->at, 0, (entities + 1) * sizeof *bounds->at);
    for (size_t i = 0; i < many; i++)
        bounds->at[file->found[i].entity + 1]++;
    for (size_t i = 0; i < entities; i++)
        bounds->at[i + 1] += bounds->at[i];
    for (size_t i = 0; i < many; i++) {
        rank->at[i] = bounds->at[file->found[i].entity]++;
        order->at[rank->at[i]] = i;
    }
    return PLAIN;
}

/* Put a mention behind those of the others. */
static Verdict
write_mention(Conllu *file, const Found *found)
{
    Row *rows = file->rows;
    size_t number = rows[ENTITY].size;
    int64_t head, low = -1, high = -1;
    if (found->part < found->parts)
        return ODD;
    if (found->head)
        TRY(token_of(file, found, found->head, &head));
    else
        TRY(find_head(file, found, &head));
    if (found->least.first) {
        TRY(token_of(file, found, found->least.low, &low));
        TRY(token_of(file, found, found->least.high, &high));
    }
    const int64_t values[] = {(int64_t)file->before[ENTITY_DOCUMENT] + found->entity,
                              found->start, found->end, head, low, high};
    for (int i = 0; i < 6; i++)
        TRY(add(&rows[ENTITY + i], values[i]));
    for (int64_t i = found->gap; i >= 0; i = file->gaps[i].next) {
        TRY(append(&rows[GAP], number));
        TRY(add(&rows[GAP_START], file->gaps[i].start));
        TRY(add(&rows[GAP_END], file->gaps[i].end));
    }
    return PLAIN;
}

/* Number the two entities of a link; both must be there. */
static Verdict
linked(Conllu *file, const uint64_t *names, int64_t *antecedent, int64_t *anaphor)
{
    int64_t first = (int64_t)file->before[ENTITY_DOCUMENT];
    *antecedent = first + name_here(file, (size_t)names[0])->entity;
    *anaphor = first + name_here(file, (size_t)names[1])->entity;
    return *antecedent < first || *anaphor < first ? ODD : PLAIN;
}

/* Put split antecedents behind those of the others, by entity, each once. */
static Verdict
write_splits(Conllu *file)
{
    Row *links = &file->scratch[SPLITS], *pairs = &file->rows[SPLIT];
    for (size_t link = 0; link < links->size; link += 2) {
        int64_t antecedent, anaphor;
        TRY(linked(file, links->at + link, &antecedent, &anaphor));
        size_t at = pairs->size, mark = file->before[SPLIT];
        while (at > mark && (int64_t)pairs->at[at - 2] > anaphor)
            at -= 2;
        size_t same = at;
        while (same > mark && (int64_t)pairs->at[same - 2] == anaphor &&
               (int64_t)pairs->at[same - 1] != antecedent)
            same -= 2;
        TRY(count_steps(file, (int64_t)(pairs->size - same)));
        if (same > mark && (int64_t)pairs->at[same - 2] == anaphor)
            continue;
        TRY(make_room(pairs, 2));
        uint64_t *here = pairs->at + at;
        memmove(here + 2, here, (pairs->size - at) * sizeof *here);
        here[0] = (uint64_t)anaphor;
        here[1] = (uint64_t)antecedent;
        pairs->size += 2;
    }
    return PLAIN;
}

/* Find the row of a bridge's anaphor, the first mention of its entity among those that
   open at a token; of mentions of the same tokens, it is the first in the rows. */
static Verdict
find_anaphor(const Conllu *file, size_t first, size_t last, int64_t entity, uint64_t *row)
{
    const uint64_t *rank = file->scratch[RANK].at;
    size_t anaphor = first;
    while (anaphor < last && file->found[anaphor].entity != entity)
        anaphor++;
    if (anaphor == last)
        return ODD;
    const Found *found = &file->found[anaphor];
    *row = rank[anaphor];
    for (size_t i = first; i < last; i++) {
        const Found *other = &file->found[i];
        if (other == found || other->end != found->end)
            continue;
        if (other->gap >= 0 && found->gap >= 0)
            return ODD; /* whether the gaps are the same, Python looks */
        if (other->gap == found->gap && rank[i] < *row)
            *row = rank[i];
    }
    return PLAIN;
}

/* Put bridges behind those of the others. */
static Verdict
write_bridges(Conllu *file)
{
    Row *links = &file->scratch[BRIDGES], *rows = file->rows;
    size_t first = 0, last;
    for (size_t link = 0; link < links->size; link += 3) {
        int64_t token = (int64_t)links->at[link], antecedent, anaphor;
        uint64_t row;
        TRY(linked(file, links->at + link + 1, &antecedent, &anaphor));
        while (first < file->found_size && file->found[first].start < token)
            first++;
        last = first;
        while (last < file->found_size && file->found[last].start == token)
            last++;
        TRY(count_steps(file, (int64_t)(last - first)));
        anaphor -= (int64_t)file->before[ENTITY_DOCUMENT];
        TRY(find_anaphor(file, first, last, anaphor, &row));
        TRY(append(&rows[BRIDGE], file->before[ENTITY] + row));
        TRY(add(&rows[BRIDGE], antecedent));
        TRY(add(&rows[BRIDGE], -1));
    }
    return PLAIN;
}

/* Put what the document says of entities behind what the others say. */
static Verdict
write_conllu(Conllu *file)
{
    end_sentence(file);
    if (file->open > 0)
        return ODD;
    TRY(order_mentions(file));
    for (size_t i = 0; i < file->found_size; i++)
        TRY(write_mention(file, &file->found[file->scratch[ORDER].at[i]]));
    for (size_t i = 0; i < (size_t)file->entities; i++) {
        TRY(append(&file->rows[ENTITY_DOCUMENT], file->rows[DOCUMENT].size));
        TRY(append(&file->rows[ENTITY_CODE], file->scratch[CODES].at[i]));
    }
    TRY(write_splits(file));
    return write_bridges(file);
}

#endif
