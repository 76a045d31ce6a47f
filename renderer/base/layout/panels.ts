/** The panels of the window, registered by features. The rail, the dock, the columns, the regions and the commands read them here. */
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';

/** Where a panel is shown: in the left column, the dock, the right column, or in place of the editor. A `page` replaces all of these. */
export type PanelPlace = 'left' | 'dock' | 'side' | 'middle' | 'page';

export interface Panel {
  /** The panel's id. It is saved in the layout and is part of the id of the command that focuses the panel. */
  readonly id: string;
  /** The title of its tab and the name of its region. */
  readonly title: string;
  readonly place: PanelPlace;
  /** The icon in the palette and on the rail, which lists the left column's panels and the pages. */
  readonly icon?: LucideIcon;
  /** The keys that focus the panel. */
  readonly keys?: string;
  readonly Panel: ComponentType;
  /** A component drawn after the tab's title, such as the number of problems. */
  readonly Count?: ComponentType;
  /** Buttons in the tab row while the panel is shown. */
  readonly Actions?: ComponentType;
  /** True for a dock panel that stays mounted while another panel is shown. */
  readonly staysAlive?: true;
  /** The id of the command that focuses the panel, if the feature defines one to replace `X: Focus`. */
  readonly command?: string;
}

const registered: Panel[] = [];

/** Registers panels in the order in which they are shown. */
export function registerPanels(panels: readonly Panel[]): void {
  registered.push(...panels);
}

export function allPanels(): readonly Panel[] {
  return registered;
}

/** Returns the panels of some places, in order. */
export function panelsAt(...places: readonly PanelPlace[]): readonly Panel[] {
  return registered.filter(({ place }) => places.includes(place));
}

/** Returns the id of the command that focuses a panel. */
export function focusCommandOf({ id, command }: Panel): string {
  return command ?? `view.${id}`;
}
