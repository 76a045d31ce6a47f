/**
 * The theme and the place of the last time, with which the window opens. They are read here as plain JSON, since the window opens before
 * the core is loaded; the files belong to the settings and to `window-place.ts`, which read them again, check all of them and say
 * what is wrong.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Place } from './window-place.ts';

export interface OpeningState {
  readonly theme: 'system' | 'light' | 'dark';
  /** The place where the window was closed; null when none was kept, or none that makes sense. */
  readonly place: Place | null;
}

/** Reads what was kept in the folder `config`; nothing of it has to be there. */
export function openingState(config: string): OpeningState {
  const { theme } = fieldsOf(path.join(config, 'settings.json'));
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    place: placeOf(fieldsOf(path.join(config, 'window.json'))),
  };
}

function placeOf({ x, y, width, height, maximized }: Record<string, unknown>): Place | null {
  if (!isInteger(width) || !isInteger(height) || width < 400 || height < 300) return null;
  const size = { width, height, maximized: maximized === true };
  return isInteger(x) && isInteger(y) ? { x, y, ...size } : size;
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

function fieldsOf(file: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8'))) as Record<string, unknown>;
  } catch {
    return {};
  }
}
