/** Indentation for editors: the indentation of an image's macros, derived from their lambda lists. */
import { z } from 'zod';

type Part = number | null | string | readonly Part[];

const part: z.ZodType<Part> = z.lazy(() => z.union([z.number(), z.null(), z.string(), z.array(part)]));

/**
 * The indentation of a macro's arguments, as a list with one element for each argument. An element is: a column, counted from the macro's
 * opening parenthesis; null for the default position; `&body`; `&rest` before the element for all following arguments; or, for an argument
 * that is a list, `&whole` with the column of that list and the elements for its own elements.
 */
const indentationPattern = z.array(part);

/**
 * The macros of a package that have special indentation. Includes the nicknames and used packages through which macro names are resolved in
 * that package.
 */
export const packageIndentation = z.object({
  name: z.string(),
  nicknames: z.array(z.string()),
  localNicknames: z.array(z.object({ nickname: z.string(), package: z.string() })),
  /** Packages whose external symbols are also accessible in this package. */
  uses: z.array(z.string()),
  /** The macros that are present in the package, with their names in lower case. */
  macros: z.array(z.object({ name: z.string(), external: z.boolean(), pattern: indentationPattern })),
});

export type PackageIndentation = z.infer<typeof packageIndentation>;
