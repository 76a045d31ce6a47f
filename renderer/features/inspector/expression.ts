/** An expression that the person types in the palette, to inspect its value: it is read where the person was when it was asked for. */
import { openOverlay } from '../../base/layout/overlays.ts';
import { inspectForm } from './inspector.ts';

interface Place {
  /** The package in which it is read; null for the current one of the REPL. */
  readonly package: string | null;
  /** The REPL, by its id, whose image evaluates; left out for the first. */
  readonly repl?: string | undefined;
}

const ANYWHERE: Place = { package: null };
let asked: Place = ANYWHERE;

/** Asks for an expression; `text` is there already, and typed over. */
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
