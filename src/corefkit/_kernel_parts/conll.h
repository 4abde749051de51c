/* CoNLL-2012 and SemEval-2010 files: the rules are those of corefkit.formats.conll and
   corefkit.formats.semeval. */

#ifndef COREFKIT_CONLL_H
#define COREFKIT_CONLL_H

#include "mentions.h"

enum { MAX_ID_DIGITS = 17, MAX_HEAD = 256, MAX_ITEMS = 64, MAX_NUMBER_DIGITS = 9 };
enum { PART_MENTIONS = 1 << 16 }; /* rows of more mentions are flushed */

/* How a file is read: CoNLL-2012, the same as the reference scorer reads it, SemEval. */
typedef enum { CONLL, REFERENCE, SEMEVAL, DIALECTS } Dialect;

typedef struct {
    Dialect dialect;
    int inside;      /* whether a document has begun and not ended */
    int left;        /* whether it is not plain */
    int known;       /* whether its words are known so far */
    uint64_t token;  /* number of its tokens so far */
    uint64_t hash;   /* of its words so far */
    uint64_t first, previous; /* SemEval: numbers of its first and of its last token */
    size_t head;     /* number of bytes before the third column of its first line */
    byte model[MAX_HEAD + 8]; /* these bytes, if there are at most MAX_HEAD of them */
    Mentions mentions;
    Letters names; /* of all documents, each with a line end */
    Row begin, stop, is_left, tokens, hashes; /* of all documents */
    PyObject *parts[3]; /* lists of flushed rows: lengths, codes, spans */
} Conll;

/* Return the end of a marker: `#`, blanks and some words; NULL if there is none. */
static const byte *
skip_marker(const byte *at, const byte *end, const char *words, Dialect dialect)
{
    size_t length = strlen(words);
    at++;
    while (at < end && (dialect == SEMEVAL ? *at == ' ' || *at == '\t' : is_space(*at)))
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

static inline Verdict
take_bracket(Conll *file, Bracket bracket)
{
    Mentions *all = &file->mentions;
    size_t entity;
    TRY(find_entity(all, bracket.code, &entity));
    if (bracket.kind == BOTH)
        return add_mention(all, entity, file->token, file->token);
    if (bracket.kind == OPENS)
        return open_mention(all, entity, file->token);
    return close_mention(all, entity, file->token);
}

/* Read a bracket of a cell, and move to its end. */
static inline Verdict
read_bracket(const byte **at, Bracket *bracket)
{
    const byte *digits = *at + (**at == '('), *end = digits;
    uint64_t value = 0;
    while (is_digit(*end))
        value = value * 10 + (uint64_t)(*end++ - '0');
    size_t length = (size_t)(end - digits);
    int kind = (digits > *at ? OPENS : 0) | (*end == ')' ? CLOSES : 0);
    if (length == 0 || length > MAX_ID_DIGITS || kind == 0)
        return ODD;
    *at = end + (*end == ')');
    *bracket = (Bracket){value * (MAX_ID_DIGITS + 1) + length, (Kind)kind};
    return PLAIN;
}

/* Read a cell: brackets, with or without bars between them. */
static Verdict
read_cell(Conll *file, const byte *at, const byte *end)
{
    while (at < end) {
        Bracket bracket;
        if (*at == '|') {
            at++;
            continue;
        }
        TRY(read_bracket(&at, &bracket));
        TRY(take_bracket(file, bracket));
    }
    return PLAIN;
}

/* Read a cell as the reference scorer does: one-token mentions first, then opening and
   closing brackets. Without bars between brackets, it may see other brackets. */
static Verdict
read_reference_cell(Conll *file, const byte *at, const byte *end)
{
    Bracket brackets[MAX_ITEMS];
    size_t count = 0;
    while (at < end) {
        if (*at == '|') {
            at++;
            continue;
        }
        if (count == MAX_ITEMS)
            return ODD;
        TRY(read_bracket(&at, &brackets[count++]));
        if (at < end && *at != '|')
            return ODD;
    }
    for (int kind = BOTH; kind >= CLOSES; kind--)
        for (size_t i = 0; i < count; i++)
            if ((int)brackets[i].kind == kind)
                TRY(take_bracket(file, brackets[i]));
    return PLAIN;
}

/* Return whether the reference scorer may find brackets in a text. */
static int
has_brackets(const byte *at, const byte *end)
{
    for (; at < end; at++) {
        if (*at == '(' && is_digit(at[1]))
            return 1;
        if (*at == ')' && is_digit(at[-1]))
            return 1;
    }
    return 0;
}

/* Return whether the reference scorer finds the end of a document anywhere in a line. */
static int
has_end(const byte *at, const byte *end)
{
    while ((at = find(at, end, '#')) < end) {
        if (skip_marker(at, end, "end document", REFERENCE) != NULL)
            return 1;
        at++;
    }
    return 0;
}

/* Find the third column of a line, or its end; the columns before it are mostly the same
   bytes as in the first line of the document. */
static inline const byte *
find_third_column(Conll *file, const byte *start, const byte *end)
{
    size_t head = file->head;
    if (head > 0 && (size_t)(end - start) > head) {
        size_t done = 0;
        uint64_t other = 0;
        for (; done + 8 <= head; done += 8)
            other |= eight(start + done) ^ eight(file->model + done);
        uint64_t last = eight(start + done) ^ eight(file->model + done);
        other |= last & (((uint64_t)1 << (head - done) * 8) - 1);
        if (other == 0 && start[head] > ' ')
            return start + head;
    }
    const byte *at = start;
    for (int column = 0; column < 2; column++)
        at = skip_blanks(find_word_end(at), end);
    if (file->token == 0 && at < end && at - start <= MAX_HEAD) {
        file->head = (size_t)(at - start);
        memcpy(file->model, start, file->head);
    }
    return at;
}

/* Add the word of a line to the hash of its document: the fourth column of five or more,
   after one that is a number in the document's first line. */
static inline void
read_word(Conll *file, const byte *start, const byte *end)
{
    const byte *at = find_third_column(file, start, end);
    uint64_t hash;
    if (at >= end || (file->token == 0 && !is_digit(*at))) {
        file->known = 0;
        return;
    }
    at = skip_blanks(find_word_end(at), end);
    if (at >= end || hash_word(at, &hash) >= end) {
        file->known = 0;
        return;
    }
    file->hash += mix_position(hash, file->token);
}

/* Check the number of a token, the first column: it follows the previous one, or is that
   of the first token. */
static inline Verdict
check_number(Conll *file, const byte *start)
{
    const byte *at = start;
    uint64_t number = 0;
    while (is_digit(*at) && at - start <= MAX_NUMBER_DIGITS)
        number = number * 10 + (uint64_t)(*at++ - '0');
    if (at == start || at - start > MAX_NUMBER_DIGITS || *at > ' ' ||
        (*start == '0' && at - start > 1))
        return ODD;
    if (file->token == 0) {
        if (number > 1)
            return ODD;
        file->first = number;
    }
    else if (number != file->previous + 1 && number != file->first)
        return ODD;
    file->previous = number;
    return PLAIN;
}

/* Read the number and the word of a line, the first two of three columns or more. With
   two columns there are no words; the lines of a document all have a word, or none. */
static inline Verdict
read_numbered_word(Conll *file, const byte *start, const byte *end)
{
    uint64_t hash;
    TRY(check_number(file, start));
    const byte *at = skip_blanks(find_word_end(start), end);
    if (at >= end)
        return ODD;
    int has_word = hash_word(at, &hash) < end;
    if (file->token == 0)
        file->known = has_word;
    else if (file->known != has_word)
        return ODD;
    if (has_word)
        file->hash += mix_position(hash, file->token);
    return PLAIN;
}

/* Read the line of a token, without the blanks around it. */
static inline Verdict
read_token(Conll *file, const byte *start, const byte *end)
{
    const byte *cell = end - 1;
    byte last = *cell;
    if (file->token == UINT32_MAX)
        return ODD;
    if (file->dialect == SEMEVAL)
        TRY(read_numbered_word(file, start, end));
    else if (file->known)
        read_word(file, start, end);
    int empty = last == '-' || last == '_' || last == '*';
    empty &= cell == start || cell[-1] <= ' ';
    while (!empty && cell > start && cell[-1] > ' ')
        cell--;
    if (file->dialect == REFERENCE) {
        /* It reads all text after the last tab, which is more than the cell if columns
           are separated by blanks. */
        if (*end == ' ' || *end == '\t')
            return ODD;
        if (cell > start && cell[-1] != '\t' && has_brackets(start, cell))
            return ODD;
        if (!empty)
            TRY(read_reference_cell(file, cell, end));
    }
    else if (!empty)
        TRY(read_cell(file, cell, end));
    file->token++;
    return PLAIN;
}

/* Begin a document, whose first line has a name. */
static Verdict
begin_document(Conll *file, const byte *name, const byte *end, uint64_t offset)
{
    if (file->inside)
        return ODD_FILE;
    if (end > name && end[-1] == '\r')
        end--;
    while (file->dialect != REFERENCE && end > name && is_space(end[-1]))
        end--;
    while (file->dialect == SEMEVAL && name < end && is_space(*name))
        name++;
    file->inside = file->known = 1;
    file->left = 0;
    file->token = file->hash = file->head = 0;
    TRY(append_letters(&file->names, name, (size_t)(end - name)));
    TRY(append_letters(&file->names, (const byte *)"\n", 1));
    TRY(append(&file->begin, offset));
    return begin_mentions(&file->mentions);
}

/* End a document at an offset of the file. A document that is not plain has no mentions
   here: Python reads it. */
static Verdict
end_document(Conll *file, uint64_t offset)
{
    Mentions *all = &file->mentions;
    if (!file->inside)
        return ODD_FILE;
    Verdict verdict = file->left ? ODD : end_mentions(all);
    if (verdict == NO_MEMORY)
        return verdict;
    file->inside = 0;
    TRY(append(&file->stop, offset));
    TRY(append(&file->is_left, verdict == ODD));
    TRY(append(&file->tokens, file->token));
    TRY(append(&file->hashes, file->known ? file->hash : 0));
    TRY(append(&all->entities, all->flushed_entities + all->code.size));
    return append(&all->mentions, all->flushed_mentions + all->span.size);
}

/* Read a line that begins with `#`: it begins or ends a document, or is a comment. */
static Verdict
read_comment(Conll *file, const byte *start, const byte *mark, const byte *end,
             uint64_t offset)
{
    int is_semeval = file->dialect == SEMEVAL;
    const char *words = is_semeval ? "begin document" : "begin document ";
    const byte *name = skip_marker(mark, end, words, file->dialect);
    if (name != NULL && (!is_semeval || name == end || is_space(*name))) {
        TRY(begin_document(file, name, end, offset));
        file->left = is_semeval && !is_utf8(start, end);
        return PLAIN;
    }
    name = skip_marker(mark, end, "end document", file->dialect);
    if (name != NULL && (!is_semeval || name == end || is_space(*name)))
        return end_document(file, offset);
    /* For the reference scorer, comments are tokens. */
    if (file->inside && file->dialect == REFERENCE)
        return ODD;
    return file->inside && is_semeval && !is_utf8(start, end) ? ODD : PLAIN;
}

/* Read a line at an offset of the file. */
static Verdict
read_conll_line(Conll *file, const byte *start, const byte *end, uint64_t offset)
{
    const byte *mark = start;
    if (!file->inside || file->dialect == SEMEVAL)
        while (mark < end && is_space(*mark))
            mark++;
    if (mark < end && *mark == '#' && (mark == start || file->dialect == SEMEVAL))
        return read_comment(file, start, mark, end, offset);
    if (!file->inside)
        return mark == end || *mark == '#' ? PLAIN : ODD_FILE;
    if (file->left)
        return PLAIN;
    if (file->dialect == SEMEVAL && !is_utf8(start, end))
        return ODD;
    while (end > start && end[-1] <= ' ')
        end--;
    start = skip_blanks(start, end);
    if (start == end || (*start == '#' && file->dialect != REFERENCE))
        return PLAIN;
    return read_token(file, start, end);
}

/* Read complete lines, the first of them at an offset of the file. */
static Verdict
read_conll_lines(void *state, const byte *at, const byte *stop, uint64_t offset)
{
    Conll *file = state;
    const byte *first = at, *sign = at;
    while (at < stop) {
        const byte *start = at, *end = find(at, stop, '\n');
        at = end + 1;
        uint64_t place = offset + (uint64_t)(start - first);
        Verdict verdict = read_conll_line(file, start, end, place);
        if (verdict == ODD)
            file->left = 1;
        else if (verdict != PLAIN)
            return verdict;
        if (file->dialect != REFERENCE)
            continue;
        /* For the reference scorer, a document may end inside a line. */
        if (sign < start)
            sign = find(start, stop, '#');
        if (sign < end && file->inside && has_end(sign, end))
            return ODD_FILE;
    }
    return PLAIN;
}

/* Store numbers in 32 bits if all fit, and return their size in bytes. A span fits if
   both tokens fit 16 bits, of which the first is in the high ones. */
static size_t
narrow(Row *row, int are_spans)
{
    const uint64_t high = are_spans ? 0xFFFF0000FFFF0000 : ~(uint64_t)INT32_MAX;
    uint64_t all = 0;
    for (size_t i = 0; i < row->size; i++)
        all |= row->at[i];
    if (all & high)
        return row->size * sizeof(uint64_t);
    for (size_t i = 0; i < row->size; i++) {
        uint64_t wide = row->at[i];
        uint32_t number = (uint32_t)(are_spans ? wide >> 16 | wide : wide);
        memcpy((byte *)row->at + i * sizeof number, &number, sizeof number);
    }
    return row->size * sizeof(uint32_t);
}

/* Move the rows of mentions and entities to Python: as parts they need not grow. */
static int
flush_rows(Conll *file)
{
    Mentions *all = &file->mentions;
    Row *rows[] = {&all->length, &all->code, &all->span};
    all->flushed_entities += all->code.size;
    all->flushed_mentions += all->span.size;
    for (int i = 0; i < 3; i++) {
        Py_ssize_t size = (Py_ssize_t)narrow(rows[i], rows[i] == &all->span);
        PyObject *part = PyBytes_FromStringAndSize(size ? (char *)rows[i]->at : "", size);
        int failed = part == NULL || PyList_Append(file->parts[i], part) < 0;
        Py_XDECREF(part);
        if (failed)
            return -1;
        rows[i]->size = 0;
    }
    return 0;
}

static int
flush_conll(void *file)
{
    int is_full = ((Conll *)file)->mentions.span.size >= PART_MENTIONS;
    return is_full ? flush_rows(file) : 0;
}

/* Make the result of a file, whose rows are cleared. */
static PyObject *
make_conll_result(Conll *file)
{
    Mentions *all = &file->mentions;
    Row *rows[] = {&file->begin,  &file->stop,   &file->is_left, &file->tokens,
                   &file->hashes, &all->entities, &all->mentions};
    if (flush_rows(file) < 0)
        return NULL;
    PyObject *tuple = make_tuple(&file->names, rows, sizeof rows / sizeof *rows);
    PyObject *parts = PyTuple_Pack(3, file->parts[0], file->parts[1], file->parts[2]);
    PyObject *result = tuple && parts ? PySequence_Concat(tuple, parts) : NULL;
    Py_XDECREF(tuple);
    Py_XDECREF(parts);
    return result;
}

static void
clear_conll(Conll *file)
{
    for (int i = 0; i < 3; i++)
        Py_CLEAR(file->parts[i]);
    Row *rows[] = {&file->begin, &file->stop, &file->is_left, &file->tokens,
                   &file->hashes};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        clear(rows[i]);
    free(file->names.at);
    clear_mentions(&file->mentions);
}

PyDoc_STRVAR(read_conll_doc,
"read_conll(readinto, offset, dialect, room, /)\n--\n\n"
"Read a CoNLL-2012 file (dialect 0), as the reference scorer reads it (1), or a\n"
"SemEval-2010 file (2), whose text begins at an offset; None if its documents cannot\n"
"be told apart.\n\n"
"Returns the names of the documents, each with a line end, then rows of 64-bit\n"
"numbers: for each document the offsets of its first and of its last line, whether it\n"
"is left to Python, the number of its tokens, the hash of its words, and the bounds of\n"
"its entities and mentions (one more than documents). Three lists of such rows follow:\n"
"for each entity the number of its mentions, as 32 bits, and the code of its id, as 32\n"
"bits if all codes fit; for each mention its first and last token, as 16 bits each if\n"
"all fit, or as 32 bits.");

static PyObject *
read_conll(PyObject *module, PyObject *arguments)
{
    PyObject *readinto, *result = NULL;
    unsigned long long offset;
    Py_ssize_t room;
    int dialect;
    Verdict verdict = PLAIN;
    Block block;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OKin", &readinto, &offset, &dialect, &room))
        return NULL;
    if (dialect < 0 || dialect >= DIALECTS) {
        PyErr_SetString(PyExc_ValueError, "there is no such dialect");
        return NULL;
    }
    Conll *file = realloc(NULL, sizeof(Conll));
    if (file == NULL)
        Py_RETURN_NONE;
    memset(file, 0, sizeof(Conll));
    file->dialect = (Dialect)dialect;
    Mentions *all = &file->mentions;
    if (append(&all->entities, 0) || append(&all->mentions, 0))
        verdict = NO_MEMORY;
    int has_lists = 1;
    for (int i = 0; i < 3; i++)
        has_lists &= (file->parts[i] = PyList_New(0)) != NULL;
    if (has_lists && verdict == PLAIN && open_block(&block, readinto, room, offset) == 0) {
        if (read_blocks(&block, read_conll_lines, flush_conll, file, &verdict) == 0) {
            if (verdict == PLAIN && file->inside)
                verdict = ODD_FILE;
            if (verdict == PLAIN)
                result = make_conll_result(file);
        }
        close_block(&block);
    }
    clear_conll(file);
    free(file);
    if (verdict != PLAIN)
        Py_RETURN_NONE;
    return result;
}

#endif
