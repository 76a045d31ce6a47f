/** A line of the audit: the event, and the digest that chains the line to the previous one. Pure; `audit.ts` handles the file. */
import { hash } from 'node:crypto';

/** The hash that precedes the first line of the first file in the chain. */
export const GENESIS = '0'.repeat(64);

export interface AuditLine {
  readonly line: string;
  readonly hash: string;
}

/** Returns the line for `event` that follows a line with the hash `previous`. Secrets are masked, and the line ends with a line feed. */
export function auditLine(event: unknown, previous: string): AuditLine {
  const body = `{"previous":"${previous}","event":${maskedJson(event)}`;
  const digest = hash('sha256', `${body}}`, 'hex');
  return { line: `${body},"hash":"${digest}"}\n`, hash: digest };
}

/** Checks one line against the hash of the previous line. Returns the line's own hash, or null if the chain is broken here. */
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

/** A pattern that matches every text that may contain a secret. Most texts do not match, so the four slower replacements are skipped. */
const SUSPICIOUS = /lwb_|sk-|gh[po]_|glpat-|xox[abp]-|AKIA|bearer|passw|secret|token|api[_-]?key/i;

/**
 * Returns the JSON of `value` with secrets masked. The complete JSON is tested: if a string matches `SUSPICIOUS`, so does its JSON. Most
 * events therefore have to be serialized only once.
 */
function maskedJson(value: unknown): string {
  const plain = JSON.stringify(value);
  return SUSPICIOUS.test(plain) ? JSON.stringify(maskSecrets(value)) : plain;
}

/** Replaces probable secrets in every string of `value`. This is a heuristic and can miss some. */
export function maskSecrets(value: unknown): unknown {
  if (typeof value === 'string')
    return SUSPICIOUS.test(value) ? SECRETS.reduce((text, pattern) => text.replace(pattern, '$1•••'), value) : value;
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskSecrets(each)]));
  return value;
}
