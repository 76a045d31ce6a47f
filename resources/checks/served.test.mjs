import { describe, expect, it } from 'vitest';
import { servedFaults } from './served.mjs';

const SCHEMAS = `
  export const lookUpMessages = { find: { lane: 'control' }, 'look-up': { lane: 'control' } } as const;
  export const imageEvent = z.discriminatedUnion('event', [
    z.object({ event: z.literal('ready') }),
    z.object({ event: z.literal('beaten') }),
  ]);`;
const LISP = `(define-operation "find" (:control request) t)\n(define-lookup-operation "look-up" (request) t)\n`;
const USES = `
  interface SessionEvents { changed: void; 'look-changed': void }
  session.lookUp('find', {}); image.request(x ? 'look-up' : 'other', {});
  session.events.on('changed', f); session.events.on('look-changed', f);
  switch (event.event) { case 'ready': return go(); }
  if (event.event !== 'beaten') return;`;

/** Returns the faults of the program above, with some of its files replaced. */
function faults({ schemas = SCHEMAS, lisp = LISP, uses = USES, more = [], rows = '' } = {}) {
  return servedFaults(
    [
      ['main/core/lisp/messages/look.ts', schemas],
      ['lisp/looking/look.lisp', lisp],
      ['main/core/session.ts', uses],
      ...more,
    ],
    `# Engine\n\n## Served, not yet used\n\n| served | what | surface |\n| --- | --- | --- |\n${rows}\n## Next\n`,
  );
}

describe('check of what is served', () => {
  it('The check of what is served finds no fault where each operation is sent and each event taken', () => {
    expect(faults()).toEqual([]);
  });

  it('The check of what is served reports operations and events that only tests use', () => {
    const own =
      "session.lookUp('find', {}); interface SessionEvents { changed: void }; switch (event.event) { case 'ready': go() }";
    expect(
      faults({
        uses: own,
        more: [
          ['main/core/session.test.ts', USES],
          ['lisp/tests/wire/look.test.ts', USES],
        ],
      }),
    ).toEqual([
      'the operation look-up is used by nobody; remove it, or say in lisp/README.md who will',
      'the event of images beaten is used by nobody; remove it, or say in lisp/README.md who will',
      'the event changed is used by nobody; remove it, or say in lisp/README.md who will',
    ]);
  });

  it('The check of what is served counts no mention that sends nothing, and no case that drops its event', () => {
    const mentioned = USES.replace('image.request(', 'known.includes(');
    const uses = mentioned.replace("case 'ready': return go();", "case 'ready': case 'beaten': return;");
    expect(faults({ uses })).toEqual([
      'the operation look-up is used by nobody; remove it, or say in lisp/README.md who will',
      'the event of images ready is used by nobody; remove it, or say in lisp/README.md who will',
    ]);
  });

  it('The check of what is served counts an operation that a question of the page asks [issue 36.6]', () => {
    const uses = USES.replace("session.lookUp('find', {});", "const calls = { 'names.find': { asks: 'find' } };");
    expect(faults({ uses })).toEqual([]);
  });

  it('The check of what is served takes a row of the table for a use to come', () => {
    const uses = USES.replace("session.lookUp('find', {});", '').replace("session.events.on('look-changed', f);", '');
    const rows = '| operation `find` | finds | finder |\n| event `look-changed` | changed | finder |\n';
    expect(faults({ uses, rows })).toEqual([]);
  });

  it('The check of what is served reports rows of the table that are stale', () => {
    const rows = '| operation `find` | finds | finder |\n| operation `gone` | went | nowhere |\n';
    expect(faults({ rows })).toEqual([
      'lisp/README.md lists the operation gone, which nobody serves',
      'lisp/README.md lists the operation find, which is used by now',
    ]);
  });

  it('The check of what is served compares the schemas with the operations in Lisp', () => {
    expect(
      faults({ lisp: '(define-run "find" (evaluation request) t)\n(define-operation "lost" (:control request) t)\n' }),
    ).toEqual([
      'the operation lost is in Lisp and has no schema',
      'the operation look-up has a schema and is not in Lisp',
    ]);
  });
});
