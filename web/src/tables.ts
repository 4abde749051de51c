/** Tables of the page that can be sorted. */

export function makeSortable(page: ParentNode): void {
  for (const table of page.querySelectorAll("table[data-sortable]")) {
    table.classList.add("sortable");
  }
}
