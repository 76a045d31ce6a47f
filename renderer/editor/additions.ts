/** The components that features add to the editor. Each feature calls `addToEditor` once, before the editor is drawn. */
import type { ComponentType } from 'react';
import type { monaco } from './monaco/monaco.ts';
import type { BufferNotice } from './text/buffers.ts';

/** Installs a component in the Monaco editor of one group. The returned object is disposed with the editor. */
export type InstallPart = (editor: monaco.editor.IStandaloneCodeEditor) => monaco.IDisposable | void;

type NoticeKind = BufferNotice['kind'];

/** The bar above a text for one kind of notice. */
type NoticeBar<Kind extends NoticeKind> = ComponentType<{ notice: Extract<BufferNotice, { kind: Kind }> }>;

export interface EditorAdditions {
  readonly parts?: readonly InstallPart[];
  /** A component drawn once over the whole editor, independent of its groups. */
  readonly Overlay?: ComponentType;
  readonly notices?: { readonly [Kind in NoticeKind]?: NoticeBar<Kind> };
}

/** All added components, in the order of the features. */
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
