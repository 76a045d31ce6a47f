/** How the macros of an image are indented, as their lambda lists say: what editors learn from it. */
import { z } from 'zod';

type Part = number | null | string | readonly Part[];

const part: z.ZodType<Part> = z.lazy(() => z.union([z.number(), z.null(), z.string(), z.array(part)]));

/**
 * The pattern of a macro's arguments, a part for each: a column from the macro's parenthesis, null for the usual place, `&body`,
 * `&rest` before what holds for all that follow, or for an argument that is a list `&whole`, its column and its own parts.
 */
const indentationPattern = z.array(part);

/** The macros of a package that have something to say, and what a name with or without a package means there. */
export const packageIndentation = z.object({
  name: z.string(),
  nicknames: z.array(z.string()),
  localNicknames: z.array(z.object({ nickname: z.string(), package: z.string() })),
  /** Packages whose external symbols it has too. */
  uses: z.array(z.string()),
  /** Macros that are present in it, by their names in lower case. */
  macros: z.array(z.object({ name: z.string(), external: z.boolean(), pattern: indentationPattern })),
});

export type PackageIndentation = z.infer<typeof packageIndentation>;
