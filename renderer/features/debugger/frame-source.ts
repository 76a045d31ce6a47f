/** Shows the source of a debugger's frame in the editor, either in its file or as a read-only text. */
import type { DebuggerRecord, FrameSource } from '#contract/image/debugger.ts';
import { showPage } from '../../base/layout/layout-store.ts';
import { mirror } from '../../base/mirror.ts';
import { notify } from '../../base/notices/notices.tsx';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { addBuffer, buffers, modelOf, removeBuffer, showBuffer, type TextBuffer } from '../../editor/text/buffers.ts';
import { textDrawn } from '../../editor/monaco/drawn.ts';
import { openFile } from '../../editor/files/files.ts';
import { frameMark } from '../../editor/monaco/frame-mark.ts';
import { offsetOfLine, placeIn } from './frame-place.ts';

/** The buffer that shows a frame's code if the code is not in any file, and the frame's debugger; null if there is none. */
let passing: { id: string; debugger: string } | null = null;
/** The number of calls so far, used to detect that another frame was requested while a file was being read. */
let asked = 0;

/**
 * How a source is shown. `focus` moves the caret to the running form, and opens the file or the text. `step` follows a stop to which the
 * person's step or breakpoint led: it opens the file, but no other text. `select` only scrolls to the form in an open file, and `follow`
 * does the same without changing the mark if there is none. The panel itself shows the source of a file that is not open.
 */
type Way = 'focus' | 'step' | 'select' | 'follow';

export async function showFrameSource(record: DebuggerRecord, frame: number, way: Way): Promise<void> {
  asked += 1;
  const own = asked;
  const source = record.frames.find(({ index }) => index === frame)?.source ?? null;
  const place = source && (await placeOf(source, record.id, frame, way));
  if (own !== asked) return;
  if (!place) {
    if (way === 'follow' || way === 'step') return;
    frameMark.setState({ mark: null });
    if (way === 'focus') notify(`The source of frame ${frame} is unknown.`);
    return;
  }
  showPage('editor');
  showBuffer(place.buffer);
  frameMark.setState({ mark: { debugger: record.id, frame, ...place } });
  await textDrawn();
  if (own === asked) reveal(place, way === 'focus');
}

/** When a debugger closes, removes its mark and the text that was opened only for the mark. */
export function followFrameMarks(): void {
  mirror.subscribe((state, before) => {
    if (state.debuggers === before.debuggers) return;
    const open = (id: string): boolean => state.debuggers.debuggers.some((head) => head.id === id);
    const { mark } = frameMark.getState();
    if (mark && !open(mark.debugger)) frameMark.setState({ mark: null });
    if (passing && !open(passing.debugger)) dropPassing();
  });
}

interface Place {
  buffer: string;
  start: number;
  end: number;
}

async function placeOf(source: FrameSource, debuggerId: string, frame: number, way: Way): Promise<Place | null> {
  const inFile =
    source.file === null || source.changed === 'compiled' ? null : await placeInFile(source, source.file, way);
  if (inFile || way === 'follow' || way === 'step' || (way === 'select' && source.file !== null)) return inFile;
  const text = source.running?.text ?? source.form;
  if (text === null) return null;
  const { start, end } = source.running ?? { start: 0, end: text.length };
  return { buffer: passingBuffer(text, debuggerId, frame), start, end };
}

async function placeInFile(source: FrameSource, file: string, way: Way): Promise<Place | null> {
  // For code from an unsaved text, `file` is the text's title instead of a path.
  const known = openBuffer(file);
  if (!known && (way === 'select' || way === 'follow')) return null;
  const shown = buffers.getState().active;
  const buffer = known?.path === null ? known.id : await openFile(file).catch(() => null); // the files of Lisp's own sources are often missing
  const text = buffer === null ? null : (modelOf(buffer)?.getValue() ?? null);
  if (buffer === null || text === null) return null;
  const place = placeIn(text, source);
  if (place) return { buffer, ...place };
  const at = source.running === null && source.line !== null ? offsetOfLine(text, source.line) : null;
  if (at !== null) return { buffer, start: at, end: at };
  // The file has changed since it was compiled, so show the compiled text instead.
  showBuffer(shown);
  return null;
}

/** Returns the open text of a file, or the unsaved text with this title; undefined if there is none. */
function openBuffer(file: string): TextBuffer | undefined {
  return buffers.getState().buffers.find(({ path, title }) => path === file || (path === null && title === file));
}

function passingBuffer(text: string, debuggerId: string, frame: number): string {
  if (passing && modelOf(passing.id)?.getValue() === text) {
    passing = { ...passing, debugger: debuggerId };
    return passing.id;
  }
  dropPassing();
  const title = `frame ${frame}`;
  passing = {
    id: addBuffer({ path: null, title, text, digest: null, dirty: false, passing: true }),
    debugger: debuggerId,
  };
  return passing.id;
}

function dropPassing(): void {
  if (passing && modelOf(passing.id)) removeBuffer(passing.id);
  passing = null;
}

function reveal({ start }: Place, focus: boolean): void {
  const editor = activeEditor();
  const position = editor?.getModel()?.getPositionAt(start);
  if (!editor || !position) return;
  editor.revealPositionInCenterIfOutsideViewport(position);
  if (!focus) return;
  editor.setPosition(position);
  editor.focus();
}
