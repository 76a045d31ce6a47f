/** All panels and dialogs, drawn without Electron and an image. axe checks their initial content in both themes. */
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { openOverlay, type Overlay, useOverlay } from '../base/layout/overlays.ts';
import { Notices } from '../base/notices/notices.tsx';
import { draw, drawPanel, faults, NO_IMAGE, openWindow, snapshotWith } from '../window.fixture.tsx';
import { features } from './all.ts';
import { SavedImages } from './saved-images/saved-images.tsx';

const PANELS = features.flatMap(({ panels = [] }) => panels.map(({ id, title }) => ({ id, title })));
const DIALOGS = features.flatMap(({ dialogs = {} }) =>
  Object.entries(dialogs).map(([kind, Dialog]) => ({ kind, Dialog })),
);

/** The properties that overlays need in addition to their kind. */
const GIVEN: { readonly [Kind in Overlay['kind']]?: Omit<Extract<Overlay, { kind: Kind }>, 'kind'> } = {
  rename: { what: 'repl', id: 'repl', name: 'REPL' },
  protection: { image: 'shared' },
  'update-dist': { dist: 'quicklisp', version: null },
  'dist-versions': { dist: 'quicklisp' },
  'add-library': { library: 'yason' },
};

describe('panels', () => {
  it.each(PANELS)('The panel $title is drawn while there is no image [issue 36.4]', async ({ id, title }) => {
    await openWindow(snapshotWith({}, NO_IMAGE));
    await drawPanel(id);
    await expect.element(page.getByRole('region', { name: title })).toBeVisible();
    expect(await faults()).toEqual([]);
  });

  it.each(PANELS)('The panel $title is drawn while the image answers nothing [issue 36.4]', async ({ id, title }) => {
    await openWindow(snapshotWith());
    await drawPanel(id);
    await expect.element(page.getByRole('region', { name: title })).toBeVisible();
    expect(await faults()).toEqual([]);
  });

  it.each(PANELS)('The panel $title is drawn without a project [issue 36.4]', async ({ id, title }) => {
    await openWindow(snapshotWith({ project: null }));
    await drawPanel(id);
    await expect.element(page.getByRole('region', { name: title })).toBeVisible();
    expect(await faults()).toEqual([]);
  });
});

describe('dialogs', () => {
  it.each(DIALOGS)('The dialog $kind has a name and no fault [issue 36.4]', async ({ kind, Dialog }) => {
    await openWindow(snapshotWith(), { 'savedImages.list': () => ({ images: [] }) });
    const given = GIVEN[kind as Overlay['kind']] ?? {};
    const Shown = Dialog as React.ComponentType<typeof given>;
    await draw(() => <Shown {...given} />);
    const dialog = page.getByRole('dialog');
    await expect.element(dialog).toBeVisible();
    await expect.element(dialog).toHaveAccessibleName();
    expect(await faults()).toEqual([]);
  });

  it('A dialog whose list cannot be had says why and can be opened again [issue 36.4]', async () => {
    await openWindow(snapshotWith(), {
      'savedImages.list': () => Promise.reject(new Error('The folder cannot be read.')),
    });
    openOverlay({ kind: 'saved-images' });
    await draw(() => (
      <>
        <p>{useOverlay()?.kind ?? 'no dialog'}</p>
        <SavedImages />
        <Notices />
      </>
    ));
    await expect.element(page.getByText('The folder cannot be read.')).toBeVisible();
    await expect.element(page.getByText('no dialog')).toBeVisible();
  });
});
