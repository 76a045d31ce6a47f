/** The shape of a feature: all that it adds to the window. `features/all.ts` lists the features; the window reads all that it shows from here. */
import type { ComponentType } from 'react';
import type { Workspace } from '#contract/settings.ts';
import type { Command } from '../base/keys/command-registry.ts';
import type { Overlay } from '../base/layout/overlays.ts';
import type { Panel } from '../base/layout/panels.ts';
import type { EditorAdditions } from '../editor/additions.ts';

/** The dialogs of a feature, by the kind of overlay that opens each. */
export type Dialogs = {
  readonly [Kind in Overlay['kind']]?: ComponentType<Omit<Extract<Overlay, { kind: Kind }>, 'kind'>>;
};

/** Single letters that act while a panel has the focus and nobody types, for the list of all keys. */
interface PanelLetters {
  /** The title of their group in the list. */
  readonly group: string;
  readonly letters: readonly { readonly key: string; readonly command: string }[];
}

export interface Feature {
  readonly panels?: readonly Panel[];
  readonly commands?: readonly Command[];
  readonly dialogs?: Dialogs;
  readonly letters?: PanelLetters;
  readonly editor?: EditorAdditions;
  /** Called once when the mirror is filled, before anything is restored: follows what the feature shows. */
  readonly follow?: () => void;
  /** Called once with what the last start left. The page is drawn when all features are restored. */
  readonly restore?: (workspace: Workspace) => void | Promise<void>;
  /** Called once when all is restored, before the page is drawn: announces what waits for the person. */
  readonly start?: () => void;
}

/** Types a feature; what it returns is listed in `features/all.ts`. */
export function defineFeature(feature: Feature): Feature {
  return feature;
}
