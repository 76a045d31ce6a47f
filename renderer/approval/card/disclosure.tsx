/** A heading that opens and closes the part of a card below it. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Row } from '../../ui/layout.tsx';
import styles from './facts.module.css';

export interface DisclosureProps {
  title: string;
  open: boolean;
  onOpen: (open: boolean) => void;
  /** Text beside the title, such as the place of the code. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Disclosure({ title, open, onOpen, aside, children }: DisclosureProps) {
  const id = useId();
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <>
      <Row gap={2} font="small" tone={2}>
        <Row
          type="button"
          as="button"
          gap={1}
          font="small"
          tone={2}
          className={styles.disclosure}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => onOpen(!open)}
        >
          <Chevron className="icon-small" aria-hidden />
          {title}
        </Row>
        {aside}
      </Row>
      <div id={id} hidden={!open}>
        {open ? children : null}
      </div>
    </>
  );
}
