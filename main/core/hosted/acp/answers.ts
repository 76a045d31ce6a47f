/** Parses the answers of version 1 agents, which the SDK does not validate. Invalid fields are left out. Pure. */
import type { InitializeResponse, SessionConfigOption } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { WorkbenchError } from '#core/base/error.ts';
import type { Reported } from '../standings/modes.ts';

/** Returns the schema of a list from which invalid items are left out. */
export function list<Item extends z.ZodType>(item: Item) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((all): z.output<Item>[] =>
      all.flatMap((each) => {
        const read = item.safeParse(each);
        return read.success ? [read.data] : [];
      }),
    );
}

export const words = z.string().nullable().catch(null);
export const meta = z.record(z.string(), z.unknown()).nullable().catch(null);
const flag = z.boolean().catch(false);

const introduction = z.object({
  agentCapabilities: z
    .object({
      loadSession: flag,
      mcpCapabilities: z.object({ http: flag }).catch({ http: false }),
      promptCapabilities: z.object({ image: flag }).catch({ image: false }),
    })
    .catch({ loadSession: false, mcpCapabilities: { http: false }, promptCapabilities: { image: false } }),
  // If the arguments of a login are invalid, the whole login is left out, because without its arguments it would be a different login.
  authMethods: list(
    z.object({
      id: z.string(),
      name: z.string(),
      description: words,
      type: z.string().optional(),
      args: z.array(z.string()).optional(),
      _meta: meta,
    }),
  ),
});

/** Returns those fields of the answer to `initialize` that the workbench uses. */
export function readIntroduction(answer: object): InitializeResponse {
  const { agentCapabilities, authMethods } = introduction.parse(answer);
  return { protocolVersion: 1, agentCapabilities, authMethods };
}

const choice = z.object({ value: z.string(), name: z.string(), description: words });

const named = { id: z.string(), name: words, category: words };

const options = list(
  z
    .union([
      z.object({
        ...named,
        type: z.literal('select'),
        currentValue: z.string(),
        options: list(z.union([z.object({ group: z.string(), name: z.string(), options: list(choice) }), choice])),
      }),
      z.object({ ...named, type: z.literal('boolean'), currentValue: z.boolean() }),
    ])
    .transform((option) => ({ ...option, name: option.name ?? option.id }) as SessionConfigOption),
);

const session = z.object({
  modes: z
    .object({
      currentModeId: z.string(),
      availableModes: list(z.object({ id: z.string(), name: z.string(), description: words })),
    })
    .nullable()
    .catch(null),
  configOptions: options,
});

/** Returns the modes and options from an answer that opens a session or sets an option. */
export function readReported(answer: unknown): Reported & { readonly configOptions: SessionConfigOption[] } {
  const { success, data } = session.safeParse(answer ?? {});
  return success ? data : { modes: null, configOptions: [] };
}

/** Returns the id of an opened session. @throws WorkbenchError `system` if the answer has no id. */
export function readSessionId(answer: unknown): string {
  const read = z.object({ sessionId: z.string() }).safeParse(answer);
  if (read.success) return read.data.sessionId;
  throw new WorkbenchError('system', 'The agent opened a session without an id.');
}
