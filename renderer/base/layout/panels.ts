/** The panels of the window, as features register them: the rail, the dock, the columns, the regions and the commands read them here. */
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';

/** Where a panel is: the left column, the dock, the right column, in the place of the editor, or in that of all of these. */
export type PanelPlace = 'left' | 'dock' | 'side' | 'middle' | 'page';

export interface Panel {
  /** Kept in the layout of the workspace, and part of the id of the command that focuses the panel. */
  readonly id: string;
  /** The title of its tab, and the name of its region. */
  readonly title: string;
  readonly place: PanelPlace;
  /** Drawn on the rail, which leads to the left column and to the pages, and in the palette. */
  readonly icon?: LucideIcon;
  /** The keys that focus it. */
  readonly keys?: string;
  readonly Panel: ComponentType;
  /** Drawn behind the title of its tab, such as how many problems there are. */
  readonly Count?: ComponentType;
  /** Buttons in the row of tabs while it is shown. */
  readonly Actions?: ComponentType;
  /** True for a panel of the dock that stays mounted while another one is shown. */
  readonly staysAlive?: true;
  /** The command that focuses it, where the feature has one of its own instead of `X: Focus`. */
  readonly command?: string;
}

const registered: Panel[] = [];

/** Registers panels, in the order in which their places show them. */
export function registerPanels(panels: readonly Panel[]): void {
  registered.push(...panels);
}

export function allPanels(): readonly Panel[] {
  return registered;
}

/** The panels of some places, in order. */
export function panelsAt(...places: readonly PanelPlace[]): readonly Panel[] {
  return registered.filter(({ place }) => places.includes(place));
}

/** The id of the command that focuses a panel. */
export function focusCommandOf({ id, command }: Panel): string {
  return command ?? `view.${id}`;
}
