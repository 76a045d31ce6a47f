/**
 * Checks that everything the engine offers is used. Each operation and event of the wire, and each event inside the core, must have a
 * caller or listener in the program. Otherwise, the table "Served, not yet used" in `lisp/README.md` must have a row that names the future
 * user. This prevents unused code, and shows a reader of the engine which functions no user can reach.
 */
import { parseSync } from 'vite';

const HEADING = '## Served, not yet used';
const MESSAGES = /^main\/core\/lisp\/messages\//;
/** The names of the functions that send a request and get its operation as an argument. */
const SENDING = new Set(['request', 'tell', 'attempt', 'lookUp', 'lookUpIfUp', 'run', 'runInTurn', 'runForInspector']);
/**
 * The names of the fields whose value is an operation that other code sends: `op` in a run, and `asks` in a page's look-up in the contract.
 */
const NAMING = new Set(['op', 'asks']);

/**
 * Returns the faults, each as a sentence.
 * @param {Iterable<[string, string]>} sources path and text of each file of `main` and `lisp`, including tests
 * @param {string} readme the text of `lisp/README.md`
 */
export function servedFaults(sources, readme) {
  const inLisp = new Set();
  const schemas = { operations: new Set(), events: new Set() };
  const inside = new Set();
  const used = new Set();
  for (const [file, text] of sources) {
    if (/^lisp\/(?!tests\/).*\.lisp$/.test(file)) for (const name of operationsIn(text)) inLisp.add(name);
    if (!/^main\/.*\.ts$/.test(file) || /\.(?:test|fixture)\.ts$/.test(file)) continue;
    const { program } = parseSync(file, text);
    if (MESSAGES.test(file)) readSchemas(program, schemas);
    else {
      for (const name of uses(program)) used.add(name);
      for (const name of eventsInside(program)) inside.add(name);
    }
  }
  const served = new Set([
    ...[...schemas.operations].map((name) => `operation ${name}`),
    ...[...schemas.events].map((name) => `event of images ${name}`),
    ...[...inside].map((name) => `event ${name}`),
  ]);
  const rows = rowsOf(readme);
  return [
    ...without(inLisp, schemas.operations).map((name) => `the operation ${name} is in Lisp and has no schema`),
    ...without(schemas.operations, inLisp).map((name) => `the operation ${name} has a schema and is not in Lisp`),
    ...without(served, new Set([...used, ...rows])).map(
      (name) => `the ${name} is used by nobody; remove it, or say in lisp/README.md who will`,
    ),
    ...rows.filter((name) => !served.has(name)).map((name) => `lisp/README.md lists the ${name}, which nobody serves`),
    ...rows.filter((name) => used.has(name)).map((name) => `lisp/README.md lists the ${name}, which is used by now`),
  ];
}

const without = (names, others) => [...names].filter((name) => !others.has(name));

/** Returns the first cells of the table's rows, in the same format as `served`. */
function rowsOf(readme) {
  const [, section = ''] = readme.split(`${HEADING}\n`);
  const [own] = section.split(/^## /m);
  return [...own.matchAll(/^\| (operation|event|event of images) `([^`]+)` \|/gm)].map(
    ([, kind, name]) => `${kind} ${name}`,
  );
}

/**
 * Returns the names of the operations that a text defines with `define-operation`, `define-run`, or a macro with a name like
 * `define-…-operation`.
 */
function operationsIn(text) {
  return [...text.matchAll(/^\(define-(?:[\w-]+-)?(?:operation|run) "([^"]+)"/gm)].map(([, name]) => name);
}

/**
 * Reads the schemas. Operations are the entries of exported tables whose names end in `Messages`. Events are the literals of fields named
 * `event`.
 */
function readSchemas(program, { operations, events }) {
  visit(program, (node) => {
    if (node.type === 'VariableDeclarator' && node.id.name?.endsWith('Messages')) {
      for (const { key } of unwrapped(node.init).properties) operations.add(key.name ?? key.value);
    }
    if (node.type === 'Property' && node.key.name === 'event' && calledName(node.value) === 'literal') {
      events.add(node.value.arguments[0].value);
    }
  });
}

/** Returns the members of the interfaces whose names end in `Events`. */
function eventsInside(program) {
  const names = [];
  visit(program, (node) => {
    if (node.type !== 'TSInterfaceDeclaration' || !node.id.name.endsWith('Events')) return;
    for (const { key } of node.body.body) names.push(key.name ?? key.value);
  });
  return names;
}

/**
 * Returns the operations that are sent and the events that are handled. Events of an image are handled by a case with statements or by a
 * comparison, and events inside the core by a listener.
 */
function uses(program) {
  const names = [];
  visit(program, (node) => {
    if (node.type === 'CallExpression') {
      const called = calledName(node);
      if (SENDING.has(called)) names.push(...node.arguments.flatMap(texts).map((name) => `operation ${name}`));
      if (called === 'on' || called === 'once') names.push(...texts(node.arguments[0]).map((name) => `event ${name}`));
    }
    if (node.type === 'Property' && NAMING.has(node.key.name))
      names.push(...texts(node.value).map((name) => `operation ${name}`));
    if (node.type === 'SwitchStatement' && isEvent(node.discriminant)) {
      names.push(...casesWithWork(node.cases).map((name) => `event of images ${name}`));
    }
    if (node.type === 'BinaryExpression' && isEvent(node.left)) {
      names.push(...texts(node.right).map((name) => `event of images ${name}`));
    }
  });
  return names;
}

const isEvent = (node) => node.type === 'MemberExpression' && node.property.name === 'event';

/**
 * Returns the events whose cases do something. A case without statements shares the statements of the next case. A case that only returns
 * does not count.
 */
function casesWithWork(cases) {
  const body = (at) =>
    cases[at].consequent.length > 0 || at === cases.length - 1 ? cases[at].consequent : body(at + 1);
  return cases.flatMap(({ test }, at) => {
    const drops = body(at).every((each) => each.type === 'ReturnStatement' && each.argument === null);
    return test === null || drops ? [] : texts(test);
  });
}

/** Returns the strings that an expression can evaluate to. */
function texts(node) {
  if (node?.type === 'ConditionalExpression') return [...texts(node.consequent), ...texts(node.alternate)];
  return node?.type === 'Literal' && typeof node.value === 'string' ? [node.value] : [];
}

function calledName({ type, callee }) {
  if (type !== 'CallExpression') return undefined;
  return callee.type === 'MemberExpression' ? callee.property.name : callee.name;
}

function unwrapped(node) {
  return node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' ? unwrapped(node.expression) : node;
}

function visit(node, look) {
  if (Array.isArray(node)) {
    for (const each of node) visit(each, look);
  } else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') look(node);
    for (const each of Object.values(node)) visit(each, look);
  }
}
