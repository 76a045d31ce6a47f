/**
 * The marks of actors: a disc is the person, a diamond an agent, a square the workbench. Because their shapes differ, they can be
 * distinguished without colour.
 */
import { classes } from './look.ts';

/** Returns the colour of an actor: the person's colour for null, the workbench's for 0, otherwise one of the agents' four colours. */
export function hueOf(hue: number | null): string {
  if (hue === 0) return 'var(--text-3)';
  return hue === null ? 'var(--person)' : `var(--agent-${((hue - 1) % 4) + 1})`;
}

/**
 * `hue` null draws the person, 0 the workbench. With `label` the mark has an accessible name; without it the name is shown beside the mark.
 * `hollow` draws an agent's work that the person has reviewed.
 */
export function ActorMark({ hue, label, hollow = false }: { hue: number | null; label?: string; hollow?: boolean }) {
  const title = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true as const };
  return (
    <svg className="mark" viewBox="0 0 10 10" style={{ color: hueOf(hue) }} {...title}>
      {label ? <title>{label}</title> : null}
      {hue === null ? (
        <circle cx="5" cy="5" r="4" fill="currentColor" />
      ) : hue === 0 ? (
        <path d="M1.5 1.5H8.5V8.5H1.5Z" fill="currentColor" />
      ) : hollow ? (
        <path d="M5 1.2 8.8 5 5 8.8 1.2 5Z" fill="none" stroke="currentColor" />
      ) : (
        <path d="M5 0.4 9.6 5 5 9.6 0.4 5Z" fill="currentColor" />
      )}
    </svg>
  );
}

/** The ring that shows that something is running. It turns, unless the person prefers reduced motion. */
export function Ring() {
  return (
    <svg className="ring" viewBox="0 0 12 12" aria-hidden>
      <circle cx="6" cy="6" r="4.4" fill="none" stroke="currentColor" strokeWidth="1.6" opacity="0.3" />
      <path
        d="M6 1.6 A4.4 4.4 0 0 1 10.4 6"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** The state of the image: a full dot while it is running, otherwise a hollow one. */
export function StateDot({ live }: { live: boolean }) {
  return (
    <svg className={classes('state-dot', live ? 'state-dot-live' : undefined)} viewBox="0 0 10 10" aria-hidden>
      <circle
        cx="5"
        cy="5"
        r={live ? 4 : 3.4}
        fill={live ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth={live ? 0 : 1.3}
      />
    </svg>
  );
}
