/** Handles the calls about names. They are look-ups in the running image for the person at the window. */
import type { nameCalls } from '#contract/image/names.ts';
import type { Workbench } from '#core/workbench.ts';
import { unlessGone, type OwnHandlers } from './questions.ts';

/** The maximum number of characters of the text that SBCL prints about a name. */
const TEXT_LIMIT = 1_000_000;

export function nameHandlers({ repls }: Workbench): OwnHandlers<typeof nameCalls> {
  return {
    'names.describe': ({ repl, ...asked }) => {
      const place = repls.place(repl);
      const { context } = place;
      return unlessGone(
        place.session.lookUpIfUp('describe-symbol', { context, ...asked }).then(async (described) => {
          if (!described) return null;
          // `generic-function` is not requested, because it signals an error for an unknown package.
          if (described.unknownPackage) return { described, genericFunction: null };
          const generic = await place.session.lookUpIfUp('generic-function', { context, ...asked, setf: false });
          return { described, genericFunction: generic?.genericFunction ?? null };
        }),
      );
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
    'names.text': ({ repl, kind, ...asked }) => {
      const { session: asks, context } = repls.place(repl);
      const question = { context, ...asked, limit: TEXT_LIMIT };
      return unlessGone(
        kind === 'disassembly' ? asks.lookUpIfUp('disassemble', question) : asks.lookUpIfUp('describe', question),
      );
    },
  };
}
