/* CoNLL-2012 files: the rules are those of corefkit.formats.conll.conll. */

#ifndef COREFKIT_CONLL_H
#define COREFKIT_CONLL_H

#include "mentions.h"

enum { LONGEST_ID = 17, LONGEST_HEAD = 256, MOST_ITEMS = 64 };

typedef struct {
    int reference;  /* read as the reference scorer does */
    int inside;     /* whether a document has begun and not ended */
    int known;      /* whether its words are, so far */
    uint64_t token; /* how many tokens it has, so far */
    uint64_t hash;  /* of its words, so far */
    size_t head;    /* how many bytes of its first line stand before the third column */
    byte model[LONGEST_HEAD + 8]; /* these bytes; none where they are too many */
    Mentions mentions;
    Letters names;                         /* of all documents, each with a line end */
    Row begin, body, stop, tokens, hashes; /* of all documents */
} Conll;

/* Say whether a line is `#`, blanks, some words; return what is behind them, or NULL. */
static const byte *
behind_marker(const byte *at, const byte *end, const char *words)
{
    size_t length = strlen(words);
    at++;
    while (at < end && is_space(*at))
        at++;
    if ((size_t)(end - at) < length || memcmp(at, words, length) != 0)
        return NULL;
    return at + length;
}

typedef enum { CLOSES = 1, OPENS = 2, BOTH = 3 } Kind;

typedef struct {
    uint64_t code; /* of the id of its entity */
    Kind kind;
} Bracket;

/* Let one bracket count. */
static inline Verdict
take_bracket(Conll *conll, Bracket bracket)
{
    Mentions *all = &conll->mentions;
    size_t entity;
    Verdict verdict = entity_of(all, bracket.code, &entity);
    if (verdict != PLAIN)
        return verdict;
    if (bracket.kind == BOTH)
        return add_mention(all, entity, conll->token, conll->token);
    if (bracket.kind == OPENS)
        return open_mention(all, entity, conll->token);
    return close_mention(all, entity, conll->token);
}

/* Read one bracket of a cell, and go behind it. */
static inline Verdict
read_bracket(const byte **at, Bracket *bracket)
{
    const byte *digits = *at + (**at == '('), *end = digits;
    uint64_t value = 0;
    while (is_digit(*end))
        value = value * 10 + (uint64_t)(*end++ - '0');
    size_t length = (size_t)(end - digits);
    int kind = (digits > *at ? OPENS : 0) | (*end == ')' ? CLOSES : 0);
    if (length == 0 || length > LONGEST_ID || kind == 0)
        return ODD;
    *at = end + (*end == ')');
    *bracket = (Bracket){value * (LONGEST_ID + 1) + length, (Kind)kind};
    return PLAIN;
}

/* Read a cell: brackets, with or without bars between them. */
static Verdict
read_cell(Conll *conll, const byte *at, const byte *end)
{
    while (at < end) {
        Bracket bracket;
        Verdict verdict;
        if (*at == '|') {
            at++;
            continue;
        }
        if ((verdict = read_bracket(&at, &bracket)))
            return verdict;
        if ((verdict = take_bracket(conll, bracket)))
            return verdict;
    }
    return PLAIN;
}

/* Read a cell as the reference scorer does: one-token mentions first, then what opens,
   then what closes. Where no bar follows a bracket, it may see other brackets. */
static Verdict
read_reference_cell(Conll *conll, const byte *at, const byte *end)
{
    Bracket brackets[MOST_ITEMS];
    size_t many = 0;
    Verdict verdict;
    while (at < end) {
        if (*at == '|') {
            at++;
            continue;
        }
        if (many == MOST_ITEMS)
            return ODD;
        if ((verdict = read_bracket(&at, &brackets[many++])))
            return verdict;
        if (at < end && *at != '|')
            return ODD;
    }
    for (int kind = BOTH; kind >= CLOSES; kind--)
        for (size_t i = 0; i < many; i++)
            if ((int)brackets[i].kind == kind)
                if ((verdict = take_bracket(conll, brackets[i])))
                    return verdict;
    return PLAIN;
}

/* Say whether one of eight bytes is `(`, `)` or `#`. */
static inline int
may_have_signs(uint64_t loaded)
{
    const uint64_t each = 0x0101010101010101;
    uint64_t brackets = (loaded & each * 0xFE) ^ each * '(';
    uint64_t hashes = loaded ^ each * '#';
    uint64_t found = (brackets - each) & ~brackets;
    return ((found | ((hashes - each) & ~hashes)) & HIGH_BITS) != 0;
}

/* Say whether the reference scorer finds brackets in the columns of a line before its
   cell, or the end of a document. */
static int
has_signs(const byte *at, const byte *cell, const byte *end)
{
    while (at < cell) {
        const byte *stop = cell - at < 8 ? cell : at + 8;
        if (!may_have_signs(eight(at))) {
            at = stop;
            continue;
        }
        for (; at < stop; at++) {
            if (*at == '(' && is_digit(at[1]))
                return 1;
            if (*at == ')' && is_digit(at[-1]))
                return 1;
            if (*at == '#' && behind_marker(at, end, "end document") != NULL)
                return 1;
        }
    }
    return 0;
}

/* Find the third column of a line, or its end; mostly it stands as in the first line of
   the document, behind the same bytes. */
static inline const byte *
third_column(Conll *conll, const byte *start, const byte *end)
{
    size_t head = conll->head;
    if (head > 0 && (size_t)(end - start) > head) {
        size_t done = 0;
        uint64_t other = 0;
        for (; done + 8 <= head; done += 8)
            other |= eight(start + done) ^ eight(conll->model + done);
        uint64_t last = eight(start + done) ^ eight(conll->model + done);
        other |= last & (((uint64_t)1 << (head - done) * 8) - 1);
        if (other == 0 && start[head] > ' ')
            return start + head;
    }
    const byte *at = start;
    for (int column = 0; column < 2; column++)
        at = skip_blanks(word_end(at), end);
    if (conll->token == 0 && at < end && at - start <= LONGEST_HEAD) {
        conll->head = (size_t)(at - start);
        memcpy(conll->model, start, conll->head);
    }
    return at;
}

/* Add the word of a line to the hash of its document: the fourth column of five or more,
   behind one that is a number in the document's first line. */
static inline void
read_word(Conll *conll, const byte *start, const byte *end)
{
    const byte *at = third_column(conll, start, end);
    uint64_t hash;
    if (at >= end || (conll->token == 0 && !is_digit(*at))) {
        conll->known = 0;
        return;
    }
    at = skip_blanks(word_end(at), end);
    if (at >= end || hash_word(at, &hash) >= end) {
        conll->known = 0;
        return;
    }
    conll->hash += mixed(hash, conll->token);
}

/* Read the line of a token, which has no blanks around it. */
static inline Verdict
read_token(Conll *conll, const byte *start, const byte *end)
{
    const byte *cell = end - 1;
    byte last = *cell;
    Verdict verdict = PLAIN;
    if (conll->known)
        read_word(conll, start, end);
    int empty = last == '-' || last == '_' || last == '*';
    empty &= cell == start || cell[-1] <= ' ';
    while (!empty && cell > start && cell[-1] > ' ')
        cell--;
    if (conll->reference && (*end == ' ' || *end == '\t' || has_signs(start, cell, end)))
        return ODD;
    if (!empty)
        verdict = conll->reference ? read_reference_cell(conll, cell, end)
                                   : read_cell(conll, cell, end);
    conll->token++;
    return verdict;
}

/* Begin a document whose first line has this name, and lies here in the file. */
static Verdict
begin_document(Conll *conll, const byte *name, const byte *end, uint64_t offset)
{
    if (conll->inside)
        return ODD;
    if (end > name && end[-1] == '\r')
        end--;
    while (!conll->reference && end > name && is_space(end[-1]))
        end--;
    conll->inside = conll->known = 1;
    conll->token = conll->hash = conll->head = 0;
    if (append_letters(&conll->names, name, (size_t)(end - name)) ||
        append_letters(&conll->names, (const byte *)"\n", 1) ||
        append(&conll->begin, offset))
        return NO_MEMORY;
    return begin_mentions(&conll->mentions);
}

/* End a document whose last line lies here in the file. */
static Verdict
end_document(Conll *conll, uint64_t offset)
{
    if (!conll->inside)
        return ODD;
    conll->inside = 0;
    if (append(&conll->stop, offset) || append(&conll->tokens, conll->token) ||
        append(&conll->hashes, conll->known ? conll->hash : 0))
        return NO_MEMORY;
    return end_mentions(&conll->mentions);
}

/* Read a line that begins with `#`: it begins or ends a document, or is a comment. */
static Verdict
read_comment(Conll *conll, const byte *start, const byte *end, uint64_t offset)
{
    const byte *name = behind_marker(start, end, "begin document ");
    if (name != NULL) {
        Verdict verdict = begin_document(conll, name, end, offset);
        /* The tokens begin behind the line end, which the last line may lack. */
        return verdict ? verdict : append(&conll->body, offset + (end - start) + 1);
    }
    if (behind_marker(start, end, "end document") != NULL)
        return end_document(conll, offset);
    /* To the reference scorer comments are tokens. */
    return conll->reference && conll->inside ? ODD : PLAIN;
}

/* Read whole lines, of which the first lies here in the file. */
static Verdict
read_conll_lines(Conll *conll, const byte *at, const byte *stop, uint64_t offset)
{
    const byte *first = at;
    while (at < stop) {
        const byte *end = memchr(at, '\n', (size_t)(stop - at)), *start = at;
        Verdict verdict = PLAIN;
        if (end == NULL)
            end = stop;
        at = end + 1;
        if (*start == '#') {
            verdict = read_comment(conll, start, end, offset + (start - first));
        }
        else if (conll->inside) {
            while (end > start && end[-1] <= ' ')
                end--;
            start = skip_blanks(start, end);
            if (start < end && (*start != '#' || conll->reference))
                verdict = read_token(conll, start, end);
        }
        else {
            while (start < end && is_space(*start))
                start++;
            verdict = start == end || *start == '#' ? PLAIN : ODD;
        }
        if (verdict != PLAIN)
            return verdict;
    }
    return PLAIN;
}

static void
clear_conll(Conll *conll)
{
    Row *rows[] = {&conll->begin, &conll->body, &conll->stop, &conll->tokens,
                   &conll->hashes};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        clear(rows[i]);
    free(conll->names.at);
    clear_mentions(&conll->mentions);
}

/* Read all of a file; -1 with an error set where it cannot be fetched. */
static int
read_whole_conll(Conll *conll, Block *block, Verdict *verdict)
{
    Py_ssize_t size = next_lines(block, 0);
    while (size > 0) {
        Py_BEGIN_ALLOW_THREADS
        const byte *text = block->text;
        *verdict = read_conll_lines(conll, text, text + size, block->offset);
        Py_END_ALLOW_THREADS
        if (*verdict != PLAIN)
            return 0;
        size = next_lines(block, (size_t)size);
    }
    if (size == 0 && (!block->ended || conll->inside))
        *verdict = ODD;
    return size < 0 ? -1 : 0;
}

PyDoc_STRVAR(read_conll_doc,
"read_conll(readinto, offset, reference, block)\n--\n\n"
"Read a CoNLL-2012 file whose text begins at an offset; None where it is not plain.\n\n"
"Returns the names of the documents, each with a line end, then rows of 64-bit\n"
"numbers: for each document where it begins, where its tokens begin and end, how\n"
"many there are, the hash of its words, and the bounds of its entities and mentions\n"
"(one more than documents); for each entity the code of its id; for each mention\n"
"its entity, first and last token.");

static PyObject *
read_conll(PyObject *module, PyObject *arguments)
{
    PyObject *readinto, *found = NULL;
    unsigned long long offset;
    Py_ssize_t room;
    int reference;
    Verdict verdict = PLAIN;
    Block block;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OKpn", &readinto, &offset, &reference, &room))
        return NULL;
    Conll *conll = realloc(NULL, sizeof(Conll));
    if (conll == NULL)
        Py_RETURN_NONE;
    memset(conll, 0, sizeof(Conll));
    conll->reference = reference;
    Mentions *all = &conll->mentions;
    if (append(&all->entities, 0) || append(&all->mentions, 0))
        verdict = NO_MEMORY;
    if (verdict == PLAIN && open_block(&block, readinto, room, offset) == 0) {
        if (read_whole_conll(conll, &block, &verdict) == 0 && verdict == PLAIN) {
            Row *rows[] = {&conll->begin,  &conll->body,    &conll->stop,
                           &conll->tokens, &conll->hashes,  &all->entities,
                           &all->mentions, &all->code,      &all->entity,
                           &all->start,    &all->end};
            clear(&all->closed);
            found = as_tuple(&conll->names, rows, sizeof rows / sizeof *rows);
        }
        close_block(&block);
    }
    clear_conll(conll);
    free(conll);
    if (verdict != PLAIN)
        Py_RETURN_NONE;
    return found;
}

#endif
