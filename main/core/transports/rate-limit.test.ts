import { describe, expect, it } from 'vitest';
import { RateLimit } from './rate-limit.ts';

describe('rate limit', () => {
  it("The rate of a client's requests is limited at once and for long, for each client by itself [K1]", () => {
    let now = 0;
    const limit = new RateLimit({ perSecond: 10, burst: 30 }, () => now);
    const asks = (client: string, times: number): number =>
      Array.from({ length: times }, () => limit.take(client)).filter((refusal) => refusal === null).length;
    expect(asks('one', 40)).toBe(30);
    expect(limit.take('one')).toMatch(/more than 10 requests a second for too long\. Wait/);
    expect(asks('two', 5)).toBe(5);
    now += 500;
    expect(asks('one', 40)).toBe(5);
    now += 3_600_000;
    expect(asks('one', 40)).toBe(30);
  });
});
