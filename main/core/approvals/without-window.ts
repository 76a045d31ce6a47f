/** Approval without a window: texts for clients whose requests have no approver, and types for decisions without a person. */

/** The command line options for approving requests without a window. */
const WAYS =
  '--approve terminal (a person is asked on the terminal of the server), --approve client (a person is asked in the client program) or --approve project (file tools may change files of the project)';

/** The reason for a denial when there is no person to ask. */
export const NOBODY_APPROVES = `Approval is not possible here: no window is open. The person who starts the server can allow it with ${WAYS}.`;

/** The reason for denying effects when there is no person to ask; the text follows "because". */
export const NOBODY_ASKED_ABOUT_EFFECTS =
  'effects of code are denied here, because nobody can approve them. The person who starts the server can add --approve terminal or --approve client to be asked; --approve project allows file tools, not effects of code';

/** The author of the decisions of `--approve project`, in the audit and in Activity. It is also the name of the approver. */
export const APPROVED_BY_OPTION = '--approve project';

/** The name of the approver of `--approve client`. */
export const CLIENT_ITSELF = 'the client program';

/** Returns a text that informs a connecting client who approves its requests. `approver`: the queue's approver; null if there is none. */
export function companyWords(approver: string | null): string {
  if (approver === null)
    return 'Nobody can approve requests here, so actions that need approval, such as writing files, are denied.';
  if (approver === APPROVED_BY_OPTION)
    return 'File tools may change files of the project without asking, except files that configure programs. Nobody can approve requests here, so everything else that needs approval is denied.';
  if (approver === CLIENT_ITSELF)
    return 'Actions that need approval, such as writing files, are requested in your own program and wait for the answer; they are denied if your program cannot ask (elicitation).';
  return `A person approves requests at ${approver}; actions such as writing files wait for the decision.`;
}

/** A decision that needs no person: approved by the named rule, or denied. */
type DecidedAtOnce =
  | { readonly approved: true; readonly by: string }
  | { readonly approved: false; readonly reason: string };

/** The facts for a decision without a person. `files` are the files on the card, and only those may be changed when the request runs. */
interface AskedAtOnce {
  /** True if the requesting client can ask the person who uses it. */
  readonly askable: boolean;
  readonly files: readonly string[];
}

/** Decides about a request without asking; null leaves the decision to the person. */
export type AtOnce = (asked: AskedAtOnce) => DecidedAtOnce | null;
