/** The actions on REPLs and their images: opening, choosing, naming, closing. */
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import type { ReplRecord } from '#contract/image/repl.ts';
import type { Session } from '#contract/image/session.ts';
import type { Workspace } from '#contract/settings.ts';
import { call } from '../../base/bridge.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { mirror } from '../../base/mirror.ts';
import { focusedRegion, showRegion } from '../../base/layout/regions.ts';
import { keepWithFolder } from '../../base/layout/folder-sessions.ts';
import { contribute, keepSoon } from '../../base/layout/workspace.ts';
import { ask } from '../../base/notices/ask.tsx';
import { announceInput } from './announce-input.ts';
import { activeRepl, imageOf, isShared, packageOf, shownRepl } from '../../base/image/active-repl.ts';
import { draftOf, dropDraft, editDraftOf, restoreDrafts } from './input/input-store.ts';
import { transcript } from '../../base/image/transcript-store.ts';

/** The maximum number of characters of a package name that is stored. */
const PACKAGE_LIMIT = 1000;

/** The package of a REPL in a folder that was never open before. */
const HOME_PACKAGE = 'COMMON-LISP-USER';

/** Restores the shown REPL and all drafts, starts to store them, and starts to announce code that reads a line. */
export function restoreRepls({ repls }: Workspace): void {
  restoreDrafts(new Map(repls.repls.map(({ id, draft }) => [id, draft] as const).filter(([id]) => id !== FIRST_REPL)));
  chooseRepl(repls.active);
  contribute(() => ({ repls: keptRepls() }));
  keepWithFolder({
    take: () => ({ package: packageOfFirst().slice(0, PACKAGE_LIMIT) }),
    put: async (session) => {
      const wanted = session?.package || HOME_PACKAGE;
      // Without an image that answers, the REPL keeps its package.
      if (packageOfFirst() !== wanted)
        await call('repl.enterPackage', { repl: FIRST_REPL, package: wanted }).catch(() => {});
    },
  });
  announceInput(showRepl);
  mirror.subscribe((state, before) => {
    if (state.repls === before.repls) return;
    const open = new Set(state.repls.map(({ id }) => id));
    chooseRepl(shownRepl().id);
    for (const { id } of before.repls) if (!open.has(id)) dropDraft(id);
    transcript.keepOnly(open);
    keepSoon();
  });
}

/** Returns the name of the package that the first REPL is in, or that it enters as soon as its image has it. */
function packageOfFirst(): string {
  const { repls, session } = mirror.getState();
  return repls.find(({ id }) => id === FIRST_REPL)?.wanted ?? session.package;
}

/** Returns the REPLs and images that are restored after a restart, without the REPLs in clients' images. */
function keptRepls(): Workspace['repls'] {
  const { repls, images, session } = mirror.getState();
  const own = images.filter(({ owner }) => owner === 'person');
  return {
    images: own.map(({ name }) => name),
    targets: Object.fromEntries(own.flatMap(({ name, target }) => (target === null ? [] : [[name, target]]))),
    repls: repls.flatMap((repl) => {
      const { id, name, image: imageId, wanted } = repl;
      const image = imageId === session.id ? null : own.find((each) => each.id === imageId)?.name;
      if (image === undefined) return [];
      return [
        {
          id,
          name,
          image,
          package: (wanted ?? packageOf(repl)).slice(0, PACKAGE_LIMIT),
          draft: id === FIRST_REPL ? '' : draftOf(id),
        },
      ];
    }),
    active: activeRepl.getState().id,
  };
}

/** Shows a REPL without moving the focus. */
export function chooseRepl(id: string): void {
  const { id: shown } = shownRepl(undefined, id);
  activeRepl.setState({ id: shown });
  editDraftOf(shown);
  keepSoon();
}

/** Shows a REPL and focuses it. */
function showRepl(id: string): void {
  showRegion('REPL', () => {
    chooseRepl(id);
    showDock('repl');
  });
}

/** Shows the next or previous REPL, wrapping around at the end. */
export function showNeighbourRepl(step: 1 | -1): void {
  const { repls } = mirror.getState();
  const at = repls.findIndex(({ id }) => id === shownRepl().id);
  showRepl(repls[(at + step + repls.length) % repls.length]!.id);
}

/** Shows a REPL that was just opened, once the mirror knows it and its image. */
async function showOpened({ id }: ReplRecord): Promise<void> {
  await new Promise<void>((resolve) => {
    const isKnown = (): boolean => {
      const repl = mirror.getState().repls.find((each) => each.id === id);
      return repl !== undefined && imageOf(repl) !== null;
    };
    if (isKnown()) return resolve();
    const stop = mirror.subscribe(() => {
      if (!isKnown()) return;
      stop();
      resolve();
    });
  });
  showRepl(id);
}

/** Opens a REPL in the shown REPL's image; if that image has ended, in the shared image. */
export async function openRepl(image: string | null = imageOf(shownRepl())?.id ?? null): Promise<void> {
  await showOpened(await call('repl.open', { image }));
}

/** Starts another image with a REPL, on the target with this name or, if it is null, on this machine. */
export async function openImage(target: string | null = null): Promise<void> {
  await showOpened(await call('image.open', { name: null, target }));
}

/** Shows a REPL in an image; opens one if there is none. */
export async function showImage(image: string): Promise<void> {
  const shown = shownRepl();
  const repl = shown.image === image ? shown : mirror.getState().repls.find((each) => each.image === image);
  if (repl) showRepl(repl.id);
  else await openRepl(image);
}

/** Closes a REPL. First asks about its running evaluation, and whether to end its image too. */
export async function closeRepl(id: string): Promise<void> {
  const state = mirror.getState();
  const repl = state.repls.find((each) => each.id === id);
  if (!repl || id === FIRST_REPL) return;
  const image = imageOf(repl);
  const last = state.repls.every((each) => each.id === id || each.image !== repl.image);
  const runs = transcript.running(id);
  const ended = state.images.find((each) => each.id === repl.image && each.owner === 'person');
  if (image && ended && last) return closeWithImage(repl, image, runs !== undefined);
  if (runs) {
    const answer = await ask({
      title: `Close ${repl.name}?`,
      text: 'An evaluation of this REPL is still running. It will be interrupted.',
      answers: [
        { id: 'cancel', title: 'Cancel' },
        { id: 'close', title: 'Interrupt and close', kind: 'danger' },
      ],
    });
    if (answer !== 'close') return;
  }
  await call('repl.close', { repl: id });
}

async function closeWithImage({ id, name }: ReplRecord, image: Session, runs: boolean): Promise<void> {
  const running = runs ? ' An evaluation of this REPL is still running; it will be interrupted.' : '';
  const answer = await ask({
    title: `Close the REPL ${name}, and end its image?`,
    text: `There is no other REPL in ${image.name === name ? 'its image' : `the image “${image.name}”`}.${running} If you keep the image, it continues. You can open a REPL in it again from the image menu of the title bar.`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'keep', title: 'Keep the image' },
      { id: 'end', title: 'End the image', kind: 'danger' },
    ],
  });
  if (answer === 'keep') await call('repl.close', { repl: id });
  else if (answer === 'end') await call('image.end', { image: image.id });
}

/** Ends an additional image after asking the person. */
export async function endImage(image: Session): Promise<void> {
  const repls = mirror.getState().repls.filter((repl) => repl.image === image.id);
  const names = repls.map(({ name }) => name).join(', ');
  const answer = await ask({
    title: `End the image “${image.name}”?`,
    text: `Everything defined in the image is lost${repls.length === 0 ? '' : `, and the content of ${names}, which ${repls.length === 1 ? 'is' : 'are'} closed`}. Your files do not change.`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'end', title: 'End the image', kind: 'danger' },
    ],
  });
  if (answer === 'end') await call('image.end', { image: image.id });
}

/** Replaces an additional image with a fresh one after asking the person. */
export async function restartImage(image: Session): Promise<void> {
  const answer = await ask({
    title: `Restart the image “${image.name}”?`,
    text: 'The image ends, with everything defined in it. A new image starts, in which you can evaluate your definitions again. Your files do not change.',
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'restart', title: 'Restart', kind: 'danger' },
    ],
  });
  if (answer === 'restart') await call('image.restart', { image: image.id });
}

/** Returns the image of the shown REPL if it is not the shared image. */
export function furtherImage(): Session | null {
  const image = imageOf(shownRepl());
  return image && !isShared(image) ? image : null;
}

/**
 * Returns the image that a command on evaluations applies to: the shown REPL's image if that REPL has the focus or only that image is busy,
 * otherwise the shared image.
 */
export function meantImage(): Session {
  const { session } = mirror.getState();
  const further = furtherImage();
  if (!further) return session;
  if (focusedRegion() === 'REPL') return further;
  return !isBusy(session) && isBusy(further) ? further : session;
}

export function isBusy({ running, suspended }: Session): boolean {
  return running !== null || suspended.length > 0;
}
