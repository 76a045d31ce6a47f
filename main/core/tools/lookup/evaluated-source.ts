/** The source of evaluated definitions that are not in a file. The image stores the text of each evaluated top-level form. */
import type { OperationReply } from '#core/lisp/messages.ts';
import type { Session } from '#core/sessions/session.ts';

type DefinitionEvent = OperationReply<'definition-history'>['events'][number];

const MOST_EVENTS = 200;
const MOST_SHOWN = 8;
const LONGEST = 8_000;

/**
 * Returns the latest evaluated source of each definition of a name, as sections of a text; empty if the definitions come from files, or if
 * no text is known. `printed` is the symbol as the image prints it, with a package prefix if its package is not the current one.
 */
export async function evaluatedSources(session: Pick<Session, 'lookUp'>, printed: string): Promise<string> {
  const [, pkg = null, name = printed] = /^([^|:]*?)::?(.+)$/.exec(printed) ?? [];
  const asked = { package: null, name, evaluation: null, limit: MOST_EVENTS };
  const { events } = await session.lookUp('definition-history', asked);
  const latest = new Map<string, DefinitionEvent>();
  for (const event of events) {
    const key = JSON.stringify([event.kind, event.name, event.package]);
    if (!latest.has(key)) latest.set(key, event);
  }
  const own = [...latest.values()].filter((event) => pkg === null || event.package === pkg || event.package === null);
  const known = own.filter(({ operation, text }) => operation !== 'removed' && text !== null);
  const texts = new Map(known.map((event) => [event.text!, event] as const)); // keyed by text, because one form may define several things
  const shown = [...texts].slice(0, MOST_SHOWN).map(([text, event]) => sectionOf(event, text));
  const rest = texts.size - shown.length;
  return [...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join('\n\n');
}

function sectionOf({ actor, time, readPackage }: DefinitionEvent, text: string): string {
  const who = actor === null ? 'an unknown author' : actor.replace(/^client:/, '');
  const where = readPackage === null ? '' : ` in ${readPackage}`;
  const cut = text.length - LONGEST;
  const shown = cut > 0 ? `${text.slice(0, LONGEST)}\n… ${cut} more characters` : text;
  return `[Source] evaluated by ${who}${where}, ${new Date(time).toISOString()}\n${shown}`;
}
