/** The shape of an item of the palette: what is drawn, and what choosing it does. */
import type { LucideIcon } from 'lucide-react';
import type { HyperspecTopic } from '#contract/hyperspec/topics.ts';
import type { DefinitionDeviation, DefinitionRecord } from '#contract/image/definition.ts';
import type { TitleMatch } from './match-title.ts';

/** A place of a file, from 1. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

export interface PaletteItem {
  id: string;
  section:
    | 'Commands'
    | 'Files'
    | 'Open files'
    | 'Recent folders'
    | 'Recent files'
    | 'In this file'
    | 'Definitions'
    | 'Systems'
    | 'HyperSpec'
    | 'Evaluate';
  title: string;
  /** Characters of the title that match what was typed: start and end. */
  match: TitleMatch | null;
  detail: string | null;
  keys: string | null;
  icon: LucideIcon | null;
  /** The letter drawn in place of the icon; null for the icon. */
  letter: string | null;
  /** Actor that made the definition, when it was an agent. */
  agent: string | null;
  /** The state of a definition that differs from its file; null when it does not. */
  state: DefinitionDeviation['state'] | null;
  /** Words that say when the command can run; null when it can now. */
  disabled: string | null;
  target:
    | { command: string }
    | { file: string; place?: FilePlace }
    | { path: string }
    | { folder: string }
    | { buffer: string }
    | { place: number }
    | { definition: DefinitionRecord }
    | { system: string }
    | { hyperspec: HyperspecTopic }
    | { code: string }
    | { inspects: string };
}
