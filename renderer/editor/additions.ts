/** The parts of the editor that features bring: `addToEditor` is called once for each feature, before the editor is drawn. */
import type { ComponentType } from 'react';
import type { monaco } from './monaco/monaco.ts';
import type { BufferNotice } from './text/buffers.ts';

/** Installs a part in the Monaco editor of one group; what it returns is disposed with the editor. */
export type InstallPart = (editor: monaco.editor.IStandaloneCodeEditor) => monaco.IDisposable | void;

type NoticeKind = BufferNotice['kind'];

/** The bar above a text whose notice is of one kind. */
type NoticeBar<Kind extends NoticeKind> = ComponentType<{ notice: Extract<BufferNotice, { kind: Kind }> }>;

export interface EditorAdditions {
  readonly parts?: readonly InstallPart[];
  /** Drawn once over the editor, whatever its groups show. */
  readonly Overlay?: ComponentType;
  readonly notices?: { readonly [Kind in NoticeKind]?: NoticeBar<Kind> };
}

/** All that was added, in the order of the features. */
export const additions: {
  parts: InstallPart[];
  overlays: ComponentType[];
  notices: EditorAdditions['notices'] & object;
} = {
  parts: [],
  overlays: [],
  notices: {},
};

export function addToEditor({ parts = [], Overlay, notices = {} }: EditorAdditions): void {
  additions.parts.push(...parts);
  if (Overlay) additions.overlays.push(Overlay);
  additions.notices = { ...additions.notices, ...notices };
}
