/**
 * An expression that the person types in the palette to inspect its value. It is read in the package and REPL where the command was called.
 */
import { openOverlay } from '../../base/layout/overlays.ts';
import { inspectForm } from './inspector.ts';

interface Place {
  /** The package in which the expression is read; null for the current package of the REPL. */
  readonly package: string | null;
  /** The id of the REPL whose image evaluates; omitted for the first REPL. */
  readonly repl?: string | undefined;
}

const ANYWHERE: Place = { package: null };
let asked: Place = ANYWHERE;

/** Opens the palette for an expression. `text` is filled in and selected, so that typing replaces it. */
export function askExpression(text: string, place: Place = ANYWHERE): void {
  asked = place;
  openOverlay({ kind: 'palette', text: `=${text}`, typedOver: 1 });
}

/** Evaluates an expression and opens its value in the inspector. */
export async function inspectExpression(code: string): Promise<void> {
  const place = asked;
  asked = ANYWHERE;
  await inspectForm(code, place.package, place.repl);
}
