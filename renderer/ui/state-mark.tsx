/**
 * The mark of a definition that differs from its file: a half disc, a dashed ring or a hollow square. The shapes can be distinguished
 * without colour.
 */
import type { DefinitionDeviation } from '#contract/image/definition.ts';

/** Draws the mark. `label` is its accessible name; omit it if a text beside the mark has the same meaning. */
export function StateMark({ state, label }: { state: DefinitionDeviation['state']; label?: string }) {
  const title = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true as const };
  return (
    <svg className="mark-state" viewBox="0 0 12 12" {...title}>
      {label ? <title>{label}</title> : null}
      {SHAPES[state]}
    </svg>
  );
}

const SHAPES = {
  'changed-in-image': (
    <>
      <circle cx="6" cy="6" r="4.6" fill="none" stroke="currentColor" strokeWidth="1.3" />
      <path d="M6 1.4A4.6 4.6 0 0 1 6 10.6Z" fill="currentColor" />
    </>
  ),
  'only-in-image': (
    <circle
      cx="6"
      cy="6"
      r="4.6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeDasharray="2.2 1.41"
      strokeDashoffset="1.1"
    />
  ),
  'changed-in-file': (
    <rect x="1.9" y="1.9" width="8.2" height="8.2" rx="1" fill="none" stroke="currentColor" strokeWidth="1.4" />
  ),
} as const;
