/** The calls about names: look-ups in the living image, as the person at the window. */
import type { nameCalls } from '#contract/image/names.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

/** Characters of a text that SBCL writes about a name. */
const TEXT_LIMIT = 1_000_000;

export function nameHandlers({ session, repls }: Workbench): Handlers<typeof nameCalls> {
  return {
    'names.complete': ({ repl, ...asked }) => {
      const place = repls.place(repl);
      return unlessGone(place.session.lookUpIfUp('complete', { context: place.context, ...asked }));
    },
    'names.arglist': ({ repl, ...asked }) => {
      const place = repls.place(repl);
      return unlessGone(place.session.lookUpIfUp('arglist', { context: place.context, ...asked }));
    },
    'names.describe': ({ repl, ...asked }) => {
      const place = repls.place(repl);
      const { context } = place;
      return unlessGone(
        place.session.lookUpIfUp('describe-symbol', { context, ...asked }).then(async (described) => {
          if (!described) return null;
          // In a package that is not there the other question is an error.
          if (described.unknownPackage) return { described, genericFunction: null };
          const generic = await place.session.lookUpIfUp('generic-function', { context, ...asked, setf: false });
          return { described, genericFunction: generic?.genericFunction ?? null };
        }),
      );
    },
    'names.definitions': ({ repl, ...asked }) => {
      const place = repls.place(repl);
      return unlessGone(place.session.lookUpIfUp('find-definition', { context: place.context, ...asked }));
    },
    'names.slots': ({ repl, ...asked }) => {
      const place = repls.place(repl);
      return unlessGone(place.session.lookUpIfUp('slot-definitions', { context: place.context, ...asked }));
    },
    'names.references': ({ relations, repl, ...asked }) => {
      const place = repls.place(repl);
      const { context } = place;
      return unlessGone(
        Promise.all(
          relations.map(async (relation) => {
            const found = await place.session.lookUpIfUp('cross-references', { context, relation, ...asked });
            return found && { relation, ...found };
          }),
        ).then((found) => {
          const all = found.filter((each) => each !== null);
          const [first] = all;
          return first === undefined ? null : { symbol: first.symbol, relations: all };
        }),
      );
    },
    'names.apropos': ({ repl, ...asked }) => unlessGone(repls.place(repl).session.lookUpIfUp('apropos', asked)),
    'names.text': ({ repl, kind, ...asked }) => {
      const { session: asks, context } = repls.place(repl);
      const question = { context, ...asked, limit: TEXT_LIMIT };
      return unlessGone(
        kind === 'disassembly' ? asks.lookUpIfUp('disassemble', question) : asks.lookUpIfUp('describe', question),
      );
    },
    'names.expand': ({ repl, ...asked }) => {
      const place = repls.place(repl);
      return unlessGone(place.session.lookUpIfUp('macroexpand', { context: place.context, ...asked }));
    },
    'names.features': () => unlessGone(session.lookUpIfUp('features', {})),
    'names.checkSyntax': (asked) => unlessGone(session.lookUpIfUp('validate-syntax', { context: PERSON.id, ...asked })),
  };
}

/** The answer; null where the image ended before it came: a look-up is asked again when there is another. */
async function unlessGone<Reply>(reply: Promise<Reply | null>): Promise<Reply | null> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof WorkbenchError && error.code === 'no-image') return null;
    throw error;
  }
}
