/** The reason why the policy asks about a request, for a person who wants to know it. Pure. */
import type { CardReason } from '#contract/decisions/approval.ts';
import type { ClientMode } from '#contract/clients/client.ts';
import type { Verdict } from './policy.ts';

type About = Pick<CardReason, 'words' | 'less' | 'more'>;

/**
 * `mode` is the client's current mode. `configures` is the request's sentence about a file that configures other programs; no rule can
 * answer such a request.
 */
export function reasonOf({ rule, why }: Verdict, mode: ClientMode, configures: string | null = null): CardReason {
  const about = BUILT_IN[rule] ?? ownRule(why);
  return { rule, mode, ...about, ...(configures === null ? {} : { less: NO_RULE }) };
}

const NO_RULE = 'Nothing: each change of a file that configures other programs needs approval.';

const LOOKS_ONLY = 'In observe mode it is refused without asking.';
const PROPOSES = 'In propose mode, changes to the image also need approval; in observe mode, this is refused.';

const BUILT_IN: Readonly<Record<string, About>> = {
  level: {
    words: 'A dangerous tool needs approval each time, in every mode that allows it.',
    less: 'Tick “Also approve similar requests” where the card offers it: it applies to this tool and target only, and ends automatically.',
    more: PROPOSES,
  },
  mode: {
    words: 'In propose mode, a client needs approval before it changes the image.',
    less: 'In collaborate mode this runs without asking.',
    more: LOOKS_ONLY,
  },
  effects: {
    words: 'Each effect of an agent’s code outside the image needs approval, in every mode that allows it to run.',
    less: 'Choose one of the “Always” answers, which end automatically, or name a folder in Settings that agents’ code may write in.',
    more: PROPOSES,
  },
  author: {
    words:
      'Code that an agent defined needs approval until you have reviewed the definition, even if you call it. The agent’s rules and grants do not apply to you.',
    less: 'Mark the definition as reviewed, here or in Definitions, or evaluate it yourself. It then runs as your own code.',
    more: 'Remove the mark: it then needs approval again.',
  },
  unreviewed: {
    words:
      'Your own code also needs approval in this image while an agent has evaluated something that you have not accepted.',
    less: 'Accept what agents evaluated so far, with “Until an agent changes something”, or turn this off for the image in the status bar.',
    more: 'Nothing: each of your effects needs approval while there is such a change.',
  },
  restart: {
    words: 'This request was open when the program ended. Open requests are shown again, whatever the rules are now.',
    less: 'Nothing: an open request is never approved automatically.',
    more: LOOKS_ONLY,
  },
};

function ownRule(why: string): About {
  return { words: `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`, less: 'Remove that rule.', more: LOOKS_ONLY };
}
