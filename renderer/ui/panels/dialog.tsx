/** A dialog over the window. It has a headline, a body, and its answers at the bottom; Escape closes it. */
import { type ReactNode, useEffect } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useStepAside } from './step-aside.ts';
import { Row, Stack } from '../layout.tsx';
import { look } from '../look.ts';
import styles from './dialog.module.css';

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  actions?: ReactNode;
  role?: 'dialog' | 'alertdialog';
  /** True for a wide dialog with two columns. */
  size?: 'usual' | 'wide';
}

export function Dialog({ title, onClose, children, actions, role = 'dialog', size = 'usual' }: DialogProps) {
  const stepAside = useStepAside();
  useEffect(() => {
    stepAside(true);
    return () => stepAside(false);
  }, [stepAside]);
  return (
    <ModalOverlay
      className={look({ flow: 'row', align: 'start', justify: 'center' }, styles.back)}
      isOpen
      isDismissable={role === 'dialog'}
      onOpenChange={(open) => (open ? undefined : onClose())}
    >
      <Modal className={look({ flow: 'row', align: 'stretch', surface: 2 }, styles.dialog, styles[`dialog-${size}`])}>
        <AriaDialog role={role} className={look({ flow: 'stack' }, styles.inner)}>
          <Heading slot="title" level={2} className={look({ font: 'head' }, styles.title)}>
            {title}
          </Heading>
          <Stack gap={3} padY={3} padX={4} scroll>
            {children}
          </Stack>
          {actions ? (
            <Row align="stretch" justify="end" gap={2} className={styles.actions}>
              {actions}
            </Row>
          ) : null}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
