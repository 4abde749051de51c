/** The small matrix of a group: entities of the key by entities of the response. */

import { colourOf } from "./colours";
import type { Data, Document } from "./data";
import { button, element } from "./elements";
import type { Group } from "./focusing";
import type { Focus } from "./state";

const MOST = 14; // entities of a side

export function drawMatrix(
  open: Document,
  data: Data,
  group: Group,
  go: (focus: Focus) => void,
): HTMLElement {
  const name = data.systems[group.system] ?? "";
  const columns = group.responseEntities.slice(0, MOST);
  const rows = group.keyEntities.slice(0, MOST);
  const hasMissing = rows.some((_, row) => group.missing[row]);
  const heads = columns.map((entity) => {
    const focus: Focus = { side: "response", system: group.system, entity };
    return head("col", entity, "", () => go(focus), `${name} entity ${entity}`);
  });
  if (hasMissing) heads.push(element("th", { text: "none", set: { scope: "col" } }));
  const body = rows.map((entity, row) => {
    const focus: Focus = { side: "key", system: 0, entity };
    const counts = columns.map((_, column) => group.shared[row]?.[column] ?? 0);
    if (hasMissing) counts.push(group.missing[row] ?? 0);
    const label = head(
      "row",
      entity,
      colourOf(entity),
      () => go(focus),
      `${data.key} entity ${entity}`,
    );
    return element(
      "tr",
      {},
      label,
      ...counts.map((count) => cell(count, colourOf(entity))),
    );
  });
  if (columns.some((_, column) => group.extra[column])) {
    const counts = columns.map((_, column) => group.extra[column] ?? 0);
    if (hasMissing) counts.push(0);
    const label = element("th", { text: "none", set: { scope: "row" } });
    body.push(element("tr", {}, label, ...counts.map((count) => cell(count, "none"))));
  }
  const left =
    group.keyEntities.length +
    group.responseEntities.length -
    rows.length -
    columns.length;
  const caption = element(
    "caption",
    {},
    "Shared mentions: ",
    element("bdi", { text: data.key }),
    " entities (rows) by ",
    element("bdi", { text: name }),
    " entities (columns)",
  );
  if (left) caption.append(`; ${left} more are left out`);
  const table = element(
    "table",
    { class: "matrix" },
    caption,
    element("thead", {}, element("tr", {}, element("td"), ...heads)),
    element("tbody", {}, ...body),
  );
  table.dataset.document = open.id;
  return element("div", { class: "wide" }, table);
}

function head(
  scope: string,
  entity: number,
  colour: string,
  act: () => void,
  label: string,
): HTMLElement {
  const chip = button(`${entity}`, act, {
    class: `chip ${colour}`,
    set: { "aria-label": label },
  });
  return element("th", { set: { scope } }, chip);
}

function cell(count: number, colour: string): HTMLElement {
  const made = element("td", {
    class: count ? `count ${colour}` : "zero",
    text: count ? `${count}` : "·",
  });
  return made;
}
