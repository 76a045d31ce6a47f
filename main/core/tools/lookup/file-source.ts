/** The text of definitions that stand in files: each whole top-level form, also of libraries. */
import type { FoundPlace } from '#contract/introspection.ts';
import { readText } from '#contract/sexp/reader.ts';
import { readRegularFileSync } from '#core/held-files.ts';
import { LARGEST_TEXT } from '#core/project/files.ts';
import type { ToolContext } from '../tool.ts';

const MOST = 8;
const LONGEST = 8_000;

/** Returns a section for each top-level form that a place is in. */
export function fileSources(places: readonly FoundPlace[], { project }: Pick<ToolContext, 'project'>): string[] {
  const sections = new Map<string, string>();
  for (const { source } of places) {
    if (!source || source.line === null || sections.size === MOST) continue;
    const form = formText(source.file, source.line);
    if (form === null) continue;
    const cut = form.length - LONGEST;
    const shown = cut > 0 ? `${form.slice(0, LONGEST)}\n… ${cut} more characters` : form;
    sections.set(`${source.file}:${source.line}`, `[Source] ${project.display(source.file)}:${source.line}\n${shown}`);
  }
  return [...sections.values()];
}

/** The top-level form at a line, from 1; null where the file cannot be read, or has none there. */
function formText(file: string, line: number): string | null {
  try {
    const text = readRegularFileSync(file, LARGEST_TEXT).toString('utf8');
    let start = 0;
    for (let count = 1; count < line; count += 1) start = text.indexOf('\n', start) + 1;
    const form = readText(text).forms.find((each) => each.end > start);
    return form ? text.slice(form.start, form.end) : null;
  } catch {
    return null;
  }
}
