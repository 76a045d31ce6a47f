/// <reference types="vite/client" />
/** The page of the bare window: only the workbench's editor with the same text. */
import { monaco } from '../../../renderer/editor/monaco/monaco.ts';
import { TEXT } from './text.ts';

monaco.editor.create(document.querySelector<HTMLElement>('#text')!, { value: TEXT, automaticLayout: true });
