/** The text of definitions in files, as whole top-level forms. Works for libraries too. */
import type { FoundDefinition } from '#contract/image/introspection.ts';
import { readText } from '#contract/sexp/reader.ts';
import { readRegularFileSync } from '#core/base/held-files.ts';
import { LARGEST_TEXT } from '#core/project/files/files.ts';
import type { ToolContext } from '../tool.ts';

const MOST = 8;
const LONGEST = 8_000;

/** Returns a section for each definition whose top-level form can be read. Definitions in the same form share one section. */
export function fileSources<Found extends FoundDefinition>(
  definitions: readonly Found[],
  { project }: Pick<ToolContext, 'project'>,
): Map<Found, string> {
  const sections = new Map<Found, string>();
  const seen = new Set<string>();
  for (const each of definitions) {
    const { name, kind, source } = each;
    if (!source || source.line === null || sections.size === MOST || seen.has(`${source.file}:${source.line}`))
      continue;
    const form = formText(source.file, source.line);
    if (form === null) continue;
    seen.add(`${source.file}:${source.line}`);
    const cut = form.length - LONGEST;
    const shown = cut > 0 ? `${form.slice(0, LONGEST)}\n… ${cut} more characters` : form;
    sections.set(each, `[Source] ${name} [${kind}] ${project.display(source.file)}:${source.line}\n${shown}`);
  }
  return sections;
}

/** Returns the top-level form at a line, counted from 1; null if the file cannot be read, or has no form there. */
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
