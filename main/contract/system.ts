/** ASDF systems in reach of the image. */
import { z } from 'zod';

export const systemRecord = z.object({
  name: z.string(),
  loaded: z.boolean(),
  version: z.string().nullable(),
  /** Absolute path of the .asd file. */
  file: z.string().nullable(),
});

/** A load that runs or has ended; `output` is the tail that is kept. */
export const systemLoad = z.object({
  evaluation: z.string(),
  system: z.string(),
  actor: z.string(),
  state: z.enum(['waiting', 'loading', 'loaded', 'failed', 'cancelled']),
  message: z.string().nullable(),
});

export type SystemRecord = z.infer<typeof systemRecord>;
export type SystemLoad = z.infer<typeof systemLoad>;
