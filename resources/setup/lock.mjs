/** A lock file between processes. It prevents two setups at the same time from undoing each other's work. */
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** The interval at which the owner updates its lock. A lock that was not updated for STALE milliseconds has no owner. */
const TOUCH = 5_000;
const STALE = 60_000;

/**
 * Runs `work` while no other process has the lock `file`. Takes over a lock whose owner has died.
 * @param {(owner: number) => void} onWait called once if another process has the lock
 */
export async function withLock(file, work, onWait = () => {}) {
  mkdirSync(dirname(file), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), at: Date.now() });
  for (let waited = false; !take(file, mine);) {
    if (dropStale(file)) continue;
    if (!waited) onWait(owner(file)?.pid ?? 0);
    waited = true;
    await wait(250);
  }
  const touch = setInterval(() => utimesSync(file, new Date(), new Date()), TOUCH);
  touch.unref();
  const drop = () => rmSync(file, { force: true });
  process.on('exit', drop);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    process.off('exit', drop);
    drop();
  }
}

function take(file, mine) {
  try {
    writeFileSync(file, mine, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a lock without an owner. Only one process at a time may do this, because two processes could each remove the other's new lock.
 */
function dropStale(file) {
  if (!isStale(file)) return false;
  const breaking = `${file}.breaking`;
  try {
    mkdirSync(breaking);
  } catch {
    if (age(breaking) > 10_000) rmSync(breaking, { recursive: true, force: true });
    return false;
  }
  try {
    if (!isStale(file)) return false;
    rmSync(file, { force: true });
    return true;
  } finally {
    rmdirSync(breaking);
  }
}

function isStale(file) {
  if (age(file) > STALE) return true;
  const held = owner(file);
  return held !== undefined && held.host === hostname() && !isAlive(held.pid);
}

function owner(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // The lock is gone, or another process is just writing it.
    return undefined;
  }
}

function age(file) {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
