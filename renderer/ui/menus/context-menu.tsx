/** A context menu, opened at the position of the right click or beside the focused element. */
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
        // The element is a child of the body. Inside a panel that is a CSS query container, its position would be relative to the panel.
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
