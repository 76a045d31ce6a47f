/** The Markdown documents for agents, which are the same for Lisply and as MCP resources. */
import { evaluationText } from './evaluation.ts';
import { lisplyText } from './lisply.ts';
import { safetyText } from './safety.ts';
import { toolsText } from './tools.ts';

interface GuideDocument {
  readonly id: string;
  readonly title: string;
  /** A one-line summary that helps an agent choose a document. */
  readonly description: string;
  /** `notice` describes the rules that currently apply to clients of this workbench. */
  readonly text: (notice: string) => string;
}

export const DOCUMENTS: readonly GuideDocument[] = [
  {
    id: 'evaluation',
    title: 'Evaluating Lisp code',
    description:
      'How code is read, evaluated and printed; what persists between calls; packages; errors; long evaluations.',
    text: () => evaluationText,
  },
  {
    id: 'safety',
    title: 'What is allowed',
    description:
      'Which actions run immediately, which need a person’s approval, which are denied, and what to do then.',
    text: safetyText,
  },
  {
    id: 'lisply',
    title: 'Lisply over HTTP and HTTPS',
    description: 'The routes of Lisply with their requests, answers and errors, tokens and certificates.',
    text: () => lisplyText,
  },
  {
    id: 'tools',
    title: 'The tools of MCP',
    description: 'All tools that an MCP client can call, with their levels and purposes.',
    text: toolsText,
  },
];

/** Returns the text of a document; null if there is no document with this name. */
export function documentText(id: string, notice: string): string | null {
  const found = DOCUMENTS.find((each) => each.id === id);
  return found ? `# ${found.title}\n\n${found.text(notice)}\n` : null;
}

/** Returns the error message for an unknown document. */
export function noSuchDocument(id: string): string {
  const ids = DOCUMENTS.map((each) => each.id).join(', ');
  return `There is no document ${JSON.stringify(id.slice(0, 100))}. There are: ${ids}.`;
}
