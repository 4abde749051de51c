/* The kernel: files to columns in one pass, for those that are plain.

   It reads only what is plain. At anything else a function returns None, and the reader
   in Python looks again, decides, and words the error: there is one place for messages.
   The same happens where memory runs out.

   The limited API of Python 3.11, C11, nothing else: one binary serves all later
   versions. The caller's `readinto` fetches text into one block, which is used again and
   again; between two calls the kernel works without Python's lock.

   Whatever is compared with Python's readers has their rules: a byte is blank up to 32
   and part of a word above; lines end at '\n' and nowhere else; hashes of words are those
   of corefkit.columns.words, entity codes those of corefkit.formats.conll.columns.
*/

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char byte;

/* What a step says of the text so far; both of the last two lead to None. */
typedef enum { PLAIN, ODD, NO_MEMORY } Verdict;

#ifdef COREFKIT_TRIAL
/* Builds for trials let the n-th request for memory fail. */
static long long requests_left = -1;
static void *
trial_realloc(void *old, size_t size)
{
    if (requests_left == 0)
        return NULL;
    if (requests_left > 0)
        requests_left--;
    return realloc(old, size);
}
#define realloc trial_realloc
#endif

/* ---- rows that grow: numbers, and letters ---- */

typedef struct {
    uint64_t *at;
    size_t size, room;
} Row;

typedef struct {
    byte *at;
    size_t size, room;
} Letters;

/* Make room for more items behind the last one; NULL where there is no memory, and then
   all stays as it is. */
static void *
grown(void *at, size_t size, size_t more, size_t *room, size_t unit)
{
    if (more > SIZE_MAX / 4 / unit - size)
        return NULL;
    size_t wanted = size + more + *room / 2 + 64;
    at = realloc(at, wanted * unit);
    if (at != NULL)
        *room = wanted;
    return at;
}

static Verdict
make_room(Row *row, size_t more)
{
    if (more <= row->room - row->size)
        return PLAIN;
    void *at = grown(row->at, row->size, more, &row->room, sizeof *row->at);
    if (at == NULL)
        return NO_MEMORY;
    row->at = at;
    return PLAIN;
}

static inline Verdict
append(Row *row, uint64_t number)
{
    if (row->size == row->room && make_room(row, 1) != PLAIN)
        return NO_MEMORY;
    row->at[row->size++] = number;
    return PLAIN;
}

static Verdict
append_letters(Letters *letters, const byte *at, size_t many)
{
    if (many > letters->room - letters->size) {
        void *larger = grown(letters->at, letters->size, many, &letters->room, 1);
        if (larger == NULL)
            return NO_MEMORY;
        letters->at = larger;
    }
    memcpy(letters->at + letters->size, at, many);
    letters->size += many;
    return PLAIN;
}

static void
clear(Row *row)
{
    free(row->at);
    *row = (Row){NULL, 0, 0};
}

/* Make a tuple of `bytes`: letters, then rows of 64-bit numbers; free each row. */
static PyObject *
as_tuple(const Letters *letters, Row *const *rows, Py_ssize_t many)
{
    PyObject *tuple = PyTuple_New(many + 1);
    for (Py_ssize_t i = 0; tuple != NULL && i <= many; i++) {
        const void *at = letters->at;
        size_t size = letters->size;
        if (i > 0) {
            at = rows[i - 1]->at;
            size = rows[i - 1]->size * sizeof(uint64_t);
        }
        PyObject *part = PyBytes_FromStringAndSize(size ? at : "", (Py_ssize_t)size);
        if (i > 0)
            clear(rows[i - 1]);
        if (part == NULL || PyTuple_SetItem(tuple, i, part) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* ---- a block of text ---- */

/* So many line ends stand before and behind a block: eight bytes can be loaded from any
   byte of it, or up to any. */
enum { MARGIN = 16 };

typedef struct {
    PyObject *readinto;
    PyObject *store;  /* the bytearray that holds the block */
    Py_buffer buffer; /* keeps it where it is */
    byte *text;       /* the first byte of the block */
    size_t room;      /* how many bytes there can be */
    size_t size;      /* how many there are */
    uint64_t offset;  /* of the first of them, in the file */
    int ended;        /* whether nothing comes behind them */
} Block;

static void
close_block(Block *block)
{
    if (block->store != NULL)
        PyBuffer_Release(&block->buffer);
    Py_CLEAR(block->store);
}

/* Make an empty block; -1 with an error set where that fails. */
static int
open_block(Block *block, PyObject *readinto, size_t room, uint64_t offset)
{
    *block = (Block){.readinto = readinto, .room = room, .offset = offset};
    block->store = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)room + 2 * MARGIN);
    if (block->store == NULL)
        return -1;
    if (PyObject_GetBuffer(block->store, &block->buffer, PyBUF_WRITABLE) < 0) {
        Py_CLEAR(block->store);
        return -1;
    }
    block->text = (byte *)block->buffer.buf + MARGIN;
    memset(block->buffer.buf, '\n', MARGIN);
    return 0;
}

/* Fetch text behind what there is; -1 with an error set where that fails. */
static int
fetch(Block *block)
{
    Py_ssize_t first = (Py_ssize_t)(MARGIN + block->size);
    Py_ssize_t last = (Py_ssize_t)(MARGIN + block->room);
    PyObject *whole = PyMemoryView_FromObject(block->store);
    PyObject *part = whole ? PySequence_GetSlice(whole, first, last) : NULL;
    PyObject *got =
        part ? PyObject_CallFunctionObjArgs(block->readinto, part, NULL) : NULL;
    Py_XDECREF(part);
    Py_XDECREF(whole);
    if (got == NULL)
        return -1;
    Py_ssize_t size = PyNumber_AsSsize_t(got, PyExc_OverflowError);
    Py_DECREF(got);
    if (size == -1 && PyErr_Occurred())
        return -1;
    if (size < 0 || size > last - first) {
        PyErr_SetString(PyExc_ValueError, "readinto returned more than there is room");
        return -1;
    }
    block->size += (size_t)size;
    block->ended = size == 0;
    return 0;
}

/* Drop the first bytes, fill the block, and return how many bytes of whole lines it has:
   all of it at the end of the file; 0 where a line is too long. -1 with an error set. */
static Py_ssize_t
next_lines(Block *block, size_t dropped)
{
    block->size -= dropped;
    block->offset += dropped;
    memmove(block->text, block->text + dropped, block->size);
    while (!block->ended && block->size < block->room)
        if (fetch(block) < 0)
            return -1;
    memset(block->text + block->size, '\n', MARGIN);
    size_t whole = block->size;
    if (!block->ended)
        while (whole > 0 && block->text[whole - 1] != '\n')
            whole--;
    return (Py_ssize_t)whole;
}

/* ---- eight bytes at a time ---- */

static const uint64_t LOW_BITS = 0x7F7F7F7F7F7F7F7F, HIGH_BITS = 0x8080808080808080;
static const uint64_t TO_HIGH = 0x5F5F5F5F5F5F5F5F; /* lifts 33 into the high bit */
static const uint64_t STEP = 0x9E3779B97F4A7C15, MIX = 0xBF58476D1CE4E5B9;

/* Load eight bytes, the first of them lowest. */
static inline uint64_t
eight(const byte *at)
{
    uint64_t loaded;
    memcpy(&loaded, at, 8);
#if PY_BIG_ENDIAN
    loaded = __builtin_bswap64(loaded);
#endif
    return loaded;
}

/* Keep only the high bit of the lowest byte that is blank; 0 where none is. */
static inline uint64_t
first_blank(uint64_t loaded)
{
    uint64_t flags = ~(((loaded & LOW_BITS) + TO_HIGH) | loaded) & HIGH_BITS;
    return flags & (~flags + 1);
}

/* Count the bytes below such a bit, which is there. */
static inline size_t
bytes_below(uint64_t bit)
{
#ifdef _MSC_VER
    unsigned long number;
    _BitScanForward64(&number, bit);
    return number >> 3;
#else
    return (size_t)__builtin_ctzll(bit) >> 3;
#endif
}

/* Go on to the next blank, which is there. */
static inline const byte *
word_end(const byte *at)
{
    uint64_t blank;
    while ((blank = first_blank(eight(at))) == 0)
        at += 8;
    return at + bytes_below(blank);
}

/* Go on to the next byte that is not blank, or to the end. */
static inline const byte *
skip_blanks(const byte *at, const byte *end)
{
    while (at < end && *at <= ' ')
        at++;
    return at;
}

/* Hash the word that begins here, and return where it ends. */
static inline const byte *
hash_word(const byte *at, uint64_t *hash)
{
    uint64_t loaded = eight(at), blank = first_blank(loaded), sum = 0;
    while (blank == 0) {
        sum = (sum + loaded) * STEP;
        at += 8;
        loaded = eight(at);
        blank = first_blank(loaded);
    }
    *hash = sum + (loaded & ((blank >> 7) - 1));
    return at + bytes_below(blank);
}

/* Mix the hash of a word with its position in the document. */
static inline uint64_t
mixed(uint64_t hash, uint64_t position)
{
    uint64_t value = hash + (position + 1) * STEP;
    value ^= value >> 31;
    value *= MIX;
    return value ^ (value >> 31);
}

static inline int
is_digit(byte letter)
{
    return (byte)(letter - '0') < 10;
}

/* Say whether `bytes.strip` takes a byte away; other control characters are blank too. */
static inline int
is_space(byte letter)
{
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

/* ---- numbers for ids, anew for each document ---- */

/* A slot is taken if it has the round of the table. */
typedef struct {
    uint64_t code;
    uint32_t number, round;
} Slot;

typedef struct {
    Slot *slots;
    size_t room; /* a power of two, or 0 */
    size_t size;
    uint32_t round;
} Numbers;

enum { FEWEST_SLOTS = 256, MOST_STEPS = 512 };

/* Find the slot of a code, or the free one for it; NULL where too many are in its way,
   which takes codes that somebody chose for it. */
static inline Slot *
slot_of(const Numbers *numbers, uint64_t code)
{
    uint64_t mix = (code ^ (code >> 29)) * MIX;
    size_t at = (size_t)(mix >> 32) & (numbers->room - 1);
    for (int step = 0; step < MOST_STEPS; step++) {
        Slot *slot = &numbers->slots[at];
        if (slot->round != numbers->round || slot->code == code)
            return slot;
        at = (at + 1) & (numbers->room - 1);
    }
    return NULL;
}

/* Forget all codes. */
static Verdict
next_round(Numbers *numbers)
{
    numbers->size = 0;
    if (numbers->room > 0 && ++numbers->round > 0)
        return PLAIN;
    free(numbers->slots);
    *numbers = (Numbers){.room = FEWEST_SLOTS, .round = 1};
    numbers->slots = realloc(NULL, FEWEST_SLOTS * sizeof(Slot));
    if (numbers->slots == NULL)
        return NO_MEMORY;
    memset(numbers->slots, 0, FEWEST_SLOTS * sizeof(Slot));
    return PLAIN;
}

/* Move all codes to a table of four times the room. */
static Verdict
spread_out(Numbers *numbers)
{
    Numbers larger = {.room = numbers->room * 4, .round = 1, .size = numbers->size};
    if (larger.room > SIZE_MAX / 4 / sizeof(Slot))
        return NO_MEMORY;
    larger.slots = realloc(NULL, larger.room * sizeof(Slot));
    if (larger.slots == NULL)
        return NO_MEMORY;
    memset(larger.slots, 0, larger.room * sizeof(Slot));
    for (size_t i = 0; i < numbers->room; i++) {
        Slot *old = &numbers->slots[i], *slot;
        if (old->round != numbers->round)
            continue;
        slot = slot_of(&larger, old->code);
        if (slot == NULL) {
            free(larger.slots);
            return ODD;
        }
        *slot = (Slot){old->code, old->number, 1};
    }
    free(numbers->slots);
    *numbers = larger;
    return PLAIN;
}

/* Number a code, a new one with the next number. */
static inline Verdict
number_of(Numbers *numbers, uint64_t code, uint32_t *number)
{
    Slot *slot = slot_of(numbers, code);
    if (slot == NULL)
        return ODD;
    if (slot->round != numbers->round) {
        if (numbers->size == UINT32_MAX)
            return ODD;
        *slot = (Slot){code, (uint32_t)numbers->size++, numbers->round};
        *number = slot->number;
        return numbers->size * 2 > numbers->room ? spread_out(numbers) : PLAIN;
    }
    *number = slot->number;
    return PLAIN;
}

/* ---- mentions, grouped by entity for each document ---- */

static const uint64_t NONE = UINT64_MAX;

typedef struct {
    Numbers numbers; /* of the entities of this document, by the codes of their ids */
    Row opened;      /* for each entity, its last open bracket, or NONE */
    Row size;        /* for each entity, how many mentions it has */
    Row open;        /* brackets: the first token, and the one opened before or NONE */
    uint64_t spare;  /* a bracket that can be used again, or NONE */
    size_t left;     /* how many brackets are open */
    Row closed;      /* mentions in the order in which they end: entity, start, end */
    /* Of all documents: mentions by entity, and codes; bounds of each document. */
    Row entity, start, end, code, entities, mentions;
} Mentions;

static void
clear_mentions(Mentions *all)
{
    Row *rows[] = {&all->opened, &all->size,  &all->open, &all->closed,   &all->entity,
                   &all->start,  &all->end,   &all->code, &all->entities, &all->mentions};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        clear(rows[i]);
    free(all->numbers.slots);
    all->numbers.slots = NULL;
}

static Verdict
begin_mentions(Mentions *all)
{
    all->opened.size = all->size.size = all->open.size = all->closed.size = 0;
    all->spare = NONE;
    all->left = 0;
    return next_round(&all->numbers);
}

/* Number the entity of a code in its document. */
static inline Verdict
entity_of(Mentions *all, uint64_t code, uint32_t *entity)
{
    Verdict verdict = number_of(&all->numbers, code, entity);
    if (verdict != PLAIN || *entity < all->opened.size)
        return verdict;
    if (append(&all->opened, NONE) || append(&all->size, 0) || append(&all->code, code))
        return NO_MEMORY;
    return PLAIN;
}

static inline Verdict
open_mention(Mentions *all, uint32_t entity, uint64_t token)
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
    all->open.at[number + 1] = all->opened.at[entity];
    all->opened.at[entity] = number;
    all->left++;
    return PLAIN;
}

static inline Verdict
add_mention(Mentions *all, uint32_t entity, uint64_t start, uint64_t end)
{
    Row *closed = &all->closed;
    if (closed->room - closed->size < 3 && make_room(closed, 3))
        return NO_MEMORY;
    closed->at[closed->size++] = entity;
    closed->at[closed->size++] = start;
    closed->at[closed->size++] = end;
    all->size.at[entity]++;
    return PLAIN;
}

/* Close the bracket of an entity that was opened last; there must be one. */
static inline Verdict
close_mention(Mentions *all, uint32_t entity, uint64_t token)
{
    uint64_t number = all->opened.at[entity];
    if (number == NONE)
        return ODD;
    all->opened.at[entity] = all->open.at[number + 1];
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
    size_t before = all->entity.size, many = all->closed.size / 3;
    size_t first_entity = all->code.size - all->size.size;
    if (all->left > 0)
        return ODD;
    if (make_room(&all->entity, many) || make_room(&all->start, many) ||
        make_room(&all->end, many))
        return NO_MEMORY;
    uint64_t next = before; /* each size becomes the place of the entity's next mention */
    for (size_t i = 0; i < all->size.size; i++) {
        uint64_t size = all->size.at[i];
        all->size.at[i] = next;
        next += size;
    }
    for (const uint64_t *row = all->closed.at; many > 0; row += 3, many--) {
        uint64_t place = all->size.at[row[0]]++;
        all->entity.at[place] = first_entity + row[0];
        all->start.at[place] = row[1];
        all->end.at[place] = row[2];
    }
    all->entity.size = all->start.size = all->end.size = (size_t)next;
    if (append(&all->entities, all->code.size) || append(&all->mentions, next))
        return NO_MEMORY;
    return PLAIN;
}

/* ---- CoNLL-2012: the rules are those of corefkit.formats.conll.conll ---- */

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
    uint32_t entity;
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

/* Say whether the reference scorer finds brackets in the columns of a line before its
   cell, or the end of a document. */
static int
has_signs(const byte *at, const byte *cell, const byte *end)
{
    for (; at < cell; at++) {
        if (*at == '(' && is_digit(at[1]))
            return 1;
        if (*at == ')' && is_digit(at[-1]))
            return 1;
        if (*at == '#' && behind_marker(at, end, "end document") != NULL)
            return 1;
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
    if (room < 1 || room > PY_SSIZE_T_MAX / 2) {
        PyErr_SetString(PyExc_ValueError, "a block has one byte at least");
        return NULL;
    }
    Conll *conll = realloc(NULL, sizeof(Conll));
    if (conll == NULL)
        Py_RETURN_NONE;
    memset(conll, 0, sizeof(Conll));
    conll->reference = reference;
    Mentions *all = &conll->mentions;
    if (append(&all->entities, 0) || append(&all->mentions, 0))
        verdict = NO_MEMORY;
    if (verdict == PLAIN && open_block(&block, readinto, (size_t)room, offset) == 0) {
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

/* ---- the module ---- */

static PyMethodDef functions[] = {
    {"read_conll", read_conll, METH_VARARGS, read_conll_doc},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
    {0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "corefkit._kernel",
    .m_doc = "Files to columns in one pass, for those that are plain.",
    .m_size = 0,
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC
PyInit__kernel(void)
{
    return PyModuleDef_Init(&definition);
}
