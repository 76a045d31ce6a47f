/** The time as words about it need it: it moves every quarter of a minute. */
import { useEffect, useState } from 'react';

const EVERY_MS = 15_000;

export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
