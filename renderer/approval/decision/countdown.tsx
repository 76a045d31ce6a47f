/** The countdown of a card: a ring that is updated once a second, and a text about the deadline. */
import { clock, deadlineWords, timeLeft } from './deadline.ts';
import { useSecond } from '../use-second.ts';
import { Row, Text } from '../../ui/layout.tsx';
import styles from './decision.module.css';
import listsStyles from '../lists/lists.module.css';

const RADIUS = 5.6;
const ROUND = 2 * Math.PI * RADIUS;

export function Countdown({ requestedAt, deadline }: { requestedAt: number; deadline: number | null }) {
  const now = useSecond();
  const left = timeLeft(requestedAt, deadline, now);
  return (
    <Row as="span" gap="mark" fixed tone={2} end role="timer">
      <svg className={styles.countdownRing} viewBox="0 0 16 16" aria-hidden>
        <circle cx="8" cy="8" r={RADIUS} className={styles.countdownTrack} />
        <circle
          cx="8"
          cy="8"
          r={RADIUS}
          className={styles.countdownLeft}
          strokeDasharray={`${left * ROUND} ${ROUND}`}
          transform="rotate(-90 8 8)"
        />
      </svg>
      {deadlineWords(deadline, now)}
    </Row>
  );
}

/** Shows only the remaining time, for a row. */
export function TimeLeft({ deadline }: { deadline: number | null }) {
  const now = useSecond();
  return (
    <Text tone={2} className={listsStyles.rowTime}>
      {deadline === null ? 'paused' : clock(deadline - now)}
    </Text>
  );
}
