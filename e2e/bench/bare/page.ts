/// <reference types="vite/client" />
/** The bare window's page: the editor that the workbench has, showing the same text, and nothing around it. */
import { monaco } from '../../../renderer/editor/monaco/monaco.ts';
import { TEXT } from './text.ts';

monaco.editor.create(document.querySelector<HTMLElement>('#text')!, { value: TEXT, automaticLayout: true });
