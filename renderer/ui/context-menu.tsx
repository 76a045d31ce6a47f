/** A menu at a place of the window: where the right button was pressed, or beside what the focus is on. */
import { useEffect, useRef } from 'react';
import { Popover } from 'react-aria-components';
import { useStepAside } from '../layout/step-aside.ts';
import { type MenuGroup, MenuList } from './menu.tsx';

export interface ContextMenuProps {
  label: string;
  groups: readonly MenuGroup[];
  place: { x: number; y: number };
  onClose: () => void;
}

export function ContextMenu({ label, groups, place, onClose }: ContextMenuProps) {
  const stepAside = useStepAside();
  const anchor = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    stepAside(true);
    return () => stepAside(false);
  }, [stepAside]);
  return (
    <>
      <span ref={anchor} className="context-anchor" style={{ left: place.x, top: place.y }} />
      <Popover
        className="popover"
        aria-label={label}
        triggerRef={anchor}
        isOpen
        onOpenChange={(open) => (open ? undefined : onClose())}
        placement="bottom start"
        offset={2}
      >
        <MenuList label={label} groups={groups} onClose={onClose} />
      </Popover>
    </>
  );
}
