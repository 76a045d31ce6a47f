/** ASDF systems: what is in reach, and loading it. */
import { z } from 'zod';
import { systemRecord } from '#contract/system.ts';
import { runReply, runRequest } from './run.ts';

export const systemMessages = {
  /** Load an ASDF (or Quicklisp, when present) system; output arrives as events of `evaluation`. */
  'load-system': {
    lane: 'worker',
    request: runRequest.extend({ system: z.string() }),
    reply: runReply(z.object({ name: z.string(), version: z.string().nullable() })),
  },
  /** ASDF systems in reach by name, from the source registry, without running their files. */
  systems: {
    lane: 'looking-up',
    request: z.object({}),
    reply: z.object({ systems: z.array(systemRecord), quicklisp: z.boolean() }),
  },
} as const;
