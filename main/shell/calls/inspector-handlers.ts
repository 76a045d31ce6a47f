/** Handlers for the inspector's calls, and for calls about complete output. */
import type { InspectedPage } from '#contract/image/inspection.ts';
import type { WorkbenchCalls } from '#contract/rpc.ts';
import { runForInspector } from '#core/person/inspection.ts';
import type { Session } from '#core/sessions/session.ts';
import type { DesktopParts } from '../desktop-parts.ts';
import type { Handlers } from './ipc.ts';

type InspectorCalls = Pick<WorkbenchCalls, Extract<keyof WorkbenchCalls, `inspector.${string}` | `output.${string}`>>;

/** The maximum number of octets of a picture. The next three constants limit descriptions, texts and values, in characters. */
const LARGEST_PICTURE = 8 * 1024 * 1024;
const LONGEST_DESCRIPTION = 100_000;
const LONGEST_TEXT = 8_000_000;
const LONGEST_VALUE = 20_000;
const POINTS = 2_000;

export function inspectorHandlers({
  workbench,
  files,
}: Pick<DesktopParts, 'workbench' | 'files'>): Handlers<InspectorCalls> {
  const { activity, output, images, repls, sessions } = workbench;
  const { addresses } = images;
  /** Sends a request to the image of an object. If that image has ended, does not start another one. */
  const of = async <Reply>(
    global: number,
    ifGone: () => NoInfer<Reply>,
    asked: (session: Session, handle: number) => Promise<Reply>,
  ): Promise<Reply> => {
    const { session, handle } = addresses.object(global);
    if (!session || session.view().pid === null) return ifGone();
    return addresses.told(session, await asked(session, handle));
  };
  return {
    'inspector.page': ({ pane, handle: object, ...wanted }) =>
      of(object, expiredPage, (session, handle) =>
        session.lookUp('inspect', { handle, ...wanted, holder: holderOf(pane) }),
      ),
    'inspector.find': ({ handle: object, ...wanted }) =>
      of(
        object,
        () => ({ expired: true, found: [], next: null, total: 0, problem: null }),
        (session, handle) => session.lookUp('find-parts', { handle, ...wanted }),
      ),
    'inspector.parts': ({ pane, handle: object, ...wanted }) =>
      of(
        object,
        () => ({ expired: true, parts: [] }),
        (session, handle) => session.lookUp('inspect-parts', { handle, ...wanted, holder: holderOf(pane) }),
      ),
    'inspector.keep': ({ handle: object, pane }) =>
      of(
        object,
        () => ({ handle: null }),
        (session, handle) => session.lookUp('keep-handle', { handle, holder: holderOf(pane) }),
      ),
    'inspector.release': ({ panes }) => {
      for (const session of sessions.all) for (const pane of panes) session.tell('release', { holder: holderOf(pane) });
      return {};
    },
    'inspector.name': async ({ name, package: pkg, pane, repl }) => {
      const { session, context } = repls.place(repl);
      const page = { holder: holderOf(pane), view: null, offset: 0, limit: 1, package: pkg };
      const { handle } = await session.lookUp('inspect-name', { context, name, ...page });
      return addresses.told(session, { handle });
    },
    'inspector.expression': async ({ code, package: pkg, pane, evaluation, repl }) => {
      const place = repls.place(repl);
      const page = { holder: holderOf(pane), view: null, offset: 0, limit: 1, package: pkg };
      const reply = await runForInspector({ ...place, activity }, 'inspect-expression', evaluation, { code, ...page });
      const { status, condition, result } = reply;
      return addresses.told(place.session, { status, condition, handle: result?.handle ?? null });
    },
    'inspector.evaluate': ({ handle: object, code, package: pkg, pane, evaluation }) =>
      of(
        object,
        () => ({ status: 'lost' as const, condition: null, expired: true, values: [] }),
        async (session, handle) => {
          const fields = { handle, code, package: pkg, holder: holderOf(pane), valueLimit: LONGEST_VALUE };
          const parts = { session, activity };
          const { status, condition, result } = await runForInspector(
            parts,
            'evaluate-with-object',
            evaluation,
            fields,
          );
          return { status, condition, expired: result?.expired ?? false, values: result?.values ?? [] };
        },
      ),
    'inspector.set': ({ pane, evaluation, handle: object, ...fields }) =>
      of(
        object,
        () => ({ status: 'lost' as const, condition: null, page: expiredPage() }),
        async (session, handle) => {
          const wanted = { handle, ...fields, holder: holderOf(pane) };
          const parts = { session, activity };
          const { status, condition, result } = await runForInspector(parts, 'set-part', evaluation, wanted);
          return { status, condition, page: result };
        },
      ),
    'inspector.table': ({ pane, handle: object, ...wanted }) =>
      of(
        object,
        () => ({ expired: true, columns: [], rows: [], total: 0, offset: 0, more: false }),
        (session, handle) => session.lookUp('inspect-table', { handle, ...wanted, holder: holderOf(pane) }),
      ),
    'inspector.plot': ({ handle: object }) =>
      of(
        object,
        () => ({ expired: true, points: [], total: 0, least: null, greatest: null, problem: null }),
        (session, handle) => session.lookUp('inspect-plot', { handle, points: POINTS }),
      ),
    'inspector.picture': ({ handle: object }) =>
      of(
        object,
        () => ({ expired: true, type: null, octets: 0, base64: null, problem: null }),
        (session, handle) => session.lookUp('inspect-picture', { handle, limit: LARGEST_PICTURE }),
      ),
    'inspector.describe': ({ handle: object }) =>
      of(object, expiredText, (session, handle) =>
        session.lookUp('describe-handle', { handle, limit: LONGEST_DESCRIPTION }),
      ),
    'inspector.text': ({ handle: object, package: pkg }) =>
      of(object, expiredText, (session, handle) =>
        session.lookUp('print-handle', { handle, limit: LONGEST_TEXT, package: pkg }),
      ),
    'inspector.definingName': ({ handle: object }) =>
      of(
        object,
        () => ({ expired: true, name: null, isFunction: false }),
        (session, handle) => session.lookUp('defining-name', { handle }),
      ),
    'inspector.copy': async ({ handle: object }) => ({
      ...(await of<{ code: string | null }>(
        object,
        () => ({ code: null }),
        (session, handle) => session.lookUp('copy-value', { handle }),
      )),
      image: addresses.object(object).session?.id ?? '',
    }),
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
    'output.stop': async ({ evaluation }) => {
      const session = sessions.running(evaluation);
      return { stopped: session.view().pid !== null && (await session.discardOutput(evaluation)) };
    },
    'output.forget': ({ evaluations }) => {
      output.forget(evaluations);
      for (const evaluation of evaluations) images.release(evaluation);
      return {};
    },
  };
}

/**
 * Returns the name of the holder that retains a pane's handles in the image. A name that the page sends can never be the holder of another
 * pane.
 */
export function holderOf(pane: string): string {
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
    inexact: false,
    offset: 0,
    more: false,
    problem: null,
  };
}
