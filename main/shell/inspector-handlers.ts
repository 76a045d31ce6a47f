/** The work of the inspector's calls, and of those about whole output. */
import type { InspectedPage } from '#contract/inspection.ts';
import type { WorkbenchCalls } from '#contract/rpc.ts';
import { runForInspector } from '#core/person-inspection.ts';
import { PERSON } from '#contract/session.ts';
import type { DesktopParts } from './desktop-parts.ts';
import type { Handlers } from './ipc.ts';

type InspectorCalls = Pick<WorkbenchCalls, Extract<keyof WorkbenchCalls, `inspector.${string}` | `output.${string}`>>;

/** Octets of a picture, characters of a description and of a whole value. */
const LARGEST_PICTURE = 8 * 1024 * 1024;
const LONGEST_DESCRIPTION = 100_000;
const LONGEST_TEXT = 8_000_000;
const LONGEST_VALUE = 20_000;
const POINTS = 2_000;

export function inspectorHandlers({
  workbench,
  files,
}: Pick<DesktopParts, 'workbench' | 'files'>): Handlers<InspectorCalls> {
  const { session, output, values } = workbench;
  // Looking at an object of an image that is gone starts no other one.
  const gone = (): boolean => session.view().pid === null;
  return {
    'inspector.page': ({ pane, ...wanted }) =>
      gone() ? expiredPage() : session.lookUp('inspect', { ...wanted, holder: holderOf(pane) }),
    'inspector.keep': ({ handle, pane }) =>
      gone() ? { handle: null } : session.lookUp('keep-handle', { handle, holder: holderOf(pane) }),
    'inspector.release': ({ panes }) => {
      for (const pane of panes) session.tell('release', { holder: holderOf(pane) });
      return {};
    },
    'inspector.name': async ({ name, package: pkg, pane }) => {
      const page = { holder: holderOf(pane), view: null, offset: 0, limit: 1, package: pkg };
      const { handle } = await session.lookUp('inspect-name', { context: PERSON.id, name, ...page });
      return { handle };
    },
    'inspector.expression': async ({ code, package: pkg, pane, evaluation }) => {
      const page = { holder: holderOf(pane), view: null, offset: 0, limit: 1, package: pkg };
      const reply = await runForInspector(workbench, 'inspect-expression', evaluation, { code, ...page });
      return { status: reply.status, condition: reply.condition, handle: reply.result?.handle ?? null };
    },
    'inspector.evaluate': async ({ handle, code, package: pkg, pane, evaluation }) => {
      if (gone()) return { status: 'lost', condition: null, expired: true, values: [] };
      const fields = { handle, code, package: pkg, holder: holderOf(pane), valueLimit: LONGEST_VALUE };
      const { status, condition, result } = await runForInspector(
        workbench,
        'evaluate-with-object',
        evaluation,
        fields,
      );
      return { status, condition, expired: result?.expired ?? false, values: result?.values ?? [] };
    },
    'inspector.set': async ({ pane, evaluation, ...fields }) => {
      if (gone()) return { status: 'lost', condition: null, page: expiredPage() };
      const wanted = { ...fields, holder: holderOf(pane) };
      const { status, condition, result } = await runForInspector(workbench, 'set-part', evaluation, wanted);
      return { status, condition, page: result };
    },
    'inspector.table': ({ pane, ...wanted }) =>
      gone()
        ? { expired: true, columns: [], rows: [], total: 0, offset: 0, more: false }
        : session.lookUp('inspect-table', { ...wanted, holder: holderOf(pane) }),
    'inspector.plot': ({ handle }) =>
      gone()
        ? { expired: true, points: [], total: 0, least: null, greatest: null, problem: null }
        : session.lookUp('inspect-plot', { handle, points: POINTS }),
    'inspector.picture': ({ handle }) =>
      gone()
        ? { expired: true, type: null, octets: 0, base64: null, problem: null }
        : session.lookUp('inspect-picture', { handle, limit: LARGEST_PICTURE }),
    'inspector.describe': ({ handle }) =>
      gone() ? expiredText() : session.lookUp('describe-handle', { handle, limit: LONGEST_DESCRIPTION }),
    'inspector.text': ({ handle, package: pkg }) =>
      gone() ? expiredText() : session.lookUp('print-handle', { handle, limit: LONGEST_TEXT, package: pkg }),
    'inspector.copy': ({ handle }) => (gone() ? { code: null } : session.lookUp('copy-value', { handle })),
    'output.part': async ({ evaluation, part }) => ({
      problem: output.problem(evaluation),
      printed: await output.part(evaluation, part),
    }),
    'output.search': ({ evaluation, ...wanted }) => output.search(evaluation, wanted),
    'output.save': async ({ evaluation }) => {
      const place = await files.choosePlace('output.txt');
      if (place !== null) await output.copyTo(evaluation, place);
      return { saved: place !== null };
    },
    'output.stop': async ({ evaluation }) => ({ stopped: !gone() && (await session.discardOutput(evaluation)) }),
    'output.forget': ({ evaluations }) => {
      output.forget(evaluations);
      for (const evaluation of evaluations) values.release(evaluation);
      return {};
    },
  };
}

/** The holder of a pane's handles in the image: no name that the page gives is another's holder. */
function holderOf(pane: string): string {
  return `inspector ${pane}`;
}

function expiredText(): { expired: true; text: string; cut: number } {
  return { expired: true, text: '', cut: 0 };
}

function expiredPage(): InspectedPage {
  return {
    expired: true,
    kind: 'other',
    title: '',
    type: '',
    text: '',
    cut: 0,
    views: [],
    view: null,
    drawings: [],
    facts: [],
    parts: [],
    total: 0,
    offset: 0,
    more: false,
    problem: null,
  };
}
