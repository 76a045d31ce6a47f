/** A dialog over the window. It has a headline, a body and its decisions at the foot; Escape closes it. */
import { type ReactNode, useEffect } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useStepAside } from '../layout/step-aside.ts';

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  actions?: ReactNode;
  role?: 'dialog' | 'alertdialog';
  /** Wide: two columns beside each other. */
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
      className="dialog-back"
      isOpen
      isDismissable={role === 'dialog'}
      onOpenChange={(open) => (open ? undefined : onClose())}
    >
      <Modal className={`dialog dialog-${size}`}>
        <AriaDialog role={role} className="dialog-inner">
          <Heading slot="title" level={2} className="dialog-title">
            {title}
          </Heading>
          <div className="dialog-body">{children}</div>
          {actions ? <div className="dialog-actions">{actions}</div> : null}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
