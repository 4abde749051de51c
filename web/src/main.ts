/** Starts what a page has: sorting of its tables, and the reader if there is one. */

import { decodeData, type EncodedData } from "./data";
import { mountReader } from "./reader";
import { makeSortable } from "./sorting";
import { START, Store } from "./state";

function start(): void {
  makeSortable(document);
  const data = document.getElementById("reader-data");
  const home = document.getElementById("reader");
  if (!data?.textContent || !home) return;
  const decoded = decodeData(JSON.parse(data.textContent) as EncodedData);
  const systems = decoded.systems.length ? [0] : [];
  mountReader(home, decoded, new Store({ ...START, systems }));
}

start();
