/** How long a card still waits: a ring that steps once a second, and what happens at its end. */
import { clock, deadlineWords, timeLeft } from './deadline.ts';
import { useSecond } from './use-second.ts';

const RADIUS = 5.6;
const ROUND = 2 * Math.PI * RADIUS;

export function Countdown({ requestedAt, deadline }: { requestedAt: number; deadline: number | null }) {
  const now = useSecond();
  const left = timeLeft(requestedAt, deadline, now);
  return (
    <span className="countdown" role="timer">
      <svg className="countdown-ring" viewBox="0 0 16 16" aria-hidden>
        <circle cx="8" cy="8" r={RADIUS} className="countdown-track" />
        <circle
          cx="8"
          cy="8"
          r={RADIUS}
          className="countdown-left"
          strokeDasharray={`${left * ROUND} ${ROUND}`}
          transform="rotate(-90 8 8)"
        />
      </svg>
      {deadlineWords(deadline, now)}
    </span>
  );
}

/** The bare time, for a row. */
export function TimeLeft({ deadline }: { deadline: number | null }) {
  const now = useSecond();
  return <span className="row-time">{deadline === null ? 'paused' : clock(deadline - now)}</span>;
}
