/* CoNLL-U: what is known of a file and its document, so far. The rules of the format are
   those of corefkit.formats.conllu.conllu. */

#ifndef COREFKIT_CONLLU_STATE_H
#define COREFKIT_CONLLU_STATE_H

#include "names.h"

/* The rows that Python gets, in this order. */
enum {
    DOCUMENT, BEGUN, DECLARED, IS_LEFT, WORDS, HASH, /* of documents */
    ENTITY, START, END, HEAD, LEAST_START, LEAST_END, /* of mentions, by entity */
    ENTITY_DOCUMENT, ENTITY_CODE,
    GAP, GAP_START, GAP_END,
    SPLIT, BRIDGE, /* pairs and triples */
    NODE_DOCUMENT, NODE, INITIAL, /* of empty nodes */
    DEPENDENT, PARENT, RELATION, /* of their dependencies */
    TEXTS, /* where ids of documents, declarations, relations and names end in the text */
    ROWS
};

/* Rows that are used for each document anew. */
enum {
    WORD_TOKEN, /* of a sentence's words; of word 0, the token before the first */
    PARENTS,    /* of tokens: an id as `place` gives it, then a token; -1 if none */
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

/* A mention while its brackets are found. */
typedef struct {
    int64_t entity, start, end;
    int64_t part, parts;   /* the part opened last, and how many there are */
    int64_t under;         /* the mention opened before under its label, or -1 */
    int64_t head;          /* what is stated as the head */
    Positions least;       /* what is stated as the minimum */
    int64_t gap, last_gap; /* its first and last gap, or -1 */
} Found;

/* Tokens inside a mention that are not of it; `next` is the next gap of it, or -1. */
typedef struct {
    int64_t start, end, next;
} Gap;

typedef struct {
    Row rows[ROWS], scratch[SCRATCH];
    size_t before[ROWS]; /* how long rows were before the document */
    Names names, relations, declarations;
    Letters ids;  /* of documents that a line begins, each with a line end */
    Letters name; /* one that is made */
    /* Which value of an opening bracket is what, or -1; how many there are; the number of
       the declaration that says so, or -1. */
    int64_t field_id, field_head, field_least, fields, declared;
    int64_t comments;  /* where the comments right above begin, or -1 */
    int comments_left; /* whether one of them is not plain */
    /* The document. */
    uint64_t start, hash;
    int64_t declared_before;
    int begun;     /* whether a line begins it */
    int left;      /* whether it is not plain */
    int has_lines; /* whether it has lines beside comments and blank ones */
    int64_t tokens, words, sentences, entities;
    int64_t open; /* how many brackets are open */
    int64_t work; /* how many steps it may take beside those that its lines pay for */
    Found *found;
    size_t found_size, found_room;
    Gap *gaps;
    size_t gaps_size, gaps_room;
    /* The sentence: its first token, its last word, the last node behind that word, and
       its first dependency. */
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
    free(file->found);
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
    file->found_size = file->gaps_size = 0;
    file->sentence = file->word = file->node = 0;
    file->dependencies = file->rows[PARENT].size;
}

/* Put a number behind a row; those below 0 stand in 64 bits as they do in Python. */
static inline Verdict
add(Row *row, int64_t number)
{
    return append(row, (uint64_t)number);
}

/* Count steps: a document that takes too many has a shape that Python is faster at. */
static inline Verdict
count_steps(Conllu *file, int64_t steps)
{
    file->work -= steps;
    return file->work < 0 ? ODD : PLAIN;
}

/* Read a number of at most nine digits, and go behind it; -1 where none is, or it has a 0
   in front. */
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

/* Read the id of a token, `n` or `n.k`, as one number; -1 where it is none. */
static inline int64_t
place(const byte *at, const byte *end)
{
    int64_t word = read_number(&at, end), node = 0;
    if (word >= 0 && at < end && *at == '.') {
        at++;
        node = read_number(&at, end);
        word = node < 1 ? -1 : word;
    }
    return word < 0 || at < end ? -1 : word << 32 | node;
}

/* Find the token of the sentence with such an id, or -1. */
static inline int64_t
token_at(const Conllu *file, int64_t id)
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

/* End the sentence: only now the ids of all its tokens are known. */
static void
end_sentence(Conllu *file)
{
    Row *parents = &file->scratch[PARENTS], *enhanced = &file->rows[PARENT];
    if (file->tokens == file->sentence)
        return;
    for (size_t token = (size_t)file->sentence; token < parents->size; token++)
        if ((int64_t)parents->at[token] != NO_WORD)
            parents->at[token] = (uint64_t)token_at(file, (int64_t)parents->at[token]);
    for (size_t row = file->dependencies; row < enhanced->size; row++) {
        int64_t token = token_at(file, (int64_t)enhanced->at[row]);
        enhanced->at[row] = (uint64_t)(token < 0 ? -1 - file->sentences : token);
    }
    file->sentences++;
    file->sentence = file->tokens;
    file->word = file->node = 0;
    file->dependencies = enhanced->size;
    file->scratch[WORD_TOKEN].size = 0;
}

/* Return what is known of a name in this document. */
static Name *
name_here(Conllu *file, size_t number)
{
    Name *name = &file->names.at[number];
    if (name->document != file->rows[DOCUMENT].size) {
        name->document = file->rows[DOCUMENT].size;
        name->entity = name->open = -1;
        name->times = 0;
    }
    return name;
}

#endif
