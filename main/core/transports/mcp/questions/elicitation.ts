/** Converts a card to an MCP elicitation question, and reads the client's answer. Pure. */
import type { ClientCapabilities, ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ApprovalCard, ApprovalDecision } from '#contract/decisions/approval.ts';
import { describe } from '#core/approvals/card/card-text.ts';
import { maskTokens } from '#core/base/tokens.ts';

/** The maximum number of characters of a card in a question. Clients show the question in a dialog, where there is little room. */
const MOST = 2000;
const MOST_OF_REASON = 500;

/** Returns true if a client can ask its person to fill in a form. A client that names no kind of elicitation supports forms. */
export function canElicit(capabilities: Pick<ClientCapabilities, 'elicitation'> | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Returns the question for a card, with the card's facts as text. Text that an agent wrote is on marked or quoted lines. */
export function elicitationOf(card: ApprovalCard): ElicitRequestFormParams {
  return {
    mode: 'form',
    message: `Lisp Workbench asks you to approve or deny what an agent wants to do.\n${shortened(maskTokens(describe(card).trim()))}`,
    requestedSchema: {
      type: 'object',
      properties: {
        // `deny` comes first, because some clients preselect the first value.
        decision: { type: 'string', title: 'Decision', enum: ['deny', 'approve'] },
        reason: {
          type: 'string',
          title: 'Reason',
          description: 'Optional. The agent receives the reason if you deny.',
          maxLength: MOST_OF_REASON,
        },
      },
      required: ['decision'],
    },
  };
}

const answered = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z
    .object({ decision: z.enum(['approve', 'deny']), reason: z.string().max(MOST_OF_REASON).optional() })
    .optional(),
});

/** Reads a client's answer. Only a clear approval counts as approval. Returns null if the client sent no answer. */
export function decisionOf(answer: unknown): ApprovalDecision | null {
  if (answer === undefined) return null;
  const { success, data } = answered.safeParse(answer);
  if (!success) return denied('The client program returned an answer that is not among the choices.');
  const { action, content } = data;
  if (action === 'accept' && content?.decision === 'approve') return { decision: 'approved' };
  const reason = content?.reason?.trim() ?? '';
  if (reason !== '') return denied(reason);
  return denied(action === 'cancel' ? 'The question was closed without an answer.' : '');
}

function denied(reason: string): ApprovalDecision {
  return { decision: 'denied', reason };
}

/** Cuts a text between characters, and adds the number of omitted characters. */
function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= MOST) return text;
  const left = (characters.length - MOST).toLocaleString('en-US');
  return `${characters.slice(0, MOST).join('')}\n… ${left} more characters are not shown here.`;
}
