import assert from "node:assert/strict";
import { test } from "node:test";
import { actionOf } from "../src/reader";
import { fragmentOf, isStep, START, type State, Store, stateOf } from "../src/state";

const IDS = ["a#b&c=d", "é <x>", "\u202eabc"];

test("states survive the way through a fragment", () => {
  const states: State[] = [
    { ...START, document: 1, focus: { side: "key", system: 0, entity: 3 } },
    {
      ...START,
      document: 2,
      systems: [2],
      focus: { side: "response", system: 2, entity: 7 },
    },
    { ...START, document: 0, systems: [2, 0], view: "beside", mention: "3-5" },
    { ...START, document: 0, error: "divided#3-5~2" },
  ];
  for (const state of states) {
    assert.deepEqual(stateOf(`#${fragmentOf(state, IDS)}`, IDS, 3), state);
  }
});

test("what a fragment cannot mean is left out", () => {
  const state = stateOf(
    `#d=${encodeURIComponent(IDS[1] ?? "")}&s=9,x,2,2,1,3&k=-1&r=x`,
    IDS,
    3,
  );
  assert.deepEqual(state?.systems, [1, 0]);
  assert.equal(state?.focus, null);
  assert.equal(stateOf("#d=none", IDS, 3), null);
  assert.equal(stateOf("#scores", IDS, 3), null);
});

test("an empty fragment is the table of documents, or the only document", () => {
  assert.equal(stateOf("", IDS, 1)?.document, null);
  assert.equal(stateOf("#", ["d"], 1)?.document, 0);
  assert.deepEqual(stateOf("", IDS, 0)?.systems, []);
});

test("the back button leads to documents, errors and entities, not to views", () => {
  const open = { ...START, document: 1 };
  assert.ok(isStep(open, START));
  assert.ok(isStep({ ...open, error: "e" }, open));
  assert.ok(isStep({ ...open, focus: { side: "key", system: 0, entity: 1 } }, open));
  // The same id is another error in another system.
  const error = { ...open, error: "divided#3-5" };
  assert.ok(isStep({ ...error, systems: [1, 0] }, { ...error, systems: [0, 1] }));
  assert.ok(!isStep({ ...open, view: "beside", systems: [1] }, open));
  const focus = { side: "key", system: 0, entity: 1 } as const;
  assert.ok(!isStep({ ...open, focus: { ...focus } }, { ...open, focus }));
});

test("each change is told with the state before", () => {
  const store = new Store();
  const seen: [number | null, number | null][] = [];
  store.listen((state, before) => seen.push([before.document, state.document]));
  store.set({ document: 2 });
  store.set({ error: "e" });
  assert.deepEqual(seen, [
    [null, 2],
    [2, 2],
  ]);
});

test("keys have their actions", () => {
  assert.deepEqual(actionOf("n"), { do: "error", direction: 1 });
  assert.deepEqual(actionOf("3"), { do: "system", system: 2 });
  assert.equal(actionOf("0"), null);
  assert.equal(actionOf("toString"), null);
  assert.equal(actionOf("N"), null);
});

test("a link names the system of an error without moving the columns", () => {
  const state = { ...START, document: 0, systems: [0, 1], error: "divided#3-5", by: 1 };
  const fragment = fragmentOf(state, ["a"]);
  assert.match(fragment, /by=2/);
  assert.deepEqual(stateOf(fragment, ["a"], 2), state);
  // Links that were made before name the first system.
  assert.equal(stateOf("#d=a&s=2,1&e=divided%233-5", ["a"], 2)?.by, null);
});
