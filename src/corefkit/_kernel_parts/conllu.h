/* CoNLL-U: lines, sentences and documents. */

#ifndef COREFKIT_CONLLU_H
#define COREFKIT_CONLLU_H

#include "conllu_misc.h"
#include "conllu_rows.h"

/* Read an empty node, by its enhanced dependencies. */
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
        TRY(name_of(&file->relations, colon + (colon < stop), stop, &relation));
        TRY(append(&rows[DEPENDENT], rows[NODE].size - 1));
        TRY(add(&rows[PARENT], place(at, colon)));
        TRY(append(&rows[RELATION], relation));
        if (stop == end)
            return PLAIN;
    }
}

/* Say whether an id is that of a range of words, `n-m`. */
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

/* Read a line of ten columns, which has these tabs. */
static Verdict
take_token(Conllu *file, const byte *line, const byte *const *tabs, const byte *end)
{
    int64_t id = place(line, tabs[0]);
    if (id < 0)
        return is_range(line, tabs[0]) ? PLAIN : ODD;
    if (file->tokens == file->sentence)
        TRY(add(&file->scratch[WORD_TOKEN], file->tokens - 1));
    if (id == (file->word + 1) << 32) {
        file->word++;
        file->node = 0;
        TRY(add(&file->scratch[WORD_TOKEN], file->tokens));
        TRY(add(&file->scratch[PARENTS], place(tabs[5] + 1, tabs[6])));
        uint64_t hash = hash_letters(tabs[0] + 1, (size_t)(tabs[1] - tabs[0] - 1));
        file->hash += mixed(hash, (uint64_t)file->words++);
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

/* End the document. What stands before the first one is a document if it has lines. */
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

/* Go past blanks and tabs. */
static const byte *
past_blanks(const byte *at, const byte *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* Read which value of an opening bracket is what. */
static Verdict
read_declaration(Conllu *file, const byte *at, const byte *end)
{
    static const char *const names[] = {"eid", "GRP", "head", "minspan"};
    int64_t *fields[] = {&file->field_id, &file->field_id, &file->field_head,
                         &file->field_least};
    size_t number;
    TRY(name_of(&file->declarations, at, end, &number));
    file->declared = (int64_t)number;
    file->field_id = file->field_head = file->field_least = -1;
    file->fields = 0;
    at = past_blanks(at, end);
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

/* Return the id in a line that begins a document, which may be empty; NULL in others. */
static const byte *
document_id(const byte *at, const byte *end)
{
    if (!begins_with(at, end, "newdoc"))
        return NULL;
    const byte *rest = past_blanks(at + 6, end);
    if (rest == end)
        return end;
    if (rest == at + 6 || !begins_with(rest, end, "id"))
        return NULL;
    rest = past_blanks(rest + 2, end);
    return rest < end && *rest == '=' ? rest + 1 : NULL;
}

/* Read a comment. It may begin a document, to which the comments right above belong, or
   declare what the values of brackets are. */
static Verdict
take_comment(Conllu *file, const byte *line, const byte *end, uint64_t offset)
{
    const byte *at = past_blanks(line + 1, end), *id = document_id(at, end);
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
        at = past_blanks(at + 13, end);
        if (at < end && *at == '=') {
            TRY(read_declaration(file, at + 1, end));
            if (file->field_id < 0)
                file->comments_left = 1;
        }
    }
    return PLAIN;
}

/* Let the comments above be of the document that is read, not of the next. */
static void
end_comments(Conllu *file)
{
    file->left |= file->comments_left;
    file->comments = -1;
    file->comments_left = 0;
}

/* Read whole lines, the first of them at an offset. */
static Verdict
take_conllu(void *state, const byte *at, const byte *end, uint64_t offset)
{
    Conllu *file = state;
    const byte *begin = at;
    Signs signs = signs_from(at);
    int sound = is_utf8(at, end);
    while (at < end) {
        const byte *tabs[9], *line = at, *stop;
        int many = 0;
        while (*(stop = next_sign(&signs)) != '\n')
            if (*stop == '\t' && many++ < 9)
                tabs[many - 1] = stop;
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
        if (past_blanks(line, stop) == stop) {
            if (!file->left)
                end_sentence(file);
            continue;
        }
        file->has_lines = 1;
        if (file->left)
            continue;
        Verdict verdict = ODD;
        if (many == 9 && is_sound)
            verdict = take_token(file, line, tabs, stop);
        if (verdict == NO_MEMORY)
            return verdict;
        file->left = verdict != PLAIN;
    }
    return PLAIN;
}

/* Put declarations, relations and names behind the ids of documents. */
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
"Read a CoNLL-U file: lines of text, then rows of numbers. None where memory runs out.\n"
"Documents that are not plain have no mentions, and are marked.");

static PyObject *
read_conllu(PyObject *module, PyObject *arguments)
{
    PyObject *readinto, *given = NULL;
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
        if (read_blocks(&block, take_conllu, file, &verdict) == 0 && verdict == PLAIN &&
            (verdict = finish_conllu(file)) == PLAIN) {
            Row *rows[ROWS];
            for (size_t i = 0; i < ROWS; i++)
                rows[i] = &file->rows[i];
            given = as_tuple(&file->ids, rows, ROWS);
        }
        close_block(&block);
    }
    clear_conllu(file);
    free(file);
    if (verdict != PLAIN)
        Py_RETURN_NONE;
    return given;
}

#endif
