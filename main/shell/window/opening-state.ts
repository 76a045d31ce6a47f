/**
 * The last stored theme and window position, with which a new window opens. They are read here as plain JSON, because the window opens
 * before the core is loaded. The settings and `window-place.ts` own these files: they read the files again, validate them and report
 * faults.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Place } from './window-place.ts';

export interface OpeningState {
  readonly theme: 'system' | 'light' | 'dark';
  /** The position at which the window was closed; null if none was stored, or if the stored position is invalid. */
  readonly place: Place | null;
}

/** Reads the stored state in the folder `config`. Any part of the state may be missing. */
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
