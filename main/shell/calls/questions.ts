/**
 * Questions of the page to an image. The contract's rows specify which operation each question `asks`. The page's input is sent to the
 * image with the REPL's context, and the image's reply is returned unchanged. A question never starts an image: the answer is null if no
 * image is running, or if the image ends before it has answered.
 */
import type { z } from 'zod';
import { PERSON } from '#contract/clients/known-actors.ts';
import { type CallTable, workbenchCalls, type WorkbenchCalls } from '#contract/rpc.ts';
import { WorkbenchError } from '#core/base/error.ts';
import {
  operations,
  type LookUpOperation,
  type Operation,
  type OperationReply,
  type OperationRequest,
} from '#core/lisp/messages.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

/** A row of the contract that needs no handler of its own. `with` contains fields that the page does not choose. */
interface Question {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly asks: string;
  readonly with?: object;
}

type Questions = {
  [Name in keyof WorkbenchCalls as WorkbenchCalls[Name] extends Question ? Name : never]: WorkbenchCalls[Name];
};

/** The handlers for all calls of a table that are not questions. */
export type OwnHandlers<Calls extends CallTable> = Handlers<{
  [Name in keyof Calls as Calls[Name] extends Question ? never : Name]: Calls[Name];
}>;

/** Fields of the request to the image. They include the context if the operation has one. */
type Asked<Row extends Question> = Omit<z.output<Row['input']>, 'repl'> &
  (Row extends { readonly with: infer Fixed } ? Fixed : unknown) &
  (Row['asks'] extends Operation
    ? OperationRequest<Row['asks']> extends { context: string }
      ? { context: string }
      : unknown
    : unknown);

/** True if the operation exists and its request and reply fit the row. Otherwise, the name of the part that does not fit. */
type Fit<Row extends Question> = Row['asks'] extends LookUpOperation
  ? [Asked<Row>] extends [OperationRequest<Row['asks']>]
    ? [OperationReply<Row['asks']>] extends [z.input<Row['output']>]
      ? true
      : 'reply'
    : 'request'
  : 'operation';

/** The rows whose operation has a different request or reply. If there is one, the type check of `workbenchHandlers` fails. */
type Misfits = {
  [
    Name in keyof Questions as Questions[Name] extends infer Row extends Question
      ? Fit<Row> extends true
        ? never
        : Name
      : never
  ]: Questions[Name] extends infer Row extends Question ? Fit<Row> : never;
};

type QuestionHandlers = [keyof Misfits] extends [never] ? Handlers<Questions> : { readonly misfits: Misfits };

/** Handles all questions of the page. */
export function questionHandlers({ session, repls }: Workbench): QuestionHandlers {
  const table: CallTable = workbenchCalls;
  const questions = Object.entries(table).filter((row): row is [string, Question] => 'asks' in row[1]);
  return Object.fromEntries(
    questions.map(([name, { asks, with: fixed }]) => [
      name,
      ({ repl, ...asked }: { repl?: string }) => {
        const place = repl === undefined ? { session, context: PERSON.id } : repls.place(repl);
        return askAt(place, asks as LookUpOperation, { ...asked, ...fixed });
      },
    ]),
  ) as never;
}

async function askAt(
  { session, context }: { session: Session; context: string },
  op: LookUpOperation,
  fields: object,
): Promise<unknown> {
  const takesContext = 'context' in (operations[op].request as z.ZodObject).shape;
  return unlessGone(session.lookUpIfUp(op, { ...(takesContext ? { context } : {}), ...fields }));
}

/** Returns the answer, or null if the image ended before it answered. The page asks again when there is another image. */
export async function unlessGone<Reply>(reply: Promise<Reply | null>): Promise<Reply | null> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof WorkbenchError && error.code === 'no-image') return null;
    throw error;
  }
}
