/** An item of the palette: its appearance, and the action that runs when it is chosen. */
import type { LucideIcon } from 'lucide-react';
import type { HyperspecTopic } from '#contract/hyperspec/topics.ts';
import type { DefinitionDeviation, DefinitionRecord } from '#contract/image/definition.ts';
import type { TitleMatch } from './match-title.ts';

/** A position in a file, counted from 1. */
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
  /** The range of characters in the title that match the typed text. */
  match: TitleMatch | null;
  detail: string | null;
  keys: string | null;
  icon: LucideIcon | null;
  /** The letter drawn in place of the icon; null to draw the icon. */
  letter: string | null;
  /** The agent that created the definition; null if no agent did. */
  agent: string | null;
  /** The state of a definition that differs from its file; null if it does not differ. */
  state: DefinitionDeviation['state'] | null;
  /** Text that explains when the command can run; null if it can run now. */
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
