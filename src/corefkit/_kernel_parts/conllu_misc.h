/* CoNLL-U: what the column MISC says of entities, brackets and links. */

#ifndef COREFKIT_CONLLU_MISC_H
#define COREFKIT_CONLLU_MISC_H

#include "conllu_state.h"

enum { MOST_VALUES = 32 }; /* of a bracket */

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

/* Read positions with commas between. */
static Verdict
read_positions(const byte *at, const byte *end, Positions *found)
{
    *found = (Positions){0, 0, 0};
    while (at < end) {
        int64_t position = read_number(&at, end);
        if (position < 1 || (at < end && (*at++ != ',' || at == end)))
            return ODD;
        if (found->first == 0)
            found->first = found->low = position;
        found->low = found->low < position ? found->low : position;
        found->high = found->high > position ? found->high : position;
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

/* Number a name with `#` and a number behind it. */
static Verdict
name_again(Conllu *file, const byte *at, const byte *end, int64_t times, size_t *number)
{
    byte digits[24] = {0}, *first = digits + 16; /* eight bytes behind can be loaded */
    for (; times > 0; times /= 10)
        *--first = (byte)('0' + times % 10);
    *--first = '#';
    file->name.size = 0;
    TRY(append_letters(&file->name, at, (size_t)(end - at)));
    TRY(append_letters(&file->name, first, (size_t)(digits + sizeof digits - first)));
    at = file->name.at;
    return name_of(&file->names, at, at + file->name.size - 8, number);
}

/* Number the entity of a mention that begins, by the number of its name. */
static Verdict
begin_entity(Conllu *file, size_t number, int64_t parts, int64_t *entity)
{
    Name *name = name_here(file, number);
    const byte *at = file->names.text.at + name->begin, *end = at + name->size;
    size_t code = number;
    if (begins_with(at, end, ALONE)) {
        if (parts > 1 || find(at, end, '#') < end)
            return ODD;
        if (++name->times > 1)
            TRY(name_again(file, at, end, name->times, &code));
        name = name_here(file, number);
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
        Found *more =
            grown(file->found, file->found_size, 1, &file->found_room, sizeof *more);
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

/* The values of a bracket: each begins at its cut, and ends a byte before the next. */
typedef struct {
    const byte *cuts[MOST_VALUES + 1];
    size_t many;
} Values;

/* Find a value by its field, and return where it ends; empty where there is none. */
static inline const byte *
find_value(const Values *values, int64_t field, const byte **at)
{
    int there = field >= 0 && (size_t)field < values->many;
    *at = values->cuts[there ? field : 0];
    return there ? values->cuts[field + 1] - 1 : *at;
}

/* Read what the first bracket of a mention states of its positions. */
static Verdict
read_statements(const Conllu *file, const Values *values, Found *found)
{
    const byte *at, *end = find_value(values, file->field_head, &at);
    Positions head;
    TRY(read_positions(at, end, &head));
    if (find(at, end, ',') < end)
        return ODD;
    end = find_value(values, file->field_least, &at);
    TRY(read_positions(at, end, &found->least));
    found->head = file->field_head < 0 ? found->least.first : head.first;
    return PLAIN;
}

/* Open a bracket, and give the number of its label. */
static Verdict
open_bracket(Conllu *file, const Values *values, size_t *label)
{
    const byte *id, *label_end = find_value(values, file->field_id, &id);
    const byte *end = label_end;
    int64_t part, parts;
    size_t name, number;
    if (values->many > (size_t)file->fields || id == end || find(id, end, '%') < end)
        return ODD;
    TRY(name_of(&file->names, id, label_end, label));
    TRY(read_part(id, &end, &part, &parts));
    if (id == end)
        return ODD;
    name = *label;
    if (end < label_end)
        TRY(name_of(&file->names, id, end, &name));
    if (part > 1) {
        TRY(take_waiting(file, name_here(file, name)->entity, part, parts, &number));
        TRY(go_on(file, &file->found[number]));
    }
    else {
        TRY(begin_mention(file, name, parts, &number));
        TRY(read_statements(file, values, &file->found[number]));
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
    Values values;
    if (file->field_id < 0)
        return ODD;
    while (at < end) {
        size_t label;
        int opens = *at == '(';
        const byte *text = at += opens;
        values.cuts[0] = text;
        values.many = 1;
        for (; at < end && *at != '(' && *at != ')'; at++)
            if (*at == '-') {
                if (values.many == MOST_VALUES)
                    return ODD;
                values.cuts[values.many++] = at + 1;
            }
        values.cuts[values.many] = at + 1;
        int closes = at < end && *at == ')';
        if (opens)
            TRY(open_bracket(file, &values, &label));
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

/* Put the number of a name in a link behind a row. */
static Verdict
read_linked(Conllu *file, const byte *at, const byte *end, Row *row)
{
    size_t name;
    if (at == end || find(at, end, '%') < end || begins_with(at, end, ALONE))
        return ODD;
    TRY(name_of(&file->names, at, end, &name));
    return append(row, name);
}

/* Read the value of an item of links: `antecedent<anaphor`, with commas between. */
static Verdict
read_links(Conllu *file, const byte *at, const byte *end, int bridges)
{
    Row *row = &file->scratch[bridges ? BRIDGES : SPLITS];
    for (const byte *stop;; at = stop + 1) {
        stop = find(at, end, ',');
        const byte *less = find(at, stop, '<'), *anaphor = less + (less < stop);
        if (bridges)
            TRY(add(row, file->tokens));
        TRY(read_linked(file, at, less, row));
        TRY(read_linked(file, anaphor, bridges ? find(anaphor, stop, ':') : stop, row));
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
