/**
 * The type of a feature, which contains everything that the feature adds to the window. `features/all.ts` lists the features, and the
 * window reads their contents from there.
 */
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

/** Single letters that work while a panel has the focus and the person is not typing. They are included in the list of all keys. */
interface PanelLetters {
  /** The title of the letters' group in the list. */
  readonly group: string;
  readonly letters: readonly { readonly key: string; readonly command: string }[];
}

export interface Feature {
  readonly panels?: readonly Panel[];
  readonly commands?: readonly Command[];
  readonly dialogs?: Dialogs;
  readonly letters?: PanelLetters;
  readonly editor?: EditorAdditions;
  /** Called once when the mirror has been filled, before anything is restored. Starts listening for the data that the feature shows. */
  readonly follow?: () => void;
  /** Called once with the workspace of the previous session. The page is drawn after all features have been restored. */
  readonly restore?: (workspace: Workspace) => void | Promise<void>;
  /** Called once when everything has been restored, before the page is drawn. Announces items that are waiting for the person. */
  readonly start?: () => void;
}

/** Checks the type of a feature. The result is listed in `features/all.ts`. */
export function defineFeature(feature: Feature): Feature {
  return feature;
}
