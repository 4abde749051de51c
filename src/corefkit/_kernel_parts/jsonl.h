/* JSON lines: the rules are those of corefkit.formats.jsonl.jsonl. */

#ifndef COREFKIT_JSONL_H
#define COREFKIT_JSONL_H

#include "json.h"

/* The rows that Python gets, in this order. */
enum {
    LINE_START, LINE_END, LINE_LEFT, LINE_WORDS, LINE_HASH, /* of documents */
    SPAN_ENTITY, SPAN_START, SPAN_END,                      /* of mentions */
    CLUSTER_DOCUMENT, CLUSTER_NUMBER,                       /* of entities */
    JSON_ROWS
};

enum { MOST_DIGITS = 12 };

typedef struct {
    Row rows[JSON_ROWS];
    size_t before[JSON_ROWS]; /* how long rows were before the document */
    Letters names;            /* of documents, as written; each with a line end */
    Letters word;             /* a word whose escapes are resolved */
    int response;             /* whether `predicted_clusters` come before `clusters` */
    /* The document: */
    const byte *at;
    int64_t words; /* how many there are, or -1 where that is unknown */
    int64_t last;  /* the last token of its mentions, or -1 */
    uint64_t clusters; /* how many there are, those without mentions too */
    uint64_t hash;
} Jsonl;

static void
clear_jsonl(Jsonl *file)
{
    for (size_t i = 0; i < JSON_ROWS; i++)
        clear(&file->rows[i]);
    free(file->names.at);
    free(file->word.at);
}

/* Hash a word. */
static Verdict
read_json_word(Jsonl *file)
{
    const byte *first, *last;
    int escaped;
    TRY(read_string(&file->at, &first, &last, &escaped));
    if (escaped) {
        TRY(resolve(&file->word, first, last));
        TRY(append_letters(&file->word, (const byte *)"\0\0\0\0\0\0\0", 8));
        first = file->word.at;
        last = first + file->word.size - 8;
    }
    uint64_t hash = hash_letters(first, (size_t)(last - first));
    file->hash += mixed(hash, (uint64_t)file->words++);
    return PLAIN;
}

/* Read a list; a function reads each item. */
static Verdict
read_list(Jsonl *file, Verdict (*read)(Jsonl *))
{
    if (!is_next(&file->at, '['))
        return ODD;
    if (is_next(&file->at, ']'))
        return PLAIN;
    do
        TRY(read(file));
    while (is_next(&file->at, ','));
    return is_next(&file->at, ']') ? PLAIN : ODD;
}

static Verdict
read_sentence(Jsonl *file)
{
    return read_list(file, read_json_word);
}

/* Read a token's number. */
static Verdict
read_index(Jsonl *file, int64_t *value)
{
    is_next(&file->at, ' ');
    const byte *first = file->at;
    for (*value = 0; is_digit(*file->at) && file->at - first <= MOST_DIGITS; file->at++)
        *value = 10 * *value + (*file->at - '0');
    size_t digits = (size_t)(file->at - first);
    int sound = digits > 0 && digits <= MOST_DIGITS && (digits == 1 || *first != '0');
    return sound ? PLAIN : ODD;
}

/* Read a mention `[start, end]`. */
static Verdict
read_span(Jsonl *file)
{
    int64_t start, end;
    if (!is_next(&file->at, '['))
        return ODD;
    TRY(read_index(file, &start));
    if (!is_next(&file->at, ','))
        return ODD;
    TRY(read_index(file, &end));
    if (!is_next(&file->at, ']') || start > end)
        return ODD;
    file->last = end > file->last ? end : file->last;
    TRY(append(&file->rows[SPAN_ENTITY], file->rows[CLUSTER_DOCUMENT].size));
    TRY(add(&file->rows[SPAN_START], start));
    return add(&file->rows[SPAN_END], end);
}

/* Read an entity; one without mentions is none. */
static Verdict
read_cluster(Jsonl *file)
{
    size_t before = file->rows[SPAN_ENTITY].size;
    uint64_t number = file->clusters++;
    TRY(read_list(file, read_span));
    if (file->rows[SPAN_ENTITY].size == before)
        return PLAIN;
    TRY(append(&file->rows[CLUSTER_NUMBER], number));
    return append(&file->rows[CLUSTER_DOCUMENT], file->rows[LINE_START].size);
}

static void
drop_clusters(Jsonl *file)
{
    for (size_t i = SPAN_ENTITY; i < JSON_ROWS; i++)
        file->rows[i].size = file->before[i];
    file->last = -1;
    file->clusters = 0;
}

/* What a document has, as bits. */
enum { DOC_KEY = 1, SENTENCES = 2, CLUSTERS = 4, PREDICTED = 8 };

/* Read one pair of a document's object; what is known of it is in `had`. */
static Verdict
read_pair(Jsonl *file, int *had)
{
    static const char *const keys[] = {"doc_key", "sentences", "clusters",
                                       "predicted_clusters"};
    const byte *first, *last;
    int escaped, which = 0;
    TRY(read_string(&file->at, &first, &last, &escaped));
    if (escaped || !is_next(&file->at, ':'))
        return ODD;
    for (int i = 0; i < 4; i++)
        if (begins_with(first, last, keys[i]) && first + strlen(keys[i]) == last)
            which = 1 << i;
    if (*had & which)
        return ODD;
    *had |= which;
    if (which == DOC_KEY) {
        TRY(read_string(&file->at, &first, &last, &escaped));
        return append_letters(&file->names, first - 1, (size_t)(last - first) + 2);
    }
    if (which == SENTENCES && !is_next(&file->at, 'n')) {
        file->words = 0;
        return read_list(file, read_sentence);
    }
    if (which == SENTENCES) {
        file->at--;
        return skip_value(&file->at, 0);
    }
    int predicted = which == PREDICTED && file->response;
    if (predicted)
        drop_clusters(file);
    if (predicted || (which == CLUSTERS && !(file->response && *had & PREDICTED)))
        return read_list(file, read_cluster);
    return skip_value(&file->at, 0);
}

/* Read the document of a line, which ends at a line end or before one. */
static Verdict
read_object(Jsonl *file, const byte *end)
{
    int had = 0;
    if (!is_next(&file->at, '{') || is_next(&file->at, '}'))
        return ODD;
    do
        TRY(read_pair(file, &had));
    while (is_next(&file->at, ','));
    if (!is_next(&file->at, '}'))
        return ODD;
    is_next(&file->at, '\n');
    int has_clusters = had & CLUSTERS || (file->response && had & PREDICTED);
    if (file->at < end || !(had & DOC_KEY) || !has_clusters)
        return ODD;
    return file->words >= 0 && file->last >= file->words ? ODD : PLAIN;
}

static Verdict
take_jsonl(void *state, const byte *at, const byte *end, uint64_t offset)
{
    Jsonl *file = state;
    Row *rows = file->rows;
    const byte *begin = at;
    while (at < end) {
        const byte *line = at, *stop = find(at, end, '\n'), *text = line;
        at = stop + 1;
        while (stop > line && stop[-1] == '\r')
            stop--;
        while (text < stop && is_space(*text))
            text++;
        if (text == stop)
            continue;
        size_t names = file->names.size;
        for (size_t i = 0; i < JSON_ROWS; i++)
            file->before[i] = rows[i].size;
        file->at = line;
        file->words = file->last = -1;
        file->hash = file->clusters = 0;
        Verdict verdict = is_utf8(line, stop) ? read_object(file, stop) : ODD;
        if (verdict == NO_MEMORY)
            return verdict;
        if (verdict != PLAIN) {
            drop_clusters(file);
            file->names.size = names;
            TRY(append_letters(&file->names, (const byte *)"null", 4));
        }
        TRY(append_letters(&file->names, (const byte *)"\n", 1));
        TRY(append(&rows[LINE_END], offset + (uint64_t)(stop - begin)));
        TRY(append(&rows[LINE_LEFT], verdict != PLAIN));
        TRY(add(&rows[LINE_WORDS], file->words));
        TRY(append(&rows[LINE_HASH], file->hash));
        TRY(append(&rows[LINE_START], offset + (uint64_t)(line - begin)));
    }
    return PLAIN;
}

PyDoc_STRVAR(read_jsonl_doc,
"read_jsonl(readinto, offset, response, room, /)\n"
"--\n\n"
"Read JSON lines: ids as written, then rows of numbers. None where memory runs out.\n"
"Documents that are not plain have no mentions and no id, and are marked.");

static PyObject *
read_jsonl(PyObject *module, PyObject *arguments)
{
    PyObject *readinto, *given = NULL;
    unsigned long long offset;
    Py_ssize_t room;
    Verdict verdict = PLAIN;
    Block block;
    Jsonl file = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OKpn", &readinto, &offset, &file.response, &room))
        return NULL;
    if (open_block(&block, readinto, room, offset) == 0) {
        if (read_blocks(&block, take_jsonl, &file, &verdict) == 0 && verdict == PLAIN) {
            Row *rows[JSON_ROWS];
            for (size_t i = 0; i < JSON_ROWS; i++)
                rows[i] = &file.rows[i];
            given = as_tuple(&file.names, rows, JSON_ROWS);
        }
        close_block(&block);
    }
    clear_jsonl(&file);
    if (verdict != PLAIN)
        Py_RETURN_NONE;
    return given;
}

#endif
