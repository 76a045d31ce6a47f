/** A menu at a place of the window: where the right button was pressed, or beside what the focus is on. */
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Popover } from 'react-aria-components';
import { useStepAside } from '../panels/step-aside.ts';
import { type MenuGroup, MenuList } from './menu.tsx';
import { look } from '../look.ts';
import styles from './menu.module.css';

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
      {createPortal(
        // In the body, since a panel that is a container for queries would take the place for one in itself.
        <span ref={anchor} className={styles.contextAnchor} style={{ left: place.x, top: place.y }} />,
        document.body,
      )}
      <Popover
        className={look({ surface: 3 }, styles.popover)}
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
