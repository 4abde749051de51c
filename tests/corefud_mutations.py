"""Mutated CorefUD files: windows of corpora, with damage to their annotation."""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

WORDS = ("the", "old", "mill", "near", "a", "river", "was", "sold", "to", "men")
TYPES = ("person", "place", "event", "other", "", "Person", "company", "time ", "x")
DECLARATIONS = (
    "eid-etype-head-other",
    "eid-etype-head-minspan-identity",
    "eid-etype-head",
    "eid-head-etype",
    "eid-etype-head-identity-other",
    "eid-etype-head-other-eid",
    "eid-etype-minspan-head",
    "etype-eid-head",
    "GRP-etype-infstat-minspan",
    "grp-etype-head",
    "eid-etype-head-",
    "eid-etype-Head",
    "eid-etype-head-other ",
    "eid",
)
MISC = 9


class Sentence:
    """Comments and rows of ten columns."""

    def __init__(self, comments, rows):
        self.comments = comments
        self.rows = rows

    @classmethod
    def parse(cls, text):
        lines = text.split("\n")
        comments = [line for line in lines if line.startswith("#")]
        rows = [line.split("\t") for line in lines if line and line[0] != "#"]
        return cls(comments, rows)

    def copy(self):
        return Sentence([*self.comments], [[*row] for row in self.rows])

    def format(self):
        rows = ["\t".join(row) for row in self.rows]
        return "\n".join([*self.comments, *rows]) + "\n\n"

    @property
    def nodes(self):
        return [row for row in self.rows if "-" not in row[0]]

    def renumber(self):
        """Number words and empty nodes again, in a flat tree without ranges."""
        self.rows, word, node = self.nodes, 0, 0
        for row in self.rows:
            if "." in row[0]:
                node += 1
                row[0] = f"{word}.{node}"
            else:
                word, node = word + 1, 0
                row[0] = str(word)
                row[6], row[7] = ("0", "root") if word == 1 else ("1", "dep")
            row[8] = "1:dep" if "." in row[0] else "_"


def invent_sentence(chance, number):
    """Return a sentence with separate entities, as if written by hand."""
    rows = []
    for word in range(1, chance.randint(3, 9) + 1):
        head = ("0", "root") if word == 1 else ("1", "dep")
        cells = [chance.choice(WORDS), "_", "X", "_", "_"]
        rows.append([str(word), *cells, *head, "_", "_"])
    text = " ".join(row[1] for row in rows)
    sentence = Sentence([f"# sent_id = s{number}", f"# text = {text}"], rows)
    for _ in range(chance.randint(0, 3)):
        add_mention(sentence, chance, f"e{chance.randint(1, 5)}")
    return sentence


def add_item(row, name, text, *, first=False):
    """Add to an item of MISC, or add the item."""
    items = [] if row[MISC] == "_" else row[MISC].split("|")
    for position, item in enumerate(items):
        if item.startswith(f"{name}="):
            old = item.removeprefix(f"{name}=")
            comma = "," if name != "Entity" else ""
            new = f"{text}{comma}{old}" if first else f"{old}{comma}{text}"
            items[position] = f"{name}={new}"
            break
    else:
        items.append(f"{name}={text}")
    row[MISC] = "|".join(items)


def add_mention(sentence, chance, entity, etype="person"):
    nodes = sentence.nodes
    start = chance.randrange(len(nodes))
    end = min(len(nodes) - 1, start + chance.choice((0, 0, 1, 2, 3)))
    opening = f"({entity}-{etype}-{chance.randint(1, end - start + 1)}"
    if start == end:
        add_item(nodes[start], "Entity", f"{opening})")
    else:
        add_item(nodes[start], "Entity", opening)
        add_item(nodes[end], "Entity", f"{entity})", first=True)


def change_brackets(chance, text):
    """Change the text of an `Entity` item."""
    brackets = re.findall(r"\(?[^()]*\)?", text)[:-1] or [text]
    number = chance.randrange(len(brackets))
    bracket = brackets[number]
    before, after = bracket[:1] == "(", bracket[-1:] == ")"
    kind = chance.randrange(14)
    if kind == 0:
        brackets[number] = bracket.strip("(") if before else bracket.strip(")")
    elif kind == 1:
        del brackets[number]
    elif kind == 2:
        brackets.insert(number, bracket)
    elif kind == 3:
        chance.shuffle(brackets)
    elif kind == 4:
        brackets = ["(", text] if chance.random() < 0.5 else [text, ")"]
    else:
        values = change_values(chance, bracket.strip("()").split("-"))
        brackets[number] = f"{'(' * before}{'-'.join(values)}{')' * after}"
    return "".join(brackets) or "_"


def change_values(chance, values):
    eid, etype, head, *others = [*values, "", "", ""][: max(3, len(values))]
    part = (
        f"{eid}[{chance.choice('01123')}/{chance.choice(('1', '2', '2', '3', '02'))}]"
    )
    odd = chance.choice(("", "[e1", "]", "e[1]", "e1[1/2][1/2]", "e 1", f"{eid}%2D"))
    spare = [chance.choice(("", "x", "1", "Ann", "1,2"))] * chance.randint(1, 4)
    return chance.choice(
        (
            [f"e{chance.randint(1, 6)}", *values[1:]],
            [part, *values[1:]],
            [odd, *values[1:]],
            [eid, chance.choice(TYPES), *values[2:]],
            [eid, etype, chance.choice(("0", "1", "2", "9", "", "x", "01", "1,2"))],
            [eid, etype, head, *others[:-1], chance.choice(("Ann", "Bob", "", "1"))],
            values[: chance.randint(1, len(values))],
            [*values, *spare],
        )
    )


def draw_links(chance, name):
    ids = [f"e{chance.randint(1, 6)}" for _ in range(4)]
    relation = chance.choice(("", ":part", ":Part", ":", ":set-member"))
    suffix = relation if name == "Bridge" else ""
    links = [f"{ids[0]}<{ids[1]}{suffix}"]
    kind = chance.randrange(6)
    if kind < 3:
        links.append(f"{ids[2]}<{ids[1]}")
    elif kind == 3:
        links.append(links[0])
    elif kind == 4:
        return chance.choice(("", "e1", "e1<", "<e2", "e1<e2<e3", "e1>e2", "e1<e2,"))
    return ",".join(links)


class Place(NamedTuple):
    """The place of a mutation: a row of a sentence, and the source of randomness."""

    sentences: list
    sentence: Sentence
    row: list
    chance: Random


def change_entity_item(place):
    items = place.row[MISC].split("|")
    for position, item in enumerate(items):
        if item.startswith("Entity="):
            items[position] = "Entity=" + change_brackets(place.chance, item[7:])
    place.row[MISC] = "|".join(items)


def add_links(place):
    name = place.chance.choice(("SplitAnte", "SplitAnte", "Bridge"))
    add_item(place.row, name, draw_links(place.chance, name))


def add_split_antecedents(place):
    ids = re.findall(r"\((e[0-9]+)", place.row[MISC])
    for entity in ids[:1]:
        for other in place.sentence.rows:
            if f"({entity}-" in other[MISC]:
                add_item(other, "SplitAnte", f"e8<{entity},e9<{entity}")
                if place.chance.random() < 0.7:
                    break


def repeat_item(place):
    if place.chance.random() < 0.5:
        add_links(place)
    item = place.chance.choice(place.row[MISC].split("|"))
    place.row[MISC] = f"{place.row[MISC]}|{item}".removeprefix("_|")


def move_item(place):
    other = place.chance.choice(place.sentence.rows)
    place.row[MISC], other[MISC] = other[MISC], place.row[MISC]


def add_empty_node(place):
    number = place.chance.randrange(len(place.sentence.rows) + 1)
    form = place.chance.choice(WORDS)
    node = [f"{number}.1", form, *"____", "_", "_", "1:dep", "_"]
    place.sentence.rows.insert(number, node)
    place.sentence.renumber()
    if place.chance.random() < 0.6:
        add_item(node, "Entity", f"(e{place.chance.randint(1, 5)}-person-1)")


def add_range(place):
    place.sentence.renumber()
    words = [row for row in place.sentence.rows if "." not in row[0]]
    if place.row in words[:-1]:
        first = int(place.row[0])
        misc = place.chance.choice(("_", place.row[MISC]))
        cells = [f"{first}-{first + 1}", "ab", *"_______", misc]
        rows = place.sentence.rows
        rows.insert(rows.index(place.row), cells)


def join_sentences(place):
    number = place.sentences.index(place.sentence)
    if number + 1 < len(place.sentences):
        place.sentence.rows += place.sentences.pop(number + 1).rows
        place.sentence.renumber()


def cut_sentence(place):
    sentence, sentences, chance = place.sentence, place.sentences, place.chance
    sentence.renumber()
    if len(sentence.rows) > 2:
        cut = chance.randrange(1, len(sentence.rows))
        rest = Sentence([f"# sent_id = cut{chance.random()}"], sentence.rows[cut:])
        sentence.rows = sentence.rows[:cut]
        sentences.insert(sentences.index(sentence) + 1, rest)
        for part in (sentence, rest):
            if all("." in row[0] for row in part.rows):
                part.rows[0][0] = "1"
            part.renumber()


def begin_document(place):
    lines = ("# newdoc", "# newdoc id = b", "# newdoc b", "#newdoc\tb")
    comments = place.sentence.comments
    position = place.chance.randint(0, len(comments))
    comments.insert(position, place.chance.choice(lines))


def declare_fields(place):
    comments = place.chance.choice([place.sentences[0], place.sentence]).comments
    declaration = f"# global.Entity = {place.chance.choice(DECLARATIONS)}"
    lines = [line for line in comments if "global.Entity" not in line]
    comments[:] = [*lines, declaration][: place.chance.randint(1, len(lines) + 1)]


def add_parts(place):
    """Add a discontinuous mention."""
    nodes = place.sentence.nodes
    chosen = sorted(place.chance.sample(range(len(nodes)), min(len(nodes), 3)))
    entity, total = f"e{place.chance.randint(1, 5)}", len(chosen)
    for part, number in enumerate(chosen, 1):
        etype = "person" if place.chance.random() < 0.9 else "place"
        add_item(nodes[number], "Entity", f"({entity}[{part}/{total}]-{etype}-1)")


def add_crossing(place):
    add_mention(place.sentence, place.chance, f"e{place.chance.randint(1, 5)}")


MUTATIONS = (
    *(change_entity_item, change_entity_item, change_entity_item, change_entity_item),
    *(add_links, add_split_antecedents, repeat_item, move_item, add_empty_node),
    *(add_range, join_sentences, cut_sentence, begin_document, declare_fields),
    *(add_parts, add_crossing),
)


def mutate(sentences, chance):
    """Damage one place, or add annotation there."""
    sentence = chance.choice(sentences)
    annotated = [row for row in sentence.rows if "Entity=" in row[MISC]]
    row = chance.choice(annotated or sentence.rows)
    chance.choice(MUTATIONS)(Place(sentences, sentence, row, chance))


def read_sentences(path, limit=400):
    with path.open(encoding="utf-8") as file:
        text = file.read(limit * 2500)
    blocks = text.split("\n\n")[:-1]
    return [Sentence.parse(block) for block in blocks[:limit]]


def draw_file(corpora, seed):
    """Return the text of a mutated file; `corpora` are lists of sentences."""
    chance = Random(seed)
    if corpora and chance.random() < 0.6:
        corpus = chance.choice(corpora)
        start = chance.randrange(max(1, len(corpus) - 4))
        sentences = [row.copy() for row in corpus[start : start + chance.randint(1, 4)]]
        if chance.random() < 0.7:  # its annotation declares other fields
            for sentence in sentences:
                lines = [line for line in sentence.comments if "global." not in line]
                sentence.comments = lines
                for row in sentence.rows:
                    row[MISC] = "_"
                for _ in range(chance.randint(0, 4)):
                    add_mention(sentence, chance, f"e{chance.randint(1, 5)}")
    else:
        count = chance.randint(1, 4)
        sentences = [invent_sentence(chance, number) for number in range(count)]
    if not any("global.Entity" in line for line in sentences[0].comments):
        fields = DECLARATIONS[0] if chance.random() < 0.5 else DECLARATIONS[1]
        sentences[0].comments.insert(0, f"# global.Entity = {fields}")
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
        mutate(sentences, chance)
    return "".join(sentence.format() for sentence in sentences)
