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
    if (many > 0)
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

/* ---- what the readers below share: documents that are not plain are left out ---- */

#define TRY(step)                                                                        \
    do {                                                                                 \
        Verdict tried = (step);                                                          \
        if (tried != PLAIN)                                                              \
            return tried;                                                                \
    } while (0)

/* Give a block more room, for a line that is longer; -1 with an error set. */
static int
widen_block(Block *block)
{
    Py_ssize_t room = (Py_ssize_t)block->room;
    if (room > PY_SSIZE_T_MAX / 2 - 2 * MARGIN) {
        PyErr_NoMemory();
        return -1;
    }
    PyBuffer_Release(&block->buffer);
    if (PyByteArray_Resize(block->store, 2 * room + 2 * MARGIN) < 0 ||
        PyObject_GetBuffer(block->store, &block->buffer, PyBUF_WRITABLE) < 0) {
        Py_CLEAR(block->store);
        return -1;
    }
    block->text = (byte *)block->buffer.buf + MARGIN;
    block->room *= 2;
    return 0;
}

/* Take whole lines, the first of them at an offset in the file. A line end stands behind
   the last. */
typedef Verdict (*TakeLines)(void *file, const byte *at, const byte *end, uint64_t offset);

/* Let a reader take all lines of a file; -1 with an error set. */
static int
read_blocks(Block *block, TakeLines take, void *file, Verdict *verdict)
{
    Py_ssize_t whole = 0;
    while (*verdict == PLAIN && (whole = next_lines(block, (size_t)whole)) >= 0) {
        if (whole == 0 && !block->ended && widen_block(block) < 0)
            return -1;
        Py_BEGIN_ALLOW_THREADS
        *verdict = take(file, block->text, block->text + whole, block->offset);
        Py_END_ALLOW_THREADS
        if (block->ended)
            break;
    }
    return whole < 0 ? -1 : 0;
}

/* Set the high bit of each byte below a limit, which is 128 at most, and no other bit. */
static inline uint64_t
flags_below(uint64_t loaded, unsigned limit)
{
    uint64_t each = 0x0101010101010101;
    return ~(((loaded & LOW_BITS) + each * (128 - limit)) | loaded) & HIGH_BITS;
}

/* Hash a word as columns.words does: blanks inside it count as bytes 127. Eight bytes can
   be loaded behind it. */
static uint64_t
hash_letters(const byte *at, size_t size)
{
    for (uint64_t hash = 0;; at += 8, size -= 8) {
        uint64_t inside = size < 8 ? ((uint64_t)1 << 8 * size) - 1 : UINT64_MAX;
        uint64_t loaded = eight(at) & inside;
        uint64_t blank = (flags_below(loaded, ' ' + 1) & inside) >> 7;
        hash = hash * STEP + ((loaded & ~(blank * 255)) | blank * 127);
        if (size < 8)
            return hash;
    }
}

/* Say whether a text is UTF-8 as Python reads it. Eight bytes can be loaded behind it. */
static int
is_utf8(const byte *at, const byte *end)
{
    for (;;) {
        uint64_t high = 0;
        while (at < end && (high = eight(at) & HIGH_BITS) == 0)
            at += 8;
        at += at < end ? bytes_below(high) : 0;
        if (at >= end)
            return 1;
        byte first = *at++, second = at < end ? *at : 0;
        int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        /* Not longer than need be, no half of a pair, nothing beyond the last. */
        if (first < 0xC2 || first > 0xF4 || more > end - at ||
            (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
            (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
            return 0;
        for (; more > 0; more--)
            if ((*at++ & 0xC0) != 0x80)
                return 0;
    }
}

/* Find a sign; the end where there is none. */
static inline const byte *
find(const byte *at, const byte *end, byte sign)
{
    const byte *found = at < end ? memchr(at, sign, (size_t)(end - at)) : NULL;
    return found ? found : end;
}

static inline int
begins_with(const byte *at, const byte *end, const char *start)
{
    size_t size = strlen(start);
    return (size_t)(end - at) >= size && memcmp(at, start, size) == 0;
}

/* ---- strings by number ---- */

typedef struct {
    size_t begin, size; /* where its letters are */
    uint64_t hash;
    /* What CoNLL-U has of it as an id, in one document: */
    uint64_t document;
    int64_t entity; /* the number of its entity, or -1 */
    int64_t open;   /* the mention opened last under this label, or -1 */
    int64_t times;  /* how many mentions under it are entities of their own */
} Name;

typedef struct {
    Name *at;
    size_t size, room;
    Letters text;    /* of all, each with a line end */
    uint32_t *slots; /* numbers from 1, by hash; 0 is free */
    size_t width;    /* how many slots there are, a power of two, or 0 */
} Names;

static void
clear_names(Names *names)
{
    free(names->at);
    free(names->text.at);
    free(names->slots);
}

/* Put the numbers of all strings into a table of four times the width. */
static Verdict
widen_names(Names *names)
{
    size_t width = names->width ? 4 * names->width : FEWEST_SLOTS;
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

/* Number a string, a new one with the next number. Eight bytes can be loaded behind it. */
static Verdict
name_of(Names *names, const byte *at, const byte *end, size_t *number)
{
    size_t size = (size_t)(end - at), steps = 0;
    if (2 * names->size >= names->width)
        TRY(widen_names(names));
    uint64_t hash = mixed(hash_letters(at, size), size);
    size_t slot = (size_t)hash & (names->width - 1);
    for (; names->slots[slot]; slot = (slot + 1) & (names->width - 1)) {
        const Name *name = &names->at[*number = names->slots[slot] - 1];
        if (name->hash == hash && name->size == size &&
            memcmp(names->text.at + name->begin, at, size) == 0)
            return PLAIN;
        if (++steps > MOST_STEPS)
            return ODD;
    }
    if (names->size == names->room) {
        Name *more = grown(names->at, names->size, 1, &names->room, sizeof *more);
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

/* ---- CoNLL-U: the rules are those of corefkit.formats.conllu.conllu ---- */

/* The rows that Python gets, in this order. */
enum {
    DOCUMENT, BEGUN, DECLARED, IS_LEFT, WORDS, HASH, /* of documents */
    ENTITY, START, END, HEAD, LEAST_START, LEAST_END, /* of mentions, by entity */
    ENTITY_DOCUMENT, ENTITY_CODE,
    GAP, GAP_START, GAP_END,
    SPLIT, BRIDGE, /* pairs and triples */
    NODE_DOCUMENT, NODE, INITIAL, /* of empty nodes */
    DEPENDENT, PARENT, RELATION, /* of their dependencies */
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

/* A mention while its brackets are found. Positions count from 1, and 0 is none. */
typedef struct {
    int64_t entity, start, end;
    int64_t part, parts;      /* the part opened last, and how many there are */
    int64_t under;            /* the mention opened before under its label, or -1 */
    int64_t head;             /* what is stated as the head */
    int64_t least, low, high; /* of the minimum: the first, lowest and highest stated */
    int64_t gap, last_gap;    /* its first and last gap, or -1 */
} Found;

/* Tokens inside a mention that are not of it; `next` is the next gap of it, or -1. */
typedef struct {
    int64_t start, end, next;
} Gap;

typedef struct {
    Row rows[ROWS], scratch[SCRATCH];
    size_t before[ROWS]; /* how long rows were before the document */
    Names names, relations, declarations;
    Letters ids; /* of documents that a line begins, each with a line end */
    /* Which value of an opening bracket is what, or -1; how many there are; and the number
       of the declaration that says so, or -1. */
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
    /* The sentence: its first token and dependency, the last word, the last node behind. */
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

/* Find the token at a position of a mention. */
static Verdict
token_of(Conllu *file, const Found *found, int64_t position, int64_t *token)
{
    *token = found->start + position - 1;
    for (int64_t i = found->gap; i >= 0 && *token >= file->gaps[i].start; i = file->gaps[i].next) {
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

/* Find the first word of a mention that hangs on nothing inside it; failing that the first
   word, and where there is none the first token. */
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
    TRY(found->head ? token_of(file, found, found->head, &head) : find_head(file, found, &head));
    if (found->least) {
        TRY(token_of(file, found, found->low, &low));
        TRY(token_of(file, found, found->high, &high));
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
        memmove(pairs->at + at + 2, pairs->at + at, (pairs->size - at) * sizeof *pairs->at);
        pairs->at[at] = (uint64_t)anaphor;
        pairs->at[at + 1] = (uint64_t)antecedent;
        pairs->size += 2;
    }
    return PLAIN;
}

/* Put bridges behind those of the others. The anaphor is the first mention of its entity
   that opens at the token; of mentions of the same tokens it is the first in the rows. */
static Verdict
write_bridges(Conllu *file)
{
    Row *links = &file->scratch[BRIDGES], *rows = file->rows;
    const uint64_t *rank = file->scratch[RANK].at;
    size_t first = 0, last;
    for (size_t link = 0; link < links->size; link += 3) {
        int64_t token = (int64_t)links->at[link], antecedent, entity;
        TRY(linked(file, links->at + link + 1, &antecedent, &entity));
        while (first < file->found_size && file->found[first].start < token)
            first++;
        const Found *anaphor = NULL;
        for (last = first; last < file->found_size && file->found[last].start == token; last++)
            if (anaphor == NULL && file->found[last].entity + (int64_t)file->before[ENTITY_DOCUMENT] == entity)
                anaphor = &file->found[last];
        TRY(count_steps(file, (int64_t)(last - first)));
        if (anaphor == NULL)
            return ODD;
        uint64_t row = rank[anaphor - file->found];
        for (size_t i = first; i < last; i++) {
            const Found *other = &file->found[i];
            if (other == anaphor || other->end != anaphor->end)
                continue;
            if (other->gap >= 0 && anaphor->gap >= 0)
                return ODD; /* whether the gaps are the same, Python looks */
            if (other->gap == anaphor->gap && rank[i] < row)
                row = rank[i];
        }
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
    int64_t *fields[] = {&file->field_id, &file->field_id, &file->field_head, &file->field_least};
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
    if (!is_utf8(line, end))
        file->comments_left = 1;
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

/* Find the end of a line, and its tabs, of which nine are kept. Say whether all of it is
   ASCII, as far as eight bytes at a time tell. */
static inline const byte *
scan_line(const byte *at, const byte **tabs, int *many, int *is_ascii)
{
    uint64_t seen = 0;
    for (;; at += 8) {
        uint64_t loaded = eight(at), flags = flags_below(loaded, '\n' + 1);
        seen |= loaded;
        for (; flags; flags &= flags - 1) {
            const byte *sign = at + bytes_below(flags);
            if (*sign == '\t') {
                if (*many < 9)
                    tabs[*many] = sign;
                ++*many;
            }
            else if (*sign == '\n') {
                *is_ascii = (seen & HIGH_BITS) == 0;
                return sign;
            }
        }
    }
}

static Verdict
take_conllu(void *state, const byte *at, const byte *end, uint64_t offset)
{
    Conllu *file = state;
    const byte *begin = at;
    while (at < end) {
        const byte *tabs[9], *line = at, *stop;
        int many = 0, is_ascii = 1;
        if (*line == '#' || file->left)
            stop = find(line, end, '\n');
        else
            stop = scan_line(line, tabs, &many, &is_ascii);
        at = stop + 1;
        while (stop > line && stop[-1] == '\r')
            stop--;
        if (*line == '#') {
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
        if (many == 9 && (is_ascii || is_utf8(line, stop)))
            verdict = take_token(file, line, tabs, stop);
        if (verdict == NO_MEMORY)
            return verdict;
        file->left = verdict != PLAIN;
    }
    return PLAIN;
}

/* Put declarations and relations behind the ids, and number them among these lines. */
static Verdict
finish_conllu(Conllu *file)
{
    end_comments(file);
    TRY(end_conllu(file));
    uint64_t lines = 0;
    for (size_t i = 0; i < file->rows[BEGUN].size; i++)
        lines += file->rows[BEGUN].at[i];
    for (size_t i = 0; i < file->rows[DECLARED].size; i++)
        if ((int64_t)file->rows[DECLARED].at[i] >= 0)
            file->rows[DECLARED].at[i] += lines;
    lines += file->declarations.size;
    for (size_t i = 0; i < file->rows[RELATION].size; i++)
        file->rows[RELATION].at[i] += lines;
    const Letters *texts[] = {&file->declarations.text, &file->relations.text};
    for (int i = 0; i < 2; i++)
        if (texts[i]->size > 0)
            TRY(append_letters(&file->ids, texts[i]->at, texts[i]->size));
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
    if (room < 1 || room > PY_SSIZE_T_MAX / 2) {
        PyErr_SetString(PyExc_ValueError, "a block has one byte at least");
        return NULL;
    }
    Conllu *file = realloc(NULL, sizeof *file);
    if (file == NULL)
        Py_RETURN_NONE;
    memset(file, 0, sizeof *file);
    file->field_id = file->declared = file->declared_before = file->comments = -1;
    begin_conllu(file, offset);
    if (open_block(&block, readinto, (size_t)room, offset) == 0) {
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

/* ---- JSON lines: the rules are those of corefkit.formats.jsonl.jsonl ---- */

/* The rows that Python gets, in this order. */
enum {
    LINE_START, LINE_END, LINE_LEFT, LINE_WORDS, LINE_HASH, /* of documents */
    SPAN_ENTITY, SPAN_START, SPAN_END,                      /* of mentions */
    CLUSTER_DOCUMENT,                                       /* of entities */
    JSON_ROWS
};

enum { DEEPEST = 64, LONGEST_NUMBER = 1000, MOST_DIGITS = 12 };

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

/* Go past blanks, and say whether a sign is there; go past it too. A line ends before a
   line end, which is no sign. */
static int
is_next(Jsonl *file, byte sign)
{
    while (*file->at == ' ' || *file->at == '\t' || *file->at == '\r')
        file->at++;
    int found = *file->at == sign;
    file->at += found;
    return found;
}

/* Read four hexadecimal digits; -1 where they are none. */
static int
read_hexadecimal(const byte *at)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        byte letter = at[i] | 0x20;
        if (!is_digit(at[i]) && (letter < 'a' || letter > 'f'))
            return -1;
        value = 16 * value + (is_digit(at[i]) ? at[i] - '0' : letter - 'a' + 10);
    }
    return value;
}

/* Read a string: what stands between its quotes, and whether it has escapes. */
static Verdict
read_string(Jsonl *file, const byte **first, const byte **last, int *escaped)
{
    if (!is_next(file, '"'))
        return ODD;
    const byte *at = *first = file->at;
    *escaped = 0;
    for (; *at != '"'; at++) {
        if (*at < ' ')
            return ODD; /* the end of the line, too */
        if (*at != '\\')
            continue;
        *escaped = 1;
        at++;
        if (*at == 'u' ? read_hexadecimal(at + 1) < 0 : *at < ' ' || !strchr("\"\\/bfnrt", *at))
            return ODD;
    }
    *last = at;
    file->at = at + 1;
    return PLAIN;
}

/* Put a character behind a word, as UTF-8; half a pair stays alone, as in Python. */
static Verdict
append_character(Letters *word, unsigned code)
{
    byte bytes[4] = {(byte)code};
    size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const byte marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size; size > 1 && i-- > 0; code >>= 6)
        bytes[i] = (byte)(i > 0 ? 0x80 | (code & 0x3F) : marks[size] | code);
    return append_letters(word, bytes, size);
}

/* Resolve the escapes of a string, which are sound. */
static Verdict
resolve(Letters *word, const byte *at, const byte *end)
{
    static const char signs[] = "bfnrt", meant[] = "\b\f\n\r\t";
    word->size = 0;
    while (at < end) {
        const byte *stop = find(at, end, '\\');
        TRY(append_letters(word, at, (size_t)(stop - at)));
        if (stop == end)
            break;
        at = stop + 2;
        unsigned code = stop[1];
        const char *sign = strchr(signs, (char)code);
        if (code == 'u') {
            code = (unsigned)read_hexadecimal(at);
            at += 4;
            if (code >= 0xD800 && code < 0xDC00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
                unsigned second = (unsigned)read_hexadecimal(at + 2);
                if (second >= 0xDC00 && second < 0xE000) {
                    code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
                    at += 6;
                }
            }
        }
        else if (sign != NULL)
            code = (byte)meant[sign - signs];
        TRY(append_character(word, code));
    }
    return PLAIN;
}

/* Hash a word. */
static Verdict
read_json_word(Jsonl *file)
{
    const byte *first, *last;
    int escaped;
    TRY(read_string(file, &first, &last, &escaped));
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
    if (!is_next(file, '['))
        return ODD;
    if (is_next(file, ']'))
        return PLAIN;
    do
        TRY(read(file));
    while (is_next(file, ','));
    return is_next(file, ']') ? PLAIN : ODD;
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
    is_next(file, ' ');
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
    if (!is_next(file, '['))
        return ODD;
    TRY(read_index(file, &start));
    if (!is_next(file, ','))
        return ODD;
    TRY(read_index(file, &end));
    if (!is_next(file, ']') || start > end)
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
    TRY(read_list(file, read_span));
    if (file->rows[SPAN_ENTITY].size == before)
        return PLAIN;
    return append(&file->rows[CLUSTER_DOCUMENT], file->rows[LINE_START].size);
}

static Verdict skip_value(Jsonl *file, int depth);

/* Go past a number: 0, or digits without 0 in front; a fraction, an exponent. */
static Verdict
skip_number(Jsonl *file)
{
    const byte *at = file->at, *first = at;
    at += *at == '-';
    if (!is_digit(*at) || (*at == '0' && is_digit(at[1])))
        return ODD;
    while (is_digit(*at))
        at++;
    if (*at == '.') {
        if (!is_digit(*++at))
            return ODD;
        while (is_digit(*at))
            at++;
    }
    if ((*at | 0x20) == 'e') {
        at++;
        at += *at == '-' || *at == '+';
        if (!is_digit(*at))
            return ODD;
        while (is_digit(*at))
            at++;
    }
    file->at = at;
    return at - first > LONGEST_NUMBER ? ODD : PLAIN;
}

/* Go past what stands between two brackets, a list or an object. */
static Verdict
skip_items(Jsonl *file, byte closing, int depth)
{
    const byte *first, *last;
    int escaped;
    if (is_next(file, closing))
        return PLAIN;
    do {
        if (closing == '}') {
            TRY(read_string(file, &first, &last, &escaped));
            if (!is_next(file, ':'))
                return ODD;
        }
        TRY(skip_value(file, depth));
    } while (is_next(file, ','));
    return is_next(file, closing) ? PLAIN : ODD;
}

/* Go past any value. */
static Verdict
skip_value(Jsonl *file, int depth)
{
    static const char *const words[] = {"null", "true", "false"};
    const byte *first, *last;
    int escaped;
    if (depth == DEEPEST)
        return ODD;
    if (is_next(file, '['))
        return skip_items(file, ']', depth + 1);
    if (is_next(file, '{'))
        return skip_items(file, '}', depth + 1);
    if (*file->at == '"')
        return read_string(file, &first, &last, &escaped);
    for (int i = 0; i < 3; i++)
        if (strncmp((const char *)file->at, words[i], strlen(words[i])) == 0) {
            file->at += strlen(words[i]);
            return PLAIN;
        }
    return skip_number(file);
}

static void
drop_clusters(Jsonl *file)
{
    for (size_t i = SPAN_ENTITY; i < JSON_ROWS; i++)
        file->rows[i].size = file->before[i];
    file->last = -1;
}

/* What a document has, as bits. */
enum { DOC_KEY = 1, SENTENCES = 2, CLUSTERS = 4, PREDICTED = 8 };

/* Read one pair of a document's object; what is known of it is in `had`. */
static Verdict
read_pair(Jsonl *file, int *had)
{
    static const char *const keys[] = {"doc_key", "sentences", "clusters", "predicted_clusters"};
    const byte *first, *last;
    int escaped, which = 0;
    TRY(read_string(file, &first, &last, &escaped));
    if (escaped || !is_next(file, ':'))
        return ODD;
    for (int i = 0; i < 4; i++)
        if (begins_with(first, last, keys[i]) && strlen(keys[i]) == (size_t)(last - first))
            which = 1 << i;
    if (*had & which)
        return ODD;
    *had |= which;
    if (which == DOC_KEY) {
        TRY(read_string(file, &first, &last, &escaped));
        return append_letters(&file->names, first - 1, (size_t)(last - first) + 2);
    }
    if (which == SENTENCES && !is_next(file, 'n')) {
        file->words = 0;
        return read_list(file, read_sentence);
    }
    if (which == SENTENCES) {
        file->at--;
        return skip_value(file, 0);
    }
    int predicted = which == PREDICTED && file->response;
    if (predicted)
        drop_clusters(file);
    if (predicted || (which == CLUSTERS && !(file->response && *had & PREDICTED)))
        return read_list(file, read_cluster);
    return skip_value(file, 0);
}

/* Read the document of a line, which ends at a line end or before one. */
static Verdict
read_object(Jsonl *file, const byte *end)
{
    int had = 0;
    if (!is_next(file, '{') || is_next(file, '}'))
        return ODD;
    do
        TRY(read_pair(file, &had));
    while (is_next(file, ','));
    if (!is_next(file, '}'))
        return ODD;
    is_next(file, '\n');
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
        file->hash = 0;
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
"Read a file of JSON lines: ids as written, then rows of numbers. None where memory runs\n"
"out. Documents that are not plain have no mentions and no id, and are marked.");

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
    if (room < 1 || room > PY_SSIZE_T_MAX / 2) {
        PyErr_SetString(PyExc_ValueError, "a block has one byte at least");
        return NULL;
    }
    if (open_block(&block, readinto, (size_t)room, offset) == 0) {
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

/* ---- the module ---- */

static PyMethodDef functions[] = {
    {"read_conll", read_conll, METH_VARARGS, read_conll_doc},
    {"read_conllu", read_conllu, METH_VARARGS, read_conllu_doc},
    {"read_jsonl", read_jsonl, METH_VARARGS, read_jsonl_doc},
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
