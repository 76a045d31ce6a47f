/** A line of the audit: the event and the digest that chains it to the line before. Pure; the file is `audit.ts`'s business. */
import { hash } from 'node:crypto';

/** The digest to which the first line of the very first file chains. */
export const GENESIS = '0'.repeat(64);

export interface AuditLine {
  readonly line: string;
  readonly hash: string;
}

/** The line for `event` after a line whose hash was `previous`, with secrets masked, ending in a line feed. */
export function auditLine(event: unknown, previous: string): AuditLine {
  const body = `{"previous":"${previous}","event":${maskedJson(event)}`;
  const digest = hash('sha256', `${body}}`, 'hex');
  return { line: `${body},"hash":"${digest}"}\n`, hash: digest };
}

/** Checks one line against the hash before it; gives its own hash, or null when the chain is broken here. */
export function verifyLine(line: string, previous: string): string | null {
  const match = /^(\{.*),"hash":"([0-9a-f]{64})"\}$/s.exec(line);
  if (!match) return null;
  const body = `${match[1]}}`;
  if (!body.startsWith(`{"previous":"${previous}",`)) return null;
  return hash('sha256', body, 'hex') === match[2] ? match[2] : null;
}

const SECRETS = [
  /\b(lwb_)[A-Za-z0-9_-]{20,}/g,
  /\b(sk-|ghp_|gho_|glpat-|xox[abp]-|AKIA)[A-Za-z0-9_-]{12,}/g,
  /(\bBearer\s+)[A-Za-z0-9._~+/=-]{12,}/gi,
  /((?:password|passwd|secret|token|api[_-]?key)["']?\s*[:=]\s*["']?)[^\s"',)}]{6,}/gi,
];

/** A pattern that finds texts which may hold a secret: most do not, so that one look spares the four patterns that replace. */
const SUSPICIOUS = /lwb_|sk-|gh[po]_|glpat-|xox[abp]-|AKIA|bearer|passw|secret|token|api[_-]?key/i;

/** The JSON of `value` with secrets masked. What is suspicious in a string is so in its JSON, too: most events are written once. */
function maskedJson(value: unknown): string {
  const plain = JSON.stringify(value);
  return SUSPICIOUS.test(plain) ? JSON.stringify(maskSecrets(value)) : plain;
}

/** Replaces what looks like a secret in every string of `value`. A heuristic: it misses what does not look like one. */
export function maskSecrets(value: unknown): unknown {
  if (typeof value === 'string')
    return SUSPICIOUS.test(value) ? SECRETS.reduce((text, pattern) => text.replace(pattern, '$1•••'), value) : value;
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskSecrets(each)]));
  return value;
}
