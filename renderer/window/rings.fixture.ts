/**
 * Finds focus rings that are cut off. A ring is drawn outside its element, and may be clipped by a surrounding box that scrolls or hides
 * its overflow.
 */

/**
 * Returns the visible elements whose focus ring would be cut off, one a line. Press a key before, because a focused element shows its ring
 * only after a key press.
 */
export function cutRings(): string[] {
  const RING = 2;
  const before = document.activeElement;
  const faults: string[] = [];
  const things = document.querySelectorAll<HTMLElement>(
    ':is(button, input, textarea):not([tabindex="-1"]), [tabindex="0"]',
  );
  for (const thing of things) {
    const box = thing.getBoundingClientRect();
    if (box.width === 0 || thing.matches(':disabled') || !thing.checkVisibility({ visibilityProperty: true })) continue;
    thing.focus({ preventScroll: true });
    const shadow = getComputedStyle(thing).boxShadow;
    if (document.activeElement !== thing || shadow === 'none' || shadow.includes('inset')) continue;
    for (let around = thing.parentElement; around; around = around.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(around);
      const outer = around.getBoundingClientRect();
      const [left, top] = [outer.left + around.clientLeft, outer.top + around.clientTop];
      const [right, bottom] = [left + around.clientWidth, top + around.clientHeight];
      // If the element itself is scrolled out of view, it shows no ring.
      if (box.left < left || box.top < top || box.right > right || box.bottom > bottom) break;
      const across = overflowX !== 'visible' && (box.left - RING < left || box.right + RING > right);
      const down = overflowY !== 'visible' && (box.top - RING < top || box.bottom + RING > bottom);
      if (across || down) {
        const name = thing.getAttribute('aria-label') ?? thing.textContent;
        faults.push(
          `${name?.slice(0, 60)} in ${around.className} of ${thing.closest('[data-region]')?.getAttribute('data-region')}`,
        );
        break;
      }
      if (position === 'fixed') break;
    }
  }
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return faults;
}
