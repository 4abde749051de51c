/* CoNLL-U files: the rules are those of corefkit.formats.conllu and
   corefkit.formats.conllu_entities. */

#ifndef COREFKIT_CONLLU_H
#define COREFKIT_CONLLU_H

#include "text.h"

/* ---- Numbered strings: ids, relations, declarations ---- */

enum { MIN_NAMES = 256 };

typedef struct {
    size_t begin, size; /* position of its letters */
    uint64_t hash;
    /* As the id of an entity in one document: */
    uint64_t document;
    int64_t entity; /* the number of its entity, or -1 */
    int64_t open;   /* the last open mention with this label, or -1 */
    int64_t times;  /* number of its mentions that are separate entities */
} Name;

typedef struct {
    Name *at;
    size_t size, room;
    Letters text;    /* of all, each with a line end */
    uint32_t *slots; /* numbers from 1, by hash; 0 is free */
    size_t width;    /* number of slots, a power of two, or 0 */
} Names;

static void
clear_names(Names *names)
{
    free(names->at);
    free(names->text.at);
    free(names->slots);
}

/* Enlarge the hash table to four times the width. */
static Verdict
widen_names(Names *names)
{
    size_t width = names->width ? 4 * names->width : MIN_NAMES;
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

/* Return the number of a string, the next one for a new string. Eight bytes can be loaded
   after it. */
static Verdict
find_name(Names *names, const byte *at, const byte *end, size_t *number)
{
    size_t size = (size_t)(end - at), steps = 0;
    if (2 * names->size >= names->width)
        TRY(widen_names(names));
    uint64_t hash = mix_position(hash_letters(at, size), size);
    size_t slot = (size_t)hash & (names->width - 1);
    for (; names->slots[slot]; slot = (slot + 1) & (names->width - 1)) {
        const Name *name = &names->at[*number = names->slots[slot] - 1];
        if (name->hash == hash && name->size == size &&
            memcmp(names->text.at + name->begin, at, size) == 0)
            return PLAIN;
        if (++steps > MAX_PROBES)
            return ODD;
    }
    if (names->size == names->room) {
        Name *more = grow(names->at, names->size, 1, &names->room, sizeof *more);
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

/* ---- State of a file and its document ---- */

/* The rows that are returned to Python, in this order. */
enum {
    DOCUMENT, BEGUN, DECLARED, IS_LEFT, WORDS, HASH, /* of documents */
    ENTITY, START, END, HEAD, LEAST_START, LEAST_END, /* of mentions, by entity */
    ENTITY_DOCUMENT, ENTITY_CODE,
    GAP, GAP_START, GAP_END,
    SPLIT, BRIDGE, /* pairs and triples */
    NODE_DOCUMENT, NODE, INITIAL, /* of empty nodes */
    DEPENDENT, PARENT, RELATION, /* of their dependencies */
    TEXTS, /* ends of the ids of documents, declarations, relations, names in the text */
    ROWS
};

/* Rows that are reused for each document. */
enum {
    WORD_TOKEN, /* of a sentence's words; of word 0, the token before the first */
    PARENTS,    /* of tokens: an id from `read_id`, then a token; -1 if none */
    CODES,      /* of entities */
    WAITING,    /* mentions that wait for their next part */
    SPLITS,     /* names of antecedent and anaphor */
    BRIDGES,    /* a token, names of antecedent and anaphor */
    BOUNDS, ORDER, RANK, /* of mentions by entity */
    SCRATCH
};

/* Positions in a mention that a value lists; they count from 1, and 0 is none. */
typedef struct {
    int64_t first, low, high;
} Positions;

/* A mention while its brackets are read. */
typedef struct {
    int64_t entity, start, end;
    int64_t part, parts;   /* its last open part, and the number of parts */
    int64_t under;         /* the previous open mention with its label, or -1 */
    int64_t head;          /* position of the head, if it is given */
    Positions least;       /* positions of the minimum, if it is given */
    int64_t gap, last_gap; /* its first and last gap, or -1 */
} Mention;

/* Tokens in a mention that do not belong to it; `next` is its next gap, or -1. */
typedef struct {
    int64_t start, end, next;
} Gap;

typedef struct {
    Row rows[ROWS], scratch[SCRATCH];
    size_t before[ROWS]; /* sizes of rows before the document */
    Names names, relations, declarations;
    Letters ids;  /* of documents with a line `newdoc`, each with a line end */
    Letters name; /* buffer for a new name */
    /* Positions of values in an opening bracket, or -1; the number of values; the number
       of their declaration, or -1. */
    int64_t field_id, field_head, field_least, fields, declared;
    int64_t comments;  /* offset of the comments directly above, or -1 */
    int comments_left; /* whether one of them is not plain */
    /* Of the current document: */
    uint64_t start, hash;
    int64_t declared_before;
    int begun;     /* whether a line `newdoc` begins it */
    int left;      /* whether it is not plain */
    int has_lines; /* whether it has lines other than comments and blank ones */
    int64_t tokens, words, sentences, entities;
    int64_t open; /* number of open brackets */
    int64_t work; /* remaining steps; each line adds some */
    Mention *mentions;
    size_t mentions_size, mentions_room;
    Gap *gaps;
    size_t gaps_size, gaps_room;
    /* Of the current sentence: its first token, its last word, the last node after that
       word, and its first dependency. */
    int64_t sentence, word, node;
    size_t dependencies;
} Conllu;

enum { NO_WORD = -2 }; /* as the parent of an empty node */
enum { WORK = 1 << 16, WORK_EACH = 16 };

static void
clear_conllu(Conllu *file)
{
    for (size_t i = 0; i < ROWS; i++)
        clear(&file->rows[i]);
    for (size_t i = 0; i < SCRATCH; i++)
        clear(&file->scratch[i]);
    clear_names(&file->names);
    clear_names(&file->relations);
    clear_names(&file->declarations);
    free(file->ids.at);
    free(file->name.at);
    free(file->mentions);
    free(file->gaps);
}

static void
begin_conllu(Conllu *file, uint64_t start)
{
    for (size_t i = 0; i < ROWS; i++)
        file->before[i] = file->rows[i].size;
    for (size_t i = 0; i < SCRATCH; i++)
        file->scratch[i].size = 0;
    file->start = start;
    file->hash = 0;
    file->left = file->has_lines = 0;
    file->tokens = file->words = file->sentences = file->entities = file->open = 0;
    file->work = WORK;
    file->mentions_size = file->gaps_size = 0;
    file->sentence = file->word = file->node = 0;
    file->dependencies = file->rows[PARENT].size;
}

/* Append a number, which may be negative. */
static inline Verdict
add(Row *row, int64_t number)
{
    return append(row, (uint64_t)number);
}

/* Count steps: Python is faster for documents that require many steps per line. */
static inline Verdict
count_steps(Conllu *file, int64_t steps)
{
    file->work -= steps;
    return file->work < 0 ? ODD : PLAIN;
}

/* Read a number of at most nine digits, and move to its end; -1 if there is none, or if
   it has a leading zero. */
static inline int64_t
read_number(const byte **at, const byte *end)
{
    const byte *first = *at;
    int64_t value = 0;
    for (; *at < end && is_digit(**at) && *at - first < 10; ++*at)
        value = 10 * value + (**at - '0');
    int digits = (int)(*at - first);
    return digits < 1 || digits > 9 || (digits > 1 && *first == '0') ? -1 : value;
}

/* Read the id of a token, `n` or `n.k`, as one number; -1 if it is invalid. */
static inline int64_t
read_id(const byte *at, const byte *end)
{
    int64_t word = read_number(&at, end), node = 0;
    if (word >= 0 && at < end && *at == '.') {
        at++;
        node = read_number(&at, end);
        word = node < 1 ? -1 : word;
    }
    return word < 0 || at < end ? -1 : word << 32 | node;
}

/* Find the token of the sentence with such an id; -1 if there is none. */
static inline int64_t
find_by_id(const Conllu *file, int64_t id)
{
    const Row *words = &file->scratch[WORD_TOKEN];
    size_t word = (size_t)(id >> 32);
    int64_t node = id & 0xFFFFFFFF;
    if (id <= 0 || word >= words->size)
        return -1;
    int64_t next = word + 1 < words->size ? (int64_t)words->at[word + 1] : file->tokens;
    int64_t token = (int64_t)words->at[word] + node;
    return token < next ? token : -1;
}

/* End the sentence, and resolve the ids of its tokens. */
static void
end_sentence(Conllu *file)
{
    Row *parents = &file->scratch[PARENTS], *enhanced = &file->rows[PARENT];
    if (file->tokens == file->sentence)
        return;
    for (size_t token = (size_t)file->sentence; token < parents->size; token++)
        if ((int64_t)parents->at[token] != NO_WORD)
            parents->at[token] = (uint64_t)find_by_id(file, (int64_t)parents->at[token]);
    for (size_t row = file->dependencies; row < enhanced->size; row++) {
        int64_t token = find_by_id(file, (int64_t)enhanced->at[row]);
        enhanced->at[row] = (uint64_t)(token < 0 ? -1 - file->sentences : token);
    }
    file->sentences++;
    file->sentence = file->tokens;
    file->word = file->node = 0;
    file->dependencies = enhanced->size;
    file->scratch[WORD_TOKEN].size = 0;
}

/* Return a name, which is reset at its first use in a document. */
static Name *
use_name(Conllu *file, size_t number)
{
    Name *name = &file->names.at[number];
    if (name->document != file->rows[DOCUMENT].size) {
        name->document = file->rows[DOCUMENT].size;
        name->entity = name->open = -1;
        name->times = 0;
    }
    return name;
}

/* ---- Rows of a document ---- */

/* Find the token at a position of a mention. */
static Verdict
find_token(Conllu *file, const Mention *mention, int64_t position, int64_t *token)
{
    *token = mention->start + position - 1;
    for (int64_t i = mention->gap; i >= 0; i = file->gaps[i].next) {
        if (*token < file->gaps[i].start)
            break;
        *token += file->gaps[i].end - file->gaps[i].start + 1;
        TRY(count_steps(file, 1));
    }
    return *token > mention->end ? ODD : PLAIN;
}

/* Return whether a token belongs to a mention. */
static int
is_inside(Conllu *file, const Mention *mention, int64_t token)
{
    if (token < mention->start || token > mention->end)
        return 0;
    for (int64_t i = mention->gap; i >= 0; i = file->gaps[i].next, file->work--)
        if (token >= file->gaps[i].start && token <= file->gaps[i].end)
            return 0;
    return 1;
}

/* Find the first word of a mention whose parent is outside; otherwise the first word, or
   the first token if there are no words. */
static Verdict
find_head(Conllu *file, const Mention *mention, int64_t *head)
{
    int64_t first = -1, gap = mention->gap;
    for (int64_t token = mention->start; token <= mention->end; token++) {
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
        if (!is_inside(file, mention, parent)) {
            *head = token;
            return PLAIN;
        }
    }
    *head = first < 0 ? mention->start : first;
    return PLAIN;
}

/* Sort mentions by entity, and by the order in which they begin. */
static Verdict
order_mentions(Conllu *file)
{
    Row *bounds = &file->scratch[BOUNDS], *order = &file->scratch[ORDER];
    Row *rank = &file->scratch[RANK];
    size_t entities = (size_t)file->entities, count = file->mentions_size;
    TRY(make_room(bounds, entities + 1));
    TRY(make_room(order, count));
    TRY(make_room(rank, count));
    memset(bounds->at, 0, (entities + 1) * sizeof *bounds->at);
    for (size_t i = 0; i < count; i++)
        bounds->at[file->mentions[i].entity + 1]++;
    for (size_t i = 0; i < entities; i++)
        bounds->at[i + 1] += bounds->at[i];
    for (size_t i = 0; i < count; i++) {
        rank->at[i] = bounds->at[file->mentions[i].entity]++;
        order->at[rank->at[i]] = i;
    }
    return PLAIN;
}

/* Append a mention to the rows. */
static Verdict
write_mention(Conllu *file, const Mention *mention)
{
    Row *rows = file->rows;
    size_t number = rows[ENTITY].size;
    int64_t head, low = -1, high = -1;
    if (mention->part < mention->parts)
        return ODD;
    if (mention->head)
        TRY(find_token(file, mention, mention->head, &head));
    else
        TRY(find_head(file, mention, &head));
    if (mention->least.first) {
        TRY(find_token(file, mention, mention->least.low, &low));
        TRY(find_token(file, mention, mention->least.high, &high));
    }
    const int64_t values[] = {(int64_t)file->before[ENTITY_DOCUMENT] + mention->entity,
                              mention->start, mention->end, head, low, high};
    for (int i = 0; i < 6; i++)
        TRY(add(&rows[ENTITY + i], values[i]));
    for (int64_t i = mention->gap; i >= 0; i = file->gaps[i].next) {
        TRY(append(&rows[GAP], number));
        TRY(add(&rows[GAP_START], file->gaps[i].start));
        TRY(add(&rows[GAP_END], file->gaps[i].end));
    }
    return PLAIN;
}

/* Return the numbers of the two entities of a link, both of which must exist. */
static Verdict
find_linked(Conllu *file, const uint64_t *names, int64_t *antecedent, int64_t *anaphor)
{
    int64_t first = (int64_t)file->before[ENTITY_DOCUMENT];
    *antecedent = first + use_name(file, (size_t)names[0])->entity;
    *anaphor = first + use_name(file, (size_t)names[1])->entity;
    return *antecedent < first || *anaphor < first ? ODD : PLAIN;
}

/* Append the split antecedents, by entity and without duplicates. */
static Verdict
write_splits(Conllu *file)
{
    Row *links = &file->scratch[SPLITS], *pairs = &file->rows[SPLIT];
    for (size_t link = 0; link < links->size; link += 2) {
        int64_t antecedent, anaphor;
        TRY(find_linked(file, links->at + link, &antecedent, &anaphor));
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

/* Find the row of a bridging anaphor: the first mention of its entity that opens at a
   token; of mentions of the same tokens, the first in the rows. */
static Verdict
find_anaphor(const Conllu *file, size_t first, size_t last, int64_t entity, uint64_t *row)
{
    const uint64_t *rank = file->scratch[RANK].at;
    size_t anaphor = first;
    while (anaphor < last && file->mentions[anaphor].entity != entity)
        anaphor++;
    if (anaphor == last)
        return ODD;
    const Mention *mention = &file->mentions[anaphor];
    *row = rank[anaphor];
    for (size_t i = first; i < last; i++) {
        const Mention *other = &file->mentions[i];
        if (other == mention || other->end != mention->end)
            continue;
        if (other->gap >= 0 && mention->gap >= 0)
            return ODD; /* Python compares the gaps */
        if (other->gap == mention->gap && rank[i] < *row)
            *row = rank[i];
    }
    return PLAIN;
}

/* Append the bridges. */
static Verdict
write_bridges(Conllu *file)
{
    Row *links = &file->scratch[BRIDGES], *rows = file->rows;
    size_t first = 0, last;
    for (size_t link = 0; link < links->size; link += 3) {
        int64_t token = (int64_t)links->at[link], antecedent, anaphor;
        uint64_t row;
        TRY(find_linked(file, links->at + link + 1, &antecedent, &anaphor));
        while (first < file->mentions_size && file->mentions[first].start < token)
            first++;
        last = first;
        while (last < file->mentions_size && file->mentions[last].start == token)
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

/* Append the mentions, entities and links of the document. */
static Verdict
write_conllu(Conllu *file)
{
    end_sentence(file);
    if (file->open > 0)
        return ODD;
    TRY(order_mentions(file));
    for (size_t i = 0; i < file->mentions_size; i++)
        TRY(write_mention(file, &file->mentions[file->scratch[ORDER].at[i]]));
    for (size_t i = 0; i < (size_t)file->entities; i++) {
        TRY(append(&file->rows[ENTITY_DOCUMENT], file->rows[DOCUMENT].size));
        TRY(append(&file->rows[ENTITY_CODE], file->scratch[CODES].at[i]));
    }
    TRY(write_splits(file));
    return write_bridges(file);
}

/* ---- Entities in the column MISC: brackets and links ---- */

enum { MAX_VALUES = 32 }; /* of a bracket */

/* Split the part from a label such as `e5[1/2]`; the default is part 1 of 1. */
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

/* Read comma-separated positions. */
static Verdict
read_positions(const byte *at, const byte *end, Positions *positions)
{
    *positions = (Positions){0, 0, 0};
    while (at < end) {
        int64_t position = read_number(&at, end);
        if (position < 1 || (at < end && (*at++ != ',' || at == end)))
            return ODD;
        if (positions->first == 0)
            positions->first = positions->low = position;
        positions->low = positions->low < position ? positions->low : position;
        positions->high = positions->high > position ? positions->high : position;
    }
    return PLAIN;
}

/* Find the mention that waits for a part; if there are several, the last one. */
static Verdict
take_waiting(Conllu *file, int64_t entity, int64_t part, int64_t parts, size_t *number)
{
    Row *waiting = &file->scratch[WAITING];
    size_t best = waiting->size;
    TRY(count_steps(file, (int64_t)waiting->size));
    for (size_t row = 0; row < waiting->size; row++) {
        const Mention *mention = &file->mentions[waiting->at[row]];
        if (mention->entity == entity && mention->parts == parts &&
            mention->part == part - 1 &&
            (best == waiting->size || waiting->at[row] > waiting->at[best]))
            best = row;
    }
    if (best == waiting->size)
        return ODD;
    *number = (size_t)waiting->at[best];
    waiting->at[best] = waiting->at[--waiting->size];
    return PLAIN;
}

/* Begin the next part of a mention; the tokens between the parts are a gap. */
static Verdict
add_part(Conllu *file, Mention *mention)
{
    mention->part++;
    if (file->tokens <= mention->end + 1)
        return PLAIN;
    if (file->gaps_size == file->gaps_room) {
        Gap *more = grow(file->gaps, file->gaps_size, 1, &file->gaps_room, sizeof *more);
        if (more == NULL)
            return NO_MEMORY;
        file->gaps = more;
    }
    int64_t number = (int64_t)file->gaps_size++;
    file->gaps[number] = (Gap){mention->end + 1, file->tokens - 1, -1};
    if (mention->gap < 0)
        mention->gap = number;
    else
        file->gaps[mention->last_gap].next = number;
    mention->last_gap = number;
    return PLAIN;
}

/* Every mention with an id that begins with this is a separate entity. */
static const char ALONE[] = "NOCOREF";

/* Return the number of a name with the suffix `#` and a number. */
static Verdict
number_name(Conllu *file, const byte *at, const byte *end, int64_t times, size_t *number)
{
    byte digits[24] = {0}, *first = digits + 16; /* eight bytes can be loaded after it */
    for (; times > 0; times /= 10)
        *--first = (byte)('0' + times % 10);
    *--first = '#';
    file->name.size = 0;
    TRY(append_letters(&file->name, at, (size_t)(end - at)));
    TRY(append_letters(&file->name, first, (size_t)(digits + sizeof digits - first)));
    at = file->name.at;
    return find_name(&file->names, at, at + file->name.size - 8, number);
}

/* Return the entity of a new mention, by the number of its name. */
static Verdict
begin_entity(Conllu *file, size_t number, int64_t parts, int64_t *entity)
{
    Name *name = use_name(file, number);
    const byte *at = file->names.text.at + name->begin, *end = at + name->size;
    size_t code = number;
    if (begins_with(at, end, ALONE)) {
        if (parts > 1 || find(at, end, '#') < end)
            return ODD;
        if (++name->times > 1)
            TRY(number_name(file, at, end, name->times, &code));
        name = use_name(file, number);
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
    if (file->mentions_size == file->mentions_room) {
        Mention *more = grow(file->mentions, file->mentions_size, 1,
                             &file->mentions_room, sizeof *more);
        if (more == NULL)
            return NO_MEMORY;
        file->mentions = more;
    }
    Mention *mention = &file->mentions[*number = file->mentions_size];
    *mention = (Mention){.start = file->tokens, .part = 1, .parts = parts};
    mention->gap = mention->last_gap = -1;
    TRY(begin_entity(file, name, parts, &mention->entity));
    file->mentions_size++;
    file->work += WORK_EACH;
    return PLAIN;
}

/* The values of a bracket: each ends a byte before the next cut. */
typedef struct {
    const byte *cuts[MAX_VALUES + 1];
    size_t count;
} Values;

/* Find a value by its field, and return its end; it is empty if it is missing. */
static inline const byte *
find_value(const Values *values, int64_t field, const byte **at)
{
    int there = field >= 0 && (size_t)field < values->count;
    *at = values->cuts[there ? field : 0];
    return there ? values->cuts[field + 1] - 1 : *at;
}

/* Read the positions in the first bracket of a mention. */
static Verdict
read_statements(const Conllu *file, const Values *values, Mention *mention)
{
    const byte *at, *end = find_value(values, file->field_head, &at);
    Positions head;
    TRY(read_positions(at, end, &head));
    if (find(at, end, ',') < end)
        return ODD;
    end = find_value(values, file->field_least, &at);
    TRY(read_positions(at, end, &mention->least));
    mention->head = file->field_head < 0 ? mention->least.first : head.first;
    return PLAIN;
}

/* Open a bracket, and return the number of its label. */
static Verdict
open_bracket(Conllu *file, const Values *values, size_t *label)
{
    const byte *id, *label_end = find_value(values, file->field_id, &id);
    const byte *end = label_end;
    int64_t part, parts;
    size_t name, number;
    if (values->count > (size_t)file->fields || id == end || find(id, end, '%') < end)
        return ODD;
    TRY(find_name(&file->names, id, label_end, label));
    TRY(read_part(id, &end, &part, &parts));
    if (id == end)
        return ODD;
    name = *label;
    if (end < label_end)
        TRY(find_name(&file->names, id, end, &name));
    if (part > 1) {
        TRY(take_waiting(file, use_name(file, name)->entity, part, parts, &number));
        TRY(add_part(file, &file->mentions[number]));
    }
    else {
        TRY(begin_mention(file, name, parts, &number));
        TRY(read_statements(file, values, &file->mentions[number]));
    }
    Name *opened = use_name(file, *label);
    file->mentions[number].under = opened->open;
    opened->open = (int64_t)number;
    file->open++;
    return PLAIN;
}

/* Close the last open bracket with a label. */
static Verdict
close_bracket(Conllu *file, size_t label)
{
    Name *name = use_name(file, label);
    if (name->open < 0)
        return ODD;
    size_t number = (size_t)name->open;
    Mention *mention = &file->mentions[number];
    name->open = mention->under;
    mention->end = file->tokens;
    file->open--;
    if (mention->part == mention->parts)
        return PLAIN;
    return append(&file->scratch[WAITING], number);
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
        values.count = 1;
        for (; at < end && *at != '(' && *at != ')'; at++)
            if (*at == '-') {
                if (values.count == MAX_VALUES)
                    return ODD;
                values.cuts[values.count++] = at + 1;
            }
        values.cuts[values.count] = at + 1;
        int closes = at < end && *at == ')';
        if (opens)
            TRY(open_bracket(file, &values, &label));
        else if (closes && at > text)
            TRY(find_name(&file->names, text, at, &label));
        else
            return ODD;
        if (closes)
            TRY(close_bracket(file, label));
        at += closes;
    }
    return PLAIN;
}

/* Append the number of a name in a link. */
static Verdict
read_linked(Conllu *file, const byte *at, const byte *end, Row *row)
{
    size_t name;
    if (at == end || find(at, end, '%') < end || begins_with(at, end, ALONE))
        return ODD;
    TRY(find_name(&file->names, at, end, &name));
    return append(row, name);
}

/* Read the comma-separated links of an item: `antecedent<anaphor`. */
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

/* Read the items of MISC about entities. */
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

/* ---- Lines and documents ---- */

/* Read an empty node with its enhanced dependencies. */
static Verdict
read_node(Conllu *file, const byte *at, const byte *end)
{
    Row *rows = file->rows;
    TRY(append(&rows[NODE_DOCUMENT], rows[DOCUMENT].size));
    TRY(add(&rows[NODE], file->tokens));
    TRY(append(&rows[INITIAL], file->word == 0));
    if (at == end || (end - at == 1 && *at == '_'))
        return PLAIN;
    for (const byte *stop;; at = stop + 1) {
        size_t relation;
        stop = find(at, end, '|');
        const byte *colon = find(at, stop, ':');
        TRY(find_name(&file->relations, colon + (colon < stop), stop, &relation));
        TRY(append(&rows[DEPENDENT], rows[NODE].size - 1));
        TRY(add(&rows[PARENT], read_id(at, colon)));
        TRY(append(&rows[RELATION], relation));
        if (stop == end)
            return PLAIN;
    }
}

/* Return whether an id is a range of words, `n-m`. */
static int
is_range(const byte *at, const byte *end)
{
    const byte *dash = find(at, end, '-');
    if (dash - at < 1 || dash - at > 9 || end - dash < 2 || end - dash > 10)
        return 0;
    for (; at < end; at++)
        if (at != dash && !is_digit(*at))
            return 0;
    return 1;
}

/* Read a line of ten columns, separated by the given tabs. */
static Verdict
take_token(Conllu *file, const byte *line, const byte *const *tabs, const byte *end)
{
    int64_t id = read_id(line, tabs[0]);
    if (id < 0)
        return is_range(line, tabs[0]) ? PLAIN : ODD;
    if (file->tokens == file->sentence)
        TRY(add(&file->scratch[WORD_TOKEN], file->tokens - 1));
    if (id == (file->word + 1) << 32) {
        file->word++;
        file->node = 0;
        TRY(add(&file->scratch[WORD_TOKEN], file->tokens));
        TRY(add(&file->scratch[PARENTS], read_id(tabs[5] + 1, tabs[6])));
        uint64_t hash = hash_letters(tabs[0] + 1, (size_t)(tabs[1] - tabs[0] - 1));
        file->hash += mix_position(hash, (uint64_t)file->words++);
    }
    else if (id == (file->word << 32 | (file->node + 1))) {
        file->node++;
        TRY(add(&file->scratch[PARENTS], NO_WORD));
        TRY(read_node(file, tabs[7] + 1, tabs[8]));
    }
    else
        return ODD;
    if (end - tabs[8] > 2)
        TRY(read_misc(file, tabs[8] + 1, end));
    file->tokens++;
    file->work += WORK_EACH;
    return PLAIN;
}

/* End the document. Lines before the first `newdoc` are a document too. */
static Verdict
end_conllu(Conllu *file)
{
    Row *rows = file->rows;
    if (!file->begun && !file->has_lines)
        return PLAIN;
    Verdict verdict = file->left ? ODD : write_conllu(file);
    if (verdict == NO_MEMORY)
        return verdict;
    int left = verdict != PLAIN;
    for (size_t i = 0; left && i < ROWS; i++)
        rows[i].size = file->before[i];
    TRY(append(&rows[BEGUN], (uint64_t)file->begun));
    TRY(add(&rows[DECLARED], file->declared_before));
    TRY(append(&rows[IS_LEFT], (uint64_t)left));
    TRY(add(&rows[WORDS], file->words ? file->words : -(file->tokens > 0)));
    TRY(append(&rows[HASH], file->hash));
    return append(&rows[DOCUMENT], file->start);
}

/* Skip blanks and tabs. */
static const byte *
skip_tabs(const byte *at, const byte *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* Read the declaration of the values of opening brackets. */
static Verdict
read_declaration(Conllu *file, const byte *at, const byte *end)
{
    static const char *const names[] = {"eid", "GRP", "head", "minspan"};
    int64_t *fields[] = {&file->field_id, &file->field_id, &file->field_head,
                         &file->field_least};
    size_t number;
    TRY(find_name(&file->declarations, at, end, &number));
    file->declared = (int64_t)number;
    file->field_id = file->field_head = file->field_least = -1;
    file->fields = 0;
    at = skip_tabs(at, end);
    while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    for (const byte *stop;; at = stop + 1) {
        stop = find(at, end, '-');
        for (int i = 0; i < 4; i++)
            if (*fields[i] < 0 && begins_with(at, stop, names[i]) &&
                strlen(names[i]) == (size_t)(stop - at))
                *fields[i] = file->fields;
        file->fields++;
        if (stop == end)
            return PLAIN;
    }
}

/* Return the id in a line `newdoc`, which may be empty; NULL for other lines. */
static const byte *
find_document_id(const byte *at, const byte *end)
{
    if (!begins_with(at, end, "newdoc"))
        return NULL;
    const byte *rest = skip_tabs(at + 6, end);
    if (rest == end)
        return end;
    if (rest == at + 6 || !begins_with(rest, end, "id"))
        return NULL;
    rest = skip_tabs(rest + 2, end);
    return rest < end && *rest == '=' ? rest + 1 : NULL;
}

/* Read a comment. It may begin a document, which includes the comments directly above, or
   declare the values of brackets. */
static Verdict
take_comment(Conllu *file, const byte *line, const byte *end, uint64_t offset)
{
    const byte *at = skip_tabs(line + 1, end), *id = find_document_id(at, end);
    if (file->comments < 0)
        file->comments = (int64_t)offset;
    if (id != NULL) {
        TRY(end_conllu(file));
        begin_conllu(file, (uint64_t)file->comments);
        file->begun = 1;
        file->declared_before = file->declared;
        file->left = file->comments_left;
        file->comments = -1;
        file->comments_left = 0;
        TRY(append_letters(&file->ids, id, (size_t)(end - id)));
        return append_letters(&file->ids, (const byte *)"\n", 1);
    }
    if (begins_with(at, end, "global.Entity")) {
        at = skip_tabs(at + 13, end);
        if (at < end && *at == '=') {
            TRY(read_declaration(file, at + 1, end));
            if (file->field_id < 0)
                file->comments_left = 1;
        }
    }
    return PLAIN;
}

/* Assign the comments above to the current document, not to the next one. */
static void
end_comments(Conllu *file)
{
    file->left |= file->comments_left;
    file->comments = -1;
    file->comments_left = 0;
}

/* Read complete lines, the first of them at an offset of the file. */
static Verdict
take_conllu(void *state, const byte *at, const byte *end, uint64_t offset)
{
    Conllu *file = state;
    const byte *begin = at;
    Signs signs = begin_signs(at);
    int sound = is_utf8(at, end);
    while (at < end) {
        const byte *tabs[9], *line = at, *stop;
        int count = 0;
        while (*(stop = next_sign(&signs)) != '\n')
            if (*stop == '\t' && count++ < 9)
                tabs[count - 1] = stop;
        at = stop + 1;
        while (stop > line && stop[-1] == '\r')
            stop--;
        int is_sound = sound || is_utf8(line, stop);
        if (*line == '#') {
            file->comments_left |= !is_sound;
            TRY(take_comment(file, line, stop, offset + (uint64_t)(line - begin)));
            continue;
        }
        end_comments(file);
        if (skip_tabs(line, stop) == stop) {
            if (!file->left)
                end_sentence(file);
            continue;
        }
        file->has_lines = 1;
        if (file->left)
            continue;
        Verdict verdict = ODD;
        if (count == 9 && is_sound)
            verdict = take_token(file, line, tabs, stop);
        if (verdict == NO_MEMORY)
            return verdict;
        file->left = verdict != PLAIN;
    }
    return PLAIN;
}

/* Append declarations, relations and names to the ids of documents. */
static Verdict
finish_conllu(Conllu *file)
{
    const Names *names[] = {&file->declarations, &file->relations, &file->names};
    end_comments(file);
    TRY(end_conllu(file));
    TRY(append(&file->rows[TEXTS], file->ids.size));
    for (int i = 0; i < 3; i++) {
        TRY(append_letters(&file->ids, names[i]->text.at, names[i]->text.size));
        TRY(append(&file->rows[TEXTS], file->ids.size));
    }
    return PLAIN;
}

PyDoc_STRVAR(read_conllu_doc,
"read_conllu(readinto, offset, room, /)\n"
"--\n\n"
"Read a CoNLL-U file: lines of text, then rows of numbers; None without memory.\n"
"Documents that are left to Python have no mentions, and are marked.");

static PyObject *
read_conllu(PyObject *module, PyObject *arguments)
{
    PyObject *readinto, *result = NULL;
    unsigned long long offset;
    Py_ssize_t room;
    Verdict verdict = PLAIN;
    Block block;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OKn", &readinto, &offset, &room))
        return NULL;
    Conllu *file = realloc(NULL, sizeof *file);
    if (file == NULL)
        Py_RETURN_NONE;
    memset(file, 0, sizeof *file);
    file->field_id = file->declared = file->declared_before = file->comments = -1;
    begin_conllu(file, offset);
    if (open_block(&block, readinto, room, offset) == 0) {
        if (read_blocks(&block, take_conllu, NULL, file, &verdict) == 0 && verdict == PLAIN &&
            (verdict = finish_conllu(file)) == PLAIN) {
            Row *rows[ROWS];
            for (size_t i = 0; i < ROWS; i++)
                rows[i] = &file->rows[i];
            result = make_tuple(&file->ids, rows, ROWS);
        }
        close_block(&block);
    }
    clear_conllu(file);
    free(file);
    if (verdict != PLAIN)
        Py_RETURN_NONE;
    return result;
}

#endif
