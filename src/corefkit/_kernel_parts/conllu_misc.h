/* CoNLL-U: what the column MISC says of entities, brackets and links. */

#ifndef COREFKIT_CONLLU_MISC_H
#define COREFKIT_CONLLU_MISC_H

#include "conllu_state.h"

/* Take the part off a label like `e5[1/2]`; without any it is part 1 of 1. */
static Verdict
read_part(const byte *label, const byte **end, int64_t *part, int64_t *parts)
{
    *part = *parts = 1;
    if ((*end)[-1] != ']')
        return PLAIN;
    const byte *at = *end - 1, *last = *end - 1;
    while (at > label && at[-1] != '[')
        at--;
    *end = at - 1;
    if (at == label)
        return ODD;
    *part = read_number(&at, last);
    if (at == last || *at++ != '/')
        return ODD;
    *parts = read_number(&at, last);
    return *part < 1 || *parts < 1 || at < last ? ODD : PLAIN;
}

/* Read positions with commas between: the first, the lowest and the highest. */
static Verdict
read_positions(const byte *at, const byte *end, int64_t *first, int64_t *low, int64_t *high)
{
    *first = *low = *high = 0;
    while (at < end) {
        int64_t position = read_number(&at, end);
        if (position < 1 || (at < end && (*at++ != ',' || at == end)))
            return ODD;
        *first = *first ? *first : position;
        *low = *low && *low < position ? *low : position;
        *high = *high > position ? *high : position;
    }
    return PLAIN;
}

/* Find the mention that waits for a part, of several the one that began last. */
static Verdict
take_waiting(Conllu *file, int64_t entity, int64_t part, int64_t parts, size_t *number)
{
    Row *waiting = &file->scratch[WAITING];
    size_t best = waiting->size;
    TRY(count_steps(file, (int64_t)waiting->size));
    for (size_t row = 0; row < waiting->size; row++) {
        const Found *found = &file->found[waiting->at[row]];
        if (found->entity == entity && found->parts == parts && found->part == part - 1 &&
            (best == waiting->size || waiting->at[row] > waiting->at[best]))
            best = row;
    }
    if (best == waiting->size)
        return ODD;
    *number = (size_t)waiting->at[best];
    waiting->at[best] = waiting->at[--waiting->size];
    return PLAIN;
}

/* Go on with a mention at its next part; what lies between is a gap. */
static Verdict
go_on(Conllu *file, Found *found)
{
    found->part++;
    if (file->tokens <= found->end + 1)
        return PLAIN;
    if (file->gaps_size == file->gaps_room) {
        Gap *more = grown(file->gaps, file->gaps_size, 1, &file->gaps_room, sizeof *more);
        if (more == NULL)
            return NO_MEMORY;
        file->gaps = more;
    }
    int64_t number = (int64_t)file->gaps_size++;
    file->gaps[number] = (Gap){found->end + 1, file->tokens - 1, -1};
    if (found->gap < 0)
        found->gap = number;
    else
        file->gaps[found->last_gap].next = number;
    found->last_gap = number;
    return PLAIN;
}

/* Under an id that begins with this every mention is an entity of its own. */
static const char ALONE[] = "NOCOREF";

/* Number the entity of a mention that begins, by the number of its name. */
static Verdict
begin_entity(Conllu *file, size_t number, int64_t parts, int64_t *entity)
{
    Name *name = name_here(file, number);
    const byte *at = file->names.text.at + name->begin, *end = at + name->size;
    size_t code = number;
    if (begins_with(at, end, ALONE)) {
        /* From the second on the id has its number behind it. */
        byte digits[24] = {0}, *first = digits + 16;
        int64_t times = ++name->times;
        if (parts > 1 || find(at, end, '#') < end)
            return ODD;
        if (times > 1) {
            Letters *scratch = &file->ids;
            size_t before = scratch->size;
            for (int64_t rest = times; rest > 0; rest /= 10)
                *--first = (byte)('0' + rest % 10);
            *--first = '#';
            /* Behind the ids of documents there is room for it. */
            TRY(append_letters(scratch, at, (size_t)(end - at)));
            TRY(append_letters(scratch, first, (size_t)(digits + 24 - first)));
            scratch->size = before;
            at = scratch->at + before;
            TRY(name_of(&file->names, at, at + name->size + (digits + 16 - first), &code));
            name = name_here(file, number);
        }
        name->entity = -1;
    }
    if (name->entity < 0) {
        name->entity = file->entities++;
        TRY(append(&file->scratch[CODES], code));
    }
    *entity = name->entity;
    return PLAIN;
}

/* Begin a mention. */
static Verdict
begin_mention(Conllu *file, size_t name, int64_t parts, size_t *number)
{
    if (file->found_size == file->found_room) {
        Found *more = grown(file->found, file->found_size, 1, &file->found_room, sizeof *more);
        if (more == NULL)
            return NO_MEMORY;
        file->found = more;
    }
    Found *found = &file->found[*number = file->found_size];
    *found = (Found){.start = file->tokens, .part = 1, .parts = parts};
    found->gap = found->last_gap = -1;
    TRY(begin_entity(file, name, parts, &found->entity));
    file->found_size++;
    file->work += WORK_EACH;
    return PLAIN;
}

/* Open the bracket with such a text, and give the number of its label. */
static Verdict
open_bracket(Conllu *file, const byte *at, const byte *end, size_t *label)
{
    const int64_t wanted[] = {file->field_id, file->field_head, file->field_least};
    const byte *cells[3][2] = {{at, at}, {at, at}, {at, at}}; /* empty where missing */
    int64_t field = 0, part, parts, low, high;
    size_t name, number;
    for (const byte *stop;; at = stop + 1, field++) {
        stop = find(at, end, '-');
        for (int i = 0; i < 3; i++)
            if (wanted[i] == field) {
                cells[i][0] = at;
                cells[i][1] = stop;
            }
        if (stop == end)
            break;
    }
    const byte *id = cells[0][0], *id_end = cells[0][1];
    if (field >= file->fields || id == id_end || find(id, id_end, '%') < id_end)
        return ODD;
    TRY(name_of(&file->names, id, id_end, label));
    TRY(read_part(id, &id_end, &part, &parts));
    if (id == id_end)
        return ODD;
    TRY(name_of(&file->names, id, id_end, &name));
    if (part > 1) {
        TRY(take_waiting(file, name_here(file, name)->entity, part, parts, &number));
        TRY(go_on(file, &file->found[number]));
    }
    else {
        TRY(begin_mention(file, name, parts, &number));
        Found *found = &file->found[number];
        if (find(cells[1][0], cells[1][1], ',') < cells[1][1])
            return ODD;
        TRY(read_positions(cells[1][0], cells[1][1], &found->head, &low, &high));
        TRY(read_positions(cells[2][0], cells[2][1], &found->least, &found->low, &found->high));
        if (file->field_head < 0)
            found->head = found->least;
    }
    Name *opened = name_here(file, *label);
    file->found[number].under = opened->open;
    opened->open = (int64_t)number;
    file->open++;
    return PLAIN;
}

/* Close the bracket that was opened last under a label. */
static Verdict
close_bracket(Conllu *file, size_t label)
{
    Name *name = name_here(file, label);
    if (name->open < 0)
        return ODD;
    size_t number = (size_t)name->open;
    Found *found = &file->found[number];
    name->open = found->under;
    found->end = file->tokens;
    file->open--;
    return found->part < found->parts ? append(&file->scratch[WAITING], number) : PLAIN;
}

/* Read the value of an item `Entity`. */
static Verdict
read_brackets(Conllu *file, const byte *at, const byte *end)
{
    if (file->field_id < 0)
        return ODD;
    while (at < end) {
        size_t label;
        int opens = *at == '(';
        const byte *text = at += opens;
        while (at < end && *at != '(' && *at != ')')
            at++;
        int closes = at < end && *at == ')';
        if (opens)
            TRY(open_bracket(file, text, at, &label));
        else if (closes && at > text)
            TRY(name_of(&file->names, text, at, &label));
        else
            return ODD;
        if (closes)
            TRY(close_bracket(file, label));
        at += closes;
    }
    return PLAIN;
}

/* Read the value of an item of links: `antecedent<anaphor`, with commas between. */
static Verdict
read_links(Conllu *file, const byte *at, const byte *end, int bridges)
{
    Row *row = &file->scratch[bridges ? BRIDGES : SPLITS];
    for (const byte *stop;; at = stop + 1) {
        stop = find(at, end, ',');
        const byte *less = find(at, stop, '<'), *anaphor = less + (less < stop);
        const byte *last = bridges ? find(anaphor, stop, ':') : stop;
        const byte *names[][2] = {{at, less}, {anaphor, last}};
        if (bridges)
            TRY(add(row, file->tokens));
        for (int i = 0; i < 2; i++) {
            size_t name;
            if (names[i][0] == names[i][1] || find(names[i][0], names[i][1], '%') < names[i][1] ||
                begins_with(names[i][0], names[i][1], ALONE))
                return ODD;
            TRY(name_of(&file->names, names[i][0], names[i][1], &name));
            TRY(append(row, name));
        }
        if (row->at[row->size - 1] == row->at[row->size - 2])
            return ODD;
        if (stop == end)
            return PLAIN;
    }
}

/* Read the items of MISC that are about entities. */
static Verdict
read_misc(Conllu *file, const byte *at, const byte *end)
{
    for (const byte *stop;; at = stop + 1) {
        stop = find(at, end, '|');
        if (begins_with(at, stop, "Entity="))
            TRY(read_brackets(file, at + 7, stop));
        else if (begins_with(at, stop, "Bridge="))
            TRY(read_links(file, at + 7, stop, 1));
        else if (begins_with(at, stop, "SplitAnte="))
            TRY(read_links(file, at + 10, stop, 0));
        else if (begins_with(at, stop, "Split="))
            TRY(read_links(file, at + 6, stop, 0));
        if (stop == end)
            return PLAIN;
    }
}

#endif
