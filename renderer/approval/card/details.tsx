/** Facts that most decisions do not need. They are closed until the person opens them. */
import { type ReactNode, useState } from 'react';
import { Disclosure } from './disclosure.tsx';
import { Box } from '../../ui/layout.tsx';
import styles from './facts.module.css';

export function Details({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <Box padX={4} className={styles.details}>
      <Disclosure title="Details" open={open} onOpen={setOpen}>
        <Box as="dl" font="small" className={styles.detailFacts}>
          {children}
        </Box>
      </Disclosure>
    </Box>
  );
}
